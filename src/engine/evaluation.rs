//! Which evaluation an engine uses, and the network that it has loaded for it.

use std::fmt;
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Weak};

use super::loading::{LoadPlan, Loaded, Loading};
use super::resources::can_search;
use crate::eval::network::{Network, NetworkError, NetworkFile};
use crate::rules::Rule;

/// Which evaluation to use.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Evaluation {
    /// The embedded network, which has won its matches against the classical evaluation by every
    /// rule.
    #[default]
    Default,
    /// The tables over classes of cells.
    Classical,
    /// The network in this file. Files with the same networks are the same evaluation, whatever
    /// their path.
    Network(Arc<NetworkFile>),
}

impl Evaluation {
    /// The evaluation that a user names: `default` or `network` (the embedded one), `classical`, or the
    /// path of a file of networks.
    ///
    /// # Errors
    /// When there is no such file, or it is no file of networks.
    pub fn named(name: &str) -> Result<Evaluation, NetworkError> {
        match Evaluation::built_in(name) {
            Some(evaluation) => Ok(evaluation),
            None => Ok(Evaluation::Network(Arc::new(NetworkFile::open(
                Path::new(name),
            )?))),
        }
    }

    /// The evaluation of this program with that name.
    fn built_in(name: &str) -> Option<Evaluation> {
        match &*name.to_ascii_lowercase() {
            "default" | "network" => Some(Evaluation::Default),
            "classical" => Some(Evaluation::Classical),
            _ => None,
        }
    }

    /// Whether a user who names it means an evaluation of this program, and no file.
    pub fn is_built_in(name: &str) -> bool {
        Evaluation::built_in(name).is_some()
    }

    /// The file of networks; `None` where there is none.
    fn file(&self) -> Result<Option<Arc<NetworkFile>>, NetworkError> {
        match self {
            Evaluation::Default => Ok(Some(NetworkFile::embedded()?)),
            Evaluation::Classical => Ok(None),
            Evaluation::Network(file) => Ok(Some(Arc::clone(file))),
        }
    }

    /// A number that identifies the evaluation of searches by `rule`; 0 for the classical one.
    ///
    /// # Errors
    /// When there is no network for the rule in the file.
    pub fn fingerprint(&self, rule: Rule) -> Result<u64, NetworkError> {
        let file = self.file()?;
        file.map_or(Ok(0), |file| file.fingerprint(rule))
    }

    /// Checks that searches by `rule` can load their network.
    ///
    /// # Errors
    /// When they cannot, with the reason.
    pub fn check(&self, rule: Rule) -> Result<(), NetworkError> {
        let file = self.file()?;
        file.map_or(Ok(()), |file| Network::new(&file, rule).map(|_| ()))
    }

    /// What searches by `rule` use: the program's own evaluation where the file has no network for
    /// the rule, and then the error that says so.
    fn for_rule(&self, rule: Rule) -> (Evaluation, Option<NetworkError>) {
        if let Evaluation::Network(file) = self
            && let Err(error @ NetworkError::Missing(_)) = file.fingerprint(rule)
        {
            return (Evaluation::Default, Some(error));
        }
        (self.clone(), None)
    }

    /// Memory in KiB that the network for searches by `rule` takes.
    pub(super) fn kib(&self, rule: Rule) -> u64 {
        match self.for_rule(rule).0.file() {
            Ok(Some(file)) => Network::bytes(&file, rule).div_ceil(1024),
            _ => 0,
        }
    }
}

/// Why searches do without the network that a user wants, and what they use instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}; {fallback} goes on")]
pub struct NetworkFault {
    /// What is wrong with the network.
    pub why: NetworkError,
    /// What searches use.
    pub fallback: Fallback,
}

/// An evaluation in another one's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// [`Evaluation::Default`].
    Embedded,
    /// [`Evaluation::Classical`].
    Classical,
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Fallback::Embedded => "the program's network",
            Fallback::Classical => "the classical evaluation",
        })
    }
}

/// The network for one rule, which a thread of its own may still be loading.
#[derive(Debug, Default)]
pub(super) struct LoadedNetwork {
    rule: Option<Rule>,
    network: Option<Network>,
    /// [`Evaluation::fingerprint`] of the network that is there or is being loaded.
    fingerprint: u64,
    loading: Option<Loading>,
    /// Whether the tables of the rule are there.
    has_tables: bool,
    /// Whether a network is being loaded.
    is_expected: bool,
    error: Option<NetworkError>,
}

/// What a search waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The tables that every search by the rule needs.
    Tables,
    /// The network as well.
    Network,
}

impl LoadedNetwork {
    /// Wants the network of `evaluation` for `rule`, or none where there is none. Returns what has
    /// to be [loaded](LoadedNetwork::load), if anything.
    pub(super) fn want(&mut self, evaluation: &Evaluation, rule: Rule) -> Option<LoadPlan> {
        if self.rule == Some(rule) {
            return None;
        }
        let (evaluation, missing) = evaluation.for_rule(rule);
        let is_there = self.loading.is_none()
            && self.rule.is_some()
            && evaluation.fingerprint(rule) == Ok(self.fingerprint);
        let mut file = None;
        if !is_there {
            // The old network is freed first: both together could be too much.
            *self = LoadedNetwork::default();
            match evaluation.file().and_then(|file| fitting(file, rule)) {
                Ok(Some((wanted, fingerprint))) => {
                    self.fingerprint = fingerprint;
                    file = Some(wanted);
                }
                Ok(None) => {}
                Err(error) => self.error = Some(error),
            }
        }
        self.error = missing.or(self.error.take());
        self.rule = Some(rule);
        self.has_tables = false;
        self.is_expected = file.is_some();
        Some(LoadPlan {
            rule,
            file,
            table: Weak::new(),
        })
    }

    /// Begins to load what [`want`](LoadedNetwork::want) returned.
    pub(super) fn load(&mut self, plan: LoadPlan) {
        self.loading = Some(Loading::start(plan));
    }

    /// Waits for a part; false if `gives_up` says so before.
    pub(super) fn wait(&mut self, part: Part, gives_up: &dyn Fn() -> bool) -> bool {
        while let Some(loading) = &self.loading {
            if part == Part::Tables && self.has_tables {
                return true;
            }
            let is_last = match loading.next(gives_up) {
                Ok(Loaded::Tables) => {
                    self.has_tables = true;
                    !self.is_expected
                }
                Ok(Loaded::Network(network)) => {
                    match network {
                        Ok(network) => self.network = Some(network),
                        Err(error) => self.fail(error),
                    }
                    true
                }
                Err(RecvTimeoutError::Timeout) => return false,
                // The library that unpacks panics where it gets no memory.
                Err(RecvTimeoutError::Disconnected) => {
                    self.fail(NetworkError::Memory);
                    true
                }
            };
            if is_last {
                self.loading = None;
                self.is_expected = false;
            }
        }
        true
    }

    fn fail(&mut self, error: NetworkError) {
        self.fingerprint = 0;
        self.error = Some(error);
    }

    /// Whether the network still has to be loaded.
    pub(super) fn is_expected(&self) -> bool {
        self.is_expected
    }

    /// Why the wanted network is not used; returned once.
    pub(super) fn take_fault(&mut self) -> Option<NetworkFault> {
        let fallback = if self.is_expected || self.network.is_some() {
            Fallback::Embedded
        } else {
            Fallback::Classical
        };
        self.error.take().map(|why| NetworkFault { why, fallback })
    }

    /// The network, if there is one.
    pub(super) fn get(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// [`Evaluation::fingerprint`] of what is loaded, as far as is known.
    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

/// `file` with the fingerprint of its network for `rule`, if there is room for it.
fn fitting(
    file: Option<Arc<NetworkFile>>,
    rule: Rule,
) -> Result<Option<(Arc<NetworkFile>, u64)>, NetworkError> {
    let Some(file) = file else {
        return Ok(None);
    };
    let fingerprint = file.fingerprint(rule)?;
    let bytes = Network::bytes(&file, rule) as usize;
    if !can_search(bytes) {
        return Err(NetworkError::Memory);
    }
    Ok(Some((file, fingerprint)))
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
            let default = Evaluation::Default;
            assert_eq!(default.fingerprint(rule), network.fingerprint(rule));
            assert_eq!(default.kib(rule), network.kib(rule));
            assert!(classical.kib(rule) == 0 && default.kib(rule) > 0);
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
        fn load(loaded: &mut LoadedNetwork, evaluation: &Evaluation, rule: Rule) {
            if let Some(plan) = loaded.want(evaluation, rule) {
                loaded.load(plan);
            }
            assert!(loaded.wait(Part::Network, &|| false));
            assert_eq!(loaded.take_fault(), None);
        }
        let mut loaded = LoadedNetwork::default();
        for rule in [
            Rule::Freestyle,
            Rule::Renju,
            Rule::CaroExact,
            Rule::Standard,
        ] {
            load(&mut loaded, &network, rule);
            let fingerprint = network.fingerprint(rule).unwrap();
            assert_eq!(loaded.fingerprint(), fingerprint);
            assert_eq!(loaded.get().unwrap().fingerprint(), fingerprint);
        }
        let mut none = LoadedNetwork::default();
        load(&mut none, &Evaluation::Classical, Rule::Renju);
        assert!(none.get().is_none() && none.fingerprint() == 0);
    }

    #[test]
    fn a_search_need_not_wait_for_the_network() {
        let network = Evaluation::named("network").unwrap();
        let mut loaded = LoadedNetwork::default();
        let plan = loaded.want(&network, Rule::Renju).unwrap();
        loaded.load(plan);
        assert!(!loaded.wait(Part::Network, &|| true) && loaded.get().is_none());
        assert!(loaded.is_expected());
        assert!(loaded.wait(Part::Tables, &|| false));
        assert!(loaded.wait(Part::Network, &|| false) && loaded.get().is_some());
        assert!(loaded.want(&network, Rule::Renju).is_none());
    }
}
