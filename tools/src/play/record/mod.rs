//! Games on disk, in Smart Game Format. Any program reads the stones. Three properties of our own
//! tell the course of the opening: `XO` its rule, `XC` choices without a stone, and `XT` the
//! comment on each of these choices. Comments hold times and values, so that a loaded game goes on
//! unchanged.

mod read;
mod write;

pub use read::read;
pub use write::write;

use super::game::Game;
use tengen::board::SizeError;
use tengen::openings::NotPlayable;
use tengen_games::records;

const OPENING_RULE: &str = "XO";
const CHOICES: &str = "XC";
const CHOICE_COMMENTS: &str = "XT";
/// In a comment: no clock lost the time of the turn.
const OFF_CLOCK: &str = "off the clock";

/// The reason why a record was refused.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A text that is no game in any format.
    #[error(transparent)]
    Unread(#[from] records::RecordError),
    /// A text without a game.
    #[error("there is no game in it")]
    Nothing,
    /// The opening rule is unknown or does not fit the board.
    #[error("{0}")]
    Opening(String),
    /// A position set up after a move; holds the property.
    #[error("a position set up after a move ({0}) is not supported")]
    SetUp(&'static str),
    /// A turn against the rules.
    #[error("move {number}: {reason}")]
    Turn {
        /// The number of the turn, from 1.
        number: usize,
        /// The reason.
        reason: String,
    },
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

/// A game read from a file.
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// Names of Black and White; may be empty.
    pub names: [String; 2],
    /// True if the text may be overwritten by the game without loss: it is in Smart Game Format,
    /// and writing the game again gives the same text.
    pub is_whole: bool,
    /// Parts of the file that were not understood, for people.
    pub notes: Vec<String>,
}
