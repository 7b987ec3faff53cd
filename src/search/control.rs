//! Control of a running search: stop flag, time limits, bounds of depth and nodes, and the observer
//! of its root moves.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::time_manager::{TimeSettings, UNLIMITED_MS};
use crate::time::{Duration, Instant};
use crate::types::Point;

/// The control of one search, shared between the search threads and the thread that reads commands.
/// Each of its limits may change while the search runs; the end of the search stops it for good.
#[derive(Debug)]
pub struct SearchControl {
    started: Instant,
    stop: AtomicBool,
    soft_ms: AtomicU64,
    hard_ms: AtomicU64,
    max_depth: AtomicU32,
    max_nodes: AtomicU64,
    observer: Option<SearchObserver>,
}

impl SearchControl {
    /// For a request that was read at `started`.
    pub fn new(started: Instant, time: &TimeSettings) -> SearchControl {
        let control = SearchControl {
            started,
            stop: AtomicBool::new(false),
            soft_ms: AtomicU64::new(0),
            hard_ms: AtomicU64::new(0),
            max_depth: AtomicU32::new(u32::MAX),
            max_nodes: AtomicU64::new(u64::MAX),
            observer: None,
        };
        control.set_time(time);
        control
    }

    /// Control of one of several searches within a move. It may take all of `limit_ms` from now on:
    /// the reserve for the manager's clock is part of the whole move's budget.
    pub fn with_limit_ms(limit_ms: u64) -> SearchControl {
        let control = SearchControl::unlimited();
        control.soft_ms.store(limit_ms, Ordering::Relaxed);
        control.hard_ms.store(limit_ms, Ordering::Relaxed);
        control
    }

    /// Without a time limit.
    pub fn unlimited() -> SearchControl {
        SearchControl::new(Instant::now(), &TimeSettings::default())
    }

    /// The same control, whose search reports its root moves to `observer`.
    pub fn observed_by(self, observer: SearchObserver) -> SearchControl {
        SearchControl {
            observer: Some(observer),
            ..self
        }
    }

    /// The receiver of root move events.
    pub fn observer(&self) -> Option<&SearchObserver> {
        self.observer.as_ref()
    }

    /// Bounds the depth of iterations in plies, and the nodes of the search, in addition to the
    /// bounds of its [`SearchRequest`](super::SearchRequest); `None` removes a bound.
    pub fn set_bounds(&self, max_depth: Option<u32>, max_nodes: Option<u64>) {
        let depth = max_depth.unwrap_or(u32::MAX);
        self.max_depth.store(depth, Ordering::Relaxed);
        let nodes = max_nodes.unwrap_or(u64::MAX);
        self.max_nodes.store(nodes, Ordering::Relaxed);
    }

    /// Deepest iteration in plies; `u32::MAX` without bound.
    pub fn max_depth(&self) -> u32 {
        self.max_depth.load(Ordering::Relaxed)
    }

    /// Nodes after which the search ends; `u64::MAX` without bound.
    #[inline]
    pub fn max_nodes(&self) -> u64 {
        self.max_nodes.load(Ordering::Relaxed)
    }

    /// True if a time, a depth or a number of nodes ends the search, and not only a stop.
    pub fn is_limited(&self) -> bool {
        self.hard_ms() < UNLIMITED_MS
            || self.max_depth() != u32::MAX
            || self.max_nodes() != u64::MAX
    }

    /// Replaces the time budget; it still counts from the start of the search.
    pub fn set_time(&self, time: &TimeSettings) {
        let budget = time.budget();
        self.soft_ms.store(budget.soft_ms, Ordering::Relaxed);
        self.hard_ms.store(budget.hard_ms, Ordering::Relaxed);
    }

    /// Lowers the limits so that the search ends within `left_ms` from now.
    pub fn end_within_ms(&self, left_ms: u64) {
        let end_ms = self.elapsed_ms().saturating_add(left_ms);
        self.soft_ms.fetch_min(end_ms, Ordering::Relaxed);
        self.hard_ms.fetch_min(end_ms, Ordering::Relaxed);
    }

    /// Lets a stopped search go on for `ms` milliseconds.
    pub(super) fn restart(&self, ms: u64) {
        self.hard_ms
            .store(self.elapsed_ms() + ms, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Stops the search: its threads notice at their next node.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True if the search was stopped, by [`stop`](SearchControl::stop) or by
    /// [`poll`](SearchControl::poll).
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Stops the search when the hard limit is reached. Returns whether the search is stopped.
    pub fn poll(&self) -> bool {
        if self.elapsed_ms() >= self.hard_ms.load(Ordering::Relaxed) {
            self.stop();
        }
        self.is_stopped()
    }

    /// Time planned for this move, in ms.
    pub fn soft_ms(&self) -> u64 {
        self.soft_ms.load(Ordering::Relaxed)
    }

    /// Time at which the search ends, in ms.
    pub fn hard_ms(&self) -> u64 {
        self.hard_ms.load(Ordering::Relaxed)
    }

    /// Time since the request was read.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the request was read, in ms.
    pub fn elapsed_ms(&self) -> u64 {
        self.elapsed().as_millis() as u64
    }
}

/// One root move begins or ends within an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootMoveEvent {
    /// The search of this move begins.
    Begin(Point),
    /// The search of this move ends for this iteration.
    Done {
        /// The move.
        point: Point,
        /// True if it is proved to lose.
        lost: bool,
    },
}

/// Callback of the main search thread for each [`RootMoveEvent`]; it must return soon.
pub struct SearchObserver(Box<dyn Fn(RootMoveEvent) + Send + Sync>);

impl SearchObserver {
    /// Passes every event to `listener`.
    pub fn new(listener: impl Fn(RootMoveEvent) + Send + Sync + 'static) -> SearchObserver {
        SearchObserver(Box::new(listener))
    }

    pub(super) fn notify(&self, event: RootMoveEvent) {
        (self.0)(event);
    }
}

impl fmt::Debug for SearchObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SearchObserver")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_limit_counts() {
        let control = SearchControl::unlimited();
        assert!(!control.is_limited());
        control.set_bounds(None, Some(1_000));
        assert!(control.is_limited());
        control.set_bounds(Some(9), None);
        assert!(control.is_limited());
        control.set_bounds(None, None);
        let time = TimeSettings {
            left_ms: Some(60_000),
            ..TimeSettings::default()
        };
        control.set_time(&time);
        assert!(control.is_limited());
    }

    #[test]
    fn a_limit_that_arrives_late_acts_on_the_running_search() {
        let control = SearchControl::unlimited();
        assert!(!control.poll());
        control.set_time(&TimeSettings {
            turn_ms: Some(0),
            ..TimeSettings::default()
        });
        assert!(control.poll() && control.is_stopped());
    }
}
