//! The judgement of a review on one move.

use super::accuracy;
use super::class::MoveClass;
use super::value::Value;
use tengen::board::Move;
use tengen::types::Point;

/// The judgement of a review on one move. All values are for the side of the move. For the class
/// [`Unknown`](MoveClass::Unknown) both values are the known one, of the position before or after
/// the move, or else a draw's.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Number of the move, from 1.
    pub number: usize,
    /// The move of the game.
    pub made: Move,
    /// Value after the move of the game. Its line continues the game after the move.
    pub value: Value,
    /// The best move. `None` on an empty board, where there is nothing to compare with; for a pass
    /// without a better move; and for an unknown class.
    pub best: Option<Point>,
    /// Value after the best move. Its line begins with the best move, and is empty without one.
    pub best_value: Value,
    /// Completed depth of the search before the move, in plies.
    pub depth: u32,
    /// The quality of the move.
    pub class: MoveClass,
    /// Rows of the board, for the names of points.
    pub(super) height: u8,
}

impl Judgement {
    /// Expected points lost by the move, 0 to 1.
    pub fn loss(&self) -> f64 {
        (self.best_value.win_rate - self.value.win_rate).max(0.0)
    }

    /// Accuracy of the move in percent, 0 to 100.
    pub fn accuracy(&self) -> f64 {
        accuracy::of_move(self.best_value.win_rate, self.value.win_rate)
    }
}
