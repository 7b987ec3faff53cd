//! Control of a whole move decision: its time, its bounds, and its stop.

use std::sync::{Arc, Mutex, PoisonError};

use crate::search::{SearchControl, SearchObserver, TimeSettings};
use crate::time::{Duration, Instant};

/// Controls a decision that may consist of several searches, each with its own [`SearchControl`].
#[derive(Debug)]
pub struct MoveControl {
    whole: SearchControl,
    step: Mutex<Option<Arc<SearchControl>>>,
}

impl MoveControl {
    /// For a request that was read at `at`.
    pub fn new(at: Instant, time: &TimeSettings) -> MoveControl {
        MoveControl {
            whole: SearchControl::new(at, time),
            step: Mutex::new(None),
        }
    }

    /// The same control, whose searches report their root moves to `observer`.
    pub fn observed_by(self, observer: SearchObserver) -> MoveControl {
        MoveControl {
            whole: self.whole.observed_by(observer),
            ..self
        }
    }

    /// Bounds depth and nodes of every search; see [`SearchControl::set_bounds`].
    pub fn set_bounds(&self, max_depth: Option<u32>, max_nodes: Option<u64>) {
        self.whole.set_bounds(max_depth, max_nodes);
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(control) = &*step {
            control.set_bounds(max_depth, max_nodes);
        }
    }

    /// The control of the whole decision.
    pub fn whole(&self) -> &SearchControl {
        &self.whole
    }

    /// Control of one search of at most `limit_ms` that begins now.
    pub fn step(&self, limit_ms: u64) -> Arc<SearchControl> {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        // Under the lock: new limits come either before this or to the stored step.
        let limit_ms = limit_ms.min(self.left_until_end_ms());
        let control = Arc::new(SearchControl::with_limit_ms(limit_ms));
        control.set_bounds(Some(self.whole.max_depth()), Some(self.whole.max_nodes()));
        *step = Some(Arc::clone(&control));
        // Under the lock: a stop happens either before this check or after the step is stored.
        if self.whole.is_stopped() {
            control.stop();
        }
        control
    }

    /// Rest of the time planned for the decision, in ms.
    pub fn left_ms(&self) -> u64 {
        self.whole.soft_ms().saturating_sub(self.whole.elapsed_ms())
    }

    /// Time until the decision must end, in ms.
    fn left_until_end_ms(&self) -> u64 {
        self.whole.hard_ms().saturating_sub(self.whole.elapsed_ms())
    }

    /// Stops the decision; see [`SearchControl::stop`].
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
        let left_ms = self.left_until_end_ms();
        if let Some(control) = &*self.step.lock().unwrap_or_else(PoisonError::into_inner) {
            control.end_within_ms(left_ms);
        }
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

    fn turn(ms: u64) -> TimeSettings {
        TimeSettings {
            turn_ms: Some(ms),
            ..TimeSettings::default()
        }
    }

    /// A step of some milliseconds has no reserve of its own, which would be longer than the step.
    #[test]
    fn a_step_may_take_its_whole_share() {
        let control = MoveControl::new(Instant::now(), &turn(100_000));
        assert_eq!(control.step(5).hard_ms(), 5);
        assert_eq!(control.step(5).soft_ms(), 5);
        let whole_ms = control.whole().hard_ms();
        assert!((whole_ms - 1_000..=whole_ms).contains(&control.step(200_000).hard_ms()));
    }

    #[test]
    fn less_time_for_the_whole_leaves_less_for_the_step() {
        let control = MoveControl::new(Instant::now(), &turn(100_000));
        let step = control.step(50_000);
        control.set_time(&turn(20_000));
        assert!(step.hard_ms() <= 20_000 && step.soft_ms() <= 20_000);
        control.set_time(&turn(100_000));
        assert!(
            step.hard_ms() <= 20_000,
            "its share of more time comes later"
        );
        assert!(!step.is_stopped());
    }

    #[test]
    fn stopping_the_whole_stops_the_step() {
        let control = MoveControl::new(Instant::now(), &TimeSettings::default());
        let step = control.step(60_000);
        assert!(!step.poll());
        control.set_time(&turn(0));
        assert!(step.is_stopped());
        assert!(control.step(60_000).is_stopped());
    }
}
