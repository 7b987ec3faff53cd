//! Early ends of games by the engines' own evaluations. Off by default.

use std::fmt;

use super::message::Eval;
use crate::game::referee::{Ending, Outcome, Reason};
use tengen::types::{Color, PerColor};

/// Conditions for ending a game early; `None` means never.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjudication {
    /// An engine that reports a proved win in this many successive moves of its own wins.
    pub proved: Option<u32>,
    /// An engine that reports at most minus this value in this many successive moves loses.
    pub lost: Option<(f64, u32)>,
    /// The game is drawn when both engines report at most this distance from zero in this many
    /// successive moves each.
    pub draw: Option<(f64, u32)>,
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = [
            self.proved.map(|n| format!("won after {n} proved wins")),
            self.lost
                .map(|(value, n)| format!("lost after {n} values of -{value} or less")),
            self.draw.map(|(value, n)| {
                format!("drawn after {n} values within {value} of 0 on both sides")
            }),
        ];
        let ends: Vec<String> = ends.into_iter().flatten().collect();
        match ends.is_empty() {
            true => f.write_str("no early end"),
            false => f.write_str(&ends.join("; ")),
        }
    }
}

/// Lengths of the current runs of such reports.
#[derive(Clone, Debug, Default)]
pub struct EvalStreaks {
    proved: PerColor<u32>,
    lost: PerColor<u32>,
    drawn: PerColor<u32>,
}

impl EvalStreaks {
    /// Counts the evaluation that `side` reported with its move; may end the game.
    pub fn note(
        &mut self,
        rules: &Adjudication,
        side: Color,
        eval: Option<Eval>,
    ) -> Option<Ending> {
        let count = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        let value = match eval {
            Some(Eval::Value(v)) => Some(v),
            Some(Eval::Win(_)) => Some(f64::INFINITY),
            Some(Eval::Loss(_)) => Some(f64::NEG_INFINITY),
            None => None,
        };
        let is = |test: &dyn Fn(f64) -> bool| value.is_some_and(test);
        count(&mut self.proved[side], matches!(eval, Some(Eval::Win(_))));
        if let Some((bound, _)) = rules.lost {
            count(&mut self.lost[side], is(&|v| v <= -bound));
        }
        if let Some((bound, _)) = rules.draw {
            count(&mut self.drawn[side], is(&|v| v.abs() <= bound));
        }
        let over = |outcome, detail: &str| {
            Some(Ending {
                outcome,
                reason: Reason::Adjudication,
                detail: detail.to_string(),
            })
        };
        if rules.proved.is_some_and(|n| self.proved[side] >= n) {
            return over(Outcome::win(side), "proved win");
        }
        if rules.lost.is_some_and(|(_, n)| self.lost[side] >= n) {
            return over(Outcome::win(!side), "lost by its own evaluation");
        }
        let drawn = |n| self.drawn[side] >= n && self.drawn[!side] >= n;
        if rules.draw.is_some_and(|(_, n)| drawn(n)) {
            return over(Outcome::Draw, "both evaluations are even");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn only_unbroken_runs_count() {
        let rules = Adjudication {
            proved: Some(2),
            lost: Some((500.0, 3)),
            draw: Some((10.0, 2)),
        };
        let mut streaks = EvalStreaks::default();
        let value = |v| Some(Eval::Value(v));
        assert_eq!(streaks.note(&rules, Black, Some(Eval::Win(9))), None);
        assert_eq!(streaks.note(&rules, White, value(-600.0)), None);
        assert_eq!(streaks.note(&rules, Black, value(900.0)), None);
        assert_eq!(streaks.note(&rules, White, Some(Eval::Loss(5))), None);
        assert_eq!(streaks.note(&rules, Black, None), None);
        let ending = streaks.note(&rules, White, value(-500.0)).unwrap();
        assert_eq!(ending.outcome, Outcome::Black);

        let mut streaks = EvalStreaks::default();
        for (side, v) in [(Black, 5.0), (White, -10.0), (Black, 0.0)] {
            assert_eq!(streaks.note(&rules, side, value(v)), None);
        }
        let ending = streaks.note(&rules, White, value(9.0)).unwrap();
        assert_eq!(ending.outcome, Outcome::Draw);

        let mut streaks = EvalStreaks::default();
        streaks.note(&rules, White, Some(Eval::Win(9)));
        let ending = streaks.note(&rules, White, Some(Eval::Win(7))).unwrap();
        assert_eq!(ending.outcome, Outcome::White);
    }

    #[test]
    fn nothing_ends_a_game_by_default() {
        let mut streaks = EvalStreaks::default();
        for _ in 0..99 {
            let said = streaks.note(&Adjudication::default(), Black, Some(Eval::Win(1)));
            assert_eq!(said, None);
        }
    }
}
