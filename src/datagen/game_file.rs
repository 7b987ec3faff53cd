//! The file of finished games, each after the branches of its searches. It grows by whole zstd
//! frames of [`FRAME_GAMES`] games. Games since the last frame are kept uncompressed in a second file
//! (`.part`), and a third (`.json`) keeps the settings. So an interrupted run can be continued with
//! the same games, even after a power failure.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zstd::Decoder;

use super::{DatagenSettings, GameResult, TrainingRecord, TrainingRecordError};

/// Games of a frame, enough to compress well.
const FRAME_GAMES: u64 = 1024;
/// Compression level of zstd.
const ZSTD_LEVEL: i32 = 9;
/// Bytes before the games of the part: the number of its first game.
const PART_HEADER: usize = 8;

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file belongs to a run with other settings.
    #[error("{0}: made with other settings ({1}); use another file or the same settings")]
    Settings(PathBuf, String),
    /// There are games but no settings: the file may be another program's.
    #[error("{0} exists but {1} does not; use another file")]
    Foreign(PathBuf, PathBuf),
    /// A complete frame has an invalid record.
    #[error("{0}: {1}")]
    Record(PathBuf, TrainingRecordError),
    /// Games are missing between the file and its `.part`.
    #[error("{0} begins with game {1}, but the file ends before game {2}")]
    Gap(PathBuf, u64, u64),
}

/// See the [module](self).
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    part_path: PathBuf,
    part: File,
    /// Number of games in complete frames.
    packed: u64,
    /// Records of the games in the part.
    pending: Vec<u8>,
    pending_games: u64,
}

impl GameFile {
    /// Opens or creates the file at `path`. A frame that an interruption left incomplete is moved to a
    /// file of its own, `.cut`.
    ///
    /// # Errors
    /// When files cannot be read or written, or belong to a run with other settings.
    pub fn open(path: &Path, settings: &DatagenSettings) -> Result<GameFile, GameFileError> {
        let (part_path, settings_path) = (beside(path, ".part"), beside(path, ".json"));
        check_settings(path, &settings_path, settings)?;
        let packed = count_packed(path)?;
        let error = |error| GameFileError::Io(part_path.clone(), error);
        let mut part = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part_path)
            .map_err(error)?;
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).map_err(error)?;
        let mut file = GameFile {
            path: path.to_path_buf(),
            part_path: part_path.clone(),
            part,
            packed,
            pending: Vec::new(),
            pending_games: 0,
        };
        file.load_part(&bytes)?;
        Ok(file)
    }

    /// Number of games in the file and its part.
    pub fn games(&self) -> u64 {
        self.packed + self.pending_games
    }

    /// Adds the records of one more game: its branches, then the game itself.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, records: &[TrainingRecord]) -> Result<(), GameFileError> {
        debug_assert!(records.last().is_some_and(is_game));
        let start = self.pending.len();
        for record in records {
            record
                .write(&mut self.pending)
                .expect("writing to memory does not fail");
        }
        self.pending_games += 1;
        self.part
            .write_all(&self.pending[start..])
            .map_err(|error| GameFileError::Io(self.part_path.clone(), error))?;
        if self.pending_games == FRAME_GAMES {
            self.pack()?;
        }
        Ok(())
    }

    /// Writes the pending games as a last frame and removes the part.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(mut self) -> Result<(), GameFileError> {
        if self.pending_games > 0 {
            self.pack()?;
        }
        let GameFile {
            part, part_path, ..
        } = self;
        // Windows cannot remove an open file.
        drop(part);
        std::fs::remove_file(&part_path).map_err(|error| GameFileError::Io(part_path, error))
    }

    /// Loads the complete games of the part unless they are in a frame already.
    fn load_part(&mut self, bytes: &[u8]) -> Result<(), GameFileError> {
        let header = bytes.first_chunk::<PART_HEADER>();
        let first = header.map(|number| u64::from_le_bytes(*number));
        match first {
            Some(first) if first == self.packed => {
                let mut rest = &bytes[PART_HEADER..];
                let mut before = rest;
                // Up to the end, or to an incomplete record. Branches without their game are dropped:
                // they are written again with it.
                while let Ok(Some(record)) = TrainingRecord::read(&mut rest) {
                    if is_game(&record) {
                        self.pending.extend(&before[..before.len() - rest.len()]);
                        self.pending_games += 1;
                        before = rest;
                    }
                }
            }
            Some(first) if first > self.packed => {
                return Err(GameFileError::Gap(
                    self.part_path.clone(),
                    first,
                    self.packed,
                ));
            }
            // The part is new, or its games were packed just before the interruption.
            _ => {}
        }
        self.rewrite_part()
    }

    /// Moves the pending games into a frame.
    fn pack(&mut self) -> Result<(), GameFileError> {
        let write = || {
            let frame = zstd::bulk::compress(&self.pending, ZSTD_LEVEL)?;
            let mut options = OpenOptions::new();
            let mut file = options.append(true).create(true).open(&self.path)?;
            file.write_all(&frame)?;
            // The games may leave the part only when the frame is on the disk.
            file.sync_all()
        };
        write().map_err(|error| GameFileError::Io(self.path.clone(), error))?;
        self.packed += self.pending_games;
        self.pending.clear();
        self.pending_games = 0;
        self.rewrite_part()
    }

    /// Writes the part again, with the pending games alone.
    fn rewrite_part(&mut self) -> Result<(), GameFileError> {
        let first = self.packed.to_le_bytes();
        let part = &mut self.part;
        let mut write = || {
            part.set_len(0)?;
            part.seek(SeekFrom::Start(0))?;
            part.write_all(&first)?;
            part.write_all(&self.pending)?;
            part.sync_all()
        };
        write().map_err(|error| GameFileError::Io(self.part_path.clone(), error))
    }
}

/// Whether the record is a game and not a branch.
fn is_game(record: &TrainingRecord) -> bool {
    record.result != GameResult::Unknown
}

/// `path` with `extension` appended to the file's name.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(extension);
    PathBuf::from(name)
}

/// Compares the settings with those that the file was made with, or writes them for a new file.
fn check_settings(
    path: &Path,
    settings_path: &Path,
    settings: &DatagenSettings,
) -> Result<(), GameFileError> {
    let text = serde_json::to_string(settings).expect("settings are plain data");
    match std::fs::read_to_string(settings_path) {
        Ok(found)
            if serde_json::from_str(&found).is_ok_and(|s: DatagenSettings| &s == settings) =>
        {
            Ok(())
        }
        Ok(found) => Err(GameFileError::Settings(
            path.to_path_buf(),
            found.trim_end().to_string(),
        )),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(GameFileError::Io(settings_path.to_path_buf(), error))
        }
        Err(_) if path.exists() => Err(GameFileError::Foreign(
            path.to_path_buf(),
            settings_path.to_path_buf(),
        )),
        Err(_) => std::fs::write(settings_path, text + "\n")
            .map_err(|error| GameFileError::Io(settings_path.to_path_buf(), error)),
    }
}

/// Number of games in the complete frames of the file; bytes after them are moved to another file,
/// `.cut`.
fn count_packed(path: &Path) -> Result<u64, GameFileError> {
    let io_error = |error| GameFileError::Io(path.to_path_buf(), error);
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        read => read.map_err(io_error)?,
    };
    let mut rest = &bytes[..];
    let mut games = 0;
    let mut end = 0;
    while !rest.is_empty() {
        let mut unpacked = Vec::new();
        let is_complete = Decoder::with_buffer(&mut rest)
            .is_ok_and(|frame| frame.single_frame().read_to_end(&mut unpacked).is_ok());
        if !is_complete {
            // Most likely the beginning of a frame whose games are still in the part. They are moved
            // rather than deleted, in case they are something else.
            std::fs::write(beside(path, ".cut"), &bytes[end..]).map_err(io_error)?;
            let file = OpenOptions::new().write(true).open(path);
            let cut = file.and_then(|file| file.set_len(end as u64));
            cut.map_err(io_error)?;
            break;
        }
        let mut stream = &unpacked[..];
        let record_error = |error| GameFileError::Record(path.to_path_buf(), error);
        while let Some(record) = TrainingRecord::read(&mut stream).map_err(record_error)? {
            games += u64::from(is_game(&record));
        }
        end = bytes.len() - rest.len();
    }
    Ok(games)
}
