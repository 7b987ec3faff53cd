//! Several files of games as one.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::data_file::{DataFileError, FileSummary, read_data_file};
use super::format::{FormatError, Header, Origin};
use super::frames::scan;
use super::inventory::Inventory;
use super::layout::Layout;
use tengen::files::{NewFile, no_kind, read_regular_file, write_file};

/// Why files cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file cannot be read, or is damaged.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// The new file cannot be written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// An old file without settings.
    #[error("{0}: what made it is not known: it has no header, and there is no .json beside it")]
    Unknown(PathBuf),
    /// None of the files has a record.
    #[error("there is nothing to merge: the files are empty")]
    Empty,
    /// Two files have the same games, or one has them twice.
    #[error("{} has games {first} to {last} of the same settings and seed as {}", path.display(), other.display())]
    Duplicate {
        /// The later file.
        path: PathBuf,
        /// The earlier one; may be the same.
        other: PathBuf,
        /// First game that both have.
        first: u64,
        /// Last game that both have.
        last: u64,
    },
}

/// Checks all of `files` and writes them as one new file at `path`, which comes to be whole or not at
/// all. Old files get their headers. `warn` is told of games that are left out because their run is not
/// finished. Returns what the new file has.
///
/// # Errors
/// When a file is damaged, nothing says what made it, games occur twice, or all files are empty.
pub fn merge(
    path: &Path,
    files: &[PathBuf],
    warn: &mut dyn FnMut(String),
) -> Result<Inventory, MergeError> {
    let written = write_file(path, no_kind, |out| {
        let mut merged: Vec<FileSummary> = Vec::new();
        let mut frames = Frames::new();
        for file in files {
            let summary = read_data_file(file, &mut |_| {}).map_err(MergeError::File)?;
            check(&summary, &mut frames)?;
            if summary.is_unfinished {
                let file = file.display();
                warn(format!(
                    "{file} is not finished; the games in its .part are left out"
                ));
            }
            copy(out, &summary)?;
            merged.push(summary);
        }
        if merged.iter().all(|summary| summary.sections.is_empty()) {
            return Err(MergeError::Empty.into());
        }
        Ok(merged)
    });
    let merged = written.map_err(|error: Failure| match error {
        Failure::Merge(error) => error,
        Failure::Io(error) => MergeError::Io(path.to_path_buf(), error),
    })?;
    let mut inventory = Inventory::default();
    merged.iter().for_each(|summary| inventory.add(summary));
    Ok(inventory)
}

/// What failed while the new file was written.
enum Failure {
    Merge(MergeError),
    /// The new file itself.
    Io(io::Error),
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Failure {
        Failure::Merge(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

/// Frames of the files so far, by what made them: the first number of each, the number after its last
/// one, and its file.
type Frames = BTreeMap<String, BTreeMap<u64, (u64, PathBuf)>>;

/// Whether it is known what made each game of `summary`, and none is in it twice or in one of the files
/// before. Adds its frames to theirs.
fn check(summary: &FileSummary, before: &mut Frames) -> Result<(), MergeError> {
    for section in &summary.sections {
        let Some(origin) = &section.origin else {
            return Err(MergeError::Unknown(summary.path.clone()));
        };
        let frames = before.entry(origin.maker.json()).or_default();
        for numbers in section.numbers.iter().filter(|numbers| !numbers.is_empty()) {
            // They have no game in common, so the last one that begins before the end of this one is
            // also the last to end.
            if let Some((&start, (end, other))) = frames.range(..numbers.end).next_back()
                && *end > numbers.start
            {
                return Err(MergeError::Duplicate {
                    path: summary.path.clone(),
                    other: other.clone(),
                    first: numbers.start.max(start),
                    last: numbers.end.min(*end) - 1,
                });
            }
            frames.insert(numbers.start, (numbers.end, summary.path.clone()));
        }
    }
    Ok(())
}

/// Writes the whole frames of a file.
fn copy(out: &mut NewFile, summary: &FileSummary) -> Result<(), Failure> {
    let read = read_regular_file(&summary.path);
    let io_error = |error| MergeError::from(DataFileError::Io(summary.path.clone(), error));
    let mut bytes = read.map_err(io_error)?;
    // No more than was checked, should the file have grown.
    let end = summary.incomplete.unwrap_or(summary.bytes);
    bytes.truncate(usize::try_from(end).unwrap_or(usize::MAX));
    if !summary.is_old {
        return Ok(out.write_all(&bytes)?);
    }
    let origin = summary.sections.first().and_then(|s| s.origin.as_ref());
    let Some(settings) = origin.and_then(Origin::settings) else {
        return Err(MergeError::Unknown(summary.path.clone()).into());
    };
    let scan = scan(&bytes, true);
    let format_error = |(offset, error): (usize, FormatError)| {
        let offset = offset as u64;
        MergeError::from(DataFileError::Format(summary.path.clone(), offset, error))
    };
    let layout = Layout::of(&scan, Header::new(settings), true, None);
    let (rebuilt, _) = layout.map_err(format_error)?.rebuild(&bytes, &scan)?;
    Ok(out.write_all(&rebuilt)?)
}
