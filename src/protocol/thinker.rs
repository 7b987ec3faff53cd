//! What a session waits for, and how the engine decides what it is asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::command::Command;
use super::opening;
use crate::engine::background::News;
use crate::engine::Engine;
use crate::search::{Control, Report, Request, TimeSettings};
use crate::types::Point;

/// What the session waits for.
pub enum Event {
    /// A command, and when its line was read.
    Input {
        /// The command.
        command: Command,
        /// When.
        at: Instant,
    },
    /// News of the running search.
    Report(Report),
    /// The search is over.
    Finished {
        /// The engine that was lent.
        engine: Box<Engine>,
        /// What was decided; `None` when the search broke down.
        decision: Option<Decision>,
    },
}

impl From<News<Decision>> for Event {
    fn from(news: News<Decision>) -> Event {
        match news {
            News::Report(report) => Event::Report(report),
            News::Finished { engine, answer } => Event::Finished {
                engine,
                decision: answer,
            },
        }
    }
}

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The best move.
    Best,
    /// The move, or the two moves, after which the value is closest to `bias`.
    Balance {
        /// One or two.
        moves: usize,
        /// For the side to move.
        bias: i32,
    },
    /// Three stones of a swap2 opening.
    OpenSwap2,
    /// Whether White's place is worth keeping, and if so, the move.
    ChooseSwap2,
}

/// A decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Whether to take the other colour; then there are no points.
    pub swap: bool,
    /// The moves, in order.
    pub points: Vec<Point>,
    /// The last report of every line searched.
    pub lines: Vec<Report>,
}

/// The reins of a decision, which may consist of several searches, each with its own [`Control`].
#[derive(Debug)]
pub struct Reins {
    whole: Control,
    step: Mutex<Option<Arc<Control>>>,
}

impl Reins {
    /// Reins for a request that was read at `at`.
    pub fn new(at: Instant, time: &TimeSettings) -> Reins {
        Reins {
            whole: Control::new(at, time),
            step: Mutex::new(None),
        }
    }

    /// The reins of the whole decision.
    pub fn whole(&self) -> &Control {
        &self.whole
    }

    /// Reins for one search of at most `limit_ms` that begins now.
    pub fn step(&self, limit_ms: u64) -> Arc<Control> {
        let left_ms = self.whole.hard_ms().saturating_sub(self.whole.elapsed_ms());
        let time = TimeSettings {
            turn_ms: Some(limit_ms.min(left_ms)),
            ..TimeSettings::default()
        };
        let control = Arc::new(Control::new(Instant::now(), &time));
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        *step = Some(Arc::clone(&control));
        // Under the lock: a stop comes either before this, or finds the new step.
        if self.whole.is_stopped() {
            control.stop();
        }
        control
    }

    /// Ends the decision as soon as its threads notice.
    pub fn stop(&self) {
        self.whole.stop();
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = &*step {
            control.stop();
        }
    }

    /// Replaces the time budget of the decision.
    pub fn set_time(&self, time: &TimeSettings) {
        self.whole.set_time(time);
        if self.whole.poll() {
            self.stop();
        }
    }

    /// Time since the request was read.
    pub fn elapsed(&self) -> Duration {
        self.whole.elapsed()
    }
}

/// Decides `task` in the position of `request`.
pub fn decide(
    engine: &mut Engine,
    task: Task,
    request: &Request,
    reins: &Reins,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Decision {
    match task {
        Task::Best => {
            let outcome = engine.go(request, reins.whole(), report);
            Decision {
                swap: false,
                points: outcome.best.into_iter().collect(),
                lines: outcome.lines,
            }
        }
        Task::Balance { moves: 2, bias } => {
            opening::balance_two(engine, request, bias, reins, report)
        }
        Task::Balance { bias, .. } => {
            opening::balance_one(engine, request, bias, reins.whole(), report)
        }
        Task::OpenSwap2 => opening::open_swap2(engine, request, reins),
        Task::ChooseSwap2 => opening::choose_swap2(engine, request, reins.whole(), report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_the_whole_stops_the_step() {
        let reins = Reins::new(Instant::now(), &TimeSettings::default());
        let step = reins.step(60_000);
        assert!(!step.poll());
        reins.set_time(&TimeSettings {
            turn_ms: Some(0),
            ..TimeSettings::default()
        });
        assert!(step.is_stopped());
        assert!(reins.step(60_000).is_stopped());
    }
}
