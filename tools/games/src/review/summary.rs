//! The judgement of a review on the whole game.

use super::accuracy::{of_moves, weights};
use super::class::MoveClass;
use super::game::Game;
use super::judgement::Judgement;
use tengen::time::Duration;
use tengen::types::Color;

/// One side's number of moves in each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([usize; MoveClass::JUDGED.len()]);

impl Counts {
    /// Number of moves of that class; 0 for a class of moves that are not judged.
    pub fn of(&self, class: MoveClass) -> usize {
        let index = MoveClass::JUDGED.iter().position(|&known| known == class);
        index.map_or(0, |index| self.0[index])
    }

    fn add(&mut self, class: MoveClass) {
        if let Some(index) = MoveClass::JUDGED.iter().position(|&known| known == class) {
            self.0[index] += 1;
        }
    }
}

/// The judgement of a review on the whole game. The values of both sides stand in the order of
/// [`Color::BOTH`].
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Accuracy in percent; `None` without judged moves.
    pub accuracy: [Option<f64>; 2],
    /// Numbers of moves in each class.
    pub counts: [Counts; 2],
    /// Moves of the game.
    pub moves: usize,
    /// Moves with a judgement, including the classes that are not judged; fewer when the review was
    /// stopped.
    pub reviewed: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of the whole review.
    pub elapsed: Duration,
}

impl Summary {
    /// The summary of judgements in the order of the game; the first ones may be missing.
    pub(super) fn new(
        game: &Game,
        judgements: &[Judgement],
        nodes: u64,
        elapsed: Duration,
    ) -> Summary {
        let black = |judgement: &Judgement, rate: f64| match judgement.made.color {
            Color::Black => 100.0 * rate,
            Color::White => 100.0 - 100.0 * rate,
        };
        let before = |first: &&Judgement| black(first, first.best_value.win_rate);
        let after = |judgement: &&Judgement| black(judgement, judgement.value.win_rate);
        let known = judgements.iter().filter(|j| j.class != MoveClass::Unknown);
        let known: Vec<&Judgement> = known.collect();
        let rates = known.first().map(before).into_iter();
        let rates: Vec<f64> = rates.chain(known.iter().map(after)).collect();
        let weighted: Vec<(&Judgement, f64)> = known.into_iter().zip(weights(&rates)).collect();
        let accuracy = Color::BOTH.map(|color| {
            let is_judged = |j: &Judgement| j.made.color == color && j.class != MoveClass::Opening;
            let judged = weighted
                .iter()
                .filter(|(judgement, _)| is_judged(judgement));
            let moves: Vec<_> = judged
                .map(|(judgement, w)| (judgement.accuracy(), *w))
                .collect();
            of_moves(&moves)
        });
        let counts = Color::BOTH.map(|color| {
            let mut counts = Counts::default();
            let own = judgements.iter().filter(|j| j.made.color == color);
            own.for_each(|judgement| counts.add(judgement.class));
            counts
        });
        Summary {
            accuracy,
            counts,
            moves: game.len(),
            reviewed: judgements.len(),
            nodes,
            elapsed,
        }
    }
}
