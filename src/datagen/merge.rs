//! Several files of games as one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::data_file::{DataFileError, FileSummary, Section, read_data_file};
use super::format::{FormatError, Header, Maker, Origin};
use super::frames::scan;
use super::inventory::Inventory;
use super::layout::Layout;
use crate::files::{NewFile, no_kind, read_regular_file, write_file};

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
/// When a file is damaged, nothing says what made it, or games occur twice.
pub fn merge(
    path: &Path,
    files: &[PathBuf],
    warn: &mut dyn FnMut(String),
) -> Result<Inventory, MergeError> {
    let written = write_file(path, no_kind, |out| {
        let mut merged: Vec<FileSummary> = Vec::new();
        for file in files {
            let summary = read_data_file(file, &mut |_| {}).map_err(MergeError::File)?;
            check_settings(&summary)?;
            check_duplicates(&summary, &merged)?;
            if summary.is_unfinished {
                let file = file.display();
                warn(format!(
                    "{file} is not finished; the games in its .part are left out"
                ));
            }
            copy(out, &summary)?;
            merged.push(summary);
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

fn check_settings(summary: &FileSummary) -> Result<(), MergeError> {
    match summary
        .sections
        .iter()
        .all(|section| section.origin.is_some())
    {
        true => Ok(()),
        false => Err(MergeError::Unknown(summary.path.clone())),
    }
}

/// Whether no game of `summary` is in it twice or in one of the files before.
fn check_duplicates(summary: &FileSummary, before: &[FileSummary]) -> Result<(), MergeError> {
    for (i, section) in summary.sections.iter().enumerate() {
        for (j, numbers) in section.numbers.iter().enumerate() {
            let earlier = section.numbers[..j].iter().map(|n| (n, &summary.path));
            let same = |other: &&Section| maker(other) == maker(section);
            let own = summary.sections[..i].iter().filter(same);
            let own = own.flat_map(|s| &s.numbers).map(|n| (n, &summary.path));
            let others = before.iter().flat_map(|file| {
                let sections = file.sections.iter().filter(same);
                let numbers = sections.flat_map(|section| &section.numbers);
                numbers.map(|numbers| (numbers, &file.path))
            });
            for (other, path) in earlier.chain(own).chain(others) {
                let (first, end) = (numbers.start.max(other.start), numbers.end.min(other.end));
                if first < end {
                    return Err(MergeError::Duplicate {
                        path: summary.path.clone(),
                        other: path.clone(),
                        first,
                        last: end - 1,
                    });
                }
            }
        }
    }
    Ok(())
}

fn maker(section: &Section) -> Option<&Maker> {
    section.origin.as_ref().map(|origin| &origin.maker)
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
