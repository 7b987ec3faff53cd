//! Balanced openings, found by our engine's search.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::scales::Scales;
use crate::board::Board;
use crate::engine::{Engine, Options};
use crate::rules::Rule;
use crate::search::{SearchControl, SearchRequest};
use crate::types::Point;
use crate::types::Symmetry;

/// Stones lie at most this far from the centre, and from another stone.
const MOST_FROM_CENTRE: i32 = 4;
const MOST_APART: i32 = 3;
/// An opening is balanced if the side to move expects between these parts of the points.
const LOW: f64 = 0.42;
const HIGH: f64 = 0.58;
/// The nodes are divided by these for the looks at a position, one after another as long as it looks
/// even: most positions are told to be uneven by the first.
const LOOKS: [u64; 3] = [25, 5, 1];
/// Positions looked at for each opening wanted, before giving up.
const TRIES: usize = 500;

/// What openings are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// How many.
    pub count: usize,
    /// Fewest and most stones.
    pub plies: (usize, usize),
    /// Nodes searched to judge one.
    pub nodes: u64,
    /// Whether games from it have to find it even too.
    pub played: bool,
    /// The same seed gives the same openings.
    pub seed: u64,
}

/// Makes openings: stones at random near the centre, kept if ever longer searches find the position
/// even, games too if that is wished, and if no other is its mirror image. `found` hears of each at
/// once.
///
/// # Errors
/// When there are not that many, or `found` fails.
pub fn balanced(
    wish: &Wish,
    rule: Rule,
    empty: &Board,
    found: &mut dyn FnMut(&[Point]) -> std::io::Result<()>,
) -> Result<(), super::Error> {
    let mut random = StdRng::seed_from_u64(wish.seed);
    let mut engine = Engine::new(Options::default());
    let mut scales = Scales::new(rule, empty, wish.nodes);
    let mut seen = HashSet::new();
    let mut count = 0;
    for _ in 0..TRIES * wish.count {
        if count == wish.count {
            return Ok(());
        }
        let stones = random.random_range(wish.plies.0..=wish.plies.1);
        let Some(opening) = scatter(empty, stones, &mut random) else {
            continue;
        };
        if !scales.may_begin_with(&opening) || !seen.insert(canonical(&opening, empty)) {
            continue;
        }
        let mut board = empty.clone();
        opening.iter().for_each(|&p| board.play(p));
        // What was learned from one position would change the judgement of the next.
        engine.clear_hash();
        let mut even = |part: u64| {
            let mut request = SearchRequest::new(board.clone(), rule);
            request.max_nodes = Some((wish.nodes / part).max(1));
            let outcome = engine.go(&request, &SearchControl::unlimited(), &mut |_| {});
            let best = outcome.lines.first();
            best.is_some_and(|line| (LOW..=HIGH).contains(&line.win_rate))
        };
        if LOOKS.into_iter().all(&mut even) && (!wish.played || scales.plays_evenly(&board)) {
            found(&opening)?;
            count += 1;
        }
    }
    Err(super::Error::Failed(format!(
        "only {count} of {} balanced openings with {} to {} stones were found",
        wish.count, wish.plies.0, wish.plies.1
    )))
}

/// Stones at random, each near the centre and near another.
fn scatter(empty: &Board, stones: usize, random: &mut StdRng) -> Option<Vec<Point>> {
    let (cx, cy) = (i32::from(empty.width()) / 2, i32::from(empty.height()) / 2);
    let distance = |p: Point, x: i32, y: i32| {
        let (dx, dy) = (i32::from(p.x()) - x, i32::from(p.y()) - y);
        dx.abs().max(dy.abs())
    };
    let mut points: Vec<Point> = Vec::new();
    for _ in 0..stones {
        let near = |p: &Point| {
            distance(*p, cx, cy) <= MOST_FROM_CENTRE
                && !points.contains(p)
                && (points.is_empty()
                    || points
                        .iter()
                        .any(|q| distance(*p, q.x().into(), q.y().into()) <= MOST_APART))
        };
        let free: Vec<Point> = empty.points().filter(near).collect();
        points.push(*free.choose(random)?);
    }
    Some(points)
}

/// The same for all positions that are images of each other.
pub(super) fn canonical(opening: &[Point], empty: &Board) -> Vec<(usize, Point)> {
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

/// Reads `4..6` (both included) or `5`.
///
/// # Errors
/// With what is expected.
pub fn parse_plies(text: &str) -> Result<(usize, usize), String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (low.parse(), high.trim_start_matches('=').parse()) {
        (Ok(low), Ok(high)) if 1 <= low && low <= high && high <= 20 => Ok((low, high)),
        _ => Err("write the fewest and most stones, such as 4..6 (at most 20)".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::openings::{check, parse};

    fn made(wish: &Wish, empty: &Board) -> Vec<Vec<Point>> {
        let mut openings = Vec::new();
        balanced(wish, Rule::Renju, empty, &mut |opening| {
            openings.push(opening.to_vec());
            Ok(())
        })
        .unwrap();
        openings
    }

    #[test]
    fn openings_are_many_different_legal_and_the_same_again() {
        let empty = Board::new(15, 15).unwrap();
        let wish = Wish {
            count: 12,
            plies: (3, 5),
            nodes: 500,
            played: false,
            seed: 3,
        };
        let openings = made(&wish, &empty);
        assert_eq!(openings.len(), 12);
        for opening in &openings {
            assert!((3..=5).contains(&opening.len()));
            assert_eq!(check(opening, Rule::Renju, &empty), Ok(()));
        }
        let kinds: HashSet<_> = openings.iter().map(|o| canonical(o, &empty)).collect();
        assert_eq!(kinds.len(), 12);
        assert_eq!(made(&wish, &empty), openings);
        let played = made(
            &Wish {
                played: true,
                ..wish
            },
            &empty,
        );
        assert_eq!(played.len(), 12);
        // Games do not agree with all of what searches find even.
        assert_ne!(played, openings);
    }

    #[test]
    fn the_openings_that_are_kept_are_legal_and_different() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/openings");
        let mut read = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let (rule, side) = name.split_once('-').unwrap();
            let side = side.parse().unwrap();
            let empty = Board::new(side, side).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let openings = parse(&text, None, rule.parse().unwrap(), &empty).unwrap();
            let kinds: HashSet<_> = openings.iter().map(|o| canonical(o, &empty)).collect();
            assert_eq!((openings.len(), kinds.len()), (50, 50), "{name}");
            read += 1;
        }
        assert_eq!(read, 4);
    }

    #[test]
    fn images_are_known_as_the_same_position() {
        let empty = Board::new(15, 15).unwrap();
        let opening = [Point::new(7, 7), Point::new(8, 6), Point::new(9, 9)];
        for number in 0..8 {
            let image = opening.map(|p| Symmetry::new(number).map(p, 15, 15));
            assert_eq!(canonical(&image, &empty), canonical(&opening, &empty));
        }
        let exchanged = [opening[1], opening[0], opening[2]];
        assert_ne!(canonical(&exchanged, &empty), canonical(&opening, &empty));
    }

    #[test]
    fn numbers_of_stones() {
        assert_eq!(parse_plies("4..6"), Ok((4, 6)));
        assert_eq!(parse_plies("5"), Ok((5, 5)));
        for bad in ["", "6..4", "0..3", "a..b", "3..99"] {
            assert!(parse_plies(bad).is_err(), "{bad}");
        }
    }
}
