//! How a search values positions and moves: by one of two evaluations, chosen once for all of it.

use super::picker::Choice;
use crate::board::Board;
use crate::eval::Simd;
use crate::eval::network::{Accumulator, Network};
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Point, Score};

/// See the [module](self).
pub enum Evaluator<'a> {
    /// The tables over classes of cells alone.
    Classical,
    /// The network, which knows what the tables say and adds what it sees itself.
    Network(Box<Accumulator<'a>>),
}

impl<'a> Evaluator<'a> {
    /// For `board` and what follows from it, with `network` if there is one.
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

    /// Gets ready for the value of `position` after a move to `p`, which is about to be made.
    #[inline]
    pub(super) fn expect(&mut self, position: &Position, p: Point) {
        if let Evaluator::Network(accumulator) = self {
            // A four has to be parried: there will be no evaluation.
            if position.class(position.side_to_move(), p) < Class::Four {
                accumulator.expect(position.board(), p);
            }
        }
    }

    /// Turns the [order](Position::order) of `moves` into the evaluation's own.
    #[inline]
    pub(super) fn refine(&mut self, position: &Position, moves: &mut [Choice]) {
        let Evaluator::Network(accumulator) = self else {
            return;
        };
        let points = moves.iter().map(|choice| choice.point);
        let promise = accumulator.promise(position.board(), points);
        for (i, choice) in moves.iter_mut().enumerate() {
            choice.order = promise.with(i, choice.order);
        }
    }
}
