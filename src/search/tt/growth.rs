//! How much of the table's memory is in use: a little at first, twice as much whenever it fills.
//!
//! Memory is dear at its first touch. A host of virtual machines was seen to take 6 ms for every
//! large page of 2 MiB, so that a search which touched the whole table at once did nothing else for
//! its first second; and what is small stays in the processor's cache.

use std::sync::atomic::Ordering;

use super::{BUCKET_BYTES, Slot, Tt, WAYS};

/// Most bytes in use at first.
const START_BYTES: usize = 16 << 20;
/// The table doubles when more than one slot in so many is taken. The next iteration of a search
/// stores about as much as all before it.
const SPARE: usize = 4;
/// Slots that are looked at to see how many are taken.
const SAMPLE: usize = 4096;
/// Bytes that are touched, and buckets that are moved, between two questions whether to stop.
const TOUCHED: usize = 2 << 20;
const MOVED: usize = 1 << 14;
/// Bytes of the smallest pages.
const PAGE: usize = 4096;

/// Of a table that may have `most` buckets how many it begins with, and how often that doubles at
/// most.
pub(super) fn plan(most: usize) -> (usize, u32) {
    let mut doublings = 0;
    while most >> doublings > START_BYTES / BUCKET_BYTES {
        doublings += 1;
    }
    (most >> doublings, doublings)
}

impl Tt {
    /// Takes more of the memory into use if the table has filled. `is_stopped` is asked every
    /// millisecond or so; what it cuts short may lose entries, nothing else. Other threads may use
    /// the table meanwhile: what they look for may be missing, and what they store may be lost.
    pub fn make_room(&self, is_stopped: &dyn Fn() -> bool) {
        while self.is_crowded() && self.double(is_stopped) {}
    }

    /// Takes all of the memory into use.
    pub fn open_whole(&self) {
        while self.double(&|| false) {}
    }

    /// Buckets in use.
    #[inline]
    pub(super) fn buckets(&self) -> usize {
        self.buckets.load(Ordering::Relaxed)
    }

    fn is_crowded(&self) -> bool {
        let sample = &self.slots[self.first..][..SAMPLE.min(self.buckets() * WAYS)];
        let taken = |slot: &&Slot| slot.data.load(Ordering::Relaxed) != 0;
        sample.iter().filter(taken).count() * SPARE > sample.len()
    }

    /// Twice as many buckets. False if there is no memory for them or it was stopped.
    fn double(&self, is_stopped: &dyn Fn() -> bool) -> bool {
        let buckets = self.buckets();
        if buckets * 2 > self.most_buckets {
            return false;
        }
        let place = |bucket: usize| self.first + bucket * WAYS;
        let new = &self.slots[place(buckets)..place(2 * buckets)];
        for part in new.chunks(TOUCHED / std::mem::size_of::<Slot>()) {
            if is_stopped() {
                return false;
            }
            for slot in part.iter().step_by(PAGE / std::mem::size_of::<Slot>()) {
                // So that the page comes. (Or-ing nothing in would be compiled away.)
                slot.data.store(0, Ordering::Relaxed);
            }
        }
        // The entries of a bucket belong into the two that take its place. From the last one on,
        // so that these are free already.
        for bucket in (0..buckets).rev() {
            if bucket % MOVED == 0 && is_stopped() {
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

    const KIB: u64 = 3 * (START_BYTES as u64 >> 10);

    /// Keys all over the table, none of which pushes another out.
    fn keys() -> impl Iterator<Item = u64> {
        (1..200_000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    fn a_table_begins_small_and_never_takes_more_than_it_may() {
        for kib in [0, 1, 100, 16 << 10, (16 << 10) + 1, KIB, 350 << 10] {
            let tt = Tt::new(kib);
            assert!(tt.buckets() * BUCKET_BYTES <= START_BYTES);
            tt.open_whole();
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
        tt.open_whole();
        assert!(tt.buckets() > buckets);
        let after: Vec<_> = keys().map(|key| tt.probe(key)).collect();
        assert!(before == after && before.iter().flatten().count() > 190_000);
    }

    #[test]
    fn it_grows_when_it_fills_and_not_when_stopped() {
        let tt = Tt::new(KIB);
        let small = tt.buckets();
        tt.make_room(&|| false);
        assert_eq!(small, tt.buckets());
        // Three slots of ten: more than one in four, but not after one doubling.
        for n in 0..(small * WAYS * 3 / 10) as u64 {
            tt.store(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(1, 1));
        }
        tt.make_room(&|| true);
        assert_eq!(tt.buckets(), small);
        tt.make_room(&|| false);
        assert_eq!(tt.buckets(), 2 * small);
    }
}
