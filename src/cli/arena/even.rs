//! Even openings for rules under which one player puts stones and the other chooses a colour.
//!
//! What the other gains is what he sees in his time and the first did not see in as little, so the
//! first does well to have looked long before the game: by searches, and by games from there. Under
//! the rules of Tarannikov and Taraguchi that means five stones: the second player changes colours
//! whenever he may, which is the best that he can do, puts none, and chooses in the end.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::SeedableRng;

use super::balanced::{canonical, Wish};
use crate::arena::openings::check;
use crate::board::Board;
use crate::engine::{Engine, Options};
use crate::openings::{unequal_points, Alternative, Choice, OpeningRule, Phase, Step};
use crate::rules::{foul, wins_at, Rule};
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
/// How far from another one the second and third of three stones are put, at most.
const MOST_APART: u8 = 5;
/// Looks at a position one after another: the part of the nodes that each takes, and the largest
/// value for either colour that it lets pass.
const SIEVE: [(u64, i32); 3] = [(8 * GLANCE, 100), (GLANCE, 70), (1, 40)];
/// Games from a position, the part of the nodes for each move of the first of them, and the fewest
/// that either side must win.
const GAMES: u64 = 6;
const MOVE: u64 = 40;
const LEAST_POINTS: f64 = 2.0;
/// A game is won with this value.
const WON: i32 = 400;
/// The most that what is left of an offer of fifth stones may be worth to Black: he would offer.
const MOST_OFFERED: i32 = 0;
/// A table large enough for one look, and small enough to be cleared before each.
const HASH_KIB: u64 = 16 << 10;
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
    let mut judge = Judge {
        engine: Engine::new(Options {
            hash_kib: Some(HASH_KIB),
            ..Options::default()
        }),
        rule,
        empty: empty.clone(),
        nodes: wish.nodes,
    };
    let mut seen = HashSet::new();
    let mut is_new = |board: &Board| seen.insert(canonical(&points(board), empty));
    let mut count = 0;
    for _ in 0..TRIES * wish.count {
        if count == wish.count {
            return Ok(());
        }
        let three = three_stones(begin.clone(), &mut random);
        if opening.stones_before_choice() == Some(3) {
            if is_new(three.board()) && judge.is_even(three.board()) {
                found(&points(three.board()))?;
                count += 1;
            }
            continue;
        }
        let nodes = judge.nodes / GLANCE;
        let fourths = judge
            .afresh()
            .search(three.board(), &three.points(), FOURTHS, nodes);
        let Some(&(fourth, _)) = fourths.choose(&mut random) else {
            continue;
        };
        let four = put(three, fourth);
        if !is_new(four.board()) || judge.offers(&four) {
            continue;
        }
        let most = OF_THE_SAME_FOUR.min(wish.count - count);
        for five in judge.even_fives(&four, most) {
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

/// The position after a stone more.
fn with(board: &Board, point: Point) -> Board {
    let mut next = board.clone();
    next.play(point);
    next
}

/// Values of positions.
struct Judge {
    engine: Engine,
    rule: Rule,
    /// The board before any stone.
    empty: Board,
    nodes: u64,
}

impl Judge {
    /// Whether neither colour is better, by ever longer searches and then by games.
    fn is_even(&mut self, board: &Board) -> bool {
        check(&points(board), self.rule, &self.empty).is_ok()
            && SIEVE.iter().all(|&(part, most)| {
                let value = self.value(board, self.nodes / part);
                value.is_some_and(|value| value.abs() <= most)
            })
            && self.plays_evenly(board)
    }

    /// Whether either side wins its part of some games, no two of which have as many nodes a move.
    fn plays_evenly(&mut self, board: &Board) -> bool {
        let games = 0..GAMES;
        let points: f64 = games
            .map(|i| self.points_of_black(board, self.nodes / MOVE * (GAMES + i) / GAMES))
            .sum();
        (LEAST_POINTS..=GAMES as f64 - LEAST_POINTS).contains(&points)
    }

    /// Black's points in a game from here.
    fn points_of_black(&mut self, board: &Board, nodes: u64) -> f64 {
        let mut board = board.clone();
        self.engine.clear_hash();
        loop {
            let side = board.side_to_move();
            let points = |winner: Color| if winner == Color::Black { 1.0 } else { 0.0 };
            match self.best(&board, nodes) {
                Some((_, value)) if value >= WON => return points(side),
                Some((_, value)) if value <= -WON => return points(!side),
                // Nothing else is left to Black.
                Some((p, _)) if self.rule.restricts(side) && foul(&board, p).is_some() => {
                    return points(!side)
                }
                Some((p, _)) => {
                    board.play(p);
                    if wins_at(&board, self.rule, p) {
                        return points(side);
                    }
                }
                None => return 0.5,
            }
        }
    }

    /// Positions with a fifth stone after which neither colour is better, `most` at most.
    fn even_fives(&mut self, four: &Phase, most: usize) -> Vec<Board> {
        let nodes = self.nodes / GLANCE;
        let lines = self
            .afresh()
            .search(four.board(), &four.points(), FIFTHS, nodes);
        lines
            .into_iter()
            .filter(|(_, value)| value.abs() <= EVEN_AT_A_GLANCE)
            .map(|(p, _)| with(four.board(), p))
            .filter(|five| self.is_even(five))
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
        let nodes = self.nodes / GLANCE;
        let lines = self.afresh().search(board, &places, count, nodes);
        // Of `count` values the least is not below 0 only if none is.
        lines.len() == count
            && lines.iter().rev().all(|&(p, _)| {
                let value = self.value(&with(board, p), nodes);
                value.is_none_or(|value| value > MOST_OFFERED)
            })
    }

    /// What the position is worth to Black: the mean of what the search says now and after the best
    /// move, for it is too hopeful for the side whose turn it is.
    fn value(&mut self, board: &Board, nodes: u64) -> Option<i32> {
        let (best, now) = self.afresh().best(board, nodes / 2)?;
        let (_, later) = self.afresh().best(&with(board, best), nodes / 2)?;
        let mean = (now - later) / 2;
        Some(match board.side_to_move() {
            Color::Black => mean,
            Color::White => -mean,
        })
    }

    /// The same judge, who has forgotten other positions: what was learned from them would change the
    /// judgement.
    fn afresh(&mut self) -> &mut Judge {
        self.engine.clear_hash();
        self
    }

    /// The best move, and its value for the side to move.
    fn best(&mut self, board: &Board, nodes: u64) -> Option<(Point, i32)> {
        let all: PointSet = board.empty_points().collect();
        self.search(board, &all, 1, nodes).into_iter().next()
    }

    /// The best `count` of `places` with their values for the side to move.
    fn search(
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
        let outcome = self.engine.go(&request, &Control::unlimited(), &mut |_| {});
        let lines = outcome.lines.iter();
        lines
            .filter_map(|line| Some((*line.pv.first()?, i32::from(line.score.raw()))))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(opening: &str, rule: Rule, count: usize, nodes: u64) -> Vec<Vec<Point>> {
        let wish = Wish {
            count,
            plies: (1, 1),
            nodes,
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
