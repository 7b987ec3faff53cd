//! A player's time: limits as users write them, and the clock of one game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time in ms that managers of the Gomocup protocol, such as Piskvork, send for a game without
/// limit.
const NO_TIME_LEFT_MS: u64 = 2_147_483_647;
/// `timeout_match` for "no limit", as Yixin-Board sends it. The protocol allows zero, but some
/// engines then search without end.
const NO_MATCH_MS: u64 = 100_000_000;

/// Time limits of one player. Every part is optional; without any, only
/// [`Limits::hang`](crate::arena::spec::Limits::hang) ends a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Longest time for one move.
    pub turn: Option<Duration>,
    /// Time for the whole game.
    pub game: Option<Duration>,
    /// Added to the game's time after each own move.
    pub increment: Duration,
    /// Periods after the game's time (読秒, byo-yomi).
    pub byo_yomi: Option<ByoYomi>,
}

/// The player has `periods` of this `length` once the game's time is used up. A move within a
/// period leaves the period whole. Each period that runs out is lost; with the last the game is
/// lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByoYomi {
    /// The number, at least 1.
    pub periods: u32,
    /// Length of each period.
    pub length: Duration,
}

impl TimeControl {
    /// True if any part limits a move.
    pub fn is_limited(&self) -> bool {
        self.turn.is_some() || self.game.is_some() || self.byo_yomi.is_some()
    }

    /// Reads `MATCH`, `MATCH/TURN`, each with `+INCREMENT`: the form of c-gomoku-cli's `tc`, in
    /// seconds or with a unit. `0` as `MATCH` means no limit for the game. Without `/TURN` a single
    /// move may use all the time left.
    ///
    /// # Errors
    /// When a part is no duration.
    pub fn parse_tc(text: &str) -> Result<TimeControl, ParseDurationError> {
        let (text, increment) = match text.split_once('+') {
            Some((rest, increment)) => (rest, parse_duration(increment)?),
            None => (text, Duration::ZERO),
        };
        let (game, turn) = match text.split_once('/') {
            Some((game, turn)) => (parse_duration(game)?, Some(parse_duration(turn)?)),
            None => (parse_duration(text)?, None),
        };
        Ok(TimeControl {
            turn,
            game: (!game.is_zero()).then_some(game),
            increment,
            byo_yomi: None,
        })
    }
}

impl FromStr for ByoYomi {
    type Err = ParseDurationError;

    /// Reads `3x10s`: the number of periods and the length of each.
    fn from_str(text: &str) -> Result<ByoYomi, ParseDurationError> {
        let error = || ParseDurationError(text.to_string());
        let (periods, length) = text.split_once(['x', 'X']).ok_or_else(error)?;
        let periods = periods.trim().parse().map_err(|_| error())?;
        let length = parse_duration(length)?;
        if periods == 0 || length.is_zero() {
            return Err(error());
        }
        Ok(ByoYomi { periods, length })
    }
}

/// A text that is no duration; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time (write seconds, or a number with ms, s, m or h, such as 300ms)")]
pub struct ParseDurationError(pub String);

/// Reads a number with the unit `ms`, `s`, `m` or `h`; a bare number counts seconds.
///
/// # Errors
/// When the text is not a number from 0 to a thousand days.
pub fn parse_duration(text: &str) -> Result<Duration, ParseDurationError> {
    let text = text.trim();
    let error = || ParseDurationError(text.to_string());
    let digits = text
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.trim().parse().map_err(|_| error())?;
    let seconds = number
        * match unit {
            "ms" => 1e-3,
            "s" | "" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(error()),
        };
    if !(0.0..=86_400_000.0).contains(&seconds) {
        return Err(error());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// One player's clock during one game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    /// The game's time left.
    left: Option<Duration>,
    /// Time taken beyond the game's time within the tolerance, and not yet paid back by increments.
    overdrawn: Duration,
    /// Periods still whole.
    periods: u32,
}

/// A clock as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// The game's time left; `None` without a limit.
    pub game: Option<Duration>,
    /// Time left of the running byo-yomi period.
    pub period: Option<Duration>,
    /// Periods left, including the running one.
    pub periods: u32,
    /// Length of each period.
    pub period_length: Duration,
    /// Time left for this move, if moves have a limit of their own.
    pub turn: Option<Duration>,
}

/// The player used more time than he had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell {
    /// Time used by the move.
    pub used: Duration,
    /// Time allowed for the move.
    pub allowed: Duration,
}

impl fmt::Display for FlagFell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |d: Duration| d.as_millis();
        write!(f, "{} ms of {} ms", ms(self.used), ms(self.allowed))
    }
}

impl Clock {
    /// A full clock.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control
                .game
                .or(control.byo_yomi.is_some().then_some(Duration::ZERO)),
            overdrawn: Duration::ZERO,
            periods: control.byo_yomi.map_or(0, |b| b.periods),
        }
    }

    /// Longest time for the next move, without tolerance. `None` means no limit.
    pub fn allowed(&self) -> Option<Duration> {
        let bank = self.left.map(|left| {
            left + self
                .control
                .byo_yomi
                .map_or(Duration::ZERO, |b| b.length * self.periods)
        });
        shorter(bank, self.control.turn)
    }

    /// `INFO timeout_turn` for the next move, in ms. During byo-yomi it is one period, because a
    /// move within a period costs nothing; before that, the game's time and one period.
    pub fn turn_ms(&self) -> Option<u64> {
        let bank = self.control.byo_yomi.and_then(|b| {
            let left = self.left?;
            Some(
                left + if self.periods > 0 {
                    b.length
                } else {
                    Duration::ZERO
                },
            )
        });
        let turn = shorter(bank, self.control.turn).or(self.left);
        turn.map(|d| d.as_millis() as u64)
    }

    /// `INFO time_left` for the next move, in ms. Unlimited while a byo-yomi period runs, because
    /// then only the turn has a limit.
    pub fn time_left_ms(&self) -> u64 {
        match (self.left, self.control.byo_yomi) {
            (None, _) => NO_TIME_LEFT_MS,
            (Some(left), Some(_)) if left.is_zero() => NO_TIME_LEFT_MS,
            (Some(left), Some(b)) => (left + b.length).as_millis() as u64,
            (Some(left), None) => left.as_millis() as u64,
        }
    }

    /// `INFO timeout_match` in ms.
    pub fn match_ms(&self) -> u64 {
        match (self.control.game, self.control.byo_yomi) {
            (Some(game), None) => game.as_millis() as u64,
            (Some(game), Some(b)) => (game + b.length * b.periods).as_millis() as u64,
            (None, _) => NO_MATCH_MS,
        }
    }

    /// The clock shown `used` after the turn began; `None` without any limit.
    pub fn face(&self, used: Duration) -> Option<Face> {
        if !self.control.is_limited() {
            return None;
        }
        let over = self
            .left
            .map_or(Duration::ZERO, |left| used.saturating_sub(left));
        let runs = self.left.is_some_and(|left| used >= left);
        let byo_yomi = self.control.byo_yomi.filter(|_| runs);
        let lost = byo_yomi.map_or(0, |b| (over.as_nanos() / b.length.as_nanos()) as u32);
        let periods = self.periods.saturating_sub(lost);
        Some(Face {
            game: self.left.map(|left| left.saturating_sub(used)),
            period: byo_yomi.map(|b| match periods {
                0 => Duration::ZERO,
                _ => b.length - over.saturating_sub(b.length * lost),
            }),
            periods,
            period_length: self.control.byo_yomi.map_or(Duration::ZERO, |b| b.length),
            turn: self.control.turn.map(|turn| turn.saturating_sub(used)),
        })
    }

    /// Charges a move that took `used`. An overrun up to `tolerance` is accepted as lag, but
    /// charged to the game's time in full. Without byo-yomi all overruns together may take the
    /// tolerance once, and increments pay them back before the clock shows more.
    ///
    /// # Errors
    /// When the move took more than the time left and the tolerance left.
    pub fn charge(&mut self, used: Duration, tolerance: Duration) -> Result<(), FlagFell> {
        if let Some(allowed) = self.allowed()
            && used > allowed + tolerance.saturating_sub(self.overdrawn)
        {
            return Err(FlagFell { used, allowed });
        }
        let Some(left) = self.left else {
            return Ok(());
        };
        let over = used.saturating_sub(left);
        if let Some(b) = self.control.byo_yomi.filter(|_| !over.is_zero()) {
            self.left = Some(Duration::ZERO);
            // A move on the very last moment of a period still keeps it.
            let lost = (over.as_nanos() - 1) / b.length.as_nanos();
            self.periods = self.periods.saturating_sub(lost as u32).max(1);
        } else {
            let owed = self.overdrawn + over;
            let rest = left.saturating_sub(used) + self.control.increment;
            self.overdrawn = owed.saturating_sub(rest);
            self.left = Some(rest.saturating_sub(owed));
        }
        Ok(())
    }
}

/// The shorter of two limits; `None` without any.
fn shorter(a: Option<Duration>, b: Option<Duration>) -> Option<Duration> {
    [a, b].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("0.3"), Ok(ms(300)));
        assert_eq!(parse_duration("300ms"), Ok(ms(300)));
        assert_eq!(parse_duration("2m"), Ok(ms(120_000)));
        for bad in ["", "s", "-1", "1d", "nan", "inf", "1e99"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_tc_is_game_turn_and_increment() {
        let tc = TimeControl::parse_tc("180/30+0.5").unwrap();
        assert_eq!(tc.game, Some(ms(180_000)));
        assert_eq!(tc.turn, Some(ms(30_000)));
        assert_eq!(tc.increment, ms(500));
        let tc = TimeControl::parse_tc("0/0.1").unwrap();
        assert_eq!((tc.game, tc.turn), (None, Some(ms(100))));
    }

    #[test]
    fn game_time_runs_down_and_grows_by_the_increment() {
        let mut clock = Clock::new(TimeControl::parse_tc("1/0.6+0.1").unwrap());
        assert_eq!(clock.allowed(), Some(ms(600)));
        clock.charge(ms(550), ms(0)).unwrap();
        assert_eq!(clock.time_left_ms(), 550);
        assert_eq!(clock.allowed(), Some(ms(550)));
        let fell = clock.charge(ms(580), ms(20)).unwrap_err();
        assert_eq!(fell.allowed, ms(550));
        clock.charge(ms(570), ms(20)).unwrap();
        assert_eq!(clock.time_left_ms(), 80, "the increment pays the overrun");
    }

    #[test]
    fn all_overruns_of_a_game_together_have_the_tolerance_once() {
        let mut clock = Clock::new(TimeControl::parse_tc("1+0.1").unwrap());
        clock.charge(ms(1350), ms(400)).unwrap();
        assert_eq!(clock.allowed(), Some(ms(0)));
        // 250 ms are owed.
        assert_eq!(
            clock.clone().charge(ms(151), ms(400)).unwrap_err().used,
            ms(151)
        );
        clock.charge(ms(40), ms(400)).unwrap();
        clock.charge(ms(0), ms(400)).unwrap();
        clock.charge(ms(0), ms(400)).unwrap();
        assert_eq!(
            clock.time_left_ms(),
            10,
            "three increments have paid 290 ms"
        );
        let mut clock = Clock::new(TimeControl::parse_tc("1").unwrap());
        clock.charge(ms(1300), ms(400)).unwrap();
        clock.charge(ms(100), ms(400)).unwrap();
        assert!(clock.charge(ms(1), ms(400)).is_err());
    }

    #[test]
    fn byo_yomi_periods_stay_whole_unless_they_run_out() {
        let control = TimeControl {
            game: Some(ms(1000)),
            byo_yomi: Some("3x100ms".parse().unwrap()),
            ..TimeControl::default()
        };
        let mut clock = Clock::new(control);
        assert_eq!(clock.allowed(), Some(ms(1300)));
        assert_eq!(clock.turn_ms(), Some(1100));
        clock.charge(ms(990), ms(0)).unwrap();
        assert_eq!(clock.time_left_ms(), 110);
        clock.charge(ms(90), ms(0)).unwrap();
        assert_eq!(
            clock.allowed(),
            Some(ms(300)),
            "80 ms into the first period"
        );
        assert_eq!(clock.turn_ms(), Some(100));
        assert_eq!(clock.time_left_ms(), NO_TIME_LEFT_MS);
        for _ in 0..5 {
            clock.charge(ms(100), ms(0)).unwrap();
        }
        assert_eq!(clock.allowed(), Some(ms(300)));
        clock.charge(ms(101), ms(0)).unwrap();
        assert_eq!(clock.allowed(), Some(ms(200)), "one period lost");
        clock.charge(ms(200), ms(0)).unwrap();
        assert_eq!(clock.allowed(), Some(ms(100)), "the last one");
        assert!(clock.charge(ms(101), ms(0)).is_err());
    }

    #[test]
    fn a_face_shows_what_is_left() {
        let control = TimeControl {
            game: Some(ms(1000)),
            byo_yomi: Some("3x100ms".parse().unwrap()),
            ..TimeControl::default()
        };
        let clock = Clock::new(control);
        let shows = |used| {
            let face = clock.face(ms(used)).unwrap();
            (face.game.unwrap(), face.period, face.periods)
        };
        assert_eq!(shows(400), (ms(600), None, 3));
        assert_eq!(shows(1000), (ms(0), Some(ms(100)), 3));
        assert_eq!(shows(1130), (ms(0), Some(ms(70)), 2));
        assert_eq!(shows(1290), (ms(0), Some(ms(10)), 1));
        assert_eq!(shows(1400), (ms(0), Some(ms(0)), 0));
        assert_eq!(Clock::new(TimeControl::default()).face(ms(5)), None);
        let turn = Clock::new(TimeControl::parse_tc("0/0.5").unwrap());
        let face = turn.face(ms(200)).unwrap();
        assert_eq!((face.game, face.turn), (None, Some(ms(300))));
    }
}
