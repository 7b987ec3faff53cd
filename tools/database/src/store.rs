//! A store of positions in a file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{ReadableDatabase, ReadableTable, ReadableTableMetadata};
use tempfile::NamedTempFile;

use super::error::{DatabaseError, Result};
use super::file::{self, Access, FACTS, HeldFile, Opened, POSITIONS, Trust, backup_path};
use super::key::{self, Level, Situation, StoredPosition};
use super::record::Record;
use tengen::board::Board;
use tengen::files::sync_name;
use tengen::rules::Rule;
use tengen_games::renlib::Charset;

/// The fact that names the charset of the last library.
const LIBRARY_CHARSET: &str = "library charset";

/// An open store of positions.
///
/// Its file is locked, and all pages were compared with their checksums. The first
/// [`write`](Database::write) copies the unchanged file to `name.bak`: 1 GB takes about a second,
/// unless the file system lets copies share their blocks. Once a check finds damage, or the file
/// cannot be read or written, every method fails.
pub struct Database {
    path: PathBuf,
    access: Access,
    file: Arc<HeldFile>,
    /// `None` only while the database is dropped.
    store: Option<redb::Database>,
}

impl Database {
    /// Opens the store at `path`; makes one if there is no file.
    ///
    /// # Errors
    /// When the file is damaged, of another kind or in use, or cannot be read or created. The file
    /// then stays unchanged.
    pub fn open(path: &Path) -> Result<Database> {
        match path.try_exists() {
            Ok(false) => Database::create(path, |_| Ok(())),
            _ => Database::open_existing(path, Access::Write),
        }
    }

    /// Opens the store at `path`, where there is a file.
    ///
    /// # Errors
    /// As for [`open`](Database::open).
    pub fn open_existing(path: &Path, access: Access) -> Result<Database> {
        Database::open_trusting(path, access, Trust::Whole)
    }

    /// Opens a file that may be damaged, with this much trust.
    pub(super) fn open_trusting(path: &Path, access: Access, trust: Trust) -> Result<Database> {
        Ok(Database::new(
            path,
            access,
            file::open(path, access, trust)?,
        ))
    }

    /// Makes a store at `path`, where there is no file, filled by `fill`. The file appears once
    /// filled.
    ///
    /// # Errors
    /// When there is a file, none can be made, or `fill` fails.
    pub fn create<E: From<DatabaseError>>(
        path: &Path,
        fill: impl FnOnce(&mut Writer) -> std::result::Result<(), E>,
    ) -> std::result::Result<Database, E> {
        Database::make(path, fill, |file| {
            file.persist_noclobber(path).map_err(|error| error.error)?;
            Ok(sync_name(path)?)
        })
    }

    /// Makes a store filled by `fill`; `finish` gives the file its name.
    pub(super) fn make<E: From<DatabaseError>>(
        path: &Path,
        fill: impl FnOnce(&mut Writer) -> std::result::Result<(), E>,
        finish: impl FnOnce(NamedTempFile) -> Result<()>,
    ) -> std::result::Result<Database, E> {
        let (opened, file) = file::create(path)?;
        let database = Database::new(path, Access::Write, opened);
        database.write(fill)?;
        finish(file)?;
        Ok(database)
    }

    fn new(path: &Path, access: Access, opened: Opened) -> Database {
        Database {
            path: path.to_path_buf(),
            access,
            file: opened.file,
            store: Some(opened.store),
        }
    }

    /// Calls its file by another of its names.
    pub(super) fn set_path(&mut self, path: &Path) {
        self.path = path.to_path_buf();
    }

    fn store(&self) -> &redb::Database {
        self.store.as_ref().expect("not dropped")
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if every method fails after an earlier error.
    pub fn has_failed(&self) -> bool {
        self.file.has_failed()
    }

    /// True if a part of the file is not as written.
    pub fn is_damaged(&self) -> bool {
        self.file.is_damaged()
    }

    /// The permitted use.
    pub fn access(&self) -> Access {
        self.access
    }

    /// Number of positions.
    pub fn len(&self) -> Result<u64> {
        guard(&self.file, || {
            Ok(self.store().begin_read()?.open_table(POSITIONS)?.len()?)
        })
    }

    /// True if no position is known.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// The record of a position, if there is one.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.read(|reader| reader.get(situation))
    }

    /// The charset of the last library that was imported.
    pub fn library_charset(&self) -> Result<Option<Charset>> {
        guard(&self.file, || {
            let facts = self.store().begin_read()?.open_table(FACTS)?;
            let name = facts.get(LIBRARY_CHARSET)?;
            Ok(name.and_then(|name| Charset::named(name.value())))
        })
    }

    /// Looks up any number of positions in one snapshot.
    pub fn read<T>(&self, look: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        guard(&self.file, || {
            let table = self.store().begin_read()?.open_table(POSITIONS)?;
            look(&Reader { table: &table })
        })
    }

    /// Changes the store: by all of `change`, or not at all if `change` fails.
    pub fn write<T, E: From<DatabaseError>>(
        &self,
        change: impl FnOnce(&mut Writer) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        if self.access == Access::Read {
            return Err(DatabaseError::ReadOnly.into());
        }
        guard(&self.file, || {
            let backup = backup_path(&self.path);
            self.file
                .write_through(&backup)
                .map_err(DatabaseError::from)?;
            let mut transaction = self.store().begin_write().map_err(DatabaseError::from)?;
            // With one phase, redb would take a damaged page of the last change for a sign of a
            // crash, and return to the state before this change.
            transaction.set_two_phase_commit(true);
            let table = transaction.open_table(POSITIONS);
            let facts = transaction.open_table(FACTS);
            let mut writer = Writer {
                table: table.map_err(DatabaseError::from)?,
                facts: facts.map_err(DatabaseError::from)?,
            };
            let value = change(&mut writer)?;
            drop(writer);
            transaction.commit().map_err(DatabaseError::from)?;
            Ok(value)
        })
    }

    /// Reads the whole file again and compares it with its checksums.
    ///
    /// # Errors
    /// When it is damaged or cannot be read.
    pub fn check(&mut self) -> Result<()> {
        let Database { file, store, .. } = self;
        let store = store.as_mut().expect("not dropped");
        // False only means that the list of free pages was made again.
        let whole = guard(file, || Ok::<_, DatabaseError>(store.check_integrity()?));
        let checked = whole.and_then(|_| self.each(&mut |_, _, _| true));
        if matches!(checked, Err(DatabaseError::Damaged)) {
            self.file.set_damaged();
        }
        checked
    }

    /// Puts the records of all positions into another store.
    pub(super) fn copy_to(&self, writer: &mut Writer) -> Result<()> {
        guard(&self.file, || {
            let table = self.store().begin_read()?.open_table(POSITIONS)?;
            for item in table.iter()? {
                let (key, record) = item?;
                writer.table.insert(key.value(), record.value())?;
            }
            Ok::<_, DatabaseError>(())
        })?;
        match self.library_charset()? {
            Some(charset) => writer.set_library_charset(charset),
            None => Ok(()),
        }
    }

    /// Hands every position to `take`, in its stored orientation, until it returns false.
    ///
    /// # Errors
    /// When a record is damaged or the file cannot be read.
    pub fn each(&self, take: &mut dyn FnMut(&Board, Rule, Record) -> bool) -> Result<()> {
        guard(&self.file, || {
            let table = self.store().begin_read()?.open_table(POSITIONS)?;
            for item in table.iter()? {
                let (key, record) = item?;
                let (board, rule) = key::position(key.value()).ok_or(DatabaseError::Damaged)?;
                let record = Record::from_bytes(record.value()).ok_or(DatabaseError::Damaged)?;
                if !take(&board, rule, record) {
                    break;
                }
            }
            Ok(())
        })
    }
}

impl Drop for Database {
    /// Closes the file. Every change is on the disk already, so an error loses nothing.
    fn drop(&mut self) {
        let store = self.store.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(store)));
    }
}

/// Does `work` with the store over `file`. Panics of `work` are errors.
fn guard<T, E: From<DatabaseError>>(
    file: &HeldFile,
    work: impl FnOnce() -> std::result::Result<T, E>,
) -> std::result::Result<T, E> {
    if file.is_damaged() {
        return Err(DatabaseError::Damaged.into());
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        file.fail();
        Err(DatabaseError::Closed.into())
    })
}

/// A snapshot of the store.
pub struct Reader<'a> {
    table: &'a dyn Lookup,
}

impl Reader<'_> {
    /// The record of a position, if there is one.
    pub fn get(&self, situation: &Situation) -> Result<Option<Record>> {
        self.get_key(situation.key())
    }

    pub(super) fn get_key(&self, key: &[u8]) -> Result<Option<Record>> {
        self.table.lookup(key)
    }

    /// Hands every position of `level` to `take`, with its key and its record.
    pub(super) fn scan(&self, level: Level, take: &mut Take) -> Result<()> {
        self.table.scan(&level.prefix(), &mut |key, record| {
            let position = StoredPosition::new(key).ok_or(DatabaseError::Damaged)?;
            match Level::of_key(key) == Some(level) {
                true => take(key, position, StoredRecord(record)),
                false => Ok(()),
            }
        })
    }
}

/// Takes a position by its key, with its record.
pub(super) type Take<'a> = dyn FnMut(&[u8], StoredPosition, StoredRecord) -> Result<()> + 'a;
/// Takes the bytes of a key and of its record.
type TakeBytes<'a> = dyn FnMut(&[u8], &[u8]) -> Result<()> + 'a;

/// The bytes of a record.
pub(super) struct StoredRecord<'a>(&'a [u8]);

impl StoredRecord<'_> {
    pub(super) fn read(&self) -> Result<Record> {
        Record::from_bytes(self.0).ok_or(DatabaseError::Damaged)
    }
}

/// The store during a change.
pub struct Writer<'a> {
    table: redb::Table<'a, &'static [u8], &'static [u8]>,
    facts: redb::Table<'a, &'static str, &'static str>,
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
        self.put_key(situation.key(), record)
    }

    /// The same by the key of the position.
    pub(super) fn put_key(&mut self, key: &[u8], record: &Record) -> Result<()> {
        self.table.insert(key, record.to_bytes().as_slice())?;
        Ok(())
    }

    /// Merges into the record of a position; see [`Record::merge`].
    pub fn merge(&mut self, situation: &Situation, record: Record) -> Result<()> {
        let mut known = self.get(situation)?.unwrap_or_default();
        known.merge(record);
        self.put(situation, &known)
    }

    /// Keeps the charset of the last library that was imported.
    pub fn set_library_charset(&mut self, charset: Charset) -> Result<()> {
        self.facts.insert(LIBRARY_CHARSET, charset.name())?;
        Ok(())
    }

    /// Deletes the record of a position; false if there was none.
    pub(super) fn remove(&mut self, key: &[u8]) -> Result<bool> {
        Ok(self.table.remove(key)?.is_some())
    }
}

/// The common part of [`Reader`] and [`Writer`].
trait Lookup {
    fn lookup(&self, key: &[u8]) -> Result<Option<Record>>;

    /// Hands the keys that begin with `prefix` to `take`, in order, with the bytes of their
    /// records.
    fn scan(&self, prefix: &[u8], take: &mut TakeBytes) -> Result<()>;
}

impl<T: ReadableTable<&'static [u8], &'static [u8]>> Lookup for T {
    fn lookup(&self, key: &[u8]) -> Result<Option<Record>> {
        match self.get(key)? {
            Some(record) => StoredRecord(record.value()).read().map(Some),
            None => Ok(None),
        }
    }

    fn scan(&self, prefix: &[u8], take: &mut TakeBytes) -> Result<()> {
        for item in self.range::<&[u8]>(prefix..)? {
            let (key, record) = item?;
            if !key.value().starts_with(prefix) {
                break;
            }
            take(key.value(), record.value())?;
        }
        Ok(())
    }
}
