//! Proof and disproof numbers, and a bounded table of them, shared by all threads without locks.
//!
//! Sources: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search" (1994);
//! R. Hyatt, T. Mann, "A lockless transposition-table implementation for parallel search" (2002).

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// How far a position is from being solved: the least number of open positions below it that have
/// to turn out won (lost) for the attacker so that it is won (lost) itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

/// More than any number that a search counts.
pub(super) const INFINITE: u32 = 1 << 28;

impl Numbers {
    /// The attacker wins.
    pub(super) const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };
    /// The attacker has no win that the search could find.
    pub(super) const REFUTED: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// Nothing is known, or anything will do as a limit.
    pub(super) const ENDLESS: Numbers = Numbers {
        proof: INFINITE,
        disproof: INFINITE,
    };

    /// Whether one of the numbers is at `limit` or beyond.
    pub(super) fn reach(self, limit: Numbers) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }

    /// Whether nothing is left to do.
    pub(super) fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// Positions that the search has looked at below, for choosing what to forget; 0 in a place
    /// that was never used.
    work: u32,
}

/// An [`Entry`] whose words threads may read and write at once.
#[derive(Zeroable)]
struct Slot {
    /// The key xor the other words, so that an entry half overwritten belongs to no position.
    check: AtomicU64,
    /// Proof number in the high half, disproof number in the low one.
    numbers: AtomicU64,
    work: AtomicU64,
}

impl Slot {
    fn load(&self) -> Entry {
        let numbers = self.numbers.load(Ordering::Relaxed);
        let work = self.work.load(Ordering::Relaxed);
        Entry {
            key: self.check.load(Ordering::Relaxed) ^ numbers ^ work,
            numbers: Numbers {
                proof: (numbers >> 32) as u32,
                disproof: numbers as u32,
            },
            work: work as u32,
        }
    }

    fn store(&self, entry: Entry) {
        let Numbers { proof, disproof } = entry.numbers;
        let numbers = u64::from(proof) << 32 | u64::from(disproof);
        let work = u64::from(entry.work);
        let check = entry.key ^ numbers ^ work;
        self.check.store(check, Ordering::Relaxed);
        self.numbers.store(numbers, Ordering::Relaxed);
        self.work.store(work, Ordering::Relaxed);
    }
}

/// Entries that share a place.
const BUCKET: usize = 4;

/// Numbers of positions already searched. Where room is short the position with the least work
/// below it is forgotten.
pub(super) struct NumberTable(Box<[[Slot; BUCKET]]>);

impl NumberTable {
    /// A table of `2^bits` buckets of 96 bytes.
    pub(super) fn new(bits: u32) -> NumberTable {
        NumberTable(bytemuck::zeroed_slice_box(1 << bits))
    }

    /// The logarithm of its size, see [`new`](NumberTable::new).
    pub(super) fn bits(&self) -> u32 {
        self.0.len().ilog2()
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        let nothing = Entry {
            key: 0,
            numbers: Numbers::ENDLESS,
            work: 0,
        };
        for slot in self.0.iter().flatten() {
            slot.store(nothing);
        }
    }

    fn bucket(&self, key: u64) -> &[Slot; BUCKET] {
        &self.0[key as usize & (self.0.len() - 1)]
    }

    /// What is known of the position with this key.
    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let mut entries = self.bucket(key).iter().map(Slot::load);
        let entry = entries.find(|entry| entry.key == key && entry.work > 0)?;
        Some(entry.numbers)
    }

    /// Remembers `numbers`, found with `work` more positions than were known of before. What was
    /// solved stays solved, whatever a thread says that did not hear of it.
    pub(super) fn put(&self, key: u64, numbers: Numbers, work: u32) {
        let bucket = self.bucket(key);
        let mut entry = Entry {
            key,
            numbers,
            work: work.max(1),
        };
        let mut place = &bucket[0];
        let mut least = u32::MAX;
        for slot in bucket {
            let old = slot.load();
            if old.key == key && old.work > 0 {
                entry.work = entry.work.saturating_add(old.work);
                if old.numbers.is_solved() && !numbers.is_solved() {
                    entry.numbers = old.numbers;
                }
                place = slot;
                break;
            }
            if old.work < least {
                least = old.work;
                place = slot;
            }
        }
        place.store(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that tell from which key they are.
    fn of(key: u64) -> Numbers {
        Numbers {
            proof: key as u32 | 1,
            disproof: (key >> 32) as u32 | 1,
        }
    }

    #[test]
    fn threads_that_write_one_place_at_once_spoil_nothing() {
        let table = NumberTable::new(0);
        let keys: Vec<u64> = (1..=9u64)
            .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let found = &|thread: usize| {
            let mut found = 0;
            for i in 0..20_000 {
                let key = keys[(i * 7 + thread) % keys.len()];
                table.put(key, of(key), 1);
                let key = keys[i % keys.len()];
                if let Some(numbers) = table.get(key) {
                    assert_eq!(numbers, of(key));
                    found += 1;
                }
            }
            found
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|thread| scope.spawn(move || found(thread)))
                .collect();
            for thread in threads {
                assert!(thread.join().unwrap() > 1_000);
            }
        });
    }

    #[test]
    fn the_position_with_the_least_work_is_forgotten() {
        let table = NumberTable::new(0);
        for key in 1..=4 {
            table.put(key, of(key), 10 * key as u32);
        }
        table.put(1, of(1), 100);
        table.put(5, of(5), 1);
        assert_eq!(table.get(2), None);
        assert_eq!(table.get(1), Some(of(1)));
        table.clear();
        assert!((1..=5).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn what_is_solved_stays_solved() {
        let table = NumberTable::new(0);
        table.put(7, Numbers::PROVEN, 1);
        table.put(7, of(7), 1);
        assert_eq!(table.get(7), Some(Numbers::PROVEN));
    }
}
