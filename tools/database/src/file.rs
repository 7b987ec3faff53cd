//! The file of a database as redb sees it: opened, made, and copied before it changes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use redb::{ReadableDatabase, StorageBackend, TableDefinition, TableError};
use tempfile::NamedTempFile;

use super::error::{DatabaseError, Result};
use tengen::files::{Kind, NewFile, open_regular_file, temporary_beside};

/// Records by key.
pub(super) const POSITIONS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("positions");
/// Facts about the file; each database of Tengen has `format`.
pub(super) const FACTS: TableDefinition<&str, &str> = TableDefinition::new("facts");
const FORMAT_KEY: &str = "format";
/// The value of `format`.
const FORMAT: &str = "Tengen positions 2";
/// The format before comments had an orientation.
const OLD_FORMAT: &str = "Tengen positions 1";
/// Memory for pages of the file. The library's default is one GiB.
const CACHE_BYTES: usize = 16 << 20;

/// Bytes of the header of redb's third format, described in `docs/design.md` of its sources.
const HEADER_BYTES: usize = 320;
const MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";
const FLAGS: usize = MAGIC.len();
/// The commit in the second slot is the last one.
const SECOND_IS_LAST: u8 = 1;
const UNCLOSED: u8 = 2;
/// Page size, pages of a region's header and of its data, the same in each file.
const GEOMETRY: [u8; 12] = [0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0];
const GEOMETRY_START: usize = 12;
const SLOTS: [usize; 2] = [64, 192];
/// Place of a commit's number in its slot.
const COMMIT_NUMBER: usize = 104;

/// The permitted use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading and changing.
    Write,
    /// Reading: nothing of the file changes.
    Read,
}

/// The degree of trust in a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// The last commit must be sound.
    Whole,
    /// One of the last two commits must be sound, whatever else the header says.
    EitherCommit,
}

/// A store and its file.
pub(super) struct Opened {
    pub(super) store: redb::Database,
    pub(super) file: Arc<HeldFile>,
}

/// Opens the store at `path` and checks all of it. The file is not changed.
pub(super) fn open(path: &Path, access: Access, trust: Trust) -> Result<Opened> {
    open_regular_file(path)?;
    let may_write = access == Access::Write;
    let mut file = OpenOptions::new().read(true).write(may_write).open(path)?;
    lock(&file, access)?;
    let mut start = Vec::new();
    (&mut file)
        .take(HEADER_BYTES as u64)
        .read_to_end(&mut start)?;
    if start.is_empty() {
        return Err(DatabaseError::Empty);
    }
    if trust == Trust::Whole && !start.starts_with(&MAGIC) {
        return Err(DatabaseError::Foreign);
    }
    let mut header = start.try_into().map_err(|_| DatabaseError::Damaged)?;
    if trust == Trust::EitherCommit {
        mend(&mut header);
    }
    let opened = open_as(file.try_clone()?, header)?;
    // A commit was cut short, or the flags are damaged, which no checksum covers: the later commit
    // counts if it is sound.
    if is_behind(&header) {
        header[FLAGS] ^= SECOND_IS_LAST;
        return open_as(file, header).or(Ok(opened));
    }
    Ok(opened)
}

/// Opens a store with this header and checks all of it.
fn open_as(file: File, header: [u8; HEADER_BYTES]) -> Result<Opened> {
    let file = Arc::new(HeldFile::new(file, Some(header)));
    // redb reports some strange contents by a failed assertion.
    let checked = catch_unwind(AssertUnwindSafe(|| {
        let store = store(&file)?;
        check_format(&store)?;
        Ok(store)
    }));
    let store = checked.unwrap_or(Err(DatabaseError::Damaged))?;
    Ok(Opened { store, file })
}

/// Makes a database of a new file in the folder of `path`, under another name.
pub(super) fn create(path: &Path) -> Result<(Opened, NamedTempFile)> {
    let named = temporary_beside(path)?;
    lock(named.as_file(), Access::Write)?;
    let file = Arc::new(HeldFile::new(named.as_file().try_clone()?, None));
    let store = store(&file)?;
    let change = store.begin_write()?;
    change.open_table(FACTS)?.insert(FORMAT_KEY, FORMAT)?;
    change.open_table(POSITIONS)?;
    change.commit()?;
    Ok((Opened { store, file }, named))
}

/// The copy of the file at `path` from before its last session with changes.
pub(super) fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    name.into()
}

/// redb over a file, all pages of which are compared with their checksums.
fn store(file: &Arc<HeldFile>) -> Result<redb::Database> {
    Ok(redb::Builder::new()
        .set_cache_size(CACHE_BYTES)
        .set_check_integrity_on_open(true)
        .create_with_backend(Storage(file.clone()))?)
}

/// Locks a file as long as it is open. Where the system has no locks it is used without.
fn lock(file: &File, access: Access) -> Result<()> {
    let locked = match access {
        Access::Write => file.try_lock(),
        Access::Read => file.try_lock_shared(),
    };
    match locked {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(DatabaseError::InUse),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// True if the slot that counts has an earlier commit than the other one.
fn is_behind(header: &[u8; HEADER_BYTES]) -> bool {
    let [first, second] = SLOTS.map(|slot| {
        let number = header[slot + COMMIT_NUMBER..].first_chunk();
        u64::from_le_bytes(*number.expect("within the header"))
    });
    match header[FLAGS] & SECOND_IS_LAST {
        0 => first < second,
        _ => second < first,
    }
}

/// Restores the parts common to all headers, with flags that let redb take either of the two
/// commits.
fn mend(header: &mut [u8; HEADER_BYTES]) {
    header[..FLAGS].copy_from_slice(&MAGIC);
    header[FLAGS] = header[FLAGS] & SECOND_IS_LAST | UNCLOSED;
    header[GEOMETRY_START..][..GEOMETRY.len()].copy_from_slice(&GEOMETRY);
}

/// Checks that this is a database of Tengen and no other store of redb.
fn check_format(store: &redb::Database) -> Result<()> {
    let reading = store.begin_read()?;
    match (reading.open_table(FACTS), reading.open_table(POSITIONS)) {
        (Ok(facts), Ok(_)) => match facts.get(FORMAT_KEY)? {
            Some(format) if format.value() == FORMAT => Ok(()),
            Some(format) if format.value() == OLD_FORMAT => Err(DatabaseError::Outdated),
            _ => Err(DatabaseError::Foreign),
        },
        (Err(TableError::Storage(error)), _) | (_, Err(TableError::Storage(error))) => {
            Err(error.into())
        }
        _ => Err(DatabaseError::Foreign),
    }
}

/// A file that does not change before [`write_through`](HeldFile::write_through): until then redb
/// writes nothing but the header, which waits in memory.
#[derive(Debug)]
pub(super) struct HeldFile {
    state: Mutex<State>,
    has_failed: AtomicBool,
    is_damaged: AtomicBool,
}

#[derive(Debug)]
struct State {
    file: File,
    /// The header that waits; `None` once writes reach the file.
    header: Option<[u8; HEADER_BYTES]>,
}

impl HeldFile {
    fn new(file: File, header: Option<[u8; HEADER_BYTES]>) -> HeldFile {
        HeldFile {
            state: Mutex::new(State { file, header }),
            has_failed: AtomicBool::new(false),
            is_damaged: AtomicBool::new(false),
        }
    }

    /// Copies the file, which was checked, to `backup`; from now on writes reach it. Does nothing
    /// the second time.
    pub(super) fn write_through(&self, backup: &Path) -> io::Result<()> {
        self.with_state(|state| {
            let Some(header) = state.header else {
                return Ok(());
            };
            // A change is safe without the copy, so it may also stand where there is no room for
            // one.
            let copied = copy(&mut state.file, backup, |start| start.starts_with(&MAGIC));
            if let Err(error) = copied {
                log::warn!("database: no copy {}: {error}", backup.display());
            }
            write_at(&mut state.file, 0, &header)?;
            state.file.sync_data()?;
            state.header = None;
            Ok(())
        })
    }

    /// True after an error of the file or of the store above.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// True if damage was found since the opening.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Notes that a part of the file is not as written.
    pub(super) fn set_damaged(&self) {
        self.is_damaged.store(true, Ordering::Relaxed);
        self.fail();
    }

    /// From now on nothing is read or written.
    pub(super) fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }

    /// Does `work` with the file. After its first error nothing is read or written.
    fn with_state<T>(&self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        if self.has_failed() {
            return Err(io::Error::other("an error of the file came before"));
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let result = work(&mut state);
        self.has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
        result
    }
}

/// Puts a copy of a file at `path`. On Btrfs and XFS, where two files can share their blocks, Linux
/// takes neither time nor room for it.
pub(super) fn copy(file: &mut File, path: &Path, replaces: Kind) -> io::Result<()> {
    let mut copy = NewFile::begin(path, replaces)?;
    file.seek(SeekFrom::Start(0))?;
    copy.append(file)?;
    copy.finish()
}

fn write_at(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}

/// The storage of redb over a [`HeldFile`].
#[derive(Debug)]
struct Storage(Arc<HeldFile>);

impl StorageBackend for Storage {
    fn len(&self) -> io::Result<u64> {
        self.0.with_state(|state| Ok(state.file.metadata()?.len()))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.with_state(|state| {
            if let Some(header) = state.header.as_ref().filter(|_| offset == 0) {
                out.copy_from_slice(&header[..out.len()]);
                return Ok(());
            }
            state.file.seek(SeekFrom::Start(offset))?;
            state.file.read_exact(out)
        })
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.with_state(|state| match state.header {
            None => state.file.set_len(len),
            Some(_) => Err(unchanged()),
        })
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.with_state(|state| match state.header {
            None => state.file.sync_data(),
            Some(_) => Ok(()),
        })
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.with_state(|state| match &mut state.header {
            None => write_at(&mut state.file, offset, bytes),
            Some(header) if offset == 0 => {
                header[..bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            Some(_) => Err(unchanged()),
        })
    }
}

/// The error that keeps redb from changing a file at the end of a session without a change.
fn unchanged() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the file is not changed")
}
