//! Holding a decision back: its time, and who may stop it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::search::{Control, TimeSettings, Watcher};

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

    /// The same reins with somebody who watches the moves at the root of a single search.
    pub fn watched_by(self, watcher: Watcher) -> Reins {
        Reins {
            whole: self.whole.watched_by(watcher),
            ..self
        }
    }

    /// Bounds depth and nodes of every search; see [`Control::set_bounds`].
    pub fn set_bounds(&self, max_depth: Option<u32>, max_nodes: Option<u64>) {
        self.whole.set_bounds(max_depth, max_nodes);
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = &*step {
            control.set_bounds(max_depth, max_nodes);
        }
    }

    /// The reins of the whole decision.
    pub fn whole(&self) -> &Control {
        &self.whole
    }

    /// Reins for one search of at most `limit_ms` that begins now.
    pub fn step(&self, limit_ms: u64) -> Arc<Control> {
        let left_ms = self.whole.hard_ms().saturating_sub(self.whole.elapsed_ms());
        let control = Arc::new(Control::lasting(limit_ms.min(left_ms)));
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        control.set_bounds(Some(self.whole.max_depth()), Some(self.whole.max_nodes()));
        *step = Some(Arc::clone(&control));
        // Under the lock: a stop comes either before this, or finds the new step.
        if self.whole.is_stopped() {
            control.stop();
        }
        control
    }

    /// Time planned for the decision that is not used yet, in ms.
    pub fn left_ms(&self) -> u64 {
        self.whole.soft_ms().saturating_sub(self.whole.elapsed_ms())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of some milliseconds is no shorter than it says: with a margin of its own there would
    /// be nothing left of it.
    #[test]
    fn a_step_may_take_its_whole_share() {
        let turn = |ms| TimeSettings {
            turn_ms: Some(ms),
            ..TimeSettings::default()
        };
        let reins = Reins::new(Instant::now(), &turn(100_000));
        assert_eq!(reins.step(5).hard_ms(), 5);
        assert_eq!(reins.step(5).soft_ms(), 5);
        let whole_ms = reins.whole().hard_ms();
        assert!((whole_ms - 1_000..=whole_ms).contains(&reins.step(200_000).hard_ms()));
    }

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
