//! The search for balanced openings, which takes minutes or hours before any game.

mod by_rule;
mod playout;
mod random;

use tengen::board::Board;
use tengen::engine::move_control::MoveControl;
use tengen::engine::opening::ChoiceContext;
use tengen::engine::opening::evaluator::OpeningEvaluator;
use tengen::engine::{Engine, Options};
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen::search::{SearchRequest, TimeSettings};
use tengen::time::Instant;
use tengen::types::{Point, Symmetry};

/// A table large enough for one search, and small enough to be cleared before each.
const HASH_KIB: u64 = 16 << 10;

/// The wanted openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceOptions {
    /// The number.
    pub count: usize,
    /// Fewest and most stones, unless an opening rule gives their number.
    pub plies: (usize, usize),
    /// Nodes of the longest search of an opening.
    pub nodes: u64,
    /// True if games from an opening have to be balanced too. With an opening rule they always have
    /// to.
    pub played: bool,
    /// The same seed gives the same openings.
    pub seed: u64,
}

/// The reason why fewer openings were found than wanted.
#[derive(Debug, thiserror::Error)]
pub enum BalanceError {
    /// All attempts are used up.
    #[error("only {found} of {wanted} balanced openings were found")]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings wanted.
        wanted: usize,
    },
    /// The board does not suit the opening rule.
    #[error("{0}")]
    Rule(String),
    /// The caller could not store an opening.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

impl BalanceError {
    /// The error, unless enough openings were found.
    fn unless_enough(found: usize, wanted: usize) -> Result<(), BalanceError> {
        match found < wanted {
            true => Err(BalanceError::TooFew { found, wanted }),
            false => Ok(()),
        }
    }
}

/// Finds openings for games by `rule` on the board `empty`. An opening has the stones that
/// `opening_rule` [asks for before the choice of a colour](OpeningRule::stones_before_choice), or
/// random stones near the centre. `found` receives each opening at once.
///
/// # Errors
/// When there are not enough openings, when the board is too small for the opening rule, or when
/// `found` fails.
pub fn find_balanced(
    options: &BalanceOptions,
    opening_rule: Option<OpeningRule>,
    rule: Rule,
    empty: &Board,
    found: &mut dyn FnMut(&[Point]) -> std::io::Result<()>,
) -> Result<(), BalanceError> {
    let small_table = Options {
        hash_kib: Some(HASH_KIB),
        ..Options::default()
    };
    with_evaluator(small_table, rule, empty, |evaluator| match opening_rule {
        Some(opening_rule) => by_rule::find(options, opening_rule, empty, evaluator, found),
        None => with_evaluator(Options::default(), rule, empty, |searches| {
            random::find(options, empty, searches, evaluator, found)
        }),
    })
}

/// Calls `work` with an evaluator without time limits.
fn with_evaluator<T>(
    options: Options,
    rule: Rule,
    empty: &Board,
    work: impl FnOnce(&mut OpeningEvaluator) -> T,
) -> T {
    let request = SearchRequest::new(empty.clone(), rule);
    let control = MoveControl::new(Instant::now(), &TimeSettings::default());
    let context = ChoiceContext {
        request: &request,
        control: &control,
        time_ms: u64::MAX / 8,
        report: &mut |_| {},
    };
    work(&mut OpeningEvaluator::new(
        &mut Engine::new(options),
        context,
    ))
}

/// The same value for all positions that are images of each other.
pub fn canonical(opening: &[Point], empty: &Board) -> Vec<(usize, Point)> {
    let (width, height) = (empty.width(), empty.height());
    (0..Symmetry::count(width, height))
        .map(|number| {
            let symmetry = Symmetry::new(number);
            let mut stones: Vec<(usize, Point)> = opening
                .iter()
                .enumerate()
                .map(|(i, &p)| (i % 2, symmetry.map(p, width, height)))
                .collect();
            stones.sort_unstable();
            stones
        })
        .min()
        .expect("a board has symmetries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_the_same_position() {
        let empty = Board::new(15, 15).unwrap();
        let opening = [Point::new(7, 7), Point::new(8, 6), Point::new(9, 9)];
        for number in 0..8 {
            let image = opening.map(|p| Symmetry::new(number).map(p, 15, 15));
            assert_eq!(canonical(&image, &empty), canonical(&opening, &empty));
        }
        let exchanged = [opening[1], opening[0], opening[2]];
        assert_ne!(canonical(&exchanged, &empty), canonical(&opening, &empty));
    }
}
