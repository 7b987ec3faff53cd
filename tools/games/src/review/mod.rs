//! The review of a whole game: a judgement of each move by search, the better line, and the
//! accuracy of both sides.
//!
//! Positions are searched from the last to the first, so that results late in the game help the
//! earlier searches through the transposition table. A search of the position after a move gives
//! the move's value, to be compared with the best move of the position before. If the comparison
//! blames the move, the position after the best move is searched too: then searches of the same
//! limits have judged both moves, and neither has looked a ply less far.

mod accuracy;
mod class;
mod game;
mod json;
mod judgement;
mod reviewer;
mod summary;
mod value;

#[cfg(test)]
mod tests;

pub use class::MoveClass;
pub use game::Game;
pub use judgement::Judgement;
pub use reviewer::{Limits, Review, review};
pub use summary::{Counts, Summary};
pub use value::Value;
