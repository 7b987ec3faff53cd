//! Files of JSON lines that are only ever added to. A line is on the disk when [`JsonLines::add`]
//! returns, so that an interruption, even a power cut, costs at most half a line at the end.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// It exists, and the user did not say to go on with it.
    #[error("{} exists already: add --resume to go on with it, or choose another --journal", .0.display())]
    Exists(PathBuf),
    /// A line in its middle cannot be read.
    #[error("{}, line {line}: {problem}", path.display())]
    Corrupt {
        /// Which file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// It was begun with other settings.
    #[error("{} was begun with other settings: {difference}", path.display())]
    OtherTerms {
        /// Which file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// There is nothing to join.
    #[error("no journal to merge")]
    Nothing,
}

/// Such a file, open for writing.
pub struct JsonLines {
    file: File,
    path: PathBuf,
}

impl JsonLines {
    /// Begins a file with the line `first`.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, first: &impl Serialize) -> Result<JsonLines, JournalError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = match file {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                return Err(JournalError::Exists(path.to_path_buf()));
            }
            other => other.map_err(|e| io_error(path, e))?,
        };
        let mut lines = JsonLines {
            file,
            path: path.to_path_buf(),
        };
        lines.add(first)?;
        Ok(lines)
    }

    /// Goes on with a file: returns its lines from the first on. Half a line at its end is cut
    /// off. A file that does not exist, or holds nothing whole, is begun with `first`.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn resume<T: Serialize + DeserializeOwned>(
        path: &Path,
        first: &T,
    ) -> Result<(JsonLines, Vec<T>), JournalError> {
        let text = match read_whole_lines(path) {
            Err(JournalError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                return Ok((JsonLines::create(path, first)?, Vec::new()));
            }
            other => other?,
        };
        // Before anything is cut off: a file of another kind stays as it is.
        let found = parse(path, &text)?;
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(|e| io_error(path, e))?;
        file.set_len(text.len() as u64)
            .map_err(|e| io_error(path, e))?;
        let mut lines = JsonLines {
            file,
            path: path.to_path_buf(),
        };
        if text.is_empty() {
            lines.add(first)?;
        }
        Ok((lines, found))
    }

    /// Adds a line; it is on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_vec(line).expect("plain data has a JSON form");
        text.push(b'\n');
        self.file
            .write_all(&text)
            .and_then(|()| self.file.sync_data())
            .map_err(|e| io_error(&self.path, e))
    }
}

fn io_error(path: &Path, error: io::Error) -> JournalError {
    JournalError::Io {
        path: path.to_path_buf(),
        error,
    }
}

/// Reads a file's lines; half a line at its end is left out.
///
/// # Errors
/// When the file cannot be read or a line is not of the kind `T`.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, JournalError> {
    parse(path, &read_whole_lines(path)?)
}

fn read_whole_lines(path: &Path) -> Result<Vec<u8>, JournalError> {
    let mut text = std::fs::read(path).map_err(|e| io_error(path, e))?;
    let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    text.truncate(whole);
    Ok(text)
}

fn parse<T: DeserializeOwned>(path: &Path, text: &[u8]) -> Result<Vec<T>, JournalError> {
    text.split(|b| *b == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(i, line)| {
            serde_json::from_slice(line).map_err(|e| JournalError::Corrupt {
                path: path.to_path_buf(),
                line: i + 1,
                problem: e.to_string(),
            })
        })
        .collect()
}
