//! The file `.part` beside a file of games: the games since its last frame, uncompressed, behind
//! `TGDPART1`, u64 identity of their header and u64 number of the first of them. Old ones have the
//! number alone. Whoever writes the games holds a lock on it, which ends with the process.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::DatagenSettings;
use super::counts::CountsByKind;
use super::record::TrainingRecord;

const MAGIC: &[u8; 8] = b"TGDPART1";
/// Bytes before the games: the above and two numbers.
const HEADER: usize = 24;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    file: File,
    /// Records of the games in it.
    pub records: Vec<u8>,
    pub games: u64,
    pub counts: CountsByKind,
}

/// What a part that was left behind has.
pub(super) struct Leftover {
    /// Identity of the games' header; old parts have none.
    pub id: Option<u64>,
    /// Number of its first game.
    pub first: u64,
    records: Vec<u8>,
}

impl Part {
    /// Opens or creates the part at `path` and locks it. `None` while another process has the lock.
    pub fn open(path: &Path) -> io::Result<Option<Part>> {
        loop {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let file = options.open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                // A file system without locks.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Another process may have removed the file before it gave up the lock.
            let mine = Handle::from_file(file.try_clone()?)?;
            if Handle::from_path(path).is_ok_and(|named| named == mine) {
                return Ok(Some(Part {
                    path: path.to_path_buf(),
                    file,
                    records: Vec::new(),
                    games: 0,
                    counts: CountsByKind::default(),
                }));
            }
        }
    }

    /// What an earlier run left; `None` where that is nothing.
    pub fn leftover(&mut self) -> io::Result<Option<Leftover>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(Leftover::of(&bytes))
    }

    /// Takes the complete games of a leftover, up to its end or to a record that is incomplete or
    /// that `settings` do not make: readers would refuse a frame with it. Branches without their game
    /// are dropped: they are written again with it. The file does not change.
    pub fn take(&mut self, leftover: &Leftover, settings: &DatagenSettings) {
        let mut rest = &leftover.records[..];
        let mut end = 0;
        let mut records = Vec::new();
        while let Ok(Some(record)) = TrainingRecord::read(&mut rest) {
            if record.is_soft() || !settings.makes(record.rule, record.size) {
                break;
            }
            let is_game = record.is_game();
            records.push(record);
            if is_game {
                records
                    .drain(..)
                    .for_each(|record| self.counts.add(&record));
                self.games += 1;
                end = leftover.records.len() - rest.len();
            }
        }
        self.records.extend(&leftover.records[..end]);
    }

    /// Cuts the file behind the games that were taken, and adds there from now on. Nothing is written,
    /// so neither a kill nor a full disk costs any of them.
    pub fn keep(&mut self) -> io::Result<()> {
        let end = (HEADER + self.records.len()) as u64;
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        self.file.sync_all()
    }

    /// Adds the records of a game.
    pub fn add(&mut self, records: &[TrainingRecord]) -> io::Result<()> {
        let start = self.records.len();
        for record in records {
            record.write(&mut self.records)?;
            self.counts.add(record);
        }
        self.games += 1;
        self.file.write_all(&self.records[start..])
    }

    /// Begins the file anew for games of the header `id` from number `first` on. Those that it has are
    /// forgotten: they must be on the disk elsewhere.
    pub fn restart(&mut self, id: u64, first: u64) -> io::Result<()> {
        self.records.clear();
        self.games = 0;
        self.counts = CountsByKind::default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(id.to_le_bytes());
        bytes.extend(first.to_le_bytes());
        debug_assert_eq!(bytes.len(), HEADER);
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&bytes)?;
        self.file.sync_all()
    }

    /// Removes the file, and then gives up the lock.
    pub fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }

    /// Removes the file if there is nothing in it.
    pub fn remove_empty(self) {
        if self
            .file
            .metadata()
            .is_ok_and(|metadata| metadata.len() == 0)
        {
            // It does no harm if it stays.
            let _ = self.remove();
        }
    }
}

impl Leftover {
    /// What a part with these bytes has; `None` for those of no part.
    pub fn of(bytes: &[u8]) -> Option<Leftover> {
        let number = |at: usize| {
            let bytes = bytes.get(at..)?.first_chunk()?;
            Some(u64::from_le_bytes(*bytes))
        };
        let (id, first, start) = match bytes.starts_with(MAGIC) {
            true => (Some(number(8)?), number(16)?, HEADER),
            false => (None, number(0)?, 8),
        };
        Some(Leftover {
            id,
            first,
            records: bytes[start..].to_vec(),
        })
    }

    /// Its complete games with their branches.
    pub fn counts(&self) -> CountsByKind {
        let mut rest = &self.records[..];
        let mut counts = CountsByKind::default();
        let mut records = Vec::new();
        while let Ok(Some(record)) = TrainingRecord::read(&mut rest) {
            let is_game = record.is_game();
            records.push(record);
            if is_game {
                records.drain(..).for_each(|record| counts.add(&record));
            }
        }
        counts
    }
}
