//! What an engine takes from the system, in which order, and what it does where there is too
//! little: first the threads, then the network, and the table from what is left. What may be
//! refused is asked for beforehand, with room to spare for all that is small.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::memory::has_room;

/// Stack of a search thread: the recursion is deep.
pub(super) const STACK_BYTES: usize = 16 << 20;
/// Stack of a search thread where there is no room for more: 256 plies of 8.3 KiB and a search for
/// a win by 240 fours of 2 KiB below the last one, in an optimised build.
pub(super) const LEAST_STACK_BYTES: usize = 4 << 20;
/// Memory that a search thread needs beside its stack.
const THREAD_BYTES: usize = 2 << 20;
/// Memory for what is small or short-lived: positions, texts, what the session keeps.
const SPARE_BYTES: usize = 2 << 20;
/// Memory for the table of the VCT search and for the pattern tables while they are built.
const TABLES_BYTES: usize = 6 << 20;
/// The smallest transposition table, in KiB.
const MIN_TABLE_KIB: u64 = 1 << 10;

/// What an engine could not get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shortage {
    /// Fewer search threads than wanted.
    #[error("too little memory for {wanted} search threads: {granted} search")]
    Threads {
        /// Threads wanted.
        wanted: usize,
        /// Threads that search.
        granted: usize,
    },
    /// A smaller transposition table than planned.
    #[error("too little memory for a hash table of {wanted} KiB: it has {granted} KiB")]
    Table {
        /// Size planned, in KiB.
        wanted: u64,
        /// Its size, in KiB.
        granted: u64,
    },
    /// No search at all.
    #[error("too little memory to search: moves are played without search")]
    Search,
}

/// What the engine lacks, each kind told once.
#[derive(Debug, Default)]
pub(super) struct Shortages {
    untold: Vec<Shortage>,
    told: Vec<std::mem::Discriminant<Shortage>>,
}

impl Shortages {
    pub(super) fn add(&mut self, shortage: Shortage) {
        let kind = std::mem::discriminant(&shortage);
        if !self.told.contains(&kind) {
            log::warn!("{shortage}");
            self.told.push(kind);
            self.untold.push(shortage);
        }
    }

    pub(super) fn take(&mut self) -> Vec<Shortage> {
        std::mem::take(&mut self.untold)
    }
}

/// Bytes to leave free for searches with that many threads, whose own data exist.
fn spare_bytes(threads: usize) -> usize {
    // A helper's VCT solver has tables of its own, allocated at its first use.
    SPARE_BYTES + (threads << 20)
}

/// Bytes that searches with that many threads need beside the stacks and the evaluation: their data,
/// and the smallest table.
fn least_bytes(threads: usize) -> usize {
    let table = (MIN_TABLE_KIB << 10) as usize;
    THREAD_BYTES * threads + TABLES_BYTES + spare_bytes(threads) + table
}

/// Whether one thread can search at all, with an evaluation of that size and the smallest table.
pub(super) fn can_search(evaluation_bytes: usize) -> bool {
    has_room(least_bytes(1) + evaluation_bytes)
}

/// Starts that many threads for searches, or as many as there is room for: half of them, a quarter
/// and so on. `callers` search besides, on stacks that they have. `beside_bytes` must be left, and
/// `wanted_bytes` should.
pub(super) fn start_pool(
    threads: usize,
    callers: usize,
    beside_bytes: usize,
    wanted_bytes: usize,
) -> Option<ThreadPool> {
    let halves = std::iter::successors(Some(threads), |&n| Some(n / 2));
    halves.take_while(|&n| n > 0).find_map(|n| {
        let has_room =
            |stack: usize, more: usize| has_room(stack.saturating_mul(n).saturating_add(more));
        let least = least_bytes(n + callers) + beside_bytes;
        let stack = if has_room(STACK_BYTES, least.saturating_add(wanted_bytes)) {
            STACK_BYTES
        } else if has_room(LEAST_STACK_BYTES, least) {
            LEAST_STACK_BYTES
        } else {
            return None;
        };
        let builder = ThreadPoolBuilder::new()
            .num_threads(n)
            .stack_size(stack)
            .thread_name(|i| format!("search-{i}"));
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        let builder = builder.spawn_handler(|thread| crate::lent_threads::spawn(|| thread.run()));
        let pool = builder.build();
        pool.map_err(|error| log::error!("no search threads: {error}"))
            .ok()
    })
}

/// Size in KiB of the transposition table: at most `kib`, and no more than leaves `beside_bytes` and
/// what searches with that many threads need. `None` where there is no room for the smallest one.
pub(super) fn table_kib(kib: u64, threads: usize, beside_bytes: usize) -> Option<u64> {
    let beside = beside_bytes + TABLES_BYTES + spare_bytes(threads);
    let is_granted = |kib: u64| {
        let bytes = usize::try_from(kib << 10).unwrap_or(usize::MAX);
        has_room(bytes.saturating_add(beside))
    };
    // Steps of a quarter: halves would leave up to half of the memory unused.
    let mut granted = kib;
    while !is_granted(granted) {
        if granted <= MIN_TABLE_KIB {
            return None;
        }
        granted = (granted / 4 * 3).max(MIN_TABLE_KIB);
    }
    Some(granted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_shortage_is_told_once() {
        let mut shortages = Shortages::default();
        let threads = |granted| Shortage::Threads {
            wanted: 64,
            granted,
        };
        shortages.add(threads(8));
        shortages.add(threads(4));
        shortages.add(Shortage::Search);
        assert_eq!(shortages.take(), [threads(8), Shortage::Search]);
        shortages.add(threads(2));
        assert_eq!(shortages.take(), []);
    }

    #[test]
    #[cfg_attr(
        windows,
        ignore = "wine grants terabytes, and takes a byte for each of their pages"
    )]
    fn what_no_system_has_shrinks_to_what_it_has() {
        let table = table_kib(1 << 50, 1, 0).unwrap();
        assert!((MIN_TABLE_KIB..1 << 40).contains(&table));
        assert_eq!(table_kib(1 << 10, 1, 0), Some(1 << 10));
        assert_eq!(table_kib(1 << 10, 1, usize::MAX / 4), None);
        assert!(start_pool(4, 1, usize::MAX / 4, 0).is_none());
        let pool = start_pool(2, 1, 0, usize::MAX).unwrap();
        assert_eq!(pool.current_num_threads(), 2);
    }
}
