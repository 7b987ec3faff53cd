//! A file of finished games that grows, each after the branches of its searches. It grows by whole
//! frames of [`FRAME_GAMES`] games behind a header with the settings; see [`format`](super::format).
//! Games since the last frame are kept uncompressed in a second file (`.part`). So an interrupted run
//! can be continued with the same games, even after a power failure. Damaged frames are moved to a
//! file of their own.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::beside::{OldSettings, beside};
use super::data_file::DataFileError;
use super::format::{FormatError, HEADER_MAGIC, Header};
use super::frames::{Scan, compress, scan};
use super::layout::{FRAME_GAMES, Layout};
use super::part::{Leftover, Part};
use super::repair::{Repair, save_damage};
use super::{DatagenSettings, TrainingRecord};
use tengen::files::{
    any_kind, no_kind, open_regular_file, read_regular_file, remove_abandoned, write_file,
};

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file has something that cannot be continued.
    #[error(transparent)]
    Format(#[from] DataFileError),
    /// The file belongs to a run with other settings.
    #[error("{0}: made with other settings ({1}); use another file or the same settings")]
    Settings(PathBuf, String),
    /// There is something, but no settings: the file may be another program's.
    #[error("{0} exists, but it has no header, and there is no {1}; use another file")]
    Foreign(PathBuf, PathBuf),
    /// Games are missing between the file and its `.part`.
    #[error("{0} begins with game {1}, but the file ends before game {2}")]
    Gap(PathBuf, u64, u64),
    /// The games that wait for their frame are those of another run.
    #[error("{0} has games of other settings; continue those first, or remove it")]
    OtherPart(PathBuf),
    /// Another process writes to the file.
    #[error("{0}: another process is making these games")]
    Busy(PathBuf),
}

/// See the [module](self).
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    part_path: PathBuf,
    part: Part,
    header: Header,
    /// Whether that header holds at the end of the file.
    is_headed: bool,
    /// Number of games in complete frames, those counted that damage cost.
    packed: u64,
    repair: Option<Repair>,
}

/// What stands where games shall be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// A file of this format, it seems.
    Headed,
    /// One of older versions, with its settings beside it.
    Old,
}

impl GameFile {
    /// Opens or creates the file at `path`, and locks it against other processes. A file of an older
    /// version becomes one of today's. Frames that an interruption left incomplete or that are
    /// damaged are moved to a new file beside it, `.cut`, `.cut2`, and so on; see
    /// [`repair`](GameFile::repair).
    ///
    /// # Errors
    /// When files cannot be read or written, belong to a run with other settings, or are written by
    /// another process.
    pub fn open(path: &Path, settings: &DatagenSettings) -> Result<GameFile, GameFileError> {
        let part_path = beside(path, ".part");
        find(path, settings)?;
        let part = Part::open(&part_path).map_err(|e| GameFileError::Io(part_path.clone(), e))?;
        let Some(part) = part else {
            return Err(GameFileError::Busy(path.to_path_buf()));
        };
        let mut file = GameFile {
            path: path.to_path_buf(),
            part_path,
            part,
            header: Header::new(settings),
            is_headed: true,
            packed: 0,
            repair: None,
        };
        match file.load(settings) {
            Ok(()) => Ok(file),
            Err(error) => {
                file.part.remove_empty();
                Err(error)
            }
        }
    }

    /// Reads what earlier runs left. Nothing is changed before it is clear that it can be continued.
    fn load(&mut self, settings: &DatagenSettings) -> Result<(), GameFileError> {
        // Again, because another process may have written before it gave up the lock.
        let found = find(&self.path, settings)?;
        let leftover = self.part.leftover().map_err(part_error(&self.part_path))?;
        let bytes = match read_regular_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| self.io_error(error))?,
        };
        let scan = scan(&bytes, found == Found::Old);
        let ours = self.header.clone();
        let expected = leftover
            .as_ref()
            .filter(|l| l.id.is_none_or(|id| id == ours.id));
        let layout = Layout::of(&scan, ours, found == Found::Old, expected.map(|l| l.first))
            .map_err(|(offset, error)| self.format_error(offset, error))?;
        if found == Found::Headed && !layout.has_ours {
            return Err(self.not_ours(&scan));
        }
        if let Some(leftover) = &leftover {
            self.check_part(leftover, &layout)?;
        }
        self.put_in_order(found, &bytes, &scan, &layout)?;
        self.packed = layout.next;
        self.header = layout.ours;
        // Otherwise its games were packed just before the interruption.
        let leftover = leftover.filter(|leftover| leftover.first == self.packed);
        self.go_on_with(leftover, settings)
    }

    /// Takes the games of the part, where it has the next ones, without a moment at which they are not
    /// on the disk.
    fn go_on_with(
        &mut self,
        leftover: Option<Leftover>,
        settings: &DatagenSettings,
    ) -> Result<(), GameFileError> {
        let id = self.header.id;
        let is_current = leftover.as_ref().is_some_and(|l| l.id == Some(id));
        if let Some(leftover) = leftover {
            self.part.take(&leftover, settings);
        }
        match self.part.games {
            games if is_current && games < FRAME_GAMES => {
                self.part.keep().map_err(part_error(&self.part_path))
            }
            0 => self.restart_part(),
            // A full frame that was not written any more, or an old part, which begins otherwise.
            _ => self.pack(),
        }
    }

    /// Whether the part's games are the next ones of the run, or in the file already.
    fn check_part(&self, leftover: &Leftover, layout: &Layout) -> Result<(), GameFileError> {
        let part = self.part_path.clone();
        if leftover.id.is_some_and(|id| id != layout.ours.id) && leftover.counts().total().games > 0
        {
            return Err(GameFileError::OtherPart(part));
        }
        if leftover.first > layout.next {
            return Err(GameFileError::Gap(part, leftover.first, layout.next));
        }
        Ok(())
    }

    /// Writes the header of a new file, repairs a damaged one, and brings an old one into today's
    /// form.
    fn put_in_order(
        &mut self,
        found: Found,
        bytes: &[u8],
        scan: &Scan,
        layout: &Layout,
    ) -> Result<(), GameFileError> {
        self.repair =
            save_damage(&self.path, bytes, scan, layout).map_err(|error| self.io_error(error))?;
        let replaced = match found {
            Found::Nothing => no_kind,
            _ => any_kind,
        };
        let mut last = layout.last;
        let is_sound = scan.damage.is_empty() && !layout.is_disordered;
        if found != Found::Headed || !is_sound {
            // The lock on the part makes this process the only one that writes the file.
            remove_abandoned(&self.path).map_err(|error| self.io_error(error))?;
            let (rebuilt, end) = layout
                .rebuild(bytes, scan)
                .map_err(|error| self.io_error(error))?;
            write_file(&self.path, replaced, |file| file.write_all(&rebuilt))
                .map_err(|error| self.io_error(error))?;
            last = Some(end);
        }
        self.is_headed = last == Some(layout.ours.id);
        // The header has the settings of an old file now.
        let old = OldSettings::read(&self.path).map_err(|error| self.io_error(error))?;
        if old.is_some_and(|old| old.settings.as_ref() == layout.ours.origin.settings()) {
            let path = OldSettings::path(&self.path);
            std::fs::remove_file(&path).map_err(|error| GameFileError::Io(path, error))?;
        }
        Ok(())
    }

    fn io_error(&self, error: io::Error) -> GameFileError {
        GameFileError::Io(self.path.clone(), error)
    }

    fn format_error(&self, offset: usize, error: FormatError) -> GameFileError {
        let path = self.path.clone();
        GameFileError::Format(DataFileError::Format(path, offset as u64, error))
    }

    /// The error for a file without games of the run.
    fn not_ours(&self, scan: &Scan) -> GameFileError {
        match (scan.first_header(), scan.damage.first()) {
            (Some(header), _) => {
                GameFileError::Settings(self.path.clone(), header.origin.maker.json())
            }
            (None, Some(damage)) if matches!(damage.error, FormatError::Header) => {
                self.format_error(damage.range.start, FormatError::Header)
            }
            _ => GameFileError::Foreign(self.path.clone(), OldSettings::path(&self.path)),
        }
    }

    /// The damage that was found when the file was opened.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// Number of games in the file and its part, those counted that damage cost.
    pub fn games(&self) -> u64 {
        self.packed + self.part.games
    }

    /// Adds the records of one more game: its branches, then the game itself.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, records: &[TrainingRecord]) -> Result<(), GameFileError> {
        debug_assert!(records.last().is_some_and(TrainingRecord::is_game));
        self.part
            .add(records)
            .map_err(part_error(&self.part_path))?;
        if self.part.games == FRAME_GAMES {
            self.pack()?;
        }
        Ok(())
    }

    /// Writes the pending games as a last frame and removes the part.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(mut self) -> Result<(), GameFileError> {
        if self.part.games > 0 {
            self.pack()?;
        }
        self.part.remove().map_err(part_error(&self.part_path))
    }

    /// Moves the pending games into a frame.
    fn pack(&mut self) -> Result<(), GameFileError> {
        let part = &self.part;
        let write = || {
            let mut bytes = Vec::new();
            if !self.is_headed {
                bytes = self.header.encode();
            }
            let id = self.header.id;
            bytes.extend(compress(id, self.packed, &part.counts, &part.records)?);
            let mut file = OpenOptions::new().append(true).open(&self.path)?;
            file.write_all(&bytes)?;
            // The games may leave the part only when the frame is on the disk.
            file.sync_all()
        };
        write().map_err(|error| GameFileError::Io(self.path.clone(), error))?;
        self.is_headed = true;
        self.packed += self.part.games;
        self.restart_part()
    }

    /// Empties the part, whose games are in the file.
    fn restart_part(&mut self) -> Result<(), GameFileError> {
        let (id, first) = (self.header.id, self.packed);
        let restarted = self.part.restart(id, first);
        restarted.map_err(part_error(&self.part_path))
    }
}

fn part_error(path: &Path) -> impl Fn(io::Error) -> GameFileError {
    move |error| GameFileError::Io(path.to_path_buf(), error)
}

/// What stands at `path` and beside it, none of which is changed.
fn find(path: &Path, settings: &DatagenSettings) -> Result<Found, GameFileError> {
    let (part_path, settings_path) = (beside(path, ".part"), OldSettings::path(path));
    let length = |path: &Path| match open_regular_file(path).and_then(|file| file.metadata()) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(GameFileError::Io(path.to_path_buf(), error)),
    };
    let (is_there, has_part) = (length(path)? > 0, length(&part_path)? > 0);
    let old =
        OldSettings::read(path).map_err(|error| GameFileError::Io(settings_path.clone(), error))?;
    if is_there && starts_with_header(path)? {
        return Ok(Found::Headed);
    }
    match old {
        Some(old) if old.settings.as_ref() == Some(settings) => Ok(Found::Old),
        Some(old) => Err(GameFileError::Settings(path.to_path_buf(), old.text)),
        // A damaged header, or another program's file.
        None if is_there => Ok(Found::Headed),
        None if has_part => Err(GameFileError::Foreign(part_path, settings_path)),
        None => Ok(Found::Nothing),
    }
}

fn starts_with_header(path: &Path) -> Result<bool, GameFileError> {
    use std::io::Read;
    let mut start = Vec::new();
    let file = open_regular_file(path);
    file.and_then(|file| file.take(HEADER_MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|error| GameFileError::Io(path.to_path_buf(), error))?;
    Ok(start == HEADER_MAGIC)
}
