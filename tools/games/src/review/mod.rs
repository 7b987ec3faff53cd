//! The review of a whole game: each move judged by search, the better line, and how accurate both
//! sides were.
//!
//! Positions are searched from the last to the first, so that what is found late in the game helps the
//! searches before it by the transposition table. A move is worth what the search of the position after
//! it says, and is compared with the best move of the position before it. Where that comparison blames
//! the move, the position after the best move is searched too: then searches of the same limits have
//! judged both, and none of them has looked a ply less far.

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
