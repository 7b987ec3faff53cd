//! Balanced openings of random stones near the centre.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::playout::is_balanced_in_games;
use super::{BalanceError, BalanceOptions, canonical};
use tengen::board::Board;
use tengen::engine::opening::evaluator::OpeningEvaluator;
use tengen::rules::check_opening_moves;
use tengen::types::Point;

/// Greatest distance of stones from the centre, and from the nearest other stone.
const MAX_FROM_CENTRE: i32 = 4;
const MAX_APART: i32 = 3;
/// An opening is balanced if the side to move expects a score between these.
const MIN_SCORE: f64 = 0.42;
const MAX_SCORE: f64 = 0.58;
/// Divisors of the nodes for the searches of a position, one after another while the position seems
/// balanced. The first rejects most positions.
const SEARCH_PARTS: [u64; 3] = [25, 5, 1];
/// Positions examined for each wanted opening, before giving up.
const ATTEMPTS: usize = 500;

/// Finds openings that are balanced by ever longer `searches`, and by `games` if wanted. No opening
/// is the image of another.
///
/// # Errors
/// When there are not enough openings, or `found` fails.
pub fn find(
    options: &BalanceOptions,
    empty: &Board,
    searches: &mut OpeningEvaluator,
    games: &mut OpeningEvaluator,
    found: &mut dyn FnMut(&[Point]) -> std::io::Result<()>,
) -> Result<(), BalanceError> {
    let rule = games.rule();
    let mut random = StdRng::seed_from_u64(options.seed);
    let mut seen = HashSet::new();
    let mut count = 0;
    for _ in 0..ATTEMPTS * options.count {
        if count == options.count {
            break;
        }
        let stones = random.random_range(options.plies.0..=options.plies.1);
        let Some(opening) = random_stones(empty, stones, &mut random) else {
            continue;
        };
        if check_opening_moves(&opening, rule, empty).is_err()
            || !seen.insert(canonical(&opening, empty))
        {
            continue;
        }
        let mut board = empty.clone();
        opening.iter().for_each(|&p| board.play(p));
        if is_balanced_in_searches(searches, &board, options.nodes)
            && (!options.played || is_balanced_in_games(games, &board, options.nodes))
        {
            found(&opening)?;
            count += 1;
        }
    }
    BalanceError::unless_enough(count, options.count)
}

fn is_balanced_in_searches(searches: &mut OpeningEvaluator, board: &Board, nodes: u64) -> bool {
    // Only the searches of one position share a table, so that its value is repeatable.
    let searches = searches.cleared();
    SEARCH_PARTS.iter().all(|part| {
        let score = searches.win_rate(board, nodes / part);
        score.is_some_and(|score| (MIN_SCORE..=MAX_SCORE).contains(&score))
    })
}

/// Random stones, each near the centre and near another; `None` where there is no room.
fn random_stones(empty: &Board, stones: usize, random: &mut StdRng) -> Option<Vec<Point>> {
    let centre = Point::centre(empty.width(), empty.height());
    let (cx, cy) = (i32::from(centre.x()), i32::from(centre.y()));
    let distance = |p: Point, x: i32, y: i32| {
        let (dx, dy) = (i32::from(p.x()) - x, i32::from(p.y()) - y);
        dx.abs().max(dy.abs())
    };
    let mut points: Vec<Point> = Vec::new();
    for _ in 0..stones {
        let near = |p: &Point| {
            distance(*p, cx, cy) <= MAX_FROM_CENTRE
                && !points.contains(p)
                && (points.is_empty()
                    || points
                        .iter()
                        .any(|q| distance(*p, q.x().into(), q.y().into()) <= MAX_APART))
        };
        let free: Vec<Point> = empty.points().filter(near).collect();
        points.push(*free.choose(random)?);
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::find_balanced;
    use tengen::rules::Rule;

    fn made(options: &BalanceOptions, empty: &Board) -> Vec<Vec<Point>> {
        let mut openings = Vec::new();
        find_balanced(options, None, Rule::Renju, empty, &mut |opening| {
            openings.push(opening.to_vec());
            Ok(())
        })
        .unwrap();
        openings
    }

    #[test]
    fn openings_are_different_legal_and_repeatable() {
        let empty = Board::new(15, 15).unwrap();
        let options = BalanceOptions {
            count: 12,
            plies: (3, 5),
            nodes: 500,
            played: false,
            seed: 3,
        };
        let openings = made(&options, &empty);
        assert_eq!(openings.len(), 12);
        for opening in &openings {
            assert!((3..=5).contains(&opening.len()));
            assert_eq!(check_opening_moves(opening, Rule::Renju, &empty), Ok(()));
        }
        let kinds: HashSet<_> = openings.iter().map(|o| canonical(o, &empty)).collect();
        assert_eq!(kinds.len(), 12);
        assert_eq!(made(&options, &empty), openings);
        let played = made(
            &BalanceOptions {
                played: true,
                ..options
            },
            &empty,
        );
        assert_eq!(played.len(), 12);
        // Games reject some openings that are balanced by search.
        assert_ne!(played, openings);
    }
}
