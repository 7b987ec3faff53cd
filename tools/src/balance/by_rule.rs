//! Balanced openings for rules under which one player puts stones and the other chooses a colour.
//!
//! The second player gains from what he sees in his time and the first overlooked in as little. So
//! the first benefits from long searches and games, made before any match. Under the rules of
//! Tarannikov and Taraguchi such an opening needs five stones: the second player's best is to
//! change colours whenever he may, to put no stone, and to choose in the end.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};

use super::playout::is_balanced_in_games;
use super::{BalanceError, BalanceOptions, canonical};
use tengen::board::Board;
use tengen::engine::opening::evaluator::{OpeningEvaluator, board_after};
use tengen::openings::{Alternative, Choice, OpeningRule, OpeningStep, Phase, unequal_points};
use tengen::rules::check_opening_moves;
use tengen::types::{Color, Point, PointSet};

/// Divisor of the nodes for the searches of fourth and fifth stones, and for one of several values.
const SHORT: u64 = 8;
/// Number of the best fourth stones to choose from.
const FOURTHS: usize = 24;
/// Number of the best fifth stones to consider, and the largest value of a short search for a stone
/// to be considered further.
const FIFTHS: usize = 16;
const MAX_SHORT_VALUE: i32 = 90;
/// Most openings with the same first four stones.
const MAX_SAME_FOUR: usize = 3;
/// Greatest distance of a random stone from the nearest other one.
const MAX_APART: u8 = 5;
/// Searches of a position one after another: the divisor of the nodes, and the largest value for
/// either colour to pass.
const SEARCHES: [(u64, i32); 3] = [(8 * SHORT, 100), (SHORT, 70), (1, 40)];
/// Black would offer fifth stones if each has more than this value for him.
const MAX_OFFER_VALUE: i32 = 0;
/// Openings of three stones tried for each wanted one, before giving up.
const ATTEMPTS: usize = 2_000;

/// Finds openings by `rule`, which must have [stones before a
/// choice](OpeningRule::stones_before_choice): three random stones where the rule allows them, and
/// two more by search where it asks for five. Longer searches and games have to find the openings
/// balanced, and an offer before the fifth stone must not be good for Black. At most
/// [`MAX_SAME_FOUR`] openings have the same first four stones.
///
/// # Errors
/// When the board is too small, when there are not enough openings, or when `found` fails.
pub fn find(
    options: &BalanceOptions,
    rule: OpeningRule,
    empty: &Board,
    evaluator: &mut OpeningEvaluator,
    found: &mut dyn FnMut(&[Point]) -> std::io::Result<()>,
) -> Result<(), BalanceError> {
    let begin = Phase::new(rule, empty).map_err(|e| BalanceError::Rule(e.to_string()))?;
    let nodes = options.nodes;
    let mut random = StdRng::seed_from_u64(options.seed);
    let mut seen = HashSet::new();
    let mut is_new = |board: &Board| seen.insert(canonical(&points(board), empty));
    let mut count = 0;
    for _ in 0..ATTEMPTS * options.count {
        if count == options.count {
            break;
        }
        let three = three_stones(begin.clone(), &mut random);
        if rule.stones_before_choice() == Some(3) {
            if is_new(three.board()) && is_balanced(evaluator, three.board(), empty, nodes) {
                found(&points(three.board()))?;
                count += 1;
            }
            continue;
        }
        let fourths =
            evaluator
                .cleared()
                .best_moves(three.board(), &three.points(), FOURTHS, nodes / SHORT);
        let Some(&(fourth, _)) = fourths.choose(&mut random) else {
            continue;
        };
        let four = put(three, fourth);
        if !is_new(four.board()) || offers(evaluator, &four, nodes / SHORT) {
            continue;
        }
        let limit = MAX_SAME_FOUR.min(options.count - count);
        for five in balanced_fives(evaluator, &four, empty, nodes, limit) {
            found(&points(&five))?;
            count += 1;
        }
    }
    BalanceError::unless_enough(count, options.count)
}

/// The opening with three random stones and without a change of colours.
fn three_stones(mut phase: Phase, random: &mut StdRng) -> Phase {
    while phase.board().stones().len() < 3 {
        let stones = phase.board().stones();
        let near = |p: &Point| {
            let apart = |q: Point| p.x().abs_diff(q.x()).max(p.y().abs_diff(q.y()));
            stones.is_empty() || stones.iter().any(|s| apart(s.point) <= MAX_APART)
        };
        let point = phase.points().iter().filter(near).choose(random);
        phase = put(phase, point.expect("a rule that leaves room"));
    }
    phase
}

/// The opening with one more stone and without a change of colours.
fn put(mut phase: Phase, point: Point) -> Phase {
    phase
        .choose(&Choice::Put(point))
        .expect("one of its points");
    if let Some(OpeningStep::Take(_)) = phase.step() {
        let stays = phase.choose(&Choice::Take(Color::White));
        stays.expect("a colour may be taken");
    }
    phase
}

fn points(board: &Board) -> Vec<Point> {
    board.stones().iter().map(|stone| stone.point).collect()
}

/// True if neither colour is better, by ever longer searches and then by games.
fn is_balanced(evaluator: &mut OpeningEvaluator, board: &Board, empty: &Board, nodes: u64) -> bool {
    check_opening_moves(&points(board), evaluator.rule(), empty).is_ok()
        && SEARCHES.iter().all(|&(part, limit)| {
            let value = evaluator.cleared_value(board, nodes / part);
            value.is_some_and(|value| value.abs() <= limit)
        })
        && is_balanced_in_games(evaluator, board, nodes)
}

/// At most `limit` positions with a fifth stone in which neither colour is better.
fn balanced_fives(
    evaluator: &mut OpeningEvaluator,
    four: &Phase,
    empty: &Board,
    nodes: u64,
    limit: usize,
) -> Vec<Board> {
    let fifths =
        evaluator
            .cleared()
            .best_moves(four.board(), &four.points(), FIFTHS, nodes / SHORT);
    fifths
        .into_iter()
        .filter(|(_, value)| value.abs() <= MAX_SHORT_VALUE)
        .map(|(p, _)| board_after(four.board(), p))
        .filter(|five| is_balanced(evaluator, five, empty, nodes))
        .take(limit)
        .collect()
}

/// True if the rule lets Black offer fifth stones and he would rather offer than put one.
fn offers(evaluator: &mut OpeningEvaluator, four: &Phase, nodes: u64) -> bool {
    let mut before = four.clone();
    before.undo();
    let Some(OpeningStep::Take(Some(Alternative::Offer { count }))) = before.step() else {
        return false;
    };
    let board = four.board();
    let count = usize::from(count);
    let places: PointSet = unequal_points(board).into_iter().collect();
    let fifths = evaluator.cleared().best_moves(board, &places, count, nodes);
    fifths.len() == count
        // The worst first: one bad stone shows that Black does not offer.
        && fifths.iter().rev().all(|&(p, _)| {
            let value = evaluator.cleared_value(&board_after(board, p), nodes);
            value.is_none_or(|value| value > MAX_OFFER_VALUE)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::find_balanced;
    use tengen::rules::Rule;

    fn made(opening: &str, rule: Rule, count: usize, nodes: u64) -> Vec<Vec<Point>> {
        let options = BalanceOptions {
            count,
            plies: (1, 1),
            nodes,
            played: true,
            seed: 5,
        };
        let empty = Board::new(15, 15).unwrap();
        let mut openings = Vec::new();
        find_balanced(
            &options,
            Some(opening.parse().unwrap()),
            rule,
            &empty,
            &mut |stones| {
                openings.push(stones.to_vec());
                Ok(())
            },
        )
        .unwrap();
        openings
    }

    #[test]
    fn three_stones_by_swap2_are_different_and_repeatable() {
        let empty = Board::new(15, 15).unwrap();
        let openings = made("swap2", Rule::Freestyle, 3, 2_000);
        let kinds: HashSet<_> = openings.iter().map(|o| canonical(o, &empty)).collect();
        assert_eq!(kinds.len(), 3);
        assert!(openings.iter().all(|stones| stones.len() == 3));
        assert_eq!(made("swap2", Rule::Freestyle, 3, 2_000), openings);
    }

    #[test]
    fn five_stones_lie_where_taraguchi_allows_them() {
        for stones in made("taraguchi", Rule::Renju, 1, 16_000) {
            assert_eq!(stones.len(), 5);
            let centre = Point::new(7, 7);
            for (radius, p) in (0..).zip(stones) {
                let distance = p.x().abs_diff(centre.x()).max(p.y().abs_diff(centre.y()));
                assert!(distance <= radius, "{p}");
            }
        }
    }
}
