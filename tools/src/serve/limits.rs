//! A counting semaphore that never waits, for a limit on things done at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of places.
#[derive(Clone, Debug)]
pub struct Places {
    taken: Arc<AtomicUsize>,
    count: usize,
}

/// A taken place; dropping it gives the place back.
#[derive(Debug)]
pub struct Place(Arc<AtomicUsize>);

impl Places {
    /// `count` free places.
    pub fn new(count: usize) -> Places {
        Places {
            taken: Arc::default(),
            count,
        }
    }

    /// Takes a place; `None` if none is free.
    pub fn take(&self) -> Option<Place> {
        let one_more = |taken: usize| (taken < self.count).then_some(taken + 1);
        let update = self
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        update.ok().map(|_| Place(Arc::clone(&self.taken)))
    }

    /// The number of places taken.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let places = Places::new(2);
        let first = places.take().unwrap();
        let _second = places.take().unwrap();
        assert!(places.take().is_none());
        drop(first);
        assert_eq!(places.taken(), 1);
        assert!(places.take().is_some());
    }
}
