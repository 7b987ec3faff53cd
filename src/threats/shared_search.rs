//! What the threads that search one position for a win by threats share: the numbers of all
//! positions, where each thread is, and how far the search has come.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::paths::Paths;
use super::proof_numbers::ProofTable;
use super::recent::Recent;
use crate::position::Position;

/// What a search for a win by threats found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VctResult {
    /// The side to move wins.
    Win,
    /// The search has tried every threat that it makes, and none wins. Quiet moves far from all
    /// stones are not tried, so this is no proof that there is no win.
    None,
    /// A limit was reached.
    Unknown,
}

/// The table has this many times as many buckets as there are positions whose children are kept,
/// which are at most [`MOST_RECENT`].
const RECENT_SHARE: u64 = 1 << 3;
/// See [`RECENT_SHARE`].
const MOST_RECENT: u64 = 1 << 14;
/// Upper estimate of the children of one position that are kept, in bytes.
const CHILDREN_BYTES: u64 = 4 << 10;
/// Bits of the smallest table that [`VctMemory::bits_within`] gives.
const LEAST_BITS: u32 = 8;

/// What the solvers of several threads share: the numbers of all positions, and where each is.
pub struct VctMemory {
    pub(super) table: ProofTable,
    pub(super) recent: Recent,
    pub(super) paths: Paths,
}

impl VctMemory {
    /// The `bits` of the largest memory for which a solver takes at most `bytes` with all that it
    /// keeps beside the table, or those of the smallest one of use.
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

/// How far a search has come that several threads may do together.
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

    /// Whether the search is over, for whatever reason.
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

/// A search that is under way, with all that a thread needs to join it.
pub(super) struct SharedSearch {
    pub position: Position,
    pub memory: Arc<VctMemory>,
    pub progress: Progress,
}
