//! In the place of the store where the program has none: nothing can be opened, so that there is never
//! a database to ask, and the compiler leaves out what would be done with one.

use std::path::{Path, PathBuf};

use super::access::Access;
use super::error::{DatabaseError, Result};
use super::key::Situation;
use super::record::Record;
use crate::board::Board;
use crate::rules::Rule;

/// A store of positions, of which there is none.
pub struct Database(Nothing);

/// A snapshot of a store, of which there is none.
pub struct Reader<'a>(&'a Nothing);

/// A store during a change, of which there is none.
pub struct Writer<'a>(&'a Nothing);

/// What was left in a damaged file.
pub struct Salvaged {
    /// A new database with it.
    pub database: Database,
    /// How many positions that is.
    pub count: usize,
    /// How many of them may be old, or wrong.
    pub doubtful: usize,
    /// Where the damaged file is now.
    pub kept: PathBuf,
}

/// Has no value.
enum Nothing {}

/// Saves nothing.
///
/// # Errors
/// Always.
pub fn salvage(_: &Path) -> Result<Salvaged> {
    Err(DatabaseError::Absent)
}

#[allow(missing_docs)]
impl Database {
    /// Opens nothing.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: &Path) -> Result<Database> {
        Err(DatabaseError::Absent)
    }

    /// Opens nothing.
    ///
    /// # Errors
    /// Always.
    pub fn open_existing(_: &Path, _: Access) -> Result<Database> {
        Err(DatabaseError::Absent)
    }

    pub fn path(&self) -> &Path {
        match self.0 {}
    }

    pub fn has_failed(&self) -> bool {
        match self.0 {}
    }

    pub fn is_damaged(&self) -> bool {
        match self.0 {}
    }

    pub fn access(&self) -> Access {
        match self.0 {}
    }

    pub fn len(&self) -> Result<u64> {
        match self.0 {}
    }

    pub fn is_empty(&self) -> Result<bool> {
        match self.0 {}
    }

    pub fn get(&self, _: &Situation) -> Result<Option<Record>> {
        match self.0 {}
    }

    pub fn read<T>(&self, _: impl FnOnce(&Reader) -> Result<T>) -> Result<T> {
        match self.0 {}
    }

    pub fn write<T, E: From<DatabaseError>>(
        &self,
        _: impl FnOnce(&mut Writer) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        match self.0 {}
    }

    pub fn check(&mut self) -> Result<()> {
        match self.0 {}
    }

    pub fn each(&self, _: &mut dyn FnMut(&Board, Rule, Record) -> bool) -> Result<()> {
        match self.0 {}
    }
}

#[allow(missing_docs)]
impl Reader<'_> {
    pub fn get(&self, _: &Situation) -> Result<Option<Record>> {
        match *self.0 {}
    }
}

#[allow(missing_docs)]
impl Writer<'_> {
    pub fn get(&self, _: &Situation) -> Result<Option<Record>> {
        match *self.0 {}
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        match *self.0 {}
    }

    pub fn put(&mut self, _: &Situation, _: &Record) -> Result<()> {
        match *self.0 {}
    }

    pub fn merge(&mut self, _: &Situation, _: Record) -> Result<()> {
        match *self.0 {}
    }

    pub fn remove(&mut self, _: &Situation) -> Result<bool> {
        match *self.0 {}
    }
}
