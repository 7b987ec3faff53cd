//! Proof and disproof numbers, and a bounded table of them.
//!
//! Source: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search" (1994).

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

    /// Whether nothing is left to do.
    pub(super) fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// Positions that the search has looked at below, for choosing what to forget.
    work: u32,
}

/// Entries that share a place.
const BUCKET: usize = 4;

/// Numbers of positions already searched. Where room is short the position with the least work
/// below it is forgotten.
pub(super) struct NumberTable(Box<[[Entry; BUCKET]]>);

impl NumberTable {
    /// A table of `2^bits` buckets of 96 bytes.
    pub(super) fn new(bits: u32) -> NumberTable {
        let empty = Entry {
            key: 0,
            numbers: Numbers::PROVEN,
            work: 0,
        };
        NumberTable(vec![[empty; BUCKET]; 1 << bits].into_boxed_slice())
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for entry in self.0.iter_mut().flatten() {
            entry.key = 0;
            entry.work = 0;
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Numbers> {
        let bucket = &self.0[key as usize & (self.0.len() - 1)];
        let entry = bucket.iter().find(|entry| entry.key == key)?;
        Some(entry.numbers)
    }

    /// Remembers `numbers`, found with `work` more positions than were known of before.
    pub(super) fn put(&mut self, key: u64, numbers: Numbers, work: u32) {
        let place = key as usize & (self.0.len() - 1);
        let bucket = &mut self.0[place];
        let same = bucket.iter().position(|entry| entry.key == key);
        let known = same.map_or(0, |i| bucket[i].work);
        let i = same.unwrap_or_else(|| {
            let least = (0..BUCKET).min_by_key(|&i| bucket[i].work);
            least.expect("a bucket has entries")
        });
        bucket[i] = Entry {
            key,
            numbers,
            work: known.saturating_add(work.max(1)),
        };
    }
}
