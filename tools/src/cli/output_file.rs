//! Texts as files, or on standard output.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};

use super::Error;
use tengen::files::{Kind, NewFile, write_file};

/// True for a name of standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Writes a text to a file, or to `out` where the path names standard output. Replaces existing
/// files of the kind `replaces` alone.
pub(super) fn write(
    path: &Path,
    replaces: Kind,
    text: &str,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if is_standard_output(path) {
        return Ok(out.write_all(text.as_bytes())?);
    }
    write_file(path, replaces, |file| file.write_all(text.as_bytes()))
        .map_err(|error| Error::of_file(path, error))
}

/// Checks that [`write()`] can write the file: after hours of work an error would come too late.
pub(super) fn check(path: &Path, replaces: Kind) -> Result<(), Error> {
    if is_standard_output(path) {
        return Ok(());
    }
    NewFile::begin(path, replaces)
        .map(drop)
        .map_err(|error| Error::of_file(path, error))
}

/// A drawing (SVG), as the kind of a file.
pub(super) fn is_drawing(head: &[u8]) -> bool {
    head.starts_with(b"<svg ")
}

/// A file or folder that is read again later, as the value of an option: standard output is none.
pub(super) fn lasting() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|path| match is_standard_output(Path::new(&path)) {
        true => Err("standard output cannot be read again: name a file or folder"),
        false => Ok(PathBuf::from(path)),
    })
}
