//! The file of finished games, each after the branches of its searches. It grows by whole zstd
//! frames of [`FRAME_GAMES`] games. Games since the last frame are kept uncompressed in a second file
//! (`.part`), and a third (`.json`) keeps the settings. So an interrupted run can be continued with
//! the same games, even after a power failure. Damaged frames are moved to a file of their own.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::frames::{FRAME_GAMES, Frames, Repair, beside, compress};
use super::{DatagenSettings, TrainingRecord};
use crate::files::{no_kind, open_regular_file, read_regular_file, write_file};

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
    /// Number of games in complete frames, those counted that damage cost.
    packed: u64,
    /// Records of the games in the part.
    pending: Vec<u8>,
    pending_games: u64,
    repair: Option<Repair>,
}

impl GameFile {
    /// Opens or creates the file at `path`. Frames that an interruption left incomplete or that are
    /// damaged are moved to a new file beside it, `.cut`, `.cut2`, and so on; see
    /// [`repair`](GameFile::repair).
    ///
    /// # Errors
    /// When files cannot be read or written, or belong to a run with other settings.
    pub fn open(path: &Path, settings: &DatagenSettings) -> Result<GameFile, GameFileError> {
        let (part_path, settings_path) = (beside(path, ".part"), beside(path, ".json"));
        let is_new = !check_settings(&settings_path, settings, [path, &part_path])?;
        let io_error = |error| GameFileError::Io(path.to_path_buf(), error);
        let frames = Frames::read(path).map_err(io_error)?;
        let error = |error| GameFileError::Io(part_path.clone(), error);
        match open_regular_file(&part_path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(error(why)),
            _ => {}
        }
        if is_new {
            write_settings(&settings_path, settings)?;
        }
        let mut part = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part_path)
            .map_err(error)?;
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).map_err(error)?;
        let header = bytes.first_chunk::<PART_HEADER>();
        let first = header.map(|number| u64::from_le_bytes(*number));
        let (packed, lost) = frames.games(first);
        if let Some(first) = first.filter(|&first| first > packed) {
            return Err(GameFileError::Gap(part_path, first, packed));
        }
        let repair = frames.repair(path, lost).map_err(io_error)?;
        let mut file = GameFile {
            path: path.to_path_buf(),
            part_path: part_path.clone(),
            part,
            packed,
            pending: Vec::new(),
            pending_games: 0,
            repair,
        };
        // Otherwise the part is new, or its games were packed just before the interruption.
        if first == Some(packed) {
            file.load_part(&bytes[PART_HEADER..]);
        }
        file.rewrite_part()?;
        Ok(file)
    }

    /// The damage that was found when the file was opened.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// Number of games in the file and its part, those counted that damage cost.
    pub fn games(&self) -> u64 {
        self.packed + self.pending_games
    }

    /// Adds the records of one more game: its branches, then the game itself.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, records: &[TrainingRecord]) -> Result<(), GameFileError> {
        debug_assert!(records.last().is_some_and(TrainingRecord::is_game));
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

    /// Loads the complete games of the part, up to its end or to an incomplete record. Branches
    /// without their game are dropped: they are written again with it.
    fn load_part(&mut self, records: &[u8]) {
        let mut rest = records;
        let mut before = rest;
        while let Ok(Some(record)) = TrainingRecord::read(&mut rest) {
            if record.is_game() {
                self.pending.extend(&before[..before.len() - rest.len()]);
                self.pending_games += 1;
                before = rest;
            }
        }
    }

    /// Moves the pending games into a frame.
    fn pack(&mut self) -> Result<(), GameFileError> {
        let write = || {
            let frame = compress(&self.pending)?;
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

/// Compares the settings with those that the file was made with. Returns whether there are any;
/// without them none of `files` may exist.
fn check_settings(
    settings_path: &Path,
    settings: &DatagenSettings,
    files: [&Path; 2],
) -> Result<bool, GameFileError> {
    let found = match read_regular_file(settings_path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match files.into_iter().find(|file| file.exists()) {
                Some(file) => Err(GameFileError::Foreign(
                    file.to_path_buf(),
                    settings_path.to_path_buf(),
                )),
                None => Ok(false),
            };
        }
        Err(error) => return Err(GameFileError::Io(settings_path.to_path_buf(), error)),
    };
    if serde_json::from_slice(&found).is_ok_and(|s: DatagenSettings| &s == settings) {
        return Ok(true);
    }
    Err(GameFileError::Settings(
        files[0].to_path_buf(),
        String::from_utf8_lossy(&found).trim_end().to_string(),
    ))
}

fn write_settings(path: &Path, settings: &DatagenSettings) -> Result<(), GameFileError> {
    let text = serde_json::to_string(settings).expect("settings are plain data") + "\n";
    write_file(path, no_kind, |file| file.write_all(text.as_bytes()))
        .map_err(|error| GameFileError::Io(path.to_path_buf(), error))
}
