//! The file of finished games, each behind the branches of its searches. It grows by whole zstd
//! frames of [`FRAME`] games. Games since the last frame wait, unpacked, in a second file (`.part`),
//! and a third (`.json`) keeps the settings, so that a run that was cut short, even by a power cut,
//! goes on with the same games.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zstd::Decoder;

use super::record::{Ending, RecordError};
use super::{Settings, TrainingGame};

/// Games of a frame: enough to compress well.
const FRAME: u64 = 1024;
/// How hard zstd tries.
const LEVEL: i32 = 9;
/// Bytes before the games of a part: the number of its first game.
const PART_HEADER: usize = 8;

/// Why games cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file was begun with other settings.
    #[error("{0}: begun with other settings ({1}); take another file or the same settings")]
    Settings(PathBuf, String),
    /// There are games but no settings: another program's file, perhaps.
    #[error("{0} exists but {1} does not; take another file")]
    Foreign(PathBuf, PathBuf),
    /// A frame that is whole holds nonsense.
    #[error("{0}: {1}")]
    Record(PathBuf, RecordError),
    /// Games between the file and its `.part` are missing.
    #[error("{0} holds games from number {1} on, but the last packed one is {2}")]
    Gap(PathBuf, u64, u64),
}

/// See the [module](self).
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    part_path: PathBuf,
    part: File,
    /// Games in whole frames.
    packed: u64,
    /// Games in the part, unpacked.
    waiting: Vec<u8>,
    waiting_games: u64,
}

impl Journal {
    /// Opens the file at `path`, or begins it. A frame that an interruption left half written is
    /// moved to a file of its own, `.cut`.
    ///
    /// # Errors
    /// When files cannot be read or written, or belong to a run with other settings.
    pub fn open(path: &Path, settings: &Settings) -> Result<Journal, JournalError> {
        let (part_path, settings_path) = (beside(path, ".part"), beside(path, ".json"));
        check_settings(path, &settings_path, settings)?;
        let packed = open_packed(path)?;
        let error = |error| JournalError::Io(part_path.clone(), error);
        let mut part = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part_path)
            .map_err(error)?;
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).map_err(error)?;
        let mut journal = Journal {
            path: path.to_path_buf(),
            part_path: part_path.clone(),
            part,
            packed,
            waiting: Vec::new(),
            waiting_games: 0,
        };
        journal.take_up(&bytes)?;
        Ok(journal)
    }

    /// Number of games kept.
    pub fn games(&self) -> u64 {
        self.packed + self.waiting_games
    }

    /// Keeps the records of one more game, whose last is the game itself.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, records: &[TrainingGame]) -> Result<(), JournalError> {
        debug_assert!(records.last().is_some_and(is_game));
        let start = self.waiting.len();
        for record in records {
            record
                .write(&mut self.waiting)
                .expect("memory takes what is written");
        }
        self.waiting_games += 1;
        self.part
            .write_all(&self.waiting[start..])
            .map_err(|error| JournalError::Io(self.part_path.clone(), error))?;
        if self.waiting_games == FRAME {
            self.pack()?;
        }
        Ok(())
    }

    /// Packs what waits and removes the part.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(mut self) -> Result<(), JournalError> {
        if self.waiting_games > 0 {
            self.pack()?;
        }
        let Journal {
            part, part_path, ..
        } = self;
        // Windows does not remove open files.
        drop(part);
        std::fs::remove_file(&part_path).map_err(|error| JournalError::Io(part_path, error))
    }

    /// Takes the games of a part up that are whole and not packed yet.
    fn take_up(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        let header = bytes.first_chunk::<PART_HEADER>();
        let first = header.map(|number| u64::from_le_bytes(*number));
        match first {
            Some(first) if first == self.packed => {
                let mut rest = &bytes[PART_HEADER..];
                let mut before = rest;
                // Up to the end, or to a record that was cut off. Branches whose game did not follow
                // come again with it.
                while let Ok(Some(record)) = TrainingGame::read(&mut rest) {
                    if is_game(&record) {
                        self.waiting.extend(&before[..before.len() - rest.len()]);
                        self.waiting_games += 1;
                        before = rest;
                    }
                }
            }
            Some(first) if first > self.packed => {
                return Err(JournalError::Gap(
                    self.part_path.clone(),
                    first,
                    self.packed,
                ));
            }
            // None yet, or packed already just before the interruption.
            _ => {}
        }
        self.rewrite_part()
    }

    /// Moves the games that wait into a frame.
    fn pack(&mut self) -> Result<(), JournalError> {
        let write = || {
            let frame = zstd::bulk::compress(&self.waiting, LEVEL)?;
            let mut options = OpenOptions::new();
            let mut file = options.append(true).create(true).open(&self.path)?;
            file.write_all(&frame)?;
            // Only when the frame is safe may its games leave the part.
            file.sync_all()
        };
        write().map_err(|error| JournalError::Io(self.path.clone(), error))?;
        self.packed += self.waiting_games;
        self.waiting.clear();
        self.waiting_games = 0;
        self.rewrite_part()
    }

    /// Makes the part what is waiting, no more.
    fn rewrite_part(&mut self) -> Result<(), JournalError> {
        let first = self.packed.to_le_bytes();
        let part = &mut self.part;
        let mut write = || {
            part.set_len(0)?;
            part.seek(SeekFrom::Start(0))?;
            part.write_all(&first)?;
            part.write_all(&self.waiting)?;
            part.sync_all()
        };
        write().map_err(|error| JournalError::Io(self.part_path.clone(), error))
    }
}

/// Whether this is a game, not a branch.
fn is_game(record: &TrainingGame) -> bool {
    record.ending != Ending::Open
}

/// The path with something added to the file's name.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(extension);
    PathBuf::from(name)
}

/// Compares the settings with those that the file was begun with, or notes them.
fn check_settings(
    path: &Path,
    settings_path: &Path,
    settings: &Settings,
) -> Result<(), JournalError> {
    let text = serde_json::to_string(settings).expect("settings are plain data");
    match std::fs::read_to_string(settings_path) {
        Ok(found) if serde_json::from_str(&found).is_ok_and(|s: Settings| &s == settings) => Ok(()),
        Ok(found) => Err(JournalError::Settings(
            path.to_path_buf(),
            found.trim_end().to_string(),
        )),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(JournalError::Io(settings_path.to_path_buf(), error))
        }
        Err(_) if path.exists() => Err(JournalError::Foreign(
            path.to_path_buf(),
            settings_path.to_path_buf(),
        )),
        Err(_) => std::fs::write(settings_path, text + "\n")
            .map_err(|error| JournalError::Io(settings_path.to_path_buf(), error)),
    }
}

/// Number of games in the whole frames of the file; anything behind them is moved to another file,
/// `.cut`.
fn open_packed(path: &Path) -> Result<u64, JournalError> {
    let io_error = |error| JournalError::Io(path.to_path_buf(), error);
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        read => read.map_err(io_error)?,
    };
    let mut rest = &bytes[..];
    let mut games = 0;
    let mut end = 0;
    while !rest.is_empty() {
        let mut unpacked = Vec::new();
        let whole = Decoder::with_buffer(&mut rest)
            .is_ok_and(|frame| frame.single_frame().read_to_end(&mut unpacked).is_ok());
        if !whole {
            // Most likely the beginning of a frame whose games still wait in the part. If it was
            // more than that, it can be found beside the file.
            std::fs::write(beside(path, ".cut"), &bytes[end..]).map_err(io_error)?;
            let file = OpenOptions::new().write(true).open(path);
            let cut = file.and_then(|file| file.set_len(end as u64));
            cut.map_err(io_error)?;
            break;
        }
        let mut stream = &unpacked[..];
        let record_error = |error| JournalError::Record(path.to_path_buf(), error);
        while let Some(record) = TrainingGame::read(&mut stream).map_err(record_error)? {
            games += u64::from(is_game(&record));
        }
        end = bytes.len() - rest.len();
    }
    Ok(games)
}
