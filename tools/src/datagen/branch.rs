//! Branches: lines out of a search's tree, with the values that the search has for their positions.
//!
//! Of the thousands of positions that a search visits, the game keeps the value of one. Branches
//! keep more, so a network sees many more positions, and of the kind that a search evaluates: also
//! positions after bad moves, hardly found in games.
//!
//! Source of the idea: J. Veness, D. Silver, W. Uther, A. Blair, "Bootstrapping from Game Tree
//! Search" (2009), where it is called TreeStrap. As there, a bound counts only where it contradicts
//! the evaluation.
//!
//! [`BranchSampler::sample_line`] takes the values from the table. [`BranchSampler::sample_leaf`]
//! takes only the moves from it, and the position at the end is searched again: fewer values for
//! the same time, but each comes from a search of its own, and belongs to a leaf, where a search
//! calls the network.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::record::quantised_win_rate;
use super::{GameResult, TrainingRecord};
use tengen::position::Position;
use tengen::search::{Bound, Tt, TtEntry, win_rate};
use tengen::types::{Point, Score};

/// Least search depth in plies behind the value of a position of a line.
const MIN_DEPTH: i32 = 4;
/// Longest line in plies.
const MAX_LINE_PLIES: usize = 14;
/// Most plies from the root to a leaf that is searched again.
const MAX_LEAF_PLIES: usize = 8;
/// On the way to a leaf a move that expects this many points less than the best one is chosen e
/// times less often.
const LEAF_TEMPERATURE: f64 = 0.08;

/// Samples branches from the tables of the searches of one game, each position at most once.
#[derive(Default)]
pub(super) struct BranchSampler {
    sampled: HashSet<u64>,
}

impl BranchSampler {
    /// A random line from `position`, the last of `game` so far, through positions that `tt` holds
    /// with at least [`MIN_DEPTH`], with their values. `None` if none of these positions is new.
    pub(super) fn sample_line(
        &mut self,
        game: &TrainingRecord,
        position: &Position,
        tt: &Tt,
        rng: &mut StdRng,
    ) -> Option<TrainingRecord> {
        let mut position = position.clone();
        let mut branch = prefix_of(game);
        // A record stores a position's value beside the next move.
        let mut pending = None;
        let mut is_new = false;
        for _ in 0..MAX_LINE_PLIES {
            let known = known_moves(&position, tt, MIN_DEPTH);
            let Some(&(p, entry)) = known.choose(rng) else {
                break;
            };
            branch.moves.push(p);
            branch.values.push(pending);
            position.play(p);
            pending = stored_value(&entry).filter(|_| self.sampled.insert(position.key()));
            is_new |= pending.is_some();
        }
        if pending.is_some() {
            // Any move will do: the trainers learn no moves from a branch.
            branch.moves.push(default_move(&position)?);
            branch.values.push(pending);
        }
        is_new.then_some(branch)
    }

    /// A random line of 1 to [`MAX_LEAF_PLIES`] moves from `position`, the last of `game` so far,
    /// through positions that `tt` holds with any depth, good moves preferred, and the position at
    /// its end. The record has no values yet. `None` if the position at the end is not new.
    pub(super) fn sample_leaf(
        &mut self,
        game: &TrainingRecord,
        position: &Position,
        tt: &Tt,
        rng: &mut StdRng,
    ) -> Option<(TrainingRecord, Position)> {
        let mut leaf = position.clone();
        let mut branch = prefix_of(game);
        for _ in 0..rng.random_range(1..=MAX_LEAF_PLIES) {
            let known = known_moves(&leaf, tt, 1);
            let least = known.iter().map(|(_, entry)| opponent_points(entry));
            let least = least.fold(f64::INFINITY, f64::min);
            let weight = |(_, entry): &(Point, TtEntry)| {
                ((least - opponent_points(entry)) / LEAF_TEMPERATURE).exp()
            };
            let Ok(&(p, _)) = known.choose_weighted(rng, weight) else {
                break;
            };
            branch.moves.push(p);
            branch.values.push(None);
            leaf.play(p);
        }
        let is_new = branch.moves.len() > game.moves.len() && self.sampled.insert(leaf.key());
        is_new.then_some((branch, leaf))
    }
}

/// A branch with the moves of `game` so far and no values.
fn prefix_of(game: &TrainingRecord) -> TrainingRecord {
    TrainingRecord {
        size: game.size,
        rule: game.rule,
        opening: game.opening,
        result: GameResult::Unknown,
        moves: game.moves.clone(),
        values: vec![None; game.moves.len()],
    }
}

/// The legal moves to positions that `tt` holds with at least `depth` plies.
fn known_moves(position: &Position, tt: &Tt, depth: i32) -> Vec<(Point, TtEntry)> {
    let side = position.side_to_move();
    let free = position.free_set();
    free.iter()
        .filter(|&p| !position.is_forbidden(side, p))
        .filter_map(|p| Some((p, tt.probe(position.key_after(p))?)))
        .filter(|(_, entry)| entry.depth >= depth)
        .collect()
}

/// Expected points, 0 to 1, of the side to move in the position of `entry`: of the opponent of the
/// side that has just moved there.
fn opponent_points(entry: &TtEntry) -> f64 {
    let value = stored_value(entry).unwrap_or_else(|| match entry.bound {
        Bound::None => 0,
        _ => quantised_win_rate(win_rate(entry.score)),
    });
    (f64::from(value) / 127.0 + 1.0) / 2.0
}

/// The value of a position of the table for its side to move, in a record's units: the search's
/// score, or the static evaluation where a bound does not contradict it. `None` where the side to
/// move must block a four, because such positions have no evaluation.
fn stored_value(entry: &TtEntry) -> Option<i8> {
    let score = match entry.bound {
        _ if entry.eval == Score::NONE => return None,
        Bound::None => return None,
        Bound::Lower => entry.score.max(entry.eval),
        Bound::Upper => entry.score.min(entry.eval),
        Bound::Exact => entry.score,
    };
    Some(quantised_win_rate(win_rate(score)))
}

/// The centre, or the first legal move if the centre is not legal; `None` without a legal move.
pub(super) fn default_move(position: &Position) -> Option<Point> {
    let side = position.side_to_move();
    let board = position.board();
    let centre = Point::new(board.width() / 2, board.height() / 2);
    std::iter::once(centre)
        .chain(board.empty_points())
        .find(|&p| board.is_empty(p) && !position.is_forbidden(side, p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_count_where_they_contradict_the_evaluation() {
        let entry = |bound, score, eval| TtEntry {
            best: None,
            depth: 5,
            bound,
            score,
            eval,
            was_pv: false,
        };
        let (low, high) = (Score::value(-100), Score::value(100));
        let is = |bound, score, eval| stored_value(&entry(bound, score, eval)).unwrap();
        let rate = |score| quantised_win_rate(win_rate(score));
        assert_eq!(is(Bound::Lower, high, low), rate(high));
        assert_eq!(is(Bound::Lower, low, high), rate(high));
        assert_eq!(is(Bound::Upper, low, high), rate(low));
        assert_eq!(is(Bound::Upper, high, low), rate(low));
        assert_eq!(is(Bound::Exact, low, high), rate(low));
        assert_eq!(is(Bound::Lower, Score::win_in(7), low), 127);
        assert_eq!(stored_value(&entry(Bound::Exact, low, Score::NONE)), None);
    }
}
