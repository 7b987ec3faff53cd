use std::io;
use std::path::PathBuf;

use tengen::board::{ParseMovesError, SizeError};
use tengen::rules::ParseRuleError;

/// A fault of a corpus.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The file could not be read.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A line is malformed.
    #[error("{name}:{line}: {source}")]
    Line {
        /// Name of the file.
        name: String,
        /// Line number, from 1.
        line: usize,
        /// The fault.
        source: LineError,
    },
}

/// A fault of a line of a corpus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The columns fit no family.
    #[error(
        "expected a line such as 'renju TAB 15 TAB black:... TAB ...', \
         'id TAB rule TAB size TAB ...' or 'id | rule | size | moves | source'"
    )]
    Family,
    /// Too few or too many columns.
    #[error("expected {expected} columns ({names}), found {found}")]
    Columns {
        /// The wanted number.
        expected: usize,
        /// Names of the columns.
        names: &'static str,
        /// The number found.
        found: usize,
    },
    /// A named column is absent.
    #[error("expected a column '{0}:...', found none")]
    Missing(&'static str),
    /// A named column that this kind of line lacks, or a repeated one.
    #[error("unexpected column '{0}'")]
    Surplus(String),
    /// A text of another form than expected.
    #[error("expected {expected}, found '{found}'")]
    Value {
        /// The expected form, with an example.
        expected: &'static str,
        /// The text.
        found: String,
    },
    /// A rule's name.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// The size of the board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A cell off the board.
    #[error("point {point} is off the {width}x{height} board")]
    OffBoard {
        /// The cell, `x,y`.
        point: String,
        /// Columns of the board.
        width: u8,
        /// Rows of the board.
        height: u8,
    },
    /// Two stones on one cell.
    #[error("point {0} has two stones")]
    Duplicate(String),
    /// A cell that must be free.
    #[error("point {0} is not free")]
    NotFree(String),
    /// The last move has no stone.
    #[error("the last move {0} is not among the stones")]
    LastMissing(String),
    /// A text of moves.
    #[error(transparent)]
    Moves(#[from] ParseMovesError),
}
