//! The transposition table: shared by all threads without locks.
//!
//! Source: R. Hyatt, T. Mann, "A lockless transposition-table implementation for parallel search"
//! (2002): an entry's key word is stored xor its data word, so that a torn entry does not match.

mod growth;

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use bytemuck::Zeroable;

use crate::memory;
use crate::types::{POINTS, Point, Score};

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// No score: only the move and the evaluation are known.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

impl Bound {
    /// True if `score` with this bound is a proved win or loss, which holds at any depth.
    #[inline]
    pub fn proves(self, score: Score) -> bool {
        match self {
            Bound::None => false,
            Bound::Upper => score.is_loss(),
            Bound::Lower => score.is_win(),
            Bound::Exact => score.is_decided(),
        }
    }

    /// True if a score with this bound answers a search of the window (`alpha`, `beta`).
    #[inline]
    pub fn is_cutoff(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::None => false,
            Bound::Upper => score <= alpha,
            Bound::Lower => score >= beta,
            Bound::Exact => true,
        }
    }
}

/// Entry of the table for one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move.
    pub best: Option<Point>,
    /// Depth of the search behind the score, in plies; 0 and below for quiescence search.
    pub depth: i32,
    /// Kind of score.
    pub bound: Bound,
    /// Score, with wins counted in plies from this position.
    pub score: Score,
    /// Static evaluation.
    pub eval: Score,
    /// True if the position was on a principal variation.
    pub was_pv: bool,
}

const NO_MOVE: u64 = 1023;
const DEPTH_OFFSET: i32 = 8;
const AGE_BITS: u32 = 5;

impl TtEntry {
    /// Bits: move 10, depth 9, bound 2, age 5, score 16, evaluation 16, principal variation 1.
    fn pack(&self, age: u8) -> u64 {
        let best = self.best.map_or(NO_MOVE, |p| p.index() as u64);
        let depth = (self.depth + DEPTH_OFFSET).clamp(0, 511) as u64;
        best | depth << 10
            | (self.bound as u64) << 19
            | u64::from(age) << 21
            | u64::from(self.score.raw() as u16) << 26
            | u64::from(self.eval.raw() as u16) << 42
            | u64::from(self.was_pv) << 58
    }

    /// The score, at `ply`, if it answers a search of the window (`alpha`, `beta`); the entry's
    /// depth is not checked.
    #[inline]
    pub(super) fn cutoff(&self, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
        let score = self.score.from_node(ply);
        self.bound.is_cutoff(score, alpha, beta).then_some(score)
    }

    fn unpack(data: u64) -> TtEntry {
        let best = data & 1023;
        TtEntry {
            best: (best != NO_MOVE).then(|| Point::from_index(best as usize)),
            depth: (data >> 10 & 511) as i32 - DEPTH_OFFSET,
            bound: match data >> 19 & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            score: Score::from_raw((data >> 26) as u16 as i16),
            eval: Score::from_raw((data >> 42) as u16 as i16),
            was_pv: data >> 58 & 1 == 1,
        }
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 21) as u8 & ((1 << AGE_BITS) - 1)
}

fn depth_of(data: u64) -> i32 {
    (data >> 10 & 511) as i32
}

#[derive(Zeroable)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

/// Slots of a bucket: one cache line.
const WAYS: usize = 4;
/// Bytes of a bucket.
const BUCKET_BYTES: usize = WAYS * std::mem::size_of::<Slot>();

/// See the [module](self).
pub struct Tt {
    slots: Box<[Slot]>,
    /// First slot that begins a cache line. A box of larger alignment would do the same, but then
    /// the system's allocator writes every zero instead of mapping fresh pages.
    first: usize,
    /// Buckets in use; see [`growth`].
    buckets: AtomicUsize,
    /// Most buckets that may be in use.
    max_buckets: usize,
    age: AtomicU8,
}

impl Tt {
    /// A table of at most `kib` KiB (at least one bucket), halved until the system grants it. The
    /// memory comes zeroed from the system and is not touched here, so that a large table costs no
    /// time before its use.
    pub fn new(kib: u64) -> Tt {
        let buckets = (kib * 1024 / BUCKET_BYTES as u64).max(1);
        let allocate = |buckets| {
            let slots = bytemuck::try_zeroed_slice_box((buckets as usize + 1) * WAYS);
            Some((buckets as usize, slots.ok()?))
        };
        let granted = memory::halved(buckets, 1, allocate);
        let (buckets, slots): (usize, Box<[Slot]>) = granted.expect("memory for one bucket");
        memory::advise_huge_pages(&slots);
        let misaligned = slots.as_ptr().addr() % BUCKET_BYTES / std::mem::size_of::<Slot>();
        let (begin, doublings) = growth::plan(buckets);
        Tt {
            slots,
            first: (WAYS - misaligned) % WAYS,
            buckets: AtomicUsize::new(begin),
            max_buckets: begin << doublings,
            age: AtomicU8::new(0),
        }
    }

    /// Starts a new search: the entries stored so far become one search older.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store(
            age.wrapping_add(1) & ((1 << AGE_BITS) - 1),
            Ordering::Relaxed,
        );
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let from = self.first + index(key, self.buckets()) * WAYS;
        &self.slots[from..from + WAYS]
    }

    /// Prefetches the bucket of `key`.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.bucket(key).as_ptr());
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.key.load(Ordering::Relaxed) ^ data == key && data != 0)
                .then(|| TtEntry::unpack(data))
        })
    }

    /// Stores `entry` in place of an older entry of the same position, or of the entry of its
    /// bucket with the least value: shallow and old. A position's best move is kept if the new
    /// search found none.
    pub fn store(&self, key: u64, mut entry: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = TtEntry::unpack(data);
                let keep = entry.bound != Bound::Exact
                    && age_of(data) == age
                    && old.depth > entry.depth + 4
                    && old.bound != Bound::None;
                if keep {
                    return;
                }
                entry.best = entry.best.or(old.best);
                victim = Some(slot);
                break;
            }
            let searches = i32::from(age.wrapping_sub(age_of(data)) & ((1 << AGE_BITS) - 1));
            let value = if data == 0 {
                i32::MIN
            } else {
                depth_of(data) - 8 * searches
            };
            if value < least {
                least = value;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            let data = entry.pack(age);
            slot.key.store(key ^ data, Ordering::Relaxed);
            slot.data.store(data, Ordering::Relaxed);
        }
    }

    /// All entries, each as a key and a packed data word, for a file. Entries that are written
    /// meanwhile may be missing or come in their new form.
    pub fn raw_entries(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.slots.iter().filter_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let key = slot.key.load(Ordering::Relaxed) ^ data;
            // A slot torn by a write during the read belongs to no position.
            (data != 0 && slot.data.load(Ordering::Relaxed) == data).then_some([key, data])
        })
    }

    /// Stores an entry of [`raw_entries`](Tt::raw_entries). Returns whether it is valid.
    pub fn insert_raw(&self, [key, data]: [u64; 2]) -> bool {
        let best = data & 1023;
        let sound = data != 0 && (best == NO_MOVE || (best as usize) < POINTS);
        if sound {
            self.store(key, TtEntry::unpack(data));
        }
        sound
    }

    /// Part of the table that holds entries of the current search, 0 to 1, estimated on its first
    /// slots. Memory that is not in use yet counts as empty.
    pub fn usage(&self) -> f64 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.slots[self.first..][..(self.buckets() * WAYS).min(4000)];
        let used = sample
            .iter()
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        let in_use = self.buckets() as f64 / self.max_buckets as f64;
        in_use * used as f64 / sample.len() as f64
    }
}

/// The bucket of `key` among `buckets`, any number of them: the key's high bits are scaled to it.
/// Source: D. Lemire, "Fast random integer generation in an interval" (2019).
#[inline]
fn index(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn entry(depth: i32, score: i32) -> TtEntry {
        TtEntry {
            best: Some(Point::new(21, 21)),
            depth,
            bound: Bound::Lower,
            score: Score::value(score),
            eval: Score::value(-score),
            was_pv: true,
        }
    }

    #[test]
    fn entries_come_back_whole() {
        let tt = Tt::new(64);
        let stored = TtEntry {
            score: -Score::win_in(33),
            best: None,
            ..entry(-3, 77)
        };
        tt.store(12345, stored);
        assert_eq!(tt.probe(12345), Some(stored));
        assert_eq!(tt.probe(12346), None);
    }

    #[test]
    fn a_best_move_survives_and_deep_entries_are_kept() {
        let tt = Tt::new(64);
        tt.store(7, entry(20, 5));
        tt.store(
            7,
            TtEntry {
                best: None,
                ..entry(3, 9)
            },
        );
        assert_eq!(tt.probe(7), Some(entry(20, 5)));
        tt.new_search();
        tt.store(
            7,
            TtEntry {
                best: None,
                ..entry(3, 9)
            },
        );
        assert_eq!(tt.probe(7), Some(entry(3, 9)));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    #[cfg_attr(
        windows,
        ignore = "wine grants terabytes, and takes a byte for each of their pages"
    )]
    fn a_table_larger_than_memory_shrinks() {
        let tt = Tt::new(1 << 50);
        tt.store(7, entry(20, 5));
        assert_eq!(tt.probe(7), Some(entry(20, 5)));
    }

    #[test]
    fn the_shallowest_oldest_entry_makes_room() {
        let tt = Tt::new(0);
        for key in 1..=4 {
            tt.store(key, entry(key as i32 * 3, 1));
        }
        tt.store(9, entry(1, 1));
        assert!(tt.probe(1).is_none() && tt.probe(4).is_some() && tt.probe(9).is_some());
    }
}
