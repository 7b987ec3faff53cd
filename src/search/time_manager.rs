//! Time management: the budget of one move, and how the stability of the best move changes it.

use super::params::Params;
use crate::types::{Point, Score};

/// Time limits as a manager states them. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSettings {
    /// Most that one move may take, in ms; 0 asks for a move at once.
    pub turn_ms: Option<u64>,
    /// Rest of the game's time, in ms; 0 asks for a move at once.
    pub left_ms: Option<u64>,
    /// Added to the game's time after each own move, in ms.
    pub increment_ms: u64,
    /// True if nobody measures the move: `turn_ms` needs no reserve.
    pub is_unmeasured: bool,
}

/// Time for one move, counted from the moment its request was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Planned time: no further iteration begins after this, in ms.
    pub soft_ms: u64,
    /// The search ends at this, in ms.
    pub hard_ms: u64,
}

/// Stands for no limit, and cannot overflow when added to.
pub(super) const UNLIMITED_MS: u64 = u64::MAX / 4;

/// A game is planned as if this many own moves were still to come.
const PLANNED_MOVES: u64 = 22;
/// One move never takes more than one part in this many of the time left.
const MIN_MOVES_LEFT: u64 = 7;

/// Time on the manager's clock that a move takes besides its search, in ms.
const OVERHEAD_MS: u64 = 5;
/// Own moves whose overhead is kept in reserve: a game may go on long after its planned moves.
const RESERVED_MOVES: u64 = 60;
/// The reserve leaves at least one part in this many of the time left.
const LEAST_PART: u64 = 8;

impl TimeSettings {
    /// Reserve for what lies between the end of the search and the manager's clock: scheduling,
    /// pipes, the manager's polling interval. At most half of the limit, to leave some time for the
    /// search.
    fn margin_ms(limit_ms: u64) -> u64 {
        (limit_ms / 20).clamp(15, 100).min(limit_ms.div_ceil(2))
    }

    pub(super) fn budget(&self) -> Budget {
        let turn_ms = match self.turn_ms {
            Some(turn_ms) if self.is_unmeasured => turn_ms,
            Some(turn_ms) => turn_ms - Self::margin_ms(turn_ms),
            None => UNLIMITED_MS,
        };
        let Some(left) = self.left_ms else {
            return Budget {
                soft_ms: turn_ms,
                hard_ms: turn_ms,
            };
        };
        let usable = left.saturating_sub(Self::margin_ms(left));
        let reserve = RESERVED_MOVES * OVERHEAD_MS.saturating_sub(self.increment_ms);
        let planned_ms = usable.saturating_sub(reserve).max(left / LEAST_PART);
        let left = planned_ms.min(usable);
        let increment = self.increment_ms.min(left);
        let most = (left / MIN_MOVES_LEFT + increment / 2).min(left);
        let planned = left / PLANNED_MOVES + increment / 2;
        Budget {
            soft_ms: turn_ms.min(planned),
            hard_ms: turn_ms.min(most),
        }
    }
}

/// Changes of the best move and of its score over the last iterations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveStability {
    best: Option<Point>,
    score: Score,
    /// Iterations since the best move changed.
    stable: u32,
    /// Fall of the score since the iteration before, in evaluation units; negative for a rise.
    drop: i32,
}

impl MoveStability {
    /// Records the best move of a completed iteration and its score.
    pub fn update(&mut self, best: Point, score: Score) {
        let same = self.best == Some(best);
        self.drop = match self.best {
            Some(_) => i32::from(self.score.raw()) - i32::from(score.raw()),
            None => 0,
        };
        self.stable = if same { self.stable + 1 } else { 0 };
        self.best = Some(best);
        self.score = score;
    }

    /// Factor of the planned time: larger while the best move changes or its score falls, smaller
    /// for a stable move that takes most of the nodes (`effort`, 0 to 1).
    /// Source: the time managers of Stockfish and Reckless.
    pub fn time_factor(&self, params: &Params, effort: f64) -> f64 {
        let hundredths = |n: i32| f64::from(n) / 100.0;
        let stable = f64::from(self.stable.min(8));
        let stability =
            hundredths(params.time_unstable) - stable * hundredths(params.time_stable_step);
        let drop =
            1.0 + f64::from(self.drop.clamp(-50, 150)) / 150.0 * hundredths(params.time_drop);
        let effort = hundredths(params.time_effort) - effort;
        (stability * drop * effort).clamp(0.2, 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(turn_ms: Option<u64>, left_ms: Option<u64>) -> Budget {
        TimeSettings {
            turn_ms,
            left_ms,
            ..TimeSettings::default()
        }
        .budget()
    }

    #[test]
    fn a_move_keeps_a_margin_and_never_takes_the_whole_match() {
        assert_eq!(budget(Some(0), None).hard_ms, 0);
        assert_eq!(budget(Some(1000), Some(0)).hard_ms, 0);
        assert_eq!(budget(Some(1000), None).hard_ms, 950);
        let unmeasured = TimeSettings {
            turn_ms: Some(1000),
            is_unmeasured: true,
            ..TimeSettings::default()
        };
        assert_eq!(unmeasured.budget().hard_ms, 1000);
        // A search by its first few hundred nodes beats a move without any.
        let short = [1, 2, 5, 20, 30, 100].map(|ms| budget(Some(ms), None).hard_ms);
        assert_eq!(short, [0, 1, 2, 10, 15, 85]);
        let both = budget(Some(300_000), Some(1_000_000));
        assert!(both.soft_ms < both.hard_ms && both.hard_ms <= 1_000_000 / 7);
        assert_eq!(budget(None, None).hard_ms, UNLIMITED_MS);
    }

    /// The board of 15x15 has room for 112 own moves, and each takes a little on the manager's
    /// clock besides its search.
    #[test]
    fn a_long_game_keeps_time_for_all_of_its_moves() {
        for game_ms in [5_000, 18_000, 180_000] {
            let mut left: u64 = game_ms;
            for number in 1..=112 {
                let budget = budget(None, Some(left));
                let spent = budget.hard_ms.min(budget.soft_ms * 8 / 5) + 4;
                assert!(spent < left, "{game_ms} ms, move {number}: {left} left");
                left -= spent;
            }
        }
    }
}
