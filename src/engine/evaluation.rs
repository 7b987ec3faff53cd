//! Which evaluation an engine uses, and the network that it has loaded for it.

use std::path::Path;
use std::sync::Arc;

use crate::eval::network::{Network, NetworkError, NetworkFile, same_network};
use crate::rules::Rule;

/// Rules that are played with the embedded network by default: those in which it has won its
/// matches against the classical evaluation.
const NETWORK_RULES: &[Rule] = &[Rule::Freestyle, Rule::Standard, Rule::Renju];

/// Which evaluation to use.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Evaluation {
    /// The network where it is the better one for the rule, else the classical evaluation.
    #[default]
    Default,
    /// The tables over classes of cells.
    Classical,
    /// The network in this file. Files with the same networks are the same evaluation, whatever
    /// their path.
    Network(Arc<NetworkFile>),
}

impl Evaluation {
    /// The evaluation that a user names: `default`, `classical`, `network` (the embedded one) or the
    /// path of a file of networks.
    ///
    /// # Errors
    /// When there is no such file, or it is no file of networks.
    pub fn named(name: &str) -> Result<Evaluation, NetworkError> {
        let is = |word: &str| name.eq_ignore_ascii_case(word);
        if is("default") {
            return Ok(Evaluation::Default);
        }
        if is("classical") {
            return Ok(Evaluation::Classical);
        }
        let file = if is("network") {
            NetworkFile::embedded()?
        } else {
            NetworkFile::open(Path::new(name))?
        };
        Ok(Evaluation::Network(Arc::new(file)))
    }

    /// Whether searches by `rule` use a network.
    fn has_network(&self, rule: Rule) -> bool {
        match self {
            Evaluation::Default => NETWORK_RULES.contains(&rule),
            Evaluation::Classical => false,
            Evaluation::Network(_) => true,
        }
    }

    /// The file with the network for searches by `rule`; `None` where they use none.
    fn file(&self, rule: Rule) -> Result<Option<Arc<NetworkFile>>, NetworkError> {
        match self {
            Evaluation::Network(file) => Ok(Some(Arc::clone(file))),
            _ if self.has_network(rule) => Ok(Some(Arc::new(NetworkFile::embedded()?))),
            _ => Ok(None),
        }
    }

    /// A number that identifies the evaluation of searches by `rule`; 0 for the classical one.
    ///
    /// # Errors
    /// When there is no network for the rule in the file.
    pub fn fingerprint(&self, rule: Rule) -> Result<u64, NetworkError> {
        let file = self.file(rule)?;
        file.map_or(Ok(0), |file| file.fingerprint(rule))
    }

    /// Checks that searches by `rule` can load their network.
    ///
    /// # Errors
    /// When they cannot, with the reason.
    pub fn check(&self, rule: Rule) -> Result<(), NetworkError> {
        let file = self.file(rule)?;
        file.map_or(Ok(()), |file| Network::new(&file, rule).map(|_| ()))
    }

    /// Memory in KiB that the network for searches by `rule` takes.
    pub(super) fn kib(&self, rule: Rule) -> u64 {
        match self.file(rule) {
            Ok(Some(file)) => Network::bytes(&file, rule).div_ceil(1024),
            _ => 0,
        }
    }
}

/// The network loaded for one rule.
#[derive(Debug, Default)]
pub(super) struct LoadedNetwork {
    rule: Option<Rule>,
    network: Option<Network>,
}

impl LoadedNetwork {
    /// Loads the network of `evaluation` for `rule`, or none where there is none.
    ///
    /// # Errors
    /// When the file's network for the rule is unusable; returned once, at the first attempt.
    pub(super) fn load(&mut self, evaluation: &Evaluation, rule: Rule) -> Result<(), NetworkError> {
        let is_loaded = |loaded| {
            same_network(loaded, rule)
                && evaluation.has_network(loaded) == evaluation.has_network(rule)
        };
        if self.rule.is_some_and(is_loaded) {
            return Ok(());
        }
        // The old network is freed first: both together could be too much.
        *self = LoadedNetwork::default();
        self.rule = Some(rule);
        if let Some(file) = evaluation.file(rule)? {
            self.network = Some(Network::new(&file, rule)?);
        }
        Ok(())
    }

    /// The network, if there is one.
    pub(super) fn get(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// [`Evaluation::fingerprint`] of what is really loaded.
    pub(super) fn fingerprint(&self) -> u64 {
        self.network.as_ref().map_or(0, Network::fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_have_names_and_fingerprints() {
        let named = |name: &str| Evaluation::named(name).unwrap();
        assert_eq!(named("Default"), Evaluation::Default);
        let (classical, network) = (named("classical"), named("NETWORK"));
        for rule in Rule::ALL {
            assert_eq!(classical.fingerprint(rule), Ok(0));
            let default = if NETWORK_RULES.contains(&rule) {
                &network
            } else {
                &classical
            };
            assert_eq!(
                Evaluation::Default.fingerprint(rule),
                default.fingerprint(rule)
            );
            assert_eq!(Evaluation::Default.kib(rule), default.kib(rule));
            assert_eq!(network.check(rule), Ok(()));
        }
        let [a, b, c] = [Rule::Freestyle, Rule::Standard, Rule::Renju]
            .map(|rule| network.fingerprint(rule).unwrap());
        assert!(a != 0 && a != b && b != c && c != a);
        assert!(network.kib(Rule::Renju) > 12 << 10);
    }

    #[test]
    fn the_network_of_the_rule_is_there_and_no_other() {
        let network = Evaluation::named("network").unwrap();
        let mut loaded = LoadedNetwork::default();
        for rule in [
            Rule::Freestyle,
            Rule::Renju,
            Rule::CaroExact,
            Rule::Standard,
        ] {
            loaded.load(&network, rule).unwrap();
            assert_eq!(loaded.fingerprint(), network.fingerprint(rule).unwrap());
        }
        let mut none = LoadedNetwork::default();
        none.load(&Evaluation::Classical, Rule::Renju).unwrap();
        assert!(none.get().is_none() && none.fingerprint() == 0);
    }
}
