//! The part of the table's memory in use: a little at first, doubled whenever it fills.
//!
//! The first touch of memory is slow. A host of virtual machines takes 6 ms for every large page of
//! 2 MiB: a search that touches the whole table at once does nothing else in its first second. A
//! small table also stays in the processor's cache.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{BUCKET_BYTES, Slot, Tt, WAYS};

/// Most bytes in use at the start. Miri is too slow for tests of tables of some MiB.
const INITIAL_BYTES: usize = if cfg!(miri) { 16 << 10 } else { 16 << 20 };
/// The table is full when more than one slot in this many is taken: the next iteration of a search
/// stores about as much as all before it.
const SLOTS_PER_ENTRY: usize = 4;
/// Slots that are looked at to see how many are taken.
const SAMPLE: usize = 4096;
/// Bytes touched between two checks of the time.
const TOUCHED_PER_CHECK: usize = 2 << 20;
/// Buckets moved between two checks of the time.
const MOVED_PER_CHECK: usize = 1 << 14;
/// Time allowed for moving a bucket; an empty one takes 4 ns on a server's core.
const BUCKET_TIME: Duration = Duration::from_nanos(15);
/// Bytes of the smallest pages.
const PAGE: usize = 4096;

/// The buckets that a table of at most `max` buckets begins with, and how often they can double.
pub(super) fn plan(max: usize) -> (usize, u32) {
    let mut doublings = 0;
    while max >> doublings > INITIAL_BYTES / BUCKET_BYTES {
        doublings += 1;
    }
    (max >> doublings, doublings)
}

impl Tt {
    /// Doubles the buckets in use as long as the table is full and there is time for it.
    /// `time_left` is called every few milliseconds. Memory that was touched before the time ran
    /// out is fast in the next call. Entries move only where there is time to move all; if it ends
    /// sooner all the same, some are lost. Other threads may use the table meanwhile: entries that
    /// they look up may be missing, and stored ones may be lost.
    pub fn grow_if_full(&self, time_left: &dyn Fn() -> Duration) {
        while self.is_full() && self.double(time_left) {}
    }

    /// Uses all of the memory from now on.
    pub fn grow_to_max(&self) {
        while self.double(&|| Duration::MAX) {}
    }

    /// Lets the system map some of the memory in use, from slot `from` on, before a search needs
    /// it. Returns where to go on; `None` at the end.
    pub fn touch(&self, from: usize) -> Option<usize> {
        let rest = self.slots[self.first..][..self.buckets() * WAYS].get(from..)?;
        let part = &rest[..rest
            .len()
            .min(TOUCHED_PER_CHECK / std::mem::size_of::<Slot>())];
        for slot in part.iter().step_by(PAGE / std::mem::size_of::<Slot>()) {
            // A write that changes nothing: a search may use the table meanwhile.
            let _ = slot
                .data
                .compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
        (!part.is_empty()).then_some(from + part.len())
    }

    /// Buckets in use.
    #[inline]
    pub(super) fn buckets(&self) -> usize {
        self.buckets.load(Ordering::Relaxed)
    }

    fn is_full(&self) -> bool {
        let sample = &self.slots[self.first..][..SAMPLE.min(self.buckets() * WAYS)];
        let taken = |slot: &&Slot| slot.data.load(Ordering::Relaxed) != 0;
        sample.iter().filter(taken).count() * SLOTS_PER_ENTRY > sample.len()
    }

    /// Doubles the buckets in use. False if there is no memory for them or no time.
    fn double(&self, time_left: &dyn Fn() -> Duration) -> bool {
        let buckets = self.buckets();
        if buckets * 2 > self.max_buckets {
            return false;
        }
        let place = |bucket: usize| self.first + bucket * WAYS;
        let new = &self.slots[place(buckets)..place(2 * buckets)];
        for part in new.chunks(TOUCHED_PER_CHECK / std::mem::size_of::<Slot>()) {
            if time_left().is_zero() {
                return false;
            }
            for slot in part.iter().step_by(PAGE / std::mem::size_of::<Slot>()) {
                // The first write maps the page. (Or-ing zero would be optimised away.)
                slot.data.store(0, Ordering::Relaxed);
            }
        }
        if time_left() < BUCKET_TIME * buckets as u32 {
            return false;
        }
        // The entries of a bucket move to the two buckets in its place. The last bucket moves
        // first, so these two are already free.
        for bucket in (0..buckets).rev() {
            if bucket % MOVED_PER_CHECK == 0 && time_left().is_zero() {
                return false;
            }
            let mut ends = [place(2 * bucket), place(2 * bucket + 1)];
            let entries: [[u64; 2]; WAYS] = std::array::from_fn(|i| {
                let slot = &self.slots[place(bucket) + i];
                let data = slot.data.load(Ordering::Relaxed);
                let key = slot.key.load(Ordering::Relaxed) ^ data;
                slot.data.store(0, Ordering::Relaxed);
                [key, data]
            });
            for [key, data] in entries.into_iter().filter(|&[_, data]| data != 0) {
                let half = super::index(key, 2 * buckets) % 2;
                let slot = &self.slots[ends[half]];
                slot.key.store(key ^ data, Ordering::Relaxed);
                slot.data.store(data, Ordering::Relaxed);
                ends[half] += 1;
            }
        }
        self.buckets.store(2 * buckets, Ordering::Relaxed);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    const KIB: u64 = 3 * (INITIAL_BYTES as u64 >> 10);

    /// Number of keys of which hardly one replaces another before the table grows.
    const KEYS: usize = INITIAL_BYTES / 84;

    /// Keys spread over the table.
    fn keys() -> impl Iterator<Item = u64> {
        (1..=KEYS as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    fn a_table_begins_small_and_never_takes_more_than_it_may() {
        for kib in [0, 1, 100, 16 << 10, (16 << 10) + 1, KIB, 350 << 10] {
            let tt = Tt::new(kib);
            assert!(tt.buckets() * BUCKET_BYTES <= INITIAL_BYTES);
            tt.grow_to_max();
            let bytes = tt.buckets() * BUCKET_BYTES;
            assert!(bytes <= (kib as usize * 1024).max(BUCKET_BYTES), "{kib}");
            assert!(bytes * 100 >= kib as usize * 1024 * 99, "{kib}");
        }
    }

    #[test]
    fn what_was_stored_is_found_after_it_has_grown() {
        let tt = Tt::new(KIB);
        for (i, key) in keys().enumerate() {
            tt.store(key, entry(i as i32 % 30, 7));
        }
        let before: Vec<_> = keys().map(|key| tt.probe(key)).collect();
        let buckets = tt.buckets();
        tt.grow_to_max();
        assert!(tt.buckets() > buckets);
        let after: Vec<_> = keys().map(|key| tt.probe(key)).collect();
        assert!(before == after && before.iter().flatten().count() > KEYS / 20 * 19);
    }

    #[test]
    fn touching_goes_through_all_in_use_and_changes_nothing() {
        let tt = Tt::new(KIB);
        tt.store(7, entry(1, 1));
        let slots = tt.buckets() * WAYS;
        let mut last = 0;
        while let Some(next) = tt.touch(last) {
            assert!(next > last);
            last = next;
        }
        assert_eq!(last, slots);
        assert_eq!(tt.probe(7), Some(entry(1, 1)));
        assert_eq!(tt.touch(slots + 1), None);
    }

    #[test]
    fn it_grows_when_it_fills_and_there_is_time() {
        let tt = Tt::new(KIB);
        let small = tt.buckets();
        tt.grow_if_full(&|| Duration::MAX);
        assert_eq!(small, tt.buckets());
        // Three slots of ten: more than one in four, but not after one doubling.
        for n in 0..(small * WAYS * 3 / 10) as u64 {
            tt.store(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, 1));
        }
        for too_little in [Duration::ZERO, BUCKET_TIME * (small as u32 - 1)] {
            tt.grow_if_full(&|| too_little);
            assert_eq!(tt.buckets(), small);
        }
        tt.grow_if_full(&|| Duration::MAX);
        assert_eq!(tt.buckets(), 2 * small);
    }

    /// No thread waits for another, so what one reads may be half of what another writes.
    #[test]
    fn threads_that_store_during_growth_find_whole_entries_or_none() {
        const ROUNDS: u64 = if cfg!(miri) { 30 } else { 30_000 };
        let tt = &Tt::new(KIB);
        let keys: Vec<u64> = keys().take(5).collect();
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let keys = &keys;
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let place = (round % 5) as usize;
                        let depth = place as i32 * 10 + thread;
                        tt.store(keys[place], entry(depth, depth));
                        let Some(found) = tt.probe(keys[place]) else {
                            continue;
                        };
                        assert_eq!(found, entry(found.depth, found.depth));
                        assert_eq!(found.depth / 10, place as i32);
                    }
                });
            }
            scope.spawn(|| {
                tt.new_search();
                tt.touch(0);
                tt.grow_to_max();
                tt.raw_entries().count()
            });
        });
        assert_eq!(tt.buckets(), tt.max_buckets);
    }
}
