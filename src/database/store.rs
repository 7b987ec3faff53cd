//! The file.

use std::path::{Path, PathBuf};

use redb::{ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use super::key::{self, Situation};
use super::record::Record;
use crate::board::Board;
use crate::rules::Rule;

/// Records by key.
const POSITIONS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("positions");
/// Facts about the file; `format` is there in every one of ours.
const FACTS: TableDefinition<&str, &str> = TableDefinition::new("facts");
/// What `format` says.
const FORMAT: &str = "Tengen positions 1";
/// Memory for pages of the file. The library's own default would be a gibibyte.
const CACHE_BYTES: usize = 16 << 20;

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The library or the file system refused.
    #[error("{0}")]
    Store(String),
    /// Another program has the file.
    #[error("another program uses it")]
    InUse,
    /// Not a file of this kind.
    #[error("this is no database of Tengen")]
    Foreign,
    /// Of an earlier version of the store, which this one cannot read.
    #[error("an earlier version of Tengen wrote this database; let that version export it as text")]
    Outdated,
    /// A record or key that makes no sense.
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
    /// Opens the store at `path`, a new one where there is no file.
    ///
    /// # Errors
    /// When the file is none of ours, is in use, or cannot be read or made.
    pub fn open(path: &Path) -> Result<Database> {
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

    /// Where the file is.
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

    /// What is known of a position.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.read(|reader| reader.get(situation))
    }

    /// Looks up any number of positions in one unchanging view.
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

    /// Tests the whole file, and mends what can be mended. Returns whether all was well.
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
    /// When a record is damaged, or `take` cannot be reached for other reasons of the store.
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

/// An unchanging view of the store.
pub struct Reader<'a> {
    table: &'a dyn Lookup,
}

impl Reader<'_> {
    /// What is known of a position.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.table.lookup(situation.key())
    }
}

/// The store in the middle of a change.
pub struct Writer<'a> {
    table: redb::Table<'a, &'static [u8], &'static [u8]>,
}

impl Writer<'_> {
    /// What is known of a position.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.table.lookup(situation.key())
    }

    /// The view of the store as it is now.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { table: &self.table }
    }

    /// Puts what is known of a position in place of what was known.
    pub fn put(&mut self, situation: &Situation, record: &Record) -> Result<()> {
        self.table
            .insert(situation.key(), record.to_bytes().as_slice())?;
        Ok(())
    }

    /// Adds to what is known of a position; see [`Record::merge`].
    pub fn merge(&mut self, situation: &Situation, record: Record) -> Result<()> {
        let mut known = self.get(situation)?.unwrap_or_default();
        known.merge(record);
        self.put(situation, &known)
    }

    /// Forgets a position. Returns whether it was known.
    pub fn remove(&mut self, situation: &Situation) -> Result<bool> {
        Ok(self.table.remove(situation.key())?.is_some())
    }
}

/// What both views can do.
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
