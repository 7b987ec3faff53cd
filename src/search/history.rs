//! Statistics learned from searched nodes: history, continuation history and counter moves, and
//! corrections of the evaluation.

use crate::memory::prefetch;
use crate::types::{Color, MAX_CELLS, MAX_SIDE, POINTS, PerColor, Point};

/// Largest absolute value of a history score.
pub const HISTORY_MAX: i32 = 8192;
/// Largest bonus of one update.
const MAX_BONUS: i32 = 1600;
/// Largest bonus of one change of the evaluation.
const MAX_EVAL_BONUS: i32 = 600;

/// Index of `p` without the padding of [`Point::index`], which keeps the tables over two cells
/// small.
fn compact(p: Point) -> usize {
    usize::from(p.y()) * usize::from(MAX_SIDE) + usize::from(p.x())
}

/// History scores by colour and cell, continuation history by the opponent's previous stone and
/// cell, and counter moves.
/// Source: J. Schaeffer, "The history heuristic" (1989); J. Uiterwijk, "The countermove heuristic"
/// (1992). Corrections: Stockfish, there by hashes of the position and by moves.
pub struct History {
    main: Box<PerColor<[i16; POINTS]>>,
    counter: Box<PerColor<[Option<Point>; POINTS]>>,
    /// `[mover][previous stone * MAX_CELLS + cell]`.
    continuation: PerColor<Box<[i16]>>,
    /// `[side to move][last stone * MAX_CELLS + the one before]`.
    corrections: PerColor<Box<[i16]>>,
}

impl History {
    /// All scores zero.
    pub fn new() -> History {
        let pairs = || vec![0; MAX_CELLS * MAX_CELLS].into_boxed_slice();
        History {
            main: Box::new(PerColor([[0; POINTS]; 2])),
            counter: Box::new(PerColor([[None; POINTS]; 2])),
            continuation: PerColor([pairs(), pairs()]),
            corrections: PerColor([pairs(), pairs()]),
        }
    }

    /// History score of `color`'s moves to `p`, within ±[`HISTORY_MAX`].
    #[inline]
    pub fn score(&self, color: Color, p: Point) -> i32 {
        i32::from(self.main[color][p.index()])
    }

    /// Continuation history of `color`'s moves in reply to `previous`.
    #[inline]
    pub fn replies(&self, color: Color, previous: Option<Point>) -> Replies<'_> {
        Replies(previous.map(|previous| {
            let from = compact(previous) * MAX_CELLS;
            &self.continuation[color][from..from + MAX_CELLS]
        }))
    }

    /// Prefetches `color`'s [replies](History::replies) to `previous`.
    #[inline]
    pub fn prefetch(&self, color: Color, previous: Option<Point>) {
        const LINE: usize = 64 / size_of::<i16>();
        if let Replies(Some(scores)) = self.replies(color, previous) {
            for line in scores.chunks(LINE) {
                prefetch(line.as_ptr());
            }
        }
    }

    /// The move with which `color` last refuted the opponent's `previous`.
    #[inline]
    pub fn counter(&self, color: Color, previous: Option<Point>) -> Option<Point> {
        previous.and_then(|p| self.counter[color][p.index()])
    }

    /// Halves the scores by cell, so that an earlier search weighs less than the present one.
    pub fn age(&mut self) {
        for score in self.main.0.iter_mut().flatten() {
            *score /= 2;
        }
    }

    /// Updates the statistics after a beta cutoff by `best` at `depth`: a bonus for `best`, a malus
    /// for `failed`, the moves tried before it.
    pub fn update(
        &mut self,
        color: Color,
        previous: Option<Point>,
        best: Point,
        failed: &[Point],
        depth: i32,
    ) {
        let bonus = (16 * depth * depth + 32 * depth).clamp(0, MAX_BONUS);
        let moves = failed.iter().map(|&p| (p, -bonus)).chain([(best, bonus)]);
        for (p, bonus) in moves {
            apply_bonus(&mut self.main[color][p.index()], bonus);
            if let Some(previous) = previous {
                apply_bonus(&mut self.continuation[color][pair([previous, p])], bonus);
            }
        }
        if let Some(previous) = previous {
            self.counter[color][previous.index()] = Some(best);
        }
    }

    /// Learns that `color`'s move to `p` changed the evaluation: `bonus` grows with the change.
    pub fn learn_change(&mut self, color: Color, p: Point, bonus: i32) {
        let bonus = bonus.clamp(-MAX_EVAL_BONUS, MAX_EVAL_BONUS);
        apply_bonus(&mut self.main[color][p.index()], bonus);
    }

    /// What searches found above the static evaluation where `color` is to move after these `stones`,
    /// the last one first, in units of the evaluation. `weight` has 1024ths of a unit for each score.
    #[inline]
    pub fn correction(&self, color: Color, stones: [Point; 2], weight: i32) -> i32 {
        i32::from(self.corrections[color][pair(stones)]) * weight / 1024
    }

    /// Learns the correction after `stones`: `bonus` grows with how far above the corrected evaluation
    /// a search found the position, and with its depth.
    pub fn correct(&mut self, color: Color, stones: [Point; 2], bonus: i32) {
        let bonus = bonus.clamp(-MAX_BONUS, MAX_BONUS);
        apply_bonus(&mut self.corrections[color][pair(stones)], bonus);
    }
}

/// Index of two stones in a table of all pairs.
fn pair([first, second]: [Point; 2]) -> usize {
    compact(first) * MAX_CELLS + compact(second)
}

/// Continuation history of the replies to one stone.
pub struct Replies<'a>(Option<&'a [i16]>);

impl Replies<'_> {
    /// Continuation history score of a reply on `p`, within ±[`HISTORY_MAX`].
    #[inline]
    pub fn score(&self, p: Point) -> i32 {
        self.0.map_or(0, |scores| i32::from(scores[compact(p)]))
    }
}

/// Moves a score towards ±[`HISTORY_MAX`], less the nearer it is ("history gravity").
fn apply_bonus(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}
