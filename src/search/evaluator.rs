//! The evaluation that a search uses: the network or the classical tables, chosen once per search.

use crate::board::{Board, Cell};
use crate::eval::Simd;
use crate::eval::network::{Accumulator, Network, PolicyLogits};
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Point, Score};

/// Cells of the board that the evaluations were learned on. Those of smaller boards are worth less:
/// there is less room left to win. In games of 500 nodes a move the factor of the values that fits
/// the results best is 0.7 on 15x15, and 0.3, 0.3, 0.2, 0.6, 0.4 on 9x9 to 13x13 (150 games each).
const LEARNED_CELLS: usize = 225;

/// See the [module](self).
pub struct Evaluator<'a> {
    kind: Kind<'a>,
    /// Cells of the board that are not blocked, at most [`LEARNED_CELLS`].
    cells: i32,
}

enum Kind<'a> {
    /// The tables over classes of cells.
    Classical,
    /// The network, which takes the classical evaluation as one of its inputs.
    Network(Box<Accumulator<'a>>),
}

impl<'a> Evaluator<'a> {
    /// For `board` and the positions below it, with `network` if there is one.
    pub fn new(network: Option<&'a Network>, board: &Board) -> Evaluator<'a> {
        let is_open = |p: &Point| board.cell(*p) != Cell::Blocked;
        let cells = board.points().filter(is_open).count();
        Evaluator {
            kind: match network {
                None => Kind::Classical,
                Some(network) => {
                    Kind::Network(Box::new(Accumulator::new(network, board, Simd::detect())))
                }
            },
            cells: cells.min(LEARNED_CELLS) as i32,
        }
    }

    /// Value of `position` for its side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let classical = i32::from(position.evaluate().raw());
        let value = match &mut self.kind {
            Kind::Classical => classical,
            Kind::Network(accumulator) => accumulator.value(position.board(), classical),
        };
        Score::value(value * self.cells / LEARNED_CELLS as i32)
    }

    /// Prefetches what the evaluation of `position` needs after a move to `p`, which is about to
    /// be played.
    #[inline]
    pub(super) fn prefetch_child(&mut self, position: &Position, p: Point) {
        if let Kind::Network(accumulator) = &mut self.kind {
            // A position with a four to block is not evaluated.
            if position.class(position.side_to_move(), p) < Class::Four {
                accumulator.prefetch_child(position.board(), p);
            }
        }
    }

    /// The network's policy for moves to `points`; `None` for the classical evaluation, whose
    /// policy is [`Position::policy`] alone.
    #[inline]
    pub(super) fn policy(
        &mut self,
        position: &Position,
        points: impl Iterator<Item = Point>,
    ) -> Option<PolicyLogits<'_>> {
        match &mut self.kind {
            Kind::Classical => None,
            Kind::Network(accumulator) => Some(accumulator.policy(position.board(), points)),
        }
    }
}
