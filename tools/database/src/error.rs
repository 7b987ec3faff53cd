//! The errors of a database.

use std::io::ErrorKind;

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
    /// A file without a byte, which may be meant for anything.
    #[error("the file is empty, which is no database; delete it to make a new one of that name")]
    Empty,
    /// Of an earlier version of the store, which this one cannot read.
    #[error("an earlier version of Tengen wrote this database; let that version export it as text")]
    Outdated,
    /// A part of the file is not as written.
    #[error("it is damaged")]
    Damaged,
    /// To be read only.
    #[error("it is read-only")]
    ReadOnly,
    /// Neither the file nor its copy has a sound state.
    #[error("nothing in it can be read, nor is there a sound copy of it, .bak; it stays as it is")]
    Unreadable,
    /// An earlier error left it in an unknown state.
    #[error("an earlier error closed it")]
    Closed,
}

impl DatabaseError {
    /// True if the file is no sound database: nothing but another file helps.
    pub fn is_of_the_file(&self) -> bool {
        use DatabaseError::{Damaged, Empty, Foreign, Outdated};
        matches!(self, Damaged | Empty | Foreign | Outdated)
    }
}

pub(super) type Result<T> = std::result::Result<T, DatabaseError>;

impl<E: Into<redb::Error>> From<E> for DatabaseError {
    fn from(error: E) -> DatabaseError {
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => DatabaseError::InUse,
            redb::Error::UpgradeRequired(_) => DatabaseError::Outdated,
            redb::Error::Corrupted(_) => DatabaseError::Damaged,
            redb::Error::PreviousIo | redb::Error::DatabaseClosed => DatabaseError::Closed,
            // A page beyond the end.
            redb::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
                DatabaseError::Damaged
            }
            redb::Error::Io(error) => DatabaseError::Store(error.to_string()),
            error => DatabaseError::Store(error.to_string()),
        }
    }
}
