//! What goes wrong with a database.

use super::file::{HeaderFault, TreeFault};

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
    /// A part of the file is not what was written.
    #[error("it is damaged")]
    Damaged,
    /// To be read only, but the program that wrote it did not close it.
    #[error("its last program did not close it; it is repaired when it is opened to be changed")]
    Unclosed,
    /// To be read only.
    #[error("it is read-only")]
    ReadOnly,
    /// Nothing can be saved of it.
    #[error("nothing in it can be read; it stays as it is")]
    Unreadable,
    /// The program was built without the store.
    #[error("this build has no database")]
    Absent,
    /// An earlier error left it in an unknown state.
    #[error("an earlier error closed it")]
    Closed,
}

impl DatabaseError {
    /// Whether the file is no sound database: nothing but another file helps.
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
            redb::Error::Io(error) => DatabaseError::Store(error.to_string()),
            error => DatabaseError::Store(error.to_string()),
        }
    }
}

impl From<HeaderFault> for DatabaseError {
    fn from(fault: HeaderFault) -> DatabaseError {
        match fault {
            HeaderFault::Foreign => DatabaseError::Foreign,
            HeaderFault::Outdated => DatabaseError::Outdated,
            HeaderFault::Damaged => DatabaseError::Damaged,
        }
    }
}

impl From<TreeFault> for DatabaseError {
    fn from(fault: TreeFault) -> DatabaseError {
        match fault {
            TreeFault::Damaged => DatabaseError::Damaged,
            TreeFault::Io(error) => error.into(),
        }
    }
}
