//! Even openings for rules under which one player puts stones and the other chooses a colour.
//!
//! What the other gains is what he sees in his time and the first did not see in as little, so the
//! first does well to have looked long before the game: by searches, and by games from there. Under
//! the rules of Tarannikov and Taraguchi that means five stones: the second player changes colours
//! whenever he may, which is the best that he can do, puts none, and chooses in the end.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};

use super::balanced::{Wish, canonical};
use super::scales::{Scales, with};
use crate::board::Board;
use crate::openings::{Alternative, Choice, OpeningRule, Phase, Step, unequal_points};
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet};

/// Part of the nodes for the searches that find fourth and fifth stones, and for one value of several.
const GLANCE: u64 = 8;
/// The fourth stone is one of the best so many.
const FOURTHS: usize = 24;
/// Fifth stones that are looked at, the best first, and the largest value that lets one be valued.
const FIFTHS: usize = 16;
const EVEN_AT_A_GLANCE: i32 = 90;
/// So many openings at most differ in the fifth stone alone.
const OF_THE_SAME_FOUR: usize = 3;
/// How far from another one the second and third of three stones are put, at most.
const MOST_APART: u8 = 5;
/// Looks at a position one after another: the part of the nodes that each takes, and the largest
/// value for either colour that it lets pass.
const SIEVE: [(u64, i32); 3] = [(8 * GLANCE, 100), (GLANCE, 70), (1, 40)];
/// The most that what is left of an offer of fifth stones may be worth to Black: he would offer.
const MOST_OFFERED: i32 = 0;
/// Three stones that are tried for each opening wanted, before giving up.
const TRIES: usize = 2_000;

/// Makes openings by `opening`, for which there must be
/// [so many stones before a choice](OpeningRule::stones_before_choice): three at random where the rule
/// allows them, and perhaps two more by search, kept if longer searches and games find them even, and
/// if before the fifth an offer would not be good for Black. No more than [`OF_THE_SAME_FOUR`] have
/// the same four stones first. `found` hears of each at once.
///
/// # Errors
/// When the board is too small, or there are not that many.
pub fn even_openings(
    wish: &Wish,
    opening: OpeningRule,
    rule: Rule,
    empty: &Board,
    found: &mut dyn FnMut(&[Point]) -> std::io::Result<()>,
) -> Result<(), super::Error> {
    let begin = Phase::new(opening, empty).map_err(|e| super::Error::Failed(e.to_string()))?;
    let mut random = StdRng::seed_from_u64(wish.seed);
    let mut scales = Scales::new(rule, empty, wish.nodes);
    let mut seen = HashSet::new();
    let mut is_new = |board: &Board| seen.insert(canonical(&points(board), empty));
    let mut count = 0;
    for _ in 0..TRIES * wish.count {
        if count == wish.count {
            return Ok(());
        }
        let three = three_stones(begin.clone(), &mut random);
        if opening.stones_before_choice() == Some(3) {
            if is_new(three.board()) && is_even(&mut scales, three.board()) {
                found(&points(three.board()))?;
                count += 1;
            }
            continue;
        }
        let nodes = wish.nodes / GLANCE;
        let fourths = scales
            .afresh()
            .search(three.board(), &three.points(), FOURTHS, nodes);
        let Some(&(fourth, _)) = fourths.choose(&mut random) else {
            continue;
        };
        let four = put(three, fourth);
        if !is_new(four.board()) || offers(&mut scales, &four) {
            continue;
        }
        let most = OF_THE_SAME_FOUR.min(wish.count - count);
        for five in even_fives(&mut scales, &four, most) {
            found(&points(&five))?;
            count += 1;
        }
    }
    Err(super::Error::Failed(format!(
        "only {count} of {} even openings were found",
        wish.count
    )))
}

/// The opening with three stones at random, and the colours as they were.
fn three_stones(mut phase: Phase, random: &mut StdRng) -> Phase {
    while phase.board().stones().len() < 3 {
        let stones = phase.board().stones();
        let near = |p: &Point| {
            let apart = |q: Point| p.x().abs_diff(q.x()).max(p.y().abs_diff(q.y()));
            stones.is_empty() || stones.iter().any(|s| apart(s.point) <= MOST_APART)
        };
        let point = phase.points().iter().filter(near).choose(random);
        phase = put(phase, point.expect("a rule that leaves room"));
    }
    phase
}

/// The opening with a stone more, and the colours as they were.
fn put(mut phase: Phase, point: Point) -> Phase {
    phase
        .choose(&Choice::Put(point))
        .expect("one of its points");
    if let Some(Step::Take(_)) = phase.step() {
        let stays = phase.choose(&Choice::Take(Color::White));
        stays.expect("a colour may be taken");
    }
    phase
}

fn points(board: &Board) -> Vec<Point> {
    board.stones().iter().map(|stone| stone.point).collect()
}

/// Whether neither colour is better, by ever longer searches and then by games.
fn is_even(scales: &mut Scales, board: &Board) -> bool {
    scales.may_begin_with(&points(board))
        && SIEVE.iter().all(|&(part, most)| {
            let value = scales.value(board, scales.nodes() / part);
            value.is_some_and(|value| value.abs() <= most)
        })
        && scales.plays_evenly(board)
}

/// Positions with a fifth stone after which neither colour is better, `most` at most.
fn even_fives(scales: &mut Scales, four: &Phase, most: usize) -> Vec<Board> {
    let nodes = scales.nodes() / GLANCE;
    let lines = scales
        .afresh()
        .search(four.board(), &four.points(), FIFTHS, nodes);
    lines
        .into_iter()
        .filter(|(_, value)| value.abs() <= EVEN_AT_A_GLANCE)
        .map(|(p, _)| with(four.board(), p))
        .filter(|five| is_even(scales, five))
        .take(most)
        .collect()
}

/// Whether Black would rather offer fifth stones than put one, where the rule lets him.
fn offers(scales: &mut Scales, four: &Phase) -> bool {
    let mut before = four.clone();
    before.undo();
    let Some(Step::Take(Some(Alternative::Offer { count }))) = before.step() else {
        return false;
    };
    let board = four.board();
    let count = usize::from(count);
    let places: PointSet = unequal_points(board).into_iter().collect();
    let nodes = scales.nodes() / GLANCE;
    let lines = scales.afresh().search(board, &places, count, nodes);
    // Of `count` values the least is not below 0 only if none is.
    lines.len() == count
        && lines.iter().rev().all(|&(p, _)| {
            let value = scales.value(&with(board, p), nodes);
            value.is_none_or(|value| value > MOST_OFFERED)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(opening: &str, rule: Rule, count: usize, nodes: u64) -> Vec<Vec<Point>> {
        let wish = Wish {
            count,
            plies: (1, 1),
            nodes,
            played: true,
            seed: 5,
        };
        let empty = Board::new(15, 15).unwrap();
        let mut openings = Vec::new();
        even_openings(
            &wish,
            opening.parse().unwrap(),
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
    fn three_stones_by_swap2_are_different_and_the_same_again() {
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
