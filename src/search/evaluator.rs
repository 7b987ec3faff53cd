//! The evaluation that a search uses: the network or the classical tables, chosen once per search.

use crate::board::Board;
use crate::eval::Simd;
use crate::eval::network::{Accumulator, Network, PolicyLogits};
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Point, Score};

/// See the [module](self).
pub enum Evaluator<'a> {
    /// The tables over classes of cells.
    Classical,
    /// The network, which takes the classical evaluation as one of its inputs.
    Network(Box<Accumulator<'a>>),
}

impl<'a> Evaluator<'a> {
    /// For `board` and the positions below it, with `network` if there is one.
    pub fn new(network: Option<&'a Network>, board: &Board) -> Evaluator<'a> {
        match network {
            None => Evaluator::Classical,
            Some(network) => {
                Evaluator::Network(Box::new(Accumulator::new(network, board, Simd::detect())))
            }
        }
    }

    /// Value of `position` for its side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let classical = position.evaluate();
        match self {
            Evaluator::Classical => classical,
            Evaluator::Network(accumulator) => {
                Score::value(accumulator.value(position.board(), classical.raw().into()))
            }
        }
    }

    /// Prefetches what the evaluation of `position` needs after a move to `p`, which is about to
    /// be played.
    #[inline]
    pub(super) fn prefetch_child(&mut self, position: &Position, p: Point) {
        if let Evaluator::Network(accumulator) = self {
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
        match self {
            Evaluator::Classical => None,
            Evaluator::Network(accumulator) => Some(accumulator.policy(position.board(), points)),
        }
    }
}
