//! Which evaluation an engine uses, and the network that it has unpacked for it.

use std::path::Path;
use std::sync::Arc;

use crate::eval::network::{same_network, Network, NetworkError, NetworkFile, NETWORK_BYTES};
use crate::rules::Rule;

/// Which evaluation to use.
#[derive(Clone, Debug, Default)]
pub enum Evaluation {
    /// The tables over classes of cells.
    #[default]
    Classical,
    /// The network in this file.
    Network(Arc<NetworkFile>),
}

impl Evaluation {
    /// The evaluation that a user names: `classical`, `network` (the program's own) or the path of
    /// a file of networks.
    ///
    /// # Errors
    /// When there is no such file, or it is not one of networks.
    pub fn named(name: &str) -> Result<Evaluation, NetworkError> {
        let file = if name.eq_ignore_ascii_case("classical") {
            return Ok(Evaluation::Classical);
        } else if name.eq_ignore_ascii_case("network") {
            NetworkFile::embedded()?
        } else {
            NetworkFile::open(Path::new(name))?
        };
        Ok(Evaluation::Network(Arc::new(file)))
    }

    /// Memory in KiB that searches need beside everything else.
    pub(super) fn kib(&self) -> u64 {
        match self {
            Evaluation::Classical => 0,
            Evaluation::Network(file) => (NETWORK_BYTES + file.packed_bytes()) >> 10,
        }
    }
}

/// The same file, not one with the same contents.
impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Classical, Evaluation::Classical) => true,
            (Evaluation::Network(a), Evaluation::Network(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The network in use, unpacked for one rule.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    rule: Option<Rule>,
    network: Option<Network>,
}

impl Unpacked {
    /// Makes this the network of `evaluation` for `rule`, or none where there is none.
    ///
    /// # Errors
    /// When the file's part for the rule is of no use; said once only.
    pub(super) fn prepare(
        &mut self,
        evaluation: &Evaluation,
        rule: Rule,
    ) -> Result<(), NetworkError> {
        let Evaluation::Network(file) = evaluation else {
            return Ok(());
        };
        if self.rule.is_some_and(|known| same_network(known, rule)) {
            return Ok(());
        }
        // The old one goes before the new one comes: both together could be too much.
        *self = Unpacked::default();
        self.rule = Some(rule);
        self.network = Some(Network::new(file, rule)?);
        Ok(())
    }

    /// The network, if there is one.
    pub(super) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }
}
