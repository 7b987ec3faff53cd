//! The network: a learned evaluation that sees a board as line windows.
//!
//! Each window of a cell has a row of numbers in a table; a cell's four rows are added up and
//! clipped, the cells of the whole board and of its nine regions are added up again, and small
//! layers turn these sums into the chances of win, draw and loss, helped by the classical
//! evaluation. The clipped numbers of a single cell tell how promising a move to it is. All is
//! computed in integers, alike on every machine.
//!
//! There are tables for each rule set and, in renju, for each colour; what is the side to move's
//! is seen as *own*, so that the other tables serve both colours. `training/network` makes them.
//!
//! Source of the idea: J. Jin, Q. Duan, Y. Hang, "Rapfi: Distilling Efficient Neural Network for
//! the Game of Gomoku" (2025, arXiv 2503.13178).

mod accumulator;
mod features;
mod file;
mod head;

#[cfg(test)]
mod tests;

use super::simd::Row;
use crate::rules::Rule;
use crate::types::Color;
use head::Head;

pub use accumulator::{Accumulator, Promise};
pub use features::{WINDOWS, window_number};
pub use file::{NetworkError, NetworkFile};

/// Tables and layers for one rule set (in renju for one colour).
#[derive(Debug)]
struct Set {
    /// What each window adds to its cell, by number.
    rows: Box<[Row]>,
    head: Head,
}

/// Bytes of a [`Set`]: rows that are rounded up to a large page, and layers.
const SET_BYTES: u64 = (WINDOWS * size_of::<Row>()).next_multiple_of(2 << 20) as u64 + (128 << 10);

/// The network for one rule, ready to be used.
#[derive(Debug)]
pub struct Network {
    /// Seen by Black, and by White if that differs.
    sets: Vec<Set>,
    fingerprint: u64,
}

impl Network {
    /// Unpacks from `file` what `rule` needs.
    ///
    /// # Errors
    /// When that part of the file is damaged or missing.
    pub fn new(file: &NetworkFile, rule: Rule) -> Result<Network, NetworkError> {
        let numbers = set_numbers(rule).iter();
        Ok(Network {
            sets: numbers.map(|&n| file.unpack(n)).collect::<Result<_, _>>()?,
            fingerprint: file.fingerprint(rule)?,
        })
    }

    /// Most bytes that it takes to make and keep the network for `rule` from `file`.
    pub fn bytes(file: &NetworkFile, rule: Rule) -> u64 {
        // Of the program's own file the system loads what is unpacked; of others it is read.
        set_numbers(rule).len() as u64 * SET_BYTES + file.packed_bytes(rule)
    }

    /// See [`NetworkFile::fingerprint`].
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn set(&self, view: Color) -> &Set {
        &self.sets[view.index() % self.sets.len()]
    }
}

/// Whether `a` and `b` are played with the same tables.
pub fn same_network(a: Rule, b: Rule) -> bool {
    set_numbers(a) == set_numbers(b)
}

/// Numbers of the sets for `rule` in a file: one for both colours, or Black's and White's.
///
/// Caro has none of its own, as with the classical evaluation.
fn set_numbers(rule: Rule) -> &'static [u32] {
    match rule {
        Rule::Freestyle | Rule::Caro => &[0],
        Rule::Standard | Rule::CaroExact => &[1],
        Rule::Renju => &[2, 3],
    }
}
