//! The file.

use std::io;
use std::path::{Path, PathBuf};

use redb::{ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use super::key::{self, Situation};
use super::record::Record;
use crate::board::Board;
use crate::files::open_regular_file;
use crate::rules::Rule;

/// Records by key.
const POSITIONS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("positions");
/// Facts about the file; each database of Tengen has `format`.
const FACTS: TableDefinition<&str, &str> = TableDefinition::new("facts");
/// The value of `format`.
const FORMAT: &str = "Tengen positions 1";
/// Memory for pages of the file. The library's default is one GiB.
const CACHE_BYTES: usize = 16 << 20;

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// An error of redb or of the file system.
    #[error("{0}")]
    Store(String),
    /// Another program has the file open.
    #[error("another program uses it")]
    InUse,
    /// Not a file of this kind.
    #[error("this is no database of Tengen")]
    Foreign,
    /// Of an earlier version of the store, which this one cannot read.
    #[error("an earlier version of Tengen wrote this database; let that version export it as text")]
    Outdated,
    /// An invalid record or key.
    #[error("a record is damaged")]
    Damaged,
}

impl<E: Into<redb::Error>> From<E> for DatabaseError {
    fn from(error: E) -> DatabaseError {
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => DatabaseError::InUse,
            redb::Error::UpgradeRequired(_) => DatabaseError::Outdated,
            redb::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                DatabaseError::Foreign
            }
            error => DatabaseError::Store(error.to_string()),
        }
    }
}

type Result<T> = std::result::Result<T, DatabaseError>;

/// An open store of positions.
pub struct Database {
    path: PathBuf,
    inner: redb::Database,
}

impl Database {
    /// Opens the store at `path`; creates it if there is no file.
    ///
    /// # Errors
    /// When the file is of another kind, is in use, or cannot be read or created.
    pub fn open(path: &Path) -> Result<Database> {
        match open_regular_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DatabaseError::Store(error.to_string()));
            }
            _ => {}
        }
        let inner = redb::Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create(path)?;
        let change = inner.begin_write()?;
        {
            let mut facts = change.open_table(FACTS)?;
            let format = facts.get("format")?.map(|f| f.value().to_string());
            let positions = change.open_table(POSITIONS)?;
            match format.as_deref() {
                Some(FORMAT) => {}
                None if positions.is_empty()? => {
                    facts.insert("format", FORMAT)?;
                }
                _ => return Err(DatabaseError::Foreign),
            }
        }
        change.commit()?;
        Ok(Database {
            path: path.to_path_buf(),
            inner,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of positions.
    pub fn len(&self) -> Result<u64> {
        Ok(self.inner.begin_read()?.open_table(POSITIONS)?.len()?)
    }

    /// Whether no position is known.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// The record of a position, if there is one.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.read(|reader| reader.get(situation))
    }

    /// Looks up any number of positions in one snapshot.
    pub fn read<T>(&self, look: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        let table = self.inner.begin_read()?.open_table(POSITIONS)?;
        look(&Reader { table: &table })
    }

    /// Changes the store: all that `change` does, or nothing if it fails.
    pub fn write<T, E: From<DatabaseError>>(
        &self,
        change: impl FnOnce(&mut Writer) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let transaction = self.inner.begin_write().map_err(DatabaseError::from)?;
        let table = transaction.open_table(POSITIONS);
        let mut writer = Writer {
            table: table.map_err(DatabaseError::from)?,
        };
        let value = change(&mut writer)?;
        drop(writer);
        transaction.commit().map_err(DatabaseError::from)?;
        Ok(value)
    }

    /// Tests the whole file and repairs it if it can. Returns whether it was intact.
    pub fn check(&mut self) -> Result<bool> {
        let sound = self.inner.check_integrity()?;
        let mut readable = true;
        self.each(&mut |_, _, _| true)
            .or_else(|error| match error {
                DatabaseError::Damaged => {
                    readable = false;
                    Ok(())
                }
                other => Err(other),
            })?;
        Ok(sound && readable)
    }

    /// Hands every position to `take`, in its stored orientation, until it returns false.
    ///
    /// # Errors
    /// When a record is damaged or the file cannot be read.
    pub fn each(&self, take: &mut dyn FnMut(&Board, Rule, Record) -> bool) -> Result<()> {
        let table = self.inner.begin_read()?.open_table(POSITIONS)?;
        for item in table.iter()? {
            let (key, record) = item?;
            let (board, rule) = key::position(key.value()).ok_or(DatabaseError::Damaged)?;
            let record = Record::from_bytes(record.value()).ok_or(DatabaseError::Damaged)?;
            if !take(&board, rule, record) {
                break;
            }
        }
        Ok(())
    }
}

/// A snapshot of the store.
pub struct Reader<'a> {
    table: &'a dyn Lookup,
}

impl Reader<'_> {
    /// The record of a position, if there is one.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.table.lookup(situation.key())
    }
}

/// The store during a change.
pub struct Writer<'a> {
    table: redb::Table<'a, &'static [u8], &'static [u8]>,
}

impl Writer<'_> {
    /// The record of a position, if there is one.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.table.lookup(situation.key())
    }

    /// A view of the store with the changes so far.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { table: &self.table }
    }

    /// Replaces the record of a position.
    pub fn put(&mut self, situation: &Situation, record: &Record) -> Result<()> {
        self.table
            .insert(situation.key(), record.to_bytes().as_slice())?;
        Ok(())
    }

    /// Merges into the record of a position; see [`Record::merge`].
    pub fn merge(&mut self, situation: &Situation, record: Record) -> Result<()> {
        let mut known = self.get(situation)?.unwrap_or_default();
        known.merge(record);
        self.put(situation, &known)
    }

    /// Deletes the record of a position. Returns whether there was one.
    pub fn remove(&mut self, situation: &Situation) -> Result<bool> {
        Ok(self.table.remove(situation.key())?.is_some())
    }
}

/// What [`Reader`] and [`Writer`] have in common.
trait Lookup {
    fn lookup(&self, key: &[u8]) -> Result<Option<Record>>;
}

impl<T: ReadableTable<&'static [u8], &'static [u8]>> Lookup for T {
    fn lookup(&self, key: &[u8]) -> Result<Option<Record>> {
        match self.get(key)? {
            Some(record) => match Record::from_bytes(record.value()) {
                Some(record) => Ok(Some(record)),
                None => Err(DatabaseError::Damaged),
            },
            None => Ok(None),
        }
    }
}
