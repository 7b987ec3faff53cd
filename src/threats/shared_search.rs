//! Data shared by the threads that search one position for a win by threats: the numbers of all
//! positions, where each thread is, and how far the search has come.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use super::expansion::Child;
use super::proof_numbers::ProofTable;
use crate::position::Position;
use crate::types::POINTS;

/// Result of a search for a win by threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VctResult {
    /// The side to move wins.
    Win,
    /// The search has tried every threat, and none wins. Quiet moves far from all stones are not
    /// tried, so this is no proof that there is no win.
    None,
    /// A limit was reached.
    Unknown,
}

/// Buckets of the table for each position whose children are kept: at most [`MOST_RECENT`]
/// positions.
const RECENT_SHARE: u64 = 1 << 3;
/// See [`RECENT_SHARE`].
const MOST_RECENT: u64 = 1 << 14;
/// Upper estimate of the children of one position that are kept, in bytes.
const CHILDREN_BYTES: u64 = 4 << 10;
/// Bits of the smallest table that [`VctMemory::bits_within`] gives.
const LEAST_BITS: u32 = 8;

/// Memory shared by the solvers of several threads: the numbers of all positions, and their paths.
pub struct VctMemory {
    pub(super) table: ProofTable,
    pub(super) recent: Recent,
    pub(super) paths: Paths,
}

impl VctMemory {
    /// The `bits` of the largest memory with which a solver takes at most `bytes` in all; at least
    /// those of the smallest useful one.
    pub fn bits_within(bytes: u64) -> u32 {
        (LEAST_BITS..40)
            .take_while(|&bits| bits == LEAST_BITS || VctMemory::bytes(bits) <= bytes)
            .last()
            .unwrap_or(LEAST_BITS)
    }

    /// Most bytes that a solver with a table of `2^bits` buckets takes.
    pub fn bytes(bits: u32) -> u64 {
        // Numbers, refuted fours, and children.
        let buckets = 1u64 << bits;
        let fours = (32 * buckets).min(8 << 20);
        96 * buckets + fours + CHILDREN_BYTES * recent_positions(bits)
    }

    /// About `96 * 2^bits` bytes, for the solvers of that many threads.
    pub fn new(bits: u32, threads: usize) -> VctMemory {
        VctMemory {
            table: ProofTable::new(bits),
            recent: Recent::new(recent_positions(bits).ilog2(), threads),
            paths: Paths::new(threads),
        }
    }
}

/// Positions whose children are kept beside a table of `2^bits` buckets.
fn recent_positions(bits: u32) -> u64 {
    ((1 << bits) / RECENT_SHARE).clamp(1, MOST_RECENT)
}

/// Progress of a search that several threads may share.
pub(super) struct Progress {
    /// Positions expanded, and most that may be.
    nodes: AtomicU64,
    max_nodes: u64,
    /// Set once, by the thread that ends the search.
    end: OnceLock<VctResult>,
}

impl Progress {
    pub(super) fn new(max_nodes: u64) -> Progress {
        Progress {
            nodes: AtomicU64::new(0),
            max_nodes,
            end: OnceLock::new(),
        }
    }

    /// True if the search is over, for whatever reason.
    pub(super) fn is_over(&self) -> bool {
        self.end.get().is_some()
    }

    /// Positions expanded by all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts a position that is about to be expanded; returns whether it is the last allowed one.
    pub(super) fn count_node(&self) -> bool {
        self.nodes.fetch_add(1, Ordering::Relaxed) + 1 >= self.max_nodes
    }

    /// Ends the search for all threads, and returns its result: `result`, or what another thread
    /// found if this one found nothing.
    pub(super) fn end(&self, result: VctResult) -> VctResult {
        let known = *self.end.get_or_init(|| result);
        match result {
            VctResult::Unknown => known,
            _ => result,
        }
    }
}

/// A running search, with the data that a thread needs to join.
pub(super) struct SharedSearch {
    pub position: Position,
    pub memory: Arc<VctMemory>,
    pub progress: Progress,
}

/// A position that was expanded, and its children.
#[derive(Default)]
struct Place {
    key: u64,
    children: Vec<Child>,
}

/// The children of recently expanded positions, each position at the place that the low bits of its
/// key name.
pub(super) struct Recent {
    places: Box<[Mutex<Place>]>,
    is_shared: bool,
}

impl Recent {
    /// Room for `2^bits` positions, shared by that many threads.
    pub(super) fn new(bits: u32, threads: usize) -> Recent {
        Recent {
            places: (0..1 << bits).map(|_| Mutex::default()).collect(),
            is_shared: threads > 1,
        }
    }

    fn place(&self, key: u64) -> MutexGuard<'_, Place> {
        let place = &self.places[key as usize & (self.places.len() - 1)];
        place
            .lock()
            .expect("no thread panics while it holds a place")
    }

    /// Takes out the children of that position, to be [`put`](Recent::put) back.
    pub(super) fn get(&self, key: u64) -> Option<Vec<Child>> {
        let mut place = self.place(key);
        if place.key != key {
            return None;
        }
        // Only another thread can ask for them before they are back.
        let children = match self.is_shared {
            true => place.children.clone(),
            false => std::mem::take(&mut place.children),
        };
        Some(children).filter(|children| !children.is_empty())
    }

    /// Gives other threads, if there are any, the children that were just found.
    pub(super) fn share(&self, key: u64, children: &[Child]) {
        if self.is_shared {
            self.put(key, children.to_vec());
        }
    }

    /// Stores the children of a position in place of another's.
    pub(super) fn put(&self, key: u64, children: Vec<Child>) {
        let old = std::mem::replace(&mut *self.place(key), Place { key, children });
        // Freed when the place is no longer locked.
        drop(old);
    }

    pub(super) fn clear(&self) {
        for place in 0..self.places.len() {
            self.place(place as u64).key = 0;
        }
    }
}

/// The keys of the positions on each thread's path from the root of its search, so that each thread
/// prefers positions where no other is.
///
/// Stones are only ever added, so every path reaches a position at the same depth: one level of the
/// other threads' paths tells how many of them are at work below it.
///
/// Sources: T. Kaneko, "Parallel depth first proof number search" (2010); J. Pawlewicz, R. Hayward,
/// "Scalable parallel DFPN search" (2013). They keep this in the table of proof numbers.
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

    /// True if there is room for more than one thread.
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

    /// Number of other threads' paths through the position of that key.
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
