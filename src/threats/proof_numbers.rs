//! Proof and disproof numbers: of a position, of all its children combined, and a bounded table of
//! them, shared by all threads without locks.
//!
//! Sources: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search" (1994);
//! R. Hyatt, T. Mann, "A lockless transposition-table implementation for parallel search" (2002).

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

use crate::memory::halved;

/// Distance of a position from being solved: the least number of open positions below, all won
/// (lost) for the attacker, that prove its own win (loss).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub proof: u32,
    pub disproof: u32,
}

/// More than any number that a search counts.
const INFINITE: u32 = 1 << 28;

impl ProofNumbers {
    /// The attacker wins.
    pub(super) const PROVEN: ProofNumbers = ProofNumbers {
        proof: 0,
        disproof: INFINITE,
    };
    /// The attacker has no win that the search could find.
    pub(super) const REFUTED: ProofNumbers = ProofNumbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// Nothing is known of a position; as a limit, none.
    pub(super) const UNLIMITED: ProofNumbers = ProofNumbers {
        proof: INFINITE,
        disproof: INFINITE,
    };

    /// True if one of the numbers is at `limit` or beyond.
    pub(super) fn reach(self, limit: ProofNumbers) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }

    /// True if nothing is left to do.
    pub(super) fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// Numbers of a position in the table.
#[derive(Clone, Copy)]
struct ProofEntry {
    key: u64,
    numbers: ProofNumbers,
    /// Positions searched below, for choosing what to replace; 0 in a slot that was never used.
    work: u32,
}

/// A [`ProofEntry`] that threads may read and write at the same time.
#[derive(Zeroable)]
struct Slot {
    /// The key xor the other words, so that a half-overwritten entry matches no position.
    check: AtomicU64,
    /// Proof number in the high half, disproof number in the low one.
    numbers: AtomicU64,
    work: AtomicU64,
}

impl Slot {
    fn load(&self) -> ProofEntry {
        let numbers = self.numbers.load(Ordering::Relaxed);
        let work = self.work.load(Ordering::Relaxed);
        ProofEntry {
            key: self.check.load(Ordering::Relaxed) ^ numbers ^ work,
            numbers: ProofNumbers {
                proof: (numbers >> 32) as u32,
                disproof: numbers as u32,
            },
            work: work as u32,
        }
    }

    fn store(&self, entry: ProofEntry) {
        let ProofNumbers { proof, disproof } = entry.numbers;
        let numbers = u64::from(proof) << 32 | u64::from(disproof);
        let work = u64::from(entry.work);
        let check = entry.key ^ numbers ^ work;
        self.check.store(check, Ordering::Relaxed);
        self.numbers.store(numbers, Ordering::Relaxed);
        self.work.store(work, Ordering::Relaxed);
    }
}

/// Entries of one bucket.
const BUCKET: usize = 4;

/// The numbers of positions already searched. In a full bucket the position with the least work
/// below it is replaced.
pub(super) struct ProofTable(Box<[[Slot; BUCKET]]>);

impl ProofTable {
    /// A table of at most `2^bits` buckets of 96 bytes, halved until the system grants it.
    pub(super) fn new(bits: u32) -> ProofTable {
        let allocate = |buckets| bytemuck::try_zeroed_slice_box(buckets as usize).ok();
        ProofTable(halved(1 << bits, 1, allocate).expect("memory for one bucket"))
    }

    /// The logarithm of its size, see [`new`](ProofTable::new).
    pub(super) fn bits(&self) -> u32 {
        self.0.len().ilog2()
    }

    pub(super) fn clear(&self) {
        let nothing = ProofEntry {
            key: 0,
            numbers: ProofNumbers::UNLIMITED,
            work: 0,
        };
        for slot in self.0.iter().flatten() {
            slot.store(nothing);
        }
    }

    fn bucket(&self, key: u64) -> &[Slot; BUCKET] {
        &self.0[key as usize & (self.0.len() - 1)]
    }

    /// Numbers of the position with this key, if the table has them.
    pub(super) fn get(&self, key: u64) -> Option<ProofNumbers> {
        let mut entries = self.bucket(key).iter().map(Slot::load);
        let entry = entries.find(|entry| entry.key == key && entry.work > 0)?;
        Some(entry.numbers)
    }

    /// Stores `numbers`, which took `work` more positions than before. A solved position stays
    /// solved, even if a thread stores numbers from before.
    pub(super) fn put(&self, key: u64, numbers: ProofNumbers, work: u32) {
        let bucket = self.bucket(key);
        let mut entry = ProofEntry {
            key,
            numbers,
            work: work.max(1),
        };
        let mut victim = &bucket[0];
        let mut least = u32::MAX;
        for slot in bucket {
            let old = slot.load();
            if old.key == key && old.work > 0 {
                entry.work = entry.work.saturating_add(old.work);
                if old.numbers.is_solved() && !numbers.is_solved() {
                    entry.numbers = old.numbers;
                }
                victim = slot;
                break;
            }
            if old.work < least {
                least = old.work;
                victim = slot;
            }
        }
        victim.store(entry);
    }
}

/// The proof numbers of all children of a position, combined.
pub(super) struct NodeSummary {
    /// Index of the child to search next.
    pub best: usize,
    /// The position's own numbers.
    pub numbers: ProofNumbers,
    /// The deciding number (proof for the attacker, disproof for the defender) of the best child,
    /// and the least virtual one of any other child.
    chosen: u32,
    second: u32,
    /// Number of children whose other number is not 0.
    open: u32,
}

/// Growth of a deciding number while `others` threads are at work below: for each as far as a
/// search goes beyond the second-best child, see [`NodeSummary::child_limit`].
///
/// Source: virtual proof and disproof numbers, Kaneko (2010).
fn virtual_part(own: u32, others: u32) -> u32 {
    others.saturating_mul(own / 4 + 1)
}

impl NodeSummary {
    /// Combines what `look` tells of each of `children` (at least one): its numbers, and how many
    /// other threads are at work below it.
    pub(super) fn of<const ATTACK: bool, C>(
        children: &[C],
        look: impl Fn(&C) -> (ProofNumbers, u32),
    ) -> NodeSummary {
        let (mut best, mut chosen, mut second) = (0, 0, INFINITE);
        let (mut least, mut least_virtual) = (u32::MAX, u32::MAX);
        let (mut most, mut open) = (0, 0);
        for (i, child) in children.iter().enumerate() {
            let (numbers, others) = look(child);
            let (own, other) = match ATTACK {
                true => (numbers.proof, numbers.disproof),
                false => (numbers.disproof, numbers.proof),
            };
            let virtual_pn = match own {
                0 | INFINITE.. => own,
                _ => own.saturating_add(virtual_part(own, others)),
            };
            if virtual_pn < least_virtual {
                second = least_virtual.min(INFINITE);
                (best, chosen, least_virtual) = (i, own, virtual_pn);
            } else {
                second = second.min(virtual_pn);
            }
            least = least.min(own);
            most = most.max(other);
            open += u32::from(other > 0);
        }
        // Weak proof numbers: the largest number plus one for every other open child. The sum would
        // count positions twice where several orders of moves reach them.
        let rest = (most + u32::saturating_sub(open, 1)).min(INFINITE);
        let numbers = match ATTACK {
            true if least == 0 => ProofNumbers::PROVEN,
            true => ProofNumbers {
                proof: least,
                disproof: rest,
            },
            false if least == 0 => ProofNumbers::REFUTED,
            false => ProofNumbers {
                proof: rest,
                disproof: least,
            },
        };
        NodeSummary {
            best,
            numbers,
            chosen,
            second,
            open,
        }
    }

    /// Limits of the search of the best child when the position itself is searched up to `limit`.
    pub(super) fn child_limit<const ATTACK: bool>(&self, limit: ProofNumbers) -> ProofNumbers {
        let others = self.open.saturating_sub(1);
        let second = self
            .second
            .saturating_add(self.second / 4)
            .saturating_add(1);
        // While another thread is below the best child, its number can already be at the limit. The
        // search of the child must be able to begin, or the loop above it would not terminate.
        let own = |limit: u32| limit.min(second).max(self.chosen + 1);
        match ATTACK {
            true => ProofNumbers {
                proof: own(limit.proof),
                disproof: limit.disproof.saturating_sub(others),
            },
            false => ProofNumbers {
                proof: limit.proof.saturating_sub(others),
                disproof: own(limit.disproof),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that tell their key.
    fn of(key: u64) -> ProofNumbers {
        ProofNumbers {
            proof: key as u32 | 1,
            disproof: (key >> 32) as u32 | 1,
        }
    }

    #[test]
    fn threads_that_write_one_bucket_at_once_corrupt_nothing() {
        let table = ProofTable::new(0);
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
        let table = ProofTable::new(0);
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
        let table = ProofTable::new(0);
        table.put(7, ProofNumbers::PROVEN, 1);
        table.put(7, of(7), 1);
        assert_eq!(table.get(7), Some(ProofNumbers::PROVEN));
    }
}
