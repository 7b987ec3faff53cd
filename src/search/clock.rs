use crate::time::{Duration, Instant};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::observer::SearchObserver;

/// Time limits as a manager states them. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSettings {
    /// Most that one move may take, in ms; 0 asks for a move at once.
    pub turn_ms: Option<u64>,
    /// What is left of the game's time, in ms; 0 asks for a move at once.
    pub left_ms: Option<u64>,
    /// Added to the game's time after each own move, in ms.
    pub increment_ms: u64,
}

/// Time for one move, counted from the moment its request was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Budget {
    /// No further iteration begins after this, in ms.
    soft_ms: u64,
    /// The search ends at this, in ms.
    hard_ms: u64,
}

/// Stands for no limit, and cannot overflow when added to.
const UNLIMITED_MS: u64 = u64::MAX / 4;

/// A game is planned as if this many own moves were still to come.
const PLANNED_MOVES: u64 = 22;
/// One move never takes more than this part of the time left.
const MOST_OF_LEFT: u64 = 7;

impl TimeSettings {
    /// Kept back for what lies between the end of the search and the manager's clock: scheduling,
    /// pipes, the manager's polling interval.
    fn margin_ms(limit_ms: u64) -> u64 {
        (limit_ms / 20).clamp(15, 100)
    }

    fn budget(&self) -> Budget {
        let turn_ms = self
            .turn_ms
            .map(|t| t.saturating_sub(Self::margin_ms(t)))
            .unwrap_or(UNLIMITED_MS);
        let Some(left) = self.left_ms else {
            return Budget {
                soft_ms: turn_ms,
                hard_ms: turn_ms,
            };
        };
        let left = left.saturating_sub(Self::margin_ms(left));
        let increment = self.increment_ms.min(left);
        let most = (left / MOST_OF_LEFT + increment / 2).min(left);
        let planned = left / PLANNED_MOVES + increment / 2;
        Budget {
            soft_ms: turn_ms.min(planned),
            hard_ms: turn_ms.min(most),
        }
    }
}

/// The control of a running search, shared between the threads that search and the one that reads
/// commands: a stop flag, the time budget and bounds of depth and nodes, each of which may change
/// while the search runs.
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

    /// Control of one search among several within a move: it may take all of `limit_ms` from now on,
    /// because the time that a move needs beside its searches is kept back from the whole.
    pub fn lasting(limit_ms: u64) -> SearchControl {
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

    /// Receives the events of root moves.
    pub fn observer(&self) -> Option<&SearchObserver> {
        self.observer.as_ref()
    }

    /// Bounds the depth of iterations in plies, and the nodes of the search, besides the bounds of
    /// its [`SearchRequest`](super::SearchRequest); `None` takes a bound away.
    pub fn set_bounds(&self, max_depth: Option<u32>, max_nodes: Option<u64>) {
        let depth = max_depth.unwrap_or(u32::MAX);
        self.max_depth.store(depth, Ordering::Relaxed);
        let nodes = max_nodes.unwrap_or(u64::MAX);
        self.max_nodes.store(nodes, Ordering::Relaxed);
    }

    /// Deepest iteration; `u32::MAX` without bound.
    pub fn max_depth(&self) -> u32 {
        self.max_depth.load(Ordering::Relaxed)
    }

    /// Nodes after which the search ends; `u64::MAX` without bound.
    #[inline]
    pub fn max_nodes(&self) -> u64 {
        self.max_nodes.load(Ordering::Relaxed)
    }

    /// Replaces the time budget; it still counts from the start of the search.
    pub fn set_time(&self, time: &TimeSettings) {
        let budget = time.budget();
        self.soft_ms.store(budget.soft_ms, Ordering::Relaxed);
        self.hard_ms.store(budget.hard_ms, Ordering::Relaxed);
    }

    /// Ends the search as soon as its threads notice.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to end, or [`poll`](SearchControl::poll) found its time used up.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Looks at the clock and stops the search when the hard limit is reached.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(turn_ms: Option<u64>, left_ms: Option<u64>) -> Budget {
        TimeSettings {
            turn_ms,
            left_ms,
            increment_ms: 0,
        }
        .budget()
    }

    #[test]
    fn a_move_keeps_a_margin_and_never_takes_the_whole_match() {
        assert_eq!(budget(Some(0), None).hard_ms, 0);
        assert_eq!(budget(Some(1000), Some(0)).hard_ms, 0);
        assert_eq!(budget(Some(1000), None).hard_ms, 950);
        let both = budget(Some(300_000), Some(1_000_000));
        assert!(both.soft_ms < both.hard_ms && both.hard_ms <= 1_000_000 / 7);
        assert_eq!(budget(None, None).hard_ms, UNLIMITED_MS);
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
