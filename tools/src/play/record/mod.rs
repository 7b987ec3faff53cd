//! Games on disk, in Smart Game Format. Any program reads the stones. Three properties of our own
//! tell the course of the opening: `XO` its rule, `XC` choices without a stone, and `XT` the
//! comment on each of these choices. Comments hold times and values, so that a loaded game goes on
//! unchanged.

mod read;
mod write;

pub use read::read;
pub use write::write;

use super::game::Game;

const OPENING_RULE: &str = "XO";
const CHOICES: &str = "XC";
const CHOICE_COMMENTS: &str = "XT";
/// In a comment: no clock lost the time of the turn.
const OFF_CLOCK: &str = "off the clock";

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
