//! The resources that an engine may use.

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
/// One part in this many of the memory is reserved for the search for wins by threats, which takes it
/// at its first use.
const VCT_PART: u64 = 16;
/// Size of the largest table for that search; see [`VctMemory::new`](crate::threats::VctMemory::new).
const MOST_VCT_BITS: u32 = 15;
/// Reserved for each search thread, in KiB.
const THREAD_KIB: u64 = 4 << 10;
/// Size of the transposition table where none is requested, in KiB.
const DEFAULT_HASH_KIB: u64 = 256 << 10;
/// Smallest table, granted whatever the limits, in KiB.
const MIN_HASH_KIB: u64 = 1 << 10;

impl Options {
    /// The default limit of memory, and what that many threads take beyond the first.
    pub fn memory_for(threads: usize) -> u64 {
        Options::default().max_memory + ((THREAD_KIB * (threads as u64).saturating_sub(1)) << 10)
    }

    /// That many threads, and on top of the default memory a table of that many MiB.
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

    /// Search threads that `max_memory` has room for, at least 1, beside an evaluation of that size
    /// and the smallest table.
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
}
