//! Drawings as files.

use std::io::Write as _;
use std::path::Path;

use super::Error;
use tengen::files::write_file;

/// Writes a drawing (SVG) to a file; of files that exist, only another drawing is replaced.
pub(super) fn write_drawing(path: &Path, svg: &str) -> Result<(), Error> {
    write_file(path, is_drawing, |file| file.write_all(svg.as_bytes()))
        .map_err(|error| Error::Failed(format!("{}: {error}", path.display())))
}

fn is_drawing(head: &[u8]) -> bool {
    head.starts_with(b"<svg ")
}
