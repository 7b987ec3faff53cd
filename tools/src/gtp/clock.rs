//! The clocks of both sides, by `time_settings`, `kata-time_settings` and `time_left`.

use std::time::Duration;

use tengen::search::TimeSettings;
use tengen::types::{Color, PerColor};

/// Main time, and then periods with a number of stones to be put in each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSystem {
    /// Main time.
    pub main: Duration,
    /// Length of a period; zero if there is only main time.
    pub period: Duration,
    /// Stones of a period; 0 together with a period means no limit.
    pub stones: u32,
    /// True if `time_left` counts periods where it would count stones. A move that keeps within its
    /// period uses none up.
    pub counts_periods: bool,
    /// Added to the main time after each move.
    pub increment: Duration,
    /// Most main time that increments lead to.
    pub most: Option<Duration>,
    /// Most time for a move.
    pub turn: Option<Duration>,
}

impl TimeSystem {
    fn is_limited(self) -> bool {
        self.period.is_zero() || self.stones > 0
    }

    /// The time of one stone of a period.
    fn share(self) -> Duration {
        self.period.checked_div(self.stones).unwrap_or_default()
    }

    fn full_clock(self) -> Clock {
        match self.main.is_zero() && !self.period.is_zero() {
            true => self.period_clock(),
            false => Clock {
                left: self.main,
                stones: 0,
            },
        }
    }

    fn period_clock(self) -> Clock {
        Clock {
            left: self.period,
            stones: self.stones,
        }
    }
}

/// The rest of the main time, or of a period for `stones` more stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clock {
    left: Duration,
    /// Zero in the main time.
    stones: u32,
}

/// Both clocks. Without `time_left` they run by the engine's own count.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    system: Option<TimeSystem>,
    clocks: PerColor<Option<Clock>>,
}

impl Clocks {
    /// `time_settings`.
    pub fn set(&mut self, system: TimeSystem) {
        self.system = system.is_limited().then_some(system);
        self.new_game();
    }

    /// A new game begins: both clocks are full.
    pub fn new_game(&mut self) {
        let full = self.system.map(TimeSystem::full_clock);
        self.clocks = PerColor([full; 2]);
    }

    /// `time_left`.
    pub fn set_left(&mut self, color: Color, left: Duration, stones: u32) {
        let counts_periods = self.system.is_some_and(|system| system.counts_periods);
        let stones = if counts_periods {
            stones.min(1)
        } else {
            stones
        };
        self.clocks[color] = Some(Clock { left, stones });
    }

    /// A side used that time for a move.
    pub fn moved(&mut self, color: Color, used: Duration) {
        let Some(clock) = &mut self.clocks[color] else {
            return;
        };
        let over = used.saturating_sub(clock.left);
        clock.left = clock.left.saturating_sub(used);
        if let Some(system) = self.system.filter(|system| !system.increment.is_zero()) {
            clock.left = clock.left.saturating_add(system.increment);
            clock.left = system.most.map_or(clock.left, |most| clock.left.min(most));
        }
        let system = self.system.filter(|system| !system.period.is_zero());
        if clock.stones > 0 {
            clock.stones -= 1;
            if clock.stones == 0 {
                *clock = system.map_or(*clock, TimeSystem::period_clock);
            }
        } else if let Some(system) = system.filter(|_| clock.left.is_zero()) {
            *clock = Clock {
                left: system.period.saturating_sub(over),
                stones: system.stones - 1,
            };
            if clock.stones == 0 {
                *clock = system.period_clock();
            }
        }
    }

    /// The limits of a move of `color`; `None` without a clock.
    pub fn limits(&self, color: Color) -> Option<TimeSettings> {
        let clock = self.clocks[color]?;
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        if let Some(share) = clock.left.checked_div(clock.stones) {
            return Some(TimeSettings {
                turn_ms: Some(ms(share)),
                ..TimeSettings::default()
            });
        }
        let system = self.system.unwrap_or_default();
        Some(TimeSettings {
            turn_ms: system.turn.map(ms),
            left_ms: Some(ms(clock.left.saturating_add(system.share()))),
            increment_ms: ms(system.increment),
            ..TimeSettings::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    fn clocks(main: u64, period: u64, stones: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(TimeSystem {
            main: S(main),
            period: S(period),
            stones,
            ..TimeSystem::default()
        });
        clocks
    }

    /// The time in ms that Black has for a move, and for the game.
    fn limits(clocks: &Clocks) -> Option<(Option<u64>, Option<u64>)> {
        let limits = clocks.limits(Color::Black)?;
        Some((limits.turn_ms, limits.left_ms))
    }

    #[test]
    fn main_time_runs_down() {
        let mut clocks = clocks(60, 0, 0);
        assert_eq!(limits(&clocks), Some((None, Some(60_000))));
        clocks.moved(Color::Black, S(20));
        clocks.moved(Color::White, S(50));
        assert_eq!(limits(&clocks), Some((None, Some(40_000))));
        clocks.moved(Color::Black, S(70));
        assert_eq!(limits(&clocks), Some((None, Some(0))));
        clocks.new_game();
        assert_eq!(limits(&clocks), Some((None, Some(60_000))));
    }

    #[test]
    fn periods_follow_the_main_time() {
        let mut clocks = clocks(10, 30, 3);
        assert_eq!(limits(&clocks), Some((None, Some(20_000))));
        clocks.moved(Color::Black, S(16));
        assert_eq!(limits(&clocks), Some((Some(12_000), None)));
        clocks.moved(Color::Black, S(4));
        assert_eq!(limits(&clocks), Some((Some(20_000), None)));
        clocks.moved(Color::Black, S(4));
        assert_eq!(limits(&clocks), Some((Some(10_000), None)));
    }

    #[test]
    fn one_stone_a_period_is_a_limit_for_a_move() {
        let mut clocks = clocks(0, 5, 1);
        for _ in 0..3 {
            assert_eq!(limits(&clocks), Some((Some(5_000), None)));
            clocks.moved(Color::Black, S(4));
        }
    }

    #[test]
    fn a_period_without_stones_is_no_limit() {
        assert_eq!(limits(&clocks(10, 30, 0)), None);
        assert_eq!(limits(&Clocks::default()), None);
        assert_eq!(limits(&clocks(0, 0, 0)), Some((None, Some(0))));
    }

    #[test]
    fn increments_are_added_up_to_a_limit() {
        let mut clocks = Clocks::default();
        clocks.set(TimeSystem {
            main: S(60),
            increment: S(10),
            most: Some(S(65)),
            turn: Some(S(7)),
            ..TimeSystem::default()
        });
        assert_eq!(limits(&clocks), Some((Some(7_000), Some(60_000))));
        assert_eq!(clocks.limits(Color::Black).unwrap().increment_ms, 10_000);
        clocks.moved(Color::Black, S(20));
        assert_eq!(limits(&clocks), Some((Some(7_000), Some(50_000))));
        (0..3).for_each(|_| clocks.moved(Color::Black, S(1)));
        assert_eq!(limits(&clocks), Some((Some(7_000), Some(65_000))));
    }

    #[test]
    fn a_period_that_is_kept_is_not_used_up() {
        let mut clocks = Clocks::default();
        clocks.set(TimeSystem {
            period: S(30),
            stones: 1,
            counts_periods: true,
            ..TimeSystem::default()
        });
        for _ in 0..3 {
            assert_eq!(limits(&clocks), Some((Some(30_000), None)));
            clocks.moved(Color::Black, S(29));
        }
        clocks.set_left(Color::Black, S(30), 5);
        assert_eq!(limits(&clocks), Some((Some(30_000), None)));
    }

    #[test]
    fn the_time_that_is_told_counts() {
        let mut clocks = clocks(60, 30, 3);
        clocks.set_left(Color::Black, S(8), 2);
        assert_eq!(limits(&clocks), Some((Some(4_000), None)));
        clocks.set_left(Color::Black, S(8), 0);
        assert_eq!(limits(&clocks), Some((None, Some(18_000))));
        let mut untold = Clocks::default();
        untold.set_left(Color::Black, S(8), 1);
        untold.moved(Color::Black, S(1));
        assert_eq!(limits(&untold), Some((None, Some(7_000))));
    }
}
