//! A file of finished games that grows, each game behind the branches of its searches. One process
//! writes the file: it appends whole frames behind a header with the settings, see
//! [`data_file`](super::data_file). Games since the last frame are in memory, and an interrupted
//! run plays them again, since a game depends on the settings and its number alone.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::data_file::{
    DataFileError, FormatError, Header, Maker, is_last_frame, pack, read_frames,
};
use super::{DatagenSettings, TrainingRecord};
use tengen::files::open_alone;

/// Most games of a frame; a kill costs no more. Frames of 1,024 games would be a tenth smaller.
pub(super) const FRAME_GAMES: u64 = 64;
/// Bytes of records that make a frame, however few games they have.
const FRAME_BYTES: usize = 1 << 16;

/// Why games cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file is damaged, or another program's.
    #[error("{0}; use another file")]
    Format(#[from] DataFileError),
    /// The file belongs to other runs.
    #[error("{0}: made with other settings ({1}); use another file or the same settings")]
    Settings(PathBuf, String),
    /// The system gives no thread to play games in.
    #[error("no thread can be started: {0}")]
    Threads(io::Error),
    /// Another process writes to the file.
    #[error("{0}: another process is making these games")]
    Busy(PathBuf),
}

/// See the [module](self).
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    /// Locked, at its end.
    file: File,
    /// Games in the file.
    packed: u64,
    /// Games of the next frame.
    waiting: u64,
    /// Records of these games.
    records: Vec<u8>,
    cut: Option<usize>,
}

impl GameFile {
    /// Opens or creates the file at `path`, and locks it against other processes. A last frame that
    /// an interruption has torn is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged elsewhere, belongs to a run with other
    /// settings, or is written by another process. The file does not change then.
    pub fn open(path: &Path, settings: &DatagenSettings) -> Result<GameFile, GameFileError> {
        let io_error = |error| GameFileError::Io(path.to_path_buf(), error);
        let mut file = open_alone(path)
            .map_err(io_error)?
            .ok_or_else(|| GameFileError::Busy(path.into()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io_error)?;
        let header = Header::new(Maker::Engine(settings.clone()));
        let start = header.encode().map_err(io_error)?;
        let (packed, end) = match start.starts_with(&bytes) && bytes.len() < start.len() {
            true => (0, 0),
            false => find_end(path, &bytes, &header.maker)?,
        };
        let cut = bytes.len() - end;
        let mut prepare = || {
            if cut > 0 {
                file.set_len(end as u64)?;
                file.seek(SeekFrom::End(0))?;
            }
            if end == 0 {
                file.write_all(&start)?;
            }
            io::Result::Ok(())
        };
        prepare().map_err(io_error)?;
        Ok(GameFile {
            path: path.to_path_buf(),
            file,
            packed,
            waiting: 0,
            records: Vec::new(),
            cut: (cut > 0).then_some(cut),
        })
    }

    /// A line for the user about a torn frame cut off at the opening.
    pub fn repair(&self) -> Option<String> {
        let (path, games) = (self.path.display(), self.packed);
        self.cut.map(|bytes| {
            format!("{path}: cut off an incomplete frame of {bytes} bytes behind {games} games")
        })
    }

    /// Number of games in the file, and in memory for its next frame.
    pub fn games(&self) -> u64 {
        self.packed + self.waiting
    }

    /// Adds the records of one more game: its branches, then the game itself.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, records: &[TrainingRecord]) -> Result<(), GameFileError> {
        debug_assert!(records.last().is_some_and(TrainingRecord::is_game));
        let mut write = || records.iter().try_for_each(|r| r.write(&mut self.records));
        write().map_err(|error| self.io_error(error))?;
        self.waiting += 1;
        match self.waiting == FRAME_GAMES || self.records.len() >= FRAME_BYTES {
            true => self.pack(),
            false => Ok(()),
        }
    }

    /// Writes the games in memory as a last frame.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(mut self) -> Result<(), GameFileError> {
        match self.waiting {
            0 => Ok(()),
            _ => self.pack(),
        }
    }

    /// Moves the games in memory into a frame.
    fn pack(&mut self) -> Result<(), GameFileError> {
        let mut write = || {
            self.file.write_all(&pack(&self.records)?)?;
            // A power failure tears one frame at most.
            self.file.sync_data()
        };
        write().map_err(|error| self.io_error(error))?;
        self.packed += std::mem::take(&mut self.waiting);
        self.records.clear();
        Ok(())
    }

    fn io_error(&self, error: io::Error) -> GameFileError {
        GameFileError::Io(self.path.clone(), error)
    }
}

/// Number of games of `maker` in a file with these bytes, and the end of its last whole frame.
fn find_end(path: &Path, bytes: &[u8], maker: &Maker) -> Result<(u64, usize), GameFileError> {
    let read = |bytes| read_frames(path, bytes, None, &mut |_| {});
    let found = match read(bytes) {
        // The end of the file may have other bytes than were written, after a power failure.
        Err(DataFileError::Format(_, at, FormatError::Frame { .. } | FormatError::Foreign))
            if at > 0 && is_last_frame(&bytes[at..]) =>
        {
            read(&bytes[..at]).map(|summary| (summary, at))
        }
        read => read.map(|summary| {
            let end = summary.torn.unwrap_or(bytes.len());
            (summary, end)
        }),
    };
    let (summary, end) = found?;
    match &summary.sections[..] {
        [section] if section.maker == *maker => Ok((section.counts.total().games, end)),
        [] => {
            let foreign = DataFileError::Format(path.into(), 0, FormatError::Foreign);
            Err(foreign.into())
        }
        [section, ..] => {
            let text = serde_json::to_string(&section.maker).expect("it was JSON");
            Err(GameFileError::Settings(path.into(), text))
        }
    }
}
