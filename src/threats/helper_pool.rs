//! Threads that help with the searches of others when they have none of their own.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::shared_search::{Progress, SharedSearch, VctMemory, VctResult};
use crate::position::Position;

/// Search threads that help each other: a thread without a search of its own joins another's.
pub struct HelperPool {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Searches that are not over, with the number of their helpers.
    searches: Vec<(Arc<SharedSearch>, usize)>,
    /// Threads that may still begin a search.
    busy: usize,
}

/// A thread of the pool that may begin searches until this guard is dropped.
pub struct HelperGuard<'a>(&'a HelperPool);

/// A search that others may help with until this is dropped.
pub(super) struct OpenSearch<'a> {
    pool: &'a HelperPool,
    search: Arc<SharedSearch>,
}

/// Why the list can always be locked.
const UNBROKEN: &str = "no thread panics while it changes the list";

impl HelperPool {
    /// A pool of `threads` threads. Each [registers](HelperPool::register) once.
    pub fn new(threads: usize) -> HelperPool {
        HelperPool {
            state: Mutex::new(State {
                searches: Vec::new(),
                busy: threads,
            }),
            changed: Condvar::new(),
        }
    }

    /// Registers the calling thread.
    pub fn register(&self) -> HelperGuard<'_> {
        HelperGuard(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNBROKEN)
    }

    /// Lets others help with a search of `position` that expands at most `max_nodes` positions.
    pub(super) fn open(
        &self,
        position: &Position,
        memory: &Arc<VctMemory>,
        max_nodes: u64,
    ) -> OpenSearch<'_> {
        let search = Arc::new(SharedSearch {
            position: position.clone(),
            memory: Arc::clone(memory),
            progress: Progress::new(max_nodes),
        });
        self.state().searches.push((Arc::clone(&search), 0));
        self.changed.notify_all();
        OpenSearch { pool: self, search }
    }

    /// The open search with the fewest helpers, with the calling thread as one more. Waits for one
    /// to be opened; `None` when no thread of the pool can begin one.
    pub(super) fn join(&self) -> Option<Arc<SharedSearch>> {
        let mut state = self.state();
        while state.busy > 0 {
            let least_helped = state
                .searches
                .iter_mut()
                .min_by_key(|(_, helpers)| *helpers);
            if let Some((search, helpers)) = least_helped {
                *helpers += 1;
                return Some(Arc::clone(search));
            }
            state = self.changed.wait(state).expect(UNBROKEN);
        }
        None
    }

    /// No thread joins `search` from now on.
    pub(super) fn close(&self, search: &Arc<SharedSearch>) {
        let mut state = self.state();
        state
            .searches
            .retain(|(other, _)| !Arc::ptr_eq(other, search));
    }
}

impl<'a> HelperGuard<'a> {
    /// The calling thread begins no more searches.
    pub(super) fn retire(self) -> &'a HelperPool {
        self.0
    }
}

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        self.0.state().busy -= 1;
        self.0.changed.notify_all();
    }
}

impl OpenSearch<'_> {
    pub(super) fn progress(&self) -> &Progress {
        &self.search.progress
    }
}

impl Drop for OpenSearch<'_> {
    fn drop(&mut self) {
        // Ends it for the helpers too if its owner panicked.
        self.search.progress.end(VctResult::Unknown);
        self.pool.close(&self.search);
    }
}
