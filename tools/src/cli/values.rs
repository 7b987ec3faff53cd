//! Values of options: words of a list, read by the type itself and offered to shells, and times.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::arena::schedule::ScheduleKind;
use crate::game::clock::{ParseDurationError, parse_duration};
use tengen::board::{Board, parse_size};
use tengen::openings::OpeningRule;
use tengen::rules::Rule;

/// An empty board of a size such as `15` or `20x15`.
///
/// # Errors
/// With the expected form.
pub(super) fn parse_board(text: &str) -> Result<Board, String> {
    let (width, height) = parse_size(text).ok_or("expected a size such as 15 or 20x15")?;
    Board::new(width, height).map_err(|e| e.to_string())
}

/// Reads a value by `FromStr`, with its words and messages, and names words for completion in
/// shells.
#[derive(Clone)]
pub(super) struct Listed<T> {
    words: Vec<&'static str>,
    value: PhantomData<T>,
}

impl<T> Listed<T> {
    pub(super) fn new(words: impl IntoIterator<Item = &'static str>) -> Listed<T> {
        Listed {
            words: words.into_iter().collect(),
            value: PhantomData,
        }
    }
}

impl<T> TypedValueParser for Listed<T>
where
    T: FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let read = |text: &str| text.parse::<T>().map_err(|error| error.to_string());
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(PossibleValue::new)))
    }
}

/// A rule.
pub(super) fn rule() -> Listed<Rule> {
    Listed::new(Rule::ALL.map(Rule::name))
}

/// Schedule of a match; words with numbers end with a colon.
pub(super) fn schedule() -> Listed<ScheduleKind> {
    let plain = ["round-robin", "gauntlet", "knock-out", "double-knock-out"];
    Listed::new(plain.into_iter().chain(["swiss:", "groups:"]))
}

/// An opening rule; completion leaves out designated openings, which have values of their own.
pub(super) fn opening_rule() -> Listed<OpeningRule> {
    Listed::new(OpeningRule::PLAIN.map(OpeningRule::name))
}

/// A time, such as 500ms, 1.5s or 2m; a bare number counts seconds.
pub(super) fn time(text: &str) -> Result<Duration, ParseDurationError> {
    parse_duration(text)
}
