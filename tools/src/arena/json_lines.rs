//! Append-only files of JSON lines. A line is on the disk when [`JsonLines::add`] returns, so an
//! interruption, even a power cut, costs at most half a line at the end. One process at a time
//! writes a file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use tengen::files::{open_alone, read_argument, read_regular_file};

/// The reason for which a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file exists, and the user did not ask to resume.
    #[error("{} exists already: add --resume to go on with it, or choose another --journal", .0.display())]
    Exists(PathBuf),
    /// Another process writes the file.
    #[error("{}: another process plays its games and writes it", .0.display())]
    Busy(PathBuf),
    /// The file belongs to something else.
    #[error("{}, line 1: not the journal of this command; it is left as it is", .0.display())]
    Foreign(PathBuf),
    /// A line in its middle cannot be read.
    #[error("{}, line {line}: {problem}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The problem, in words.
        problem: String,
    },
    /// The file was begun with other settings.
    #[error("{} was begun with other settings: {difference}", path.display())]
    OtherTerms {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        difference: String,
    },
    /// No journal was named to join.
    #[error("no journal to merge")]
    Nothing,
}

/// A line with its number in the file, from 1.
pub struct Numbered<T> {
    /// The number.
    pub number: usize,
    /// The line.
    pub line: T,
}

/// Openings that a search has found, kept in the journal: another search takes minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundOpenings {
    /// The openings asked for, in words.
    pub wanted: String,
    /// The moves of each: `h8 i9 h7`.
    pub openings: Vec<String>,
}

/// The openings behind the first line of the journal at `path`; none where they cannot be read.
pub fn found_openings(path: &Path) -> Vec<FoundOpenings> {
    let Ok(bytes) = read_regular_file(path) else {
        return Vec::new();
    };
    let lines = whole_lines(&bytes).split(|b| *b == b'\n').skip(1);
    lines
        .map_while(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// An append-only file of JSON lines, open for writing.
pub struct JsonLines {
    file: File,
    path: PathBuf,
}

impl JsonLines {
    /// Begins a file with the lines `head`. A file without one whole line (empty, or ending inside
    /// the first) is begun again: a full disk leaves such a file.
    ///
    /// # Errors
    /// When the file holds anything else, is written by another process, or cannot be written.
    ///
    /// # Panics
    /// When `head` is empty.
    pub fn create(path: &Path, head: &[impl Serialize]) -> Result<JsonLines, JournalError> {
        let (mut lines, bytes) = JsonLines::open(path)?;
        if !line_of(&head[0]).starts_with(&bytes) || bytes.ends_with(b"\n") {
            return Err(JournalError::Exists(path.to_path_buf()));
        }
        lines.cut(0)?;
        head.iter().try_for_each(|line| lines.add(line))?;
        Ok(lines)
    }

    /// Goes on with a file: returns the result of `check` on its lines, from the first on. Half a
    /// line at the end is cut off. A file without one whole line (missing, empty, or ending inside
    /// the first line of `head`) is begun with `head`, and `check` gets no lines.
    ///
    /// # Errors
    /// When the file cannot be read or written, is another one, is written by another process, or
    /// `check` refuses its lines; the file stays as it is then.
    ///
    /// # Panics
    /// When `head` is empty.
    pub fn resume<T: Serialize + DeserializeOwned, R>(
        path: &Path,
        head: &[T],
        check: impl FnOnce(Vec<Numbered<T>>) -> Result<R, JournalError>,
    ) -> Result<(JsonLines, R), JournalError> {
        let (mut lines, bytes) = JsonLines::open(path)?;
        let whole = whole_lines(&bytes);
        if whole.is_empty() && !line_of(&head[0]).starts_with(&bytes) {
            return Err(JournalError::Foreign(path.to_path_buf()));
        }
        // Half a line is cut off only after all checks: another file stays as it is.
        let found: Vec<Numbered<T>> = parse_each(path, whole).collect::<Result<_, _>>()?;
        if found.is_empty() && !whole.is_empty() {
            return Err(JournalError::Foreign(path.to_path_buf()));
        }
        let checked = check(found)?;
        lines.cut(whole.len() as u64)?;
        if whole.is_empty() {
            head.iter().try_for_each(|line| lines.add(line))?;
        }
        Ok((lines, checked))
    }

    /// Opens the file for this process alone to write; also returns its bytes.
    fn open(path: &Path) -> Result<(JsonLines, Vec<u8>), JournalError> {
        let file = open_alone(path).map_err(|e| io_error(path, e))?;
        let mut file = file.ok_or_else(|| JournalError::Busy(path.to_path_buf()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|e| io_error(path, e))?;
        let path = path.to_path_buf();
        Ok((JsonLines { file, path }, bytes))
    }

    /// Cuts the file after `length` bytes and goes to its end.
    fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        self.file
            .set_len(length)
            .and_then(|()| self.file.seek(SeekFrom::End(0)))
            .map_err(|e| io_error(&self.path, e))?;
        Ok(())
    }

    /// Adds a line; it is on the disk when this returns.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        self.file
            .write_all(&line_of(line))
            .and_then(|()| self.file.sync_data())
            .map_err(|e| io_error(&self.path, e))
    }
}

/// Refuses a busy file and, without `resume`, one with lines: early, before work that takes
/// minutes.
///
/// # Errors
/// When the file is written by another process or, without `resume`, holds a line.
pub fn check_free(path: &Path, resume: bool) -> Result<(), JournalError> {
    if !path.exists() {
        return Ok(());
    }
    let (_, bytes) = JsonLines::open(path)?;
    match !resume && bytes.contains(&b'\n') {
        true => Err(JournalError::Exists(path.to_path_buf())),
        false => Ok(()),
    }
}

/// A line with its end.
pub fn line_of(line: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(line).expect("plain data has a JSON form");
    text.push(b'\n');
    text
}

fn io_error(path: &Path, error: io::Error) -> JournalError {
    JournalError::Io {
        path: path.to_path_buf(),
        error,
    }
}

/// The bytes of a file, a pipe or standard input.
///
/// # Errors
/// When they cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, JournalError> {
    read_argument(path).map_err(|e| io_error(path, e))
}

/// The lines in the bytes of the file at `path`; half a line at their end is left out.
///
/// # Errors
/// When a line is not of the kind `T`.
pub fn parse<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
) -> Result<Vec<Numbered<T>>, JournalError> {
    parse_each(path, whole_lines(bytes)).collect()
}

/// Reads each line of a file, or the error in that line, half a line at the end included.
///
/// # Errors
/// When the file cannot be read.
pub fn read_each<T: DeserializeOwned>(
    path: &Path,
) -> Result<Vec<Result<Numbered<T>, JournalError>>, JournalError> {
    let bytes = read(path)?;
    let whole = whole_lines(&bytes);
    let mut lines: Vec<_> = parse_each(path, whole).collect();
    if whole.len() < bytes.len() {
        lines.push(Err(JournalError::Corrupt {
            path: path.to_path_buf(),
            line: 1 + whole.iter().filter(|b| **b == b'\n').count(),
            problem: "half a line, left by an interruption".to_string(),
        }));
    }
    Ok(lines)
}

/// `bytes` without half a line at the end.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    &bytes[..end]
}

fn parse_each<T: DeserializeOwned>(
    path: &Path,
    text: &[u8],
) -> impl Iterator<Item = Result<Numbered<T>, JournalError>> {
    let lines = text.split(|b| *b == b'\n').zip(1..);
    lines
        .filter(|(text, _)| !text.trim_ascii().is_empty())
        .map(|(text, number)| match serde_json::from_slice(text) {
            Ok(line) => Ok(Numbered { number, line }),
            Err(e) if number == 1 && !e.is_data() => Err(JournalError::Foreign(path.to_path_buf())),
            Err(e) => Err(JournalError::Corrupt {
                path: path.to_path_buf(),
                line: number,
                problem: e.to_string(),
            }),
        })
}
