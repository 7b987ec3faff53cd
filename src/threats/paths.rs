//! Where the threads of one search are, so that each prefers positions where no other is.
//!
//! Stones are only ever added, so every path reaches a position at the same depth: one level of the
//! other threads' paths tells how many of them are at work below it.
//!
//! Sources: T. Kaneko, "Parallel depth first proof number search" (2010); J. Pawlewicz, R. Hayward,
//! "Scalable parallel DFPN search" (2013). They keep this in the table of proof numbers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::types::POINTS;

/// The keys of the positions on each thread's path from the root of its search.
pub(super) struct Paths {
    taken: Box<[AtomicBool]>,
    /// For each number of stones the key in each slot, 0 where it has none.
    keys: Box<[AtomicU64]>,
}

/// A thread's place among the paths. A thread that found none free is not seen by the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadSlot(usize);

impl Paths {
    /// Room for that many threads, at least one.
    pub(super) fn new(threads: usize) -> Paths {
        let threads = threads.max(1);
        Paths {
            taken: (0..threads).map(|_| AtomicBool::new(false)).collect(),
            keys: bytemuck::zeroed_slice_box((POINTS + 1) * threads),
        }
    }

    /// Whether there is room for more than one thread.
    pub(super) fn are_shared(&self) -> bool {
        self.taken.len() > 1
    }

    /// Begins a path, which [`end`](Paths::end) ends.
    pub(super) fn begin(&self) -> ThreadSlot {
        let free = |taken: &AtomicBool| !taken.swap(true, Ordering::Relaxed);
        ThreadSlot(self.taken.iter().position(free).unwrap_or(usize::MAX))
    }

    /// Ends a path that has left all its positions.
    pub(super) fn end(&self, slot: ThreadSlot) {
        if let Some(taken) = self.taken.get(slot.0) {
            taken.store(false, Ordering::Relaxed);
        }
    }

    /// Puts the position with that key and number of stones on the path.
    pub(super) fn enter(&self, slot: ThreadSlot, stones: usize, key: u64) {
        if slot.0 < self.taken.len() {
            self.keys[stones * self.taken.len() + slot.0].store(key, Ordering::Relaxed);
        }
    }

    /// Takes the position with that number of stones off the path.
    pub(super) fn leave(&self, slot: ThreadSlot, stones: usize) {
        self.enter(slot, stones, 0);
    }

    /// Number of other paths that lead through the position of that key.
    pub(super) fn others(&self, slot: ThreadSlot, stones: usize, key: u64) -> u32 {
        let threads = self.taken.len();
        let level = &self.keys[stones * threads..(stones + 1) * threads];
        let is_there = |(i, other): (usize, &AtomicU64)| {
            u32::from(i != slot.0 && other.load(Ordering::Relaxed) == key)
        };
        level.iter().enumerate().map(is_there).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_sees_the_others_and_not_itself() {
        let paths = Paths::new(2);
        let (a, b) = (paths.begin(), paths.begin());
        paths.enter(a, 5, 77);
        assert_eq!(paths.others(b, 5, 77), 1);
        assert_eq!(paths.others(a, 5, 77), 0);
        assert_eq!((paths.others(b, 4, 77), paths.others(b, 5, 78)), (0, 0));
        paths.leave(a, 5);
        assert_eq!(paths.others(b, 5, 77), 0);
    }

    #[test]
    fn a_thread_without_room_is_not_seen_until_another_ends() {
        let paths = Paths::new(1);
        let (a, b) = (paths.begin(), paths.begin());
        paths.enter(b, POINTS, 77);
        assert_eq!(paths.others(a, POINTS, 77), 0);
        paths.end(b);
        paths.end(a);
        assert!(paths.begin() == a && !paths.are_shared());
    }
}
