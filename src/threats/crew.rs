//! Threads that help with the searches of others when they have none of their own.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::vct::Progress;
use super::{Vct, VctMemory, VctResult};
use crate::position::Position;

/// A search for a win by threats that is under way, and what a helper needs to join it.
struct Search {
    position: Position,
    memory: Arc<VctMemory>,
    progress: Progress,
}

/// See the [module](self).
pub struct Crew {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Searches that are not over, with the number of their helpers.
    searches: Vec<(Arc<Search>, usize)>,
    /// Threads that may still begin a search.
    busy: usize,
}

/// A thread that may begin searches, until this is dropped.
pub struct Member<'a>(&'a Crew);

/// A search that others may help with, until this is dropped.
pub(super) struct OpenSearch<'a> {
    crew: &'a Crew,
    search: Arc<Search>,
}

impl Crew {
    /// A crew of that many threads, each of which is to become a [`member`](Crew::member) once.
    pub fn new(threads: usize) -> Crew {
        Crew {
            state: Mutex::new(State {
                searches: Vec::new(),
                busy: threads,
            }),
            changed: Condvar::new(),
        }
    }

    /// The calling thread's membership.
    pub fn member(&self) -> Member<'_> {
        Member(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNBROKEN)
    }

    /// Lets others help with a search of `position` of at most `nodes` positions.
    pub(super) fn open(
        &self,
        position: &Position,
        memory: &Arc<VctMemory>,
        nodes: u64,
    ) -> OpenSearch<'_> {
        let search = Arc::new(Search {
            position: position.clone(),
            memory: Arc::clone(memory),
            progress: Progress::new(nodes),
        });
        self.state().searches.push((Arc::clone(&search), 0));
        self.changed.notify_all();
        OpenSearch { crew: self, search }
    }

    fn close(&self, search: &Arc<Search>) {
        let mut state = self.state();
        state
            .searches
            .retain(|(other, _)| !Arc::ptr_eq(other, search));
    }
}

/// Why the list can always be locked.
const UNBROKEN: &str = "no thread panics while it changes the list";

impl Member<'_> {
    /// Begins no more searches, and helps with those of the others until all threads have come
    /// here.
    pub fn help(self) {
        let crew = self.0;
        drop(self);
        let mut solver = None;
        let mut state = crew.state();
        while state.busy > 0 {
            let least_helped = state
                .searches
                .iter_mut()
                .min_by_key(|(_, helpers)| *helpers);
            let Some((search, helpers)) = least_helped else {
                state = crew.changed.wait(state).expect(UNBROKEN);
                continue;
            };
            *helpers += 1;
            let search = Arc::clone(search);
            drop(state);
            let Search {
                position,
                memory,
                progress,
            } = &*search;
            let solver = solver.get_or_insert_with(|| Vct::sharing(Arc::clone(memory)));
            solver.help(&mut position.clone(), memory, progress);
            // It is over, so that there is nothing to join, though its owner may not know yet.
            crew.close(&search);
            state = crew.state();
        }
    }
}

impl Drop for Member<'_> {
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
        // Nobody goes on with it if its owner panicked.
        self.search.progress.end(VctResult::Unknown);
        self.crew.close(&self.search);
    }
}
