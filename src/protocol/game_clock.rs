//! The engine's estimate of its time left for the game.

use crate::time::Duration;

/// From this value on a time means no limit: managers send 2147483647, or 100000000 (28 hours).
pub const NO_LIMIT_MS: i64 = 100_000_000;

/// The engine's own clock of a game. `time_left` of the manager sets it; otherwise the engine
/// subtracts the time that its moves use.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameClock {
    /// The whole game's time as `timeout_match` gave it, in ms.
    match_ms: Option<i64>,
    /// The last `time_left`, in ms.
    told_ms: Option<i64>,
    /// Used by moves since `told_ms` came, or since the game began; increments make it smaller.
    used_ms: i64,
    /// Whether no move was made since `told_ms` came.
    is_fresh: bool,
}

impl GameClock {
    /// `INFO timeout_match`; zero, negative and huge values mean no limit.
    pub fn set_match(&mut self, ms: i64) {
        self.match_ms = (1..NO_LIMIT_MS).contains(&ms).then_some(ms);
    }

    /// `INFO time_left`.
    pub fn set_left(&mut self, ms: i64) {
        self.told_ms = Some(ms);
        self.used_ms = 0;
        self.is_fresh = true;
    }

    /// A new game begins. Yixin-Board sends `time_left` before the `START` of every move, so a
    /// value that came after the last move stays.
    pub fn new_game(&mut self) {
        if !self.is_fresh {
            self.told_ms = None;
            self.used_ms = 0;
        }
    }

    /// A move was made in that time.
    pub fn moved(&mut self, elapsed: Duration, increment_ms: u64) {
        let elapsed = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
        let increment = i64::try_from(increment_ms).unwrap_or(i64::MAX);
        self.used_ms = self
            .used_ms
            .saturating_add(elapsed)
            .saturating_sub(increment);
        self.is_fresh = false;
    }

    /// What is left in ms, 0 when the clock has run out; `None` without a limit.
    pub fn left_ms(&self) -> Option<u64> {
        let left = self.told_ms.or(self.match_ms)?;
        (left < NO_LIMIT_MS).then(|| left.saturating_sub(self.used_ms).max(0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_runs_by_itself_without_time_left() {
        let mut clock = GameClock::default();
        assert_eq!(clock.left_ms(), None);
        clock.set_match(10_000);
        clock.moved(Duration::from_millis(4_000), 500);
        assert_eq!(clock.left_ms(), Some(6_500));
        clock.moved(Duration::from_secs(60), 0);
        assert_eq!(clock.left_ms(), Some(0));
        clock.new_game();
        assert_eq!(clock.left_ms(), Some(10_000));
    }

    #[test]
    fn time_left_rules_and_survives_the_start_that_follows_it() {
        let mut clock = GameClock::default();
        clock.set_match(10_000);
        clock.set_left(3_000);
        clock.new_game();
        assert_eq!(clock.left_ms(), Some(3_000));
        clock.moved(Duration::from_millis(100), 0);
        assert_eq!(clock.left_ms(), Some(2_900));
        clock.new_game();
        assert_eq!(clock.left_ms(), Some(10_000));
        clock.set_left(-100);
        assert_eq!(clock.left_ms(), Some(0));
        clock.set_left(i64::MIN);
        assert_eq!(clock.left_ms(), Some(0));
    }

    #[test]
    fn managers_have_several_words_for_no_limit() {
        let mut clock = GameClock::default();
        for ms in [0, -1, 100_000_000, i64::MAX] {
            clock.set_match(ms);
            assert_eq!(clock.left_ms(), None, "{ms}");
        }
        clock.set_match(10_000);
        clock.set_left(2_147_483_647);
        assert_eq!(clock.left_ms(), None);
    }
}
