//! What earlier cutoffs teach about moves.

use crate::types::{Color, PerColor, Point, POINTS};

/// Largest absolute value of a history score.
pub const HISTORY_MAX: i32 = 8192;

/// Scores of moves by colour and cell, and the moves that refuted a cell's stone last.
/// Source: J. Schaeffer, "The history heuristic" (1989); J. Uiterwijk, "The countermove heuristic"
/// (1992).
pub struct History {
    main: Box<PerColor<[i16; POINTS]>>,
    counter: Box<PerColor<[Option<Point>; POINTS]>>,
}

impl History {
    /// Knows nothing.
    pub fn new() -> History {
        History {
            main: Box::new(PerColor([[0; POINTS]; 2])),
            counter: Box::new(PerColor([[None; POINTS]; 2])),
        }
    }

    /// How well `color` fared with moves to `p`, within ±[`HISTORY_MAX`].
    #[inline]
    pub fn score(&self, color: Color, p: Point) -> i32 {
        i32::from(self.main[color][p.index()])
    }

    /// The move with which `color` last refuted the opponent's `previous`.
    #[inline]
    pub fn counter(&self, color: Color, previous: Option<Point>) -> Option<Point> {
        previous.and_then(|p| self.counter[color][p.index()])
    }

    /// Halves what is known, so that an earlier search weighs less than the present one.
    pub fn age(&mut self) {
        for score in self.main.0.iter_mut().flatten() {
            *score /= 2;
        }
    }

    /// Learns that `best` refuted the position at `depth` and the moves in `failed`, tried before
    /// it, did not.
    pub fn reward(
        &mut self,
        color: Color,
        previous: Option<Point>,
        best: Point,
        failed: &[Point],
        depth: i32,
    ) {
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        self.update(color, best, bonus);
        for &p in failed {
            self.update(color, p, -bonus);
        }
        if let Some(previous) = previous {
            self.counter[color][previous.index()] = Some(best);
        }
    }

    /// Moves a score towards ±[`HISTORY_MAX`], less the nearer it is.
    fn update(&mut self, color: Color, p: Point, bonus: i32) {
        let score = &mut self.main[color][p.index()];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}
