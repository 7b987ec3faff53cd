//! Games on disk, in Smart Game Format. Any program reads the stones; three properties of our own
//! say how the opening went (`XO` its rule, `XC` choices that put no stone, `XT` what a comment says
//! of each of those), and comments hold times and values, so that a game goes on as it was left.

mod read;
mod write;

pub use read::read;
pub use write::write;

use super::game::Game;
use tengen::board::SizeError;
use tengen::openings::NotPlayable;
use tengen_games::{records, sgf};

const OPENING_RULE: &str = "XO";
const CHOICES: &str = "XC";
const CHOICE_COMMENTS: &str = "XT";

/// Why a record was refused.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not a game in any format.
    #[error(transparent)]
    Unread(#[from] records::RecordError),
    /// No game in it.
    #[error("there is no game in it")]
    Nothing,
    /// The opening rule is unknown or does not fit the board.
    #[error("{0}")]
    Opening(String),
    /// A position set up after a move; holds the property.
    #[error("a position set up after a move ({0}) is not supported")]
    SetUp(&'static str),
    /// A turn that the rules do not allow.
    #[error("move {number}: {reason}")]
    Turn {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
}

impl From<sgf::ReadError> for RecordError {
    fn from(error: sgf::ReadError) -> RecordError {
        RecordError::Unread(error.into())
    }
}

impl From<SizeError> for RecordError {
    fn from(error: SizeError) -> RecordError {
        RecordError::Unread(error.into())
    }
}

impl From<NotPlayable> for RecordError {
    fn from(error: NotPlayable) -> RecordError {
        RecordError::Opening(error.to_string())
    }
}

/// A game as it was read.
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// Names of Black and White; may be empty.
    pub names: [String; 2],
    /// True if the game has all that the text says, so that the text may be written over by it: it is
    /// in Smart Game Format, and writing the game again gives the same.
    pub is_whole: bool,
}
