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
mod error;
mod features;
mod file;
mod head;
mod layout;
mod rule_net;
pub(super) mod simd;
mod unpack;
mod windows;

#[cfg(test)]
mod tests;

use crate::rules::Rule;
use crate::types::Color;
use rule_net::{RULE_NET_BYTES, RuleNet, rule_nets};

pub use accumulator::{Accumulator, Promise};
pub use error::NetworkError;
pub use features::{WINDOWS, window_number};
pub use file::NetworkFile;
pub use rule_net::same_network;

/// The network for one rule, ready to be used.
#[derive(Debug)]
pub struct Network {
    /// Seen by Black, and by White if that differs.
    nets: Vec<RuleNet>,
    fingerprint: u64,
}

impl Network {
    /// Unpacks from `file` what `rule` needs.
    ///
    /// # Errors
    /// When that part of the file is damaged or missing.
    pub fn new(file: &NetworkFile, rule: Rule) -> Result<Network, NetworkError> {
        let numbers = rule_nets(rule).iter();
        Ok(Network {
            nets: numbers.map(|&n| file.unpack(n)).collect::<Result<_, _>>()?,
            fingerprint: file.fingerprint(rule)?,
        })
    }

    /// Most bytes that it takes to make and keep the network for `rule` from `file`.
    pub fn bytes(file: &NetworkFile, rule: Rule) -> u64 {
        // Of the program's own file the system loads what is unpacked; of others it is read.
        rule_nets(rule).len() as u64 * RULE_NET_BYTES + file.packed_bytes(rule)
    }

    /// See [`NetworkFile::fingerprint`].
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn rule_net(&self, view: Color) -> &RuleNet {
        &self.nets[view.index() % self.nets.len()]
    }
}
