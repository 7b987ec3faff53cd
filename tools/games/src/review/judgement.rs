//! The judgement of a review on one move.

use super::accuracy;
use super::class::MoveClass;
use super::value::Value;
use tengen::board::Move;
use tengen::types::Point;

/// The judgement of a review on one move. All values are for the side that made it. Of a move of the class
/// [`Unknown`](MoveClass::Unknown) both values are that of the position before or after it, whichever
/// is known, or else a draw's.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Which move, from 1.
    pub number: usize,
    /// The move as it was made.
    pub made: Move,
    /// Value after the move as it was made. Its line continues the game after it.
    pub value: Value,
    /// The best move; `None` on an empty board, where there is nothing to compare with, for a pass
    /// than which nothing is better, and where the class is unknown.
    pub best: Option<Point>,
    /// Value after the best move. Its line begins with that move; without one it is empty.
    pub best_value: Value,
    /// Completed depth of the search before the move, in plies.
    pub depth: u32,
    /// How good the move was.
    pub class: MoveClass,
    /// Rows of the board, for the names of points.
    pub(super) height: u8,
}

impl Judgement {
    /// Expected points that the move lost, 0 to 1.
    pub fn loss(&self) -> f64 {
        (self.best_value.win_rate - self.value.win_rate).max(0.0)
    }

    /// How accurate the move was, 0 to 100.
    pub fn accuracy(&self) -> f64 {
        accuracy::of_move(self.best_value.win_rate, self.value.win_rate)
    }
}
