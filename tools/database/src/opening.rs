//! Opening and making the file of a database.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use redb::TableDefinition;
use tempfile::NamedTempFile;

use super::access::Access;
use super::error::{DatabaseError, Result};
use super::file::{
    CheckedFile, Header, Slot, Storage, Tree, TreeFault, check_slot, read_at, table, value,
};
use tengen::files::{open_regular_file, sync_name, temporary_beside};

/// Records by key.
pub(super) const POSITIONS: TableDefinition<&[u8], &[u8]> = TableDefinition::new(POSITIONS_NAME);
/// Name of [`POSITIONS`].
pub(super) const POSITIONS_NAME: &str = "positions";
/// What its entries are.
pub(super) const RECORDS: Tree = Tree::Entries {
    key: None,
    value: None,
};
/// Facts about the file; each database of Tengen has `format`.
const FACTS: TableDefinition<&str, &str> = TableDefinition::new(FACTS_NAME);
const FACTS_NAME: &str = "facts";
const FORMAT_KEY: &str = "format";
/// The value of `format`.
const FORMAT: &str = "Tengen positions 1";
/// Memory for pages of the file. The library's default is one GiB.
const CACHE_BYTES: usize = 16 << 20;

/// A store and its file.
pub(super) struct Opened {
    pub(super) store: redb::Database,
    pub(super) file: Arc<CheckedFile>,
}

/// Opens the store at `path`. A file that is damaged or of another kind is not changed.
pub(super) fn open(path: &Path, access: Access) -> Result<Opened> {
    open_regular_file(path)?;
    let may_write = access == Access::Write;
    let file = OpenOptions::new().read(true).write(may_write).open(path)?;
    lock(&file, access)?;
    let len = file.metadata()?.len();
    if len == 0 {
        return Err(DatabaseError::Empty);
    }
    let mut start = vec![0; len.min(Header::BYTES as u64) as usize];
    read_at(&file, 0, &mut start)?;
    let header = Header::new(&start, len)?;
    if header.is_open() && access == Access::Read {
        return Err(DatabaseError::Unclosed);
    }
    let slot = last_slot(&file, &header, len)?;
    check_format(&file, &slot, len)?;
    let file = Arc::new(CheckedFile::new(file, len, &header, &slot));
    let store = store(&file)?;
    if header.is_open() {
        file.write_through()?;
    }
    Ok(Opened { store, file })
}

/// Makes a database of a new file in the folder of `path`, which gets that name by [`name`].
pub(super) fn create(path: &Path) -> Result<(Opened, NamedTempFile)> {
    let named = temporary_beside(path)?;
    lock(named.as_file(), Access::Write)?;
    let file = Arc::new(CheckedFile::empty(named.as_file().try_clone()?));
    let store = store(&file)?;
    let change = store.begin_write()?;
    change.open_table(FACTS)?.insert(FORMAT_KEY, FORMAT)?;
    change.open_table(POSITIONS)?;
    change.commit()?;
    Ok((Opened { store, file }, named))
}

/// Gives a file of [`create`] its name, unless there is a file of that name.
pub(super) fn name(file: NamedTempFile, path: &Path) -> Result<()> {
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(sync_name(path)?)
}

/// redb over a file. It asserts what it finds strange.
fn store(file: &Arc<CheckedFile>) -> Result<redb::Database> {
    let open = || {
        redb::Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create_with_backend(Storage(file.clone()))
    };
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok(store)) => Ok(store),
        Ok(Err(_)) if file.is_damaged() => Err(DatabaseError::Damaged),
        Ok(Err(error)) => Err(error.into()),
        Err(_) => Err(DatabaseError::Damaged),
    }
}

/// Locks a file as long as it is open. Where the system has no locks it is used without.
pub(super) fn lock(file: &File, access: Access) -> Result<()> {
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

/// The slot of the last change that is whole. After a crash this reads the whole file.
fn last_slot(file: &File, header: &Header, len: u64) -> Result<Slot> {
    for slot in header.candidates() {
        if !header.may_be_torn() {
            return Ok(slot);
        }
        match check_slot(file, &slot, len) {
            Ok(()) => return Ok(slot),
            Err(TreeFault::Damaged) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(DatabaseError::Damaged)
}

/// Checks that this is a database of Tengen and no other store of redb.
fn check_format(file: &File, slot: &Slot, len: u64) -> Result<()> {
    let find = |name| match table(file, slot, name, len) {
        Ok(table) => Ok(table.filter(|table| table.tree == RECORDS)),
        Err(error) => Err(DatabaseError::from(error)),
    };
    let facts = find(FACTS_NAME)?.ok_or(DatabaseError::Foreign)?;
    let format = value(file, facts, FORMAT_KEY.as_bytes(), len)?;
    let has_positions = find(POSITIONS_NAME)?.is_some();
    match format.as_deref() == Some(FORMAT.as_bytes()) && has_positions {
        true => Ok(()),
        false => Err(DatabaseError::Foreign),
    }
}
