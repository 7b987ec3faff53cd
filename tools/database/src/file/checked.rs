//! The file as redb sees it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::StorageBackend;
use twox_hash::XxHash3_128;

use super::header::{Header, Slot};
use super::page::{Page, PageRef, Tree};
use super::read_at;

/// A file of which redb reads only bytes that are as they were written.
///
/// It knows the checksum of every page to which a page that was read refers, and refuses all others.
/// What redb writes may wait in memory until [`write_through`](CheckedFile::write_through), so that a
/// file is not changed before it is known to be sound, or never.
#[derive(Debug)]
pub(crate) struct CheckedFile {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// The header as redb last wrote it; never read from the file again.
    header: [u8; Header::BYTES],
    len: u64,
    /// The pages that may be read, by offset.
    known: HashMap<u64, Known>,
    /// What was written but is not in the file; `None` if all is.
    held_back: Option<HeldBack>,
    /// Whether a page was damaged or the file could not be read or written. Nothing works any more.
    has_failed: bool,
    /// Whether a page was damaged.
    is_damaged: bool,
    /// Whether the store above panicked.
    is_abandoned: bool,
}

/// How the bytes of a page are checked.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// By the checksum that the page above has.
    Referred(PageRef, Tree),
    /// redb wrote it since the file was opened: by the checksum of all that was written.
    Written { len: usize, checksum: u128 },
}

/// Changes of a file that wait in memory.
#[derive(Debug, Default)]
struct HeldBack {
    changes: Vec<Change>,
    /// The last write at each offset.
    latest: HashMap<u64, usize>,
}

#[derive(Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Resize(u64),
    Sync,
}

impl CheckedFile {
    /// A sound file, of whose slots `slot` counts. Nothing is written to it yet.
    pub(crate) fn new(file: File, len: u64, header: &Header, slot: &Slot) -> CheckedFile {
        let roots = [slot.user_root, slot.system_root].into_iter().flatten();
        CheckedFile::with(State {
            file,
            header: header.with_last(slot),
            len,
            known: roots
                .map(|root| (root.offset, Known::Referred(root, Tree::Tables)))
                .collect(),
            held_back: Some(HeldBack::default()),
            has_failed: false,
            is_damaged: false,
            is_abandoned: false,
        })
    }

    /// An empty file for a new database, written to at once.
    pub(crate) fn empty(file: File) -> CheckedFile {
        CheckedFile::with(State {
            file,
            header: [0; Header::BYTES],
            len: 0,
            known: HashMap::new(),
            held_back: None,
            has_failed: false,
            is_damaged: false,
            is_abandoned: false,
        })
    }

    fn with(state: State) -> CheckedFile {
        CheckedFile {
            state: Mutex::new(state),
        }
    }

    /// Writes what was held back, and from now on everything at once.
    pub(crate) fn write_through(&self) -> io::Result<()> {
        self.with_state(|state| {
            for change in state.held_back.take().unwrap_or_default().changes {
                match change {
                    Change::Write(offset, bytes) => write_at(&state.file, offset, &bytes)?,
                    Change::Resize(len) => state.file.set_len(len)?,
                    Change::Sync => state.file.sync_data()?,
                }
            }
            Ok(())
        })
    }

    /// Whether a page was not as it was written.
    pub(crate) fn is_damaged(&self) -> bool {
        self.lock().is_damaged
    }

    /// A record was found that is not what was written.
    pub(crate) fn fail_as_damaged(&self) {
        let mut state = self.lock();
        state.has_failed = true;
        state.is_damaged = true;
    }

    /// Whether nothing works any more.
    pub(crate) fn has_failed(&self) -> bool {
        self.lock().has_failed
    }

    /// The store above panicked: nothing is read or written any more, and others may use the file.
    pub(crate) fn abandon(&self) {
        let mut state = self.lock();
        state.has_failed = true;
        state.is_abandoned = true;
        if let Err(error) = state.file.unlock() {
            log::error!("database: {error}");
        }
    }

    /// Whether the store above panicked.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.lock().is_abandoned
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.lock();
        if state.has_failed {
            return Err(io::Error::other("an error of the file came before"));
        }
        let result = work(&mut state);
        state.has_failed |= result.is_err();
        result
    }
}

impl State {
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if let Some(bytes) = self.header.get(..out.len()).filter(|_| offset == 0) {
            out.copy_from_slice(bytes);
            return Ok(());
        }
        self.fill(offset, out)?;
        let is_sound = match self.known.get(&offset).copied() {
            Some(Known::Written { len, checksum }) => {
                len == out.len() && checksum == XxHash3_128::oneshot(out)
            }
            Some(Known::Referred(page, tree)) => {
                page.len == out.len() && self.learn(page, Page::new(out, tree))
            }
            None => false,
        };
        if is_sound {
            return Ok(());
        }
        self.is_damaged = true;
        let why = format!("the page at byte {offset} is damaged");
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// The bytes as they were last written, unchecked.
    fn fill(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if let Some(held_back) = &self.held_back
            && let Some(&i) = held_back.latest.get(&offset)
            && let Change::Write(_, bytes) = &held_back.changes[i]
            && bytes.len() == out.len()
        {
            out.copy_from_slice(bytes);
            return Ok(());
        }
        read_at(&self.file, offset, out)
    }

    /// Compares a page with its checksum, and remembers those of the pages to which it refers.
    fn learn(&mut self, reference: PageRef, page: Page) -> bool {
        if !reference.fits(&page) {
            return false;
        }
        let Some(children) = page.children(self.len) else {
            return false;
        };
        for (child, tree) in children {
            let known = Known::Referred(child, tree);
            self.known.entry(child.offset).or_insert(known);
        }
        true
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if offset == 0 {
            self.header[..bytes.len()].copy_from_slice(bytes);
        } else {
            let written = Known::Written {
                len: bytes.len(),
                checksum: XxHash3_128::oneshot(bytes),
            };
            self.known.insert(offset, written);
        }
        match &mut self.held_back {
            None => write_at(&self.file, offset, bytes),
            Some(held_back) => {
                let i = held_back.changes.len();
                held_back.latest.insert(offset, i);
                let change = Change::Write(offset, bytes.to_vec());
                held_back.changes.push(change);
                Ok(())
            }
        }
    }

    fn resize(&mut self, len: u64) -> io::Result<()> {
        self.len = len;
        match &mut self.held_back {
            None => self.file.set_len(len),
            Some(held_back) => {
                held_back.changes.push(Change::Resize(len));
                Ok(())
            }
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        match &mut self.held_back {
            None => self.file.sync_data(),
            Some(held_back) => {
                held_back.changes.push(Change::Sync);
                Ok(())
            }
        }
    }
}

/// What redb holds of a [`CheckedFile`].
#[derive(Clone, Debug)]
pub(crate) struct Storage(pub(crate) Arc<CheckedFile>);

impl StorageBackend for Storage {
    fn len(&self) -> io::Result<u64> {
        self.0.with_state(|state| Ok(state.len))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.with_state(|state| state.read(offset, out))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.with_state(|state| state.resize(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.with_state(State::sync)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.with_state(|state| state.write(offset, bytes))
    }
}

fn write_at(mut file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}
