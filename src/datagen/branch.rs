//! Branches: lines out of a search's tree, with what the search found out about their positions.
//!
//! Most of what a search works out it forgets: of ten thousand nodes the game keeps one value. A
//! network that learns from the tree learns from far more positions, and from those that it will be
//! asked about: not only from games well played, but from all that a search has to judge.
//!
//! Source of the idea: J. Veness, D. Silver, W. Uther, A. Blair, "Bootstrapping from Game Tree Search"
//! (2009), who call it TreeStrap. As there, a bound counts only where it contradicts the evaluation.
//!
//! Or the tree only shows the way, and the position at the end of a line is searched by itself
//! ([`Branches::lead`]): fewer labels for the same time, but each is a search's, and they stand where
//! the tree ends as well, which is where a search asks the network.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::opening::default_move;
use super::record::value;
use super::{Ending, TrainingGame};
use crate::position::Position;
use crate::search::{Bound, Tt, TtEntry, win_rate};
use crate::types::{Point, Score};

/// Fewest plies of search behind the value of a position.
const LEAST_DEPTH: i32 = 4;
/// Most plies of a branch.
const MOST_PLIES: usize = 14;
/// Most plies to a position that is searched by itself.
const MOST_STEPS: usize = 8;
/// On the way there a move is a factor e rarer by this many expected points that it is worse.
const SPREAD: f64 = 0.08;

/// Finds branches in the tables of the searches of one game. Tells of no position twice.
#[derive(Default)]
pub(super) struct Branches {
    known: HashSet<u64>,
}

impl Branches {
    /// A random line from `position`, the last of `game` so far, through positions that `tt` knows
    /// well. `None` if it leads to none that is new.
    pub(super) fn grow(
        &mut self,
        game: &TrainingGame,
        position: &Position,
        tt: &Tt,
        random: &mut StdRng,
    ) -> Option<TrainingGame> {
        let mut position = position.clone();
        let mut branch = begun(game);
        // The value of a position stands beside the move that leaves it.
        let mut pending = None;
        let mut is_new = false;
        for _ in 0..MOST_PLIES {
            let known = known_moves(&position, tt, LEAST_DEPTH);
            let Some(&(p, entry)) = known.choose(random) else {
                break;
            };
            branch.moves.push(p);
            branch.values.push(pending);
            position.play(p);
            pending = expected(&entry).filter(|_| self.known.insert(position.key()));
            is_new |= pending.is_some();
        }
        if pending.is_some() {
            // Any move does: nobody learns moves from a branch.
            branch.moves.push(default_move(&position)?);
            branch.values.push(pending);
        }
        is_new.then_some(branch)
    }

    /// A random line of a few plies from `position`, the last of `game` so far, through positions that
    /// `tt` knows at all, by good moves mostly, and the position at its end. Nothing is said of that
    /// yet. `None` if it is no new one.
    pub(super) fn lead(
        &mut self,
        game: &TrainingGame,
        position: &Position,
        tt: &Tt,
        random: &mut StdRng,
    ) -> Option<(TrainingGame, Position)> {
        let mut end = position.clone();
        let mut branch = begun(game);
        for _ in 0..random.random_range(1..=MOST_STEPS) {
            let known = known_moves(&end, tt, 1);
            let best = known.iter().map(|(_, entry)| left(entry));
            let best = best.fold(f64::INFINITY, f64::min);
            let chance = |(_, entry): &(Point, TtEntry)| ((best - left(entry)) / SPREAD).exp();
            let Ok(&(p, _)) = known.choose_weighted(random, chance) else {
                break;
            };
            branch.moves.push(p);
            branch.values.push(None);
            end.play(p);
        }
        let is_new = branch.moves.len() > game.moves.len() && self.known.insert(end.key());
        is_new.then_some((branch, end))
    }
}

/// What a branch of `game` begins with: its moves so far, with nothing said of their positions.
fn begun(game: &TrainingGame) -> TrainingGame {
    TrainingGame {
        size: game.size,
        rule: game.rule,
        opening: game.opening,
        ending: Ending::Open,
        moves: game.moves.clone(),
        values: vec![None; game.moves.len()],
    }
}

/// The moves that lead to positions which `tt` knows by at least `depth` plies of search.
fn known_moves(position: &Position, tt: &Tt, depth: i32) -> Vec<(Point, TtEntry)> {
    let side = position.side_to_move();
    let free = position.free_set();
    free.iter()
        .filter(|&p| !position.is_forbidden(side, p))
        .filter_map(|p| Some((p, tt.probe(position.key_after(p))?)))
        .filter(|(_, entry)| entry.depth >= depth)
        .collect()
}

/// The points that a move to a position of the table leaves to the other side, 0 to 1.
fn left(entry: &TtEntry) -> f64 {
    let value = expected(entry).unwrap_or_else(|| match entry.bound {
        Bound::None => 0,
        _ => value(win_rate(entry.score)),
    });
    (f64::from(value) / 127.0 + 1.0) / 2.0
}

/// What a position that the table knows is worth to its side to move, as records have it: what the
/// search says, or the evaluation where a bound does not contradict it. `None` where a four has to be
/// parried, for such positions have no evaluation.
fn expected(entry: &TtEntry) -> Option<i8> {
    let score = match entry.bound {
        _ if entry.eval == Score::NONE => return None,
        Bound::None => return None,
        Bound::Lower => entry.score.max(entry.eval),
        Bound::Upper => entry.score.min(entry.eval),
        Bound::Exact => entry.score,
    };
    Some(value(win_rate(score)))
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
        };
        let (low, high) = (Score::value(-100), Score::value(100));
        let is = |bound, score, eval| expected(&entry(bound, score, eval)).unwrap();
        let rate = |score| value(win_rate(score));
        assert_eq!(is(Bound::Lower, high, low), rate(high));
        assert_eq!(is(Bound::Lower, low, high), rate(high));
        assert_eq!(is(Bound::Upper, low, high), rate(low));
        assert_eq!(is(Bound::Upper, high, low), rate(low));
        assert_eq!(is(Bound::Exact, low, high), rate(low));
        assert_eq!(is(Bound::Lower, Score::win_in(7), low), 127);
        assert_eq!(expected(&entry(Bound::Exact, low, Score::NONE)), None);
    }
}
