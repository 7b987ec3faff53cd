//! Even openings of five stones, for the rules of Tarannikov and Taraguchi.
//!
//! Under these rules the first player puts all five stones if the second changes colours whenever he
//! may, which is the best that he can do; then the second chooses. What he gains by that is what he
//! sees and the first did not, so the first does well to have looked long before the game.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::SeedableRng;

use super::balanced::{canonical, Wish};
use crate::arena::openings::check;
use crate::board::Board;
use crate::engine::{Engine, Options};
use crate::openings::{unequal_points, Alternative, Choice, OpeningRule, Phase, Step};
use crate::rules::Rule;
use crate::search::{Control, Request};
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
/// Looks at a position one after another: the part of the nodes that each takes, and the largest
/// value for either colour that it lets pass.
const SIEVE: [(u64, i32); 2] = [(GLANCE, 50), (1, 25)];
/// The most that what is left of an offer of fifth stones may be worth to Black: he would offer.
const MOST_OFFERED: i32 = 0;
/// Three stones that are tried for each opening wanted, before giving up.
const TRIES: usize = 1_000;

/// Makes openings by `opening`, which [swaps after each stone](OpeningRule::swaps_after_each_stone):
/// three stones at random where the rule allows them, a fourth and a fifth by search, kept if a longer
/// search finds them even, and if before the fifth an offer would not be good for Black. No more than
/// [`OF_THE_SAME_FOUR`] have the same four stones first. `found` hears of each at once.
///
/// # Errors
/// When the board is too small, or there are not that many.
pub fn even_fives(
    wish: &Wish,
    opening: OpeningRule,
    rule: Rule,
    empty: &Board,
    found: &mut dyn FnMut(&[Point]) -> std::io::Result<()>,
) -> Result<(), super::Error> {
    let begin = Phase::new(opening, empty).map_err(|e| super::Error::Failed(e.to_string()))?;
    let mut random = StdRng::seed_from_u64(wish.seed);
    let mut judge = Judge {
        engine: Engine::new(Options::default()),
        rule,
        nodes: wish.nodes,
    };
    let mut seen = HashSet::new();
    let mut count = 0;
    for _ in 0..TRIES * wish.count {
        if count == wish.count {
            return Ok(());
        }
        let three = three_stones(begin.clone(), &mut random);
        let fourths = judge.lines(
            three.board(),
            &three.points(),
            FOURTHS,
            judge.nodes / GLANCE,
        );
        let Some(&(fourth, _)) = fourths.choose(&mut random) else {
            continue;
        };
        let four = put(three, fourth);
        if !seen.insert(canonical(&points(four.board()), empty)) || judge.offers(&four) {
            continue;
        }
        let most = OF_THE_SAME_FOUR.min(wish.count - count);
        for fifth in judge.even_fifths(&four, most) {
            let mut stones = points(four.board());
            stones.push(fifth);
            if check(&stones, rule, empty).is_ok() {
                found(&stones)?;
                count += 1;
            }
        }
    }
    Err(super::Error::Failed(format!(
        "only {count} of {} even openings of five stones were found",
        wish.count
    )))
}

/// The opening before its fourth stone, with stones at random and the colours as they were.
fn three_stones(mut phase: Phase, random: &mut StdRng) -> Phase {
    while phase.board().stones().len() < 3 {
        let point = phase.points().iter().choose(random);
        phase = put(phase, point.expect("a rule that leaves room"));
    }
    phase
}

/// The opening with a stone more, and the colours as they were.
fn put(mut phase: Phase, point: Point) -> Phase {
    let choices = [Choice::Put(point), Choice::Take(Color::White)];
    for choice in choices {
        phase
            .choose(&choice)
            .expect("a point of the area, or a colour");
    }
    phase
}

fn points(board: &Board) -> Vec<Point> {
    board.stones().iter().map(|stone| stone.point).collect()
}

/// Values of positions.
struct Judge {
    engine: Engine,
    rule: Rule,
    nodes: u64,
}

impl Judge {
    /// Fifth stones after which neither colour is better, `most` at most.
    fn even_fifths(&mut self, four: &Phase, most: usize) -> Vec<Point> {
        let board = four.board();
        let lines = self.lines(board, &four.points(), FIFTHS, self.nodes / GLANCE);
        lines
            .into_iter()
            .filter(|(_, value)| value.abs() <= EVEN_AT_A_GLANCE)
            .map(|(p, _)| p)
            .filter(|&p| {
                let mut five = board.clone();
                five.play(p);
                SIEVE.iter().all(|&(part, most)| {
                    let value = self.value(&five, self.nodes / part);
                    value.is_some_and(|value| value.abs() <= most)
                })
            })
            .take(most)
            .collect()
    }

    /// Whether Black would rather offer fifth stones than put one, where the rule lets him.
    fn offers(&mut self, four: &Phase) -> bool {
        let mut before = four.clone();
        before.undo();
        let Some(Step::Take(Some(Alternative::Offer { count }))) = before.step() else {
            return false;
        };
        let board = four.board();
        let count = usize::from(count);
        let places: PointSet = unequal_points(board).into_iter().collect();
        let lines = self.lines(board, &places, count, self.nodes / GLANCE);
        // Of `count` values the least is not below 0 only if none is.
        lines.len() == count
            && lines.iter().rev().all(|&(p, _)| {
                let mut five = board.clone();
                five.play(p);
                let value = self.value(&five, self.nodes / GLANCE);
                value.is_none_or(|value| value > MOST_OFFERED)
            })
    }

    /// What the position is worth to Black: the mean of what the search says now and after the best
    /// move, for it is too hopeful for the side whose turn it is.
    fn value(&mut self, board: &Board, nodes: u64) -> Option<i32> {
        let all: PointSet = board.empty_points().collect();
        let &(best, now) = self.lines(board, &all, 1, nodes / 2).first()?;
        let mut next = board.clone();
        next.play(best);
        let all: PointSet = next.empty_points().collect();
        let &(_, later) = self.lines(&next, &all, 1, nodes / 2).first()?;
        let mean = (now - later) / 2;
        Some(match board.side_to_move() {
            Color::Black => mean,
            Color::White => -mean,
        })
    }

    /// The best `count` of `places` with their values for the side to move.
    fn lines(
        &mut self,
        board: &Board,
        places: &PointSet,
        count: usize,
        nodes: u64,
    ) -> Vec<(Point, i32)> {
        let free: PointSet = board.empty_points().collect();
        let request = Request {
            max_nodes: Some(nodes.max(1)),
            multi_pv: count.clamp(1, places.len().max(1)),
            excluded: free.difference(places),
            ..Request::new(board.clone(), self.rule)
        };
        // What was learned from one position would change the judgement of the next.
        self.engine.clear_hash();
        let outcome = self.engine.go(&request, &Control::unlimited(), &mut |_| {});
        let line =
            |line: &crate::search::Report| Some((*line.pv.first()?, i32::from(line.score.raw())));
        outcome.lines.iter().filter_map(line).collect()
    }
}
