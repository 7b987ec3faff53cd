//! The evaluation of an engine, and the loading of its network.

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Weak};
use std::thread;

use super::resources::can_search_beside;
use crate::board::Board;
use crate::eval::network::{Network, NetworkError, NetworkFile};
use crate::position::Position;
use crate::rules::Rule;
use crate::search::Tt;
use crate::time::Duration;
use crate::types::MIN_SIDE;

/// An evaluation for searches.
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
    /// The evaluation that a user names: `default` or `network` (the embedded one), `classical`, or
    /// the path of a file of networks.
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

    /// True for the name of an evaluation of this program; other names are files.
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

    /// Evaluation of searches by `rule`: the program's own where the file has no network for
    /// the rule, and then the error that says so.
    fn for_rule(&self, rule: Rule) -> (Evaluation, Option<NetworkError>) {
        if let Evaluation::Network(file) = self
            && let Err(error @ NetworkError::Missing(_)) = file.fingerprint(rule)
        {
            return (Evaluation::Default, Some(error));
        }
        (self.clone(), None)
    }

    /// The file of networks with the fingerprint of the network for `rule`, if there is room for
    /// it.
    fn file_with_room(&self, rule: Rule) -> Result<Option<(Arc<NetworkFile>, u64)>, NetworkError> {
        let Some(file) = self.file()? else {
            return Ok(None);
        };
        let fingerprint = file.fingerprint(rule)?;
        match can_search_beside(Network::bytes(&file, rule)) {
            true => Ok(Some((file, fingerprint))),
            false => Err(NetworkError::Memory),
        }
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
    /// Fault of the network.
    pub why: NetworkError,
    /// Evaluation that searches use.
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

/// Stack of the loading thread.
const STACK_BYTES: usize = 1 << 20;
/// Longest wait between two calls of `gives_up`.
const PATIENCE: Duration = Duration::from_millis(1);

/// The network for one rule. A thread of its own makes the rule's tables and then the network: some
/// ten milliseconds of a processor, which a game's first move may not have.
#[derive(Debug, Default)]
pub(super) struct LoadedNetwork {
    rule: Option<Rule>,
    network: Option<Network>,
    /// [`Evaluation::fingerprint`] of the network that is there or expected.
    fingerprint: u64,
    /// The file with the network that is still to be loaded.
    file: Option<Arc<NetworkFile>>,
    /// Open while the tables of the rule are being made.
    tables: Option<Receiver<()>>,
    /// Open while the network is being loaded.
    loading: Option<Receiver<Result<Network, NetworkError>>>,
    error: Option<NetworkError>,
}

impl LoadedNetwork {
    /// Wants the network of `evaluation` for `rule`, or none where there is none. Returns whether
    /// [`load`](LoadedNetwork::load) must follow.
    pub(super) fn want(&mut self, evaluation: &Evaluation, rule: Rule) -> bool {
        if self.rule == Some(rule) {
            return false;
        }
        let (evaluation, missing) = evaluation.for_rule(rule);
        let is_there = self.rule.is_some()
            && self.loading.is_none()
            && evaluation.fingerprint(rule) == Ok(self.fingerprint);
        if !is_there {
            // The old network is freed first: both together could be too much.
            *self = LoadedNetwork::default();
            match evaluation.file_with_room(rule) {
                Ok(file) => {
                    self.fingerprint = file.as_ref().map_or(0, |&(_, fingerprint)| fingerprint);
                    self.file = file.map(|(file, _)| file);
                }
                Err(error) => self.error = Some(error),
            }
        }
        self.error = missing.or(self.error.take());
        self.rule = Some(rule);
        true
    }

    /// Starts the thread. The thread makes what [`want`](LoadedNetwork::want) asked for and then
    /// lets the system map the pages of `table` in use. Does all at once where the system gives no
    /// thread.
    pub(super) fn load(&mut self, table: Weak<Tt>) {
        let Some(rule) = self.rule else { return };
        let file = self.file.take();
        let (tables, tables_inbox) = mpsc::channel();
        let (network, network_inbox) = mpsc::channel();
        self.tables = Some(tables_inbox);
        self.loading = file.is_some().then_some(network_inbox);
        let work = Arc::new(move || {
            // Sending fails only where nobody waits any more.
            let smallest =
                Board::new(MIN_SIDE.into(), MIN_SIDE.into()).expect("the smallest board");
            // A position asks for all that is made once for each rule.
            let _ = Position::new(&smallest, rule).evaluate();
            let _ = tables.send(());
            if let Some(file) = &file {
                let _ = network.send(Network::new(file, rule));
            }
            let mut touched = 0;
            // The table is held only for a moment at a time: it may be replaced meanwhile.
            while let Some(next) = table.upgrade().and_then(|table| table.touch(touched)) {
                touched = next;
            }
        });
        let thread = thread::Builder::new()
            .name("loader".to_string())
            .stack_size(STACK_BYTES)
            .spawn({
                let work = Arc::clone(&work);
                move || work()
            });
        if let Err(error) = thread {
            log::info!("no thread for loading: {error}");
            work();
        }
    }

    /// Waits for the tables of the rule; false if `gives_up` says so before.
    pub(super) fn wait_for_tables(&mut self, gives_up: &dyn Fn() -> bool) -> bool {
        if let Some(tables) = &self.tables {
            if receive(tables, gives_up) == Err(RecvTimeoutError::Timeout) {
                return false;
            }
            self.tables = None;
        }
        true
    }

    /// Waits for the tables and the network; false if `gives_up` says so before.
    pub(super) fn wait(&mut self, gives_up: &dyn Fn() -> bool) -> bool {
        if !self.wait_for_tables(gives_up) {
            return false;
        }
        if let Some(loading) = &self.loading {
            let loaded = match receive(loading, gives_up) {
                Ok(loaded) => loaded,
                Err(RecvTimeoutError::Timeout) => return false,
                // The unpacking library panics where it gets no memory.
                Err(RecvTimeoutError::Disconnected) => Err(NetworkError::Memory),
            };
            self.loading = None;
            match loaded {
                Ok(network) => self.network = Some(network),
                Err(error) => {
                    self.fingerprint = 0;
                    self.error = Some(error);
                }
            }
        }
        true
    }

    /// True if the network still has to be loaded.
    pub(super) fn is_expected(&self) -> bool {
        self.file.is_some() || self.loading.is_some()
    }

    /// Why the wanted network is not used; returned once.
    pub(super) fn take_fault(&mut self) -> Option<NetworkFault> {
        let fallback = if self.is_expected() || self.network.is_some() {
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

/// Next message of the loading thread; `Err(Timeout)` if `gives_up` says so before.
fn receive<T>(inbox: &Receiver<T>, gives_up: &dyn Fn() -> bool) -> Result<T, RecvTimeoutError> {
    loop {
        match inbox.try_recv() {
            Ok(sent) => return Ok(sent),
            Err(TryRecvError::Disconnected) => return Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) if gives_up() => return Err(RecvTimeoutError::Timeout),
            Err(TryRecvError::Empty) => {}
        }
        match inbox.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {}
            answer => return answer,
        }
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
            if loaded.want(evaluation, rule) {
                loaded.load(Weak::new());
            }
            assert!(loaded.wait(&|| false));
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
        assert!(loaded.want(&network, Rule::Renju));
        loaded.load(Weak::new());
        assert!(!loaded.wait(&|| true) && loaded.get().is_none());
        assert!(loaded.is_expected());
        assert!(loaded.wait_for_tables(&|| false));
        assert!(loaded.wait(&|| false) && loaded.get().is_some());
        assert!(!loaded.want(&network, Rule::Renju));
    }
}
