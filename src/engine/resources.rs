//! The resources granted to an engine, and their allocation: first the threads, then the network,
//! and the table from the rest.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::memory::{halved, has_room};
use crate::threats::VctMemory;

/// Resources that a user grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Limit of the whole process in bytes.
    pub max_memory: u64,
    /// Requested size of the transposition table in KiB; cut to what `max_memory` allows.
    pub hash_kib: Option<u64>,
}

impl Default for Options {
    /// One thread and Gomocup's 350 MiB.
    fn default() -> Options {
        Options {
            threads: 1,
            max_memory: 350 << 20,
            hash_kib: None,
        }
    }
}

/// Reserved for the program, its tables and the system, in KiB.
const BASE_KIB: u64 = 48 << 10;
/// One part in this many of the memory is reserved for the search for wins by threats. Its first
/// use allocates the part.
const VCT_PART: u64 = 16;
/// Size of the largest table for that search; see [`VctMemory::new`].
const MOST_VCT_BITS: u32 = 15;
/// Reserved for each search thread, in KiB.
const THREAD_KIB: u64 = 4 << 10;
/// Size of the transposition table where none is requested, in KiB.
const DEFAULT_HASH_KIB: u64 = 256 << 10;
/// Smallest table, granted whatever the limits, in KiB.
const MIN_HASH_KIB: u64 = 1 << 10;

/// Stack of a search thread: 256 plies of 8.3 KiB and a search for a win by 240 fours of 2 KiB
/// below the last one, in an optimised build.
pub(super) const STACK_BYTES: usize = if cfg!(debug_assertions) {
    16 << 20
} else {
    8 << 20
};
/// Memory that a search thread needs beside its stack.
const THREAD_BYTES: usize = 3 << 20;
/// Left free for the rest: the tables of patterns and of the search for wins by threats, positions,
/// texts, and what the session keeps.
const RESERVE_BYTES: usize = 32 << 20;

/// Most search threads for each processor: 32 on each of two processors stop within 2 ms of the
/// time, 128 are up to 23 ms late (AMD EPYC, Zen 4, moves of 100 ms).
const THREADS_PER_PROCESSOR: usize = 32;

/// Most search threads for this machine; no bound where its processors cannot be counted. They are
/// counted once, because on Linux that opens files.
pub(super) static MOST_THREADS: LazyLock<usize> = LazyLock::new(|| {
    available_parallelism().map_or(usize::MAX, |n| n.get() * THREADS_PER_PROCESSOR)
});

impl Options {
    /// The default limit of memory, and what that many threads take beyond the first.
    pub fn memory_for(threads: usize) -> u64 {
        Options::default().max_memory + ((THREAD_KIB * (threads as u64).saturating_sub(1)) << 10)
    }

    /// Options for `threads` threads and, on top of the default memory, a table of `hash_mib` MiB.
    pub fn with_hash(threads: usize, hash_mib: Option<u32>) -> Options {
        let hash = hash_mib.map(|mib| u64::from(mib) << 20);
        Options {
            threads,
            max_memory: Options::memory_for(threads) + hash.unwrap_or(0),
            hash_kib: hash.map(|bytes| bytes >> 10),
        }
    }

    /// Size of the transposition table in KiB under these options and with the classical
    /// evaluation.
    pub fn table_kib(&self) -> u64 {
        self.table_kib_beside(0)
    }

    /// Search threads with room in `max_memory`, at least 1, beside an evaluation of
    /// `evaluation_kib` and the smallest table.
    pub(super) fn threads_beside(&self, evaluation_kib: u64) -> usize {
        let reserved = BASE_KIB + MIN_HASH_KIB + evaluation_kib;
        let most = (self.max_memory >> 10).saturating_sub(reserved) / THREAD_KIB;
        self.threads.min(most.max(1) as usize)
    }

    /// Size of the table of the search for wins by threats, in bits of its positions.
    pub(super) fn vct_bits(&self) -> u32 {
        VctMemory::bits_within(self.max_memory / VCT_PART).min(MOST_VCT_BITS)
    }

    /// Size of the transposition table in KiB beside an evaluation of that size.
    pub(super) fn table_kib_beside(&self, evaluation_kib: u64) -> u64 {
        let threads = self.threads_beside(evaluation_kib) as u64;
        let vct_kib = VctMemory::bytes(self.vct_bits()) >> 10;
        let reserved = BASE_KIB + THREAD_KIB * threads + evaluation_kib + vct_kib;
        let most = (self.max_memory >> 10).saturating_sub(reserved);
        self.hash_kib
            .unwrap_or(DEFAULT_HASH_KIB)
            .min(most)
            .max(MIN_HASH_KIB)
    }
}

/// Memory that the system refused, and its consequence.
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
    /// More search threads wanted than the processors can stop in time.
    #[error("too few processors for {wanted} search threads: {granted} search")]
    Processors {
        /// Threads wanted.
        wanted: usize,
        /// Most threads.
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

/// Shortages of an engine, each kind told once.
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

/// True if there is room for `bytes`, one search thread and the smallest table.
pub(super) fn can_search_beside(bytes: u64) -> bool {
    let least = (THREAD_BYTES + RESERVE_BYTES) as u64 + (MIN_HASH_KIB << 10);
    has_room(bytes.saturating_add(least))
}

/// Starts `threads` threads for searches, or half of them, a quarter and so on, so that a search
/// finds room beside `beside_bytes`.
pub(super) fn start_pool(threads: usize, beside_bytes: u64) -> Option<ThreadPool> {
    let start = |threads: u64| {
        let bytes = threads * (STACK_BYTES + THREAD_BYTES) as u64;
        if !can_search_beside(bytes.saturating_add(beside_bytes)) {
            return None;
        }
        let builder = ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .stack_size(STACK_BYTES)
            .thread_name(|i| format!("search-{i}"));
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        let builder = builder.spawn_handler(|thread| crate::lent_threads::spawn(|| thread.run()));
        let pool = builder.build();
        pool.map_err(|error| log::error!("no {threads} search threads: {error}"))
            .ok()
    };
    halved(threads as u64, 1, start)
}

/// Size in KiB of the transposition table: `kib`, or half, a quarter and so on until `beside_bytes`
/// and the reserve stay free. `None` where there is no room for the smallest one.
pub(super) fn granted_table_kib(kib: u64, beside_bytes: u64) -> Option<u64> {
    let beside = beside_bytes.saturating_add(RESERVE_BYTES as u64);
    halved(kib, MIN_HASH_KIB, |kib| {
        has_room((kib << 10).saturating_add(beside)).then_some(kib)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_the_process_limit() {
        let options = Options::default();
        assert_eq!(options.table_kib(), DEFAULT_HASH_KIB);
        let small = Options {
            max_memory: 100 << 20,
            hash_kib: Some(1 << 30),
            ..options
        };
        let vct_kib = VctMemory::bytes(small.vct_bits()) >> 10;
        assert!((1 << 10..100 << 6).contains(&vct_kib));
        assert_eq!(
            small.table_kib(),
            (100 << 10) - BASE_KIB - THREAD_KIB - vct_kib
        );
        assert_eq!(small.table_kib_beside(9), small.table_kib() - 9);
        let many = Options {
            threads: 64,
            ..options
        };
        assert_eq!(many.threads_beside(0), 64);
        assert_eq!(
            Options {
                max_memory: 64 << 20,
                ..many
            }
            .threads_beside(0),
            3
        );
        assert_eq!(
            Options {
                max_memory: 1,
                ..many
            }
            .threads_beside(9),
            1
        );
        let granted = Options {
            max_memory: Options::memory_for(64),
            ..many
        };
        assert_eq!(granted.table_kib(), DEFAULT_HASH_KIB);
        let none = Options {
            max_memory: 1,
            ..options
        };
        assert_eq!(none.table_kib(), MIN_HASH_KIB);
        assert_eq!(none.table_kib_beside(9), MIN_HASH_KIB);
    }

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
        let table = granted_table_kib(1 << 50, 0).unwrap();
        assert!((MIN_HASH_KIB..1 << 40).contains(&table));
        assert_eq!(granted_table_kib(1 << 10, 0), Some(1 << 10));
        assert_eq!(granted_table_kib(1 << 10, u64::MAX / 4), None);
        assert!(start_pool(4, u64::MAX / 4).is_none());
        assert_eq!(start_pool(2, 0).unwrap().current_num_threads(), 2);
    }
}
