//! Several files of games as one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::data_file::{DataFileError, FileSummary, Header, Maker, read_frames};
use super::inventory::Inventory;
use tengen::files::{no_kind, read_argument, write_file};

/// Why files cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file cannot be read, or is damaged.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// The new file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// None of the files has a record.
    #[error("there is nothing to merge: the files are empty")]
    Empty,
    /// Two files have the same games, or one has them twice.
    #[error("{} has games of the same settings and seed as {}", .0.display(), .1.display())]
    Duplicate(PathBuf, PathBuf),
}

/// Checks all of `files` and writes them as one new file at `path`, whole or not at all. Files of
/// other programs, records without a header, get one that names `source`. Incomplete frames are
/// left out, with a call of `warn`. Returns the content of the new file.
///
/// # Errors
/// When a file is damaged or has no header, games occur twice, or all files are empty.
pub fn merge(
    path: &Path,
    files: &[PathBuf],
    source: Option<&str>,
    warn: &mut dyn FnMut(String),
) -> Result<Inventory, MergeError> {
    let source = source.map(|source| Maker::Other(source.to_string()));
    write_file(path, no_kind, |out| {
        let mut inventory = Inventory::default();
        let mut makers = Vec::new();
        for file in files {
            let bytes =
                read_argument(file).map_err(|error| DataFileError::Io(file.clone(), error))?;
            let summary = read_frames(file, &bytes, source.as_ref(), &mut |_| {})?;
            check(&summary, &mut makers)?;
            if let Some(at) = summary.torn {
                let file = file.display();
                warn(format!(
                    "{file}: the frame at byte {at} is not complete; left out"
                ));
            }
            // The maker that no header in the file names.
            let maker = summary.sections.first().map(|section| &section.maker);
            if let Some(maker) = maker.filter(|maker| Some(*maker) == source.as_ref()) {
                out.write_all(&Header::new(maker.clone()).encode()?)?;
            }
            out.write_all(&bytes[..summary.torn.unwrap_or(bytes.len())])?;
            inventory.add(&summary);
        }
        match makers.is_empty() {
            true => Err(MergeError::Empty),
            false => Ok(inventory),
        }
    })
}

/// Refuses runs already among `makers`, and adds the runs of `summary`.
fn check(summary: &FileSummary, makers: &mut Vec<(Maker, PathBuf)>) -> Result<(), MergeError> {
    for section in &summary.sections {
        let maker = &section.maker;
        let before = makers.iter().find(|(before, _)| before == maker);
        if let Some((_, other)) = before.filter(|_| maker.settings().is_some()) {
            return Err(MergeError::Duplicate(summary.path.clone(), other.clone()));
        }
        makers.push((maker.clone(), summary.path.clone()));
    }
    Ok(())
}
