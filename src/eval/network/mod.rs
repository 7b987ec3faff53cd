//! The network: a learned evaluation that sees a board as line windows.
//!
//! Each window of a cell has a row of numbers in a table. A cell's four rows are added up and
//! clipped, and the results are summed over the whole board and over each of its nine regions.
//! Small layers turn these sums, with the classical value, into the chances of win, draw and loss.
//! The policy logit of a move comes from the clipped numbers of its cell. Everything is computed in
//! integers, so results are the same on every machine.
//!
//! Each rule has a network, renju one for each colour. The stones of the side to move are *own*
//! stones, so that the other networks serve both colours. `training/network` makes them.
//!
//! Source of the idea: J. Jin, Q. Duan, Y. Hang, "Rapfi: Distilling Efficient Neural Network for
//! the Game of Gomoku" (2025, arXiv 2503.13178).

mod accumulator;
mod error;
mod features;
mod file;
mod head;
mod layout;
mod rule_net;
pub(super) mod simd;
mod windows;

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use crate::rules::Rule;
use crate::types::Color;
use rule_net::RuleNet;

pub use accumulator::{Accumulator, PolicyLogits};
pub use error::NetworkError;
pub use features::{WINDOWS, window_number};
pub use file::NetworkFile;

/// The network for one rule, ready to be used.
#[derive(Debug)]
pub struct Network {
    /// Black's, and White's if that differs.
    nets: Vec<RuleNet>,
    fingerprint: u64,
}

impl Network {
    /// Unpacks from `file` what `rule` needs.
    ///
    /// # Errors
    /// When that part of the file is damaged or missing.
    pub fn new(file: &NetworkFile, rule: Rule) -> Result<Network, NetworkError> {
        let numbers = file.numbers(rule).iter();
        Ok(Network {
            nets: numbers.map(|&n| file.unpack(n)).collect::<Result<_, _>>()?,
            fingerprint: file.fingerprint(rule)?,
        })
    }

    /// Most bytes needed to make and keep the network for `rule` from `file`.
    pub fn bytes(file: &NetworkFile, rule: Rule) -> u64 {
        file.kept_bytes(rule) + file.unpacking_bytes(rule)
    }

    /// See [`NetworkFile::fingerprint`].
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn rule_net(&self, view: Color) -> &RuleNet {
        &self.nets[view.index() % self.nets.len()]
    }
}
