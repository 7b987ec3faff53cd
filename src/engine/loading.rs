//! What a search needs before its first node, made by a thread of its own: the pattern tables and
//! weights of the rule, its network, and the first pages of the transposition table. They take some
//! ten milliseconds of a processor, which a game's first move may not have.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Weak};
use std::thread;

use crate::board::Board;
use crate::eval::network::{Network, NetworkError, NetworkFile};
use crate::position::Position;
use crate::rules::Rule;
use crate::search::Tt;
use crate::time::Duration;

/// Stack of the thread.
const STACK_BYTES: usize = 1 << 20;
/// Longest wait between two questions whether to wait any longer.
const PATIENCE: Duration = Duration::from_millis(1);
/// Side of the smallest board.
const SMALL_BOARD: u32 = 5;

/// What is to be made.
pub(super) struct LoadPlan {
    pub rule: Rule,
    /// The file with the network; `None` where there is none to load.
    pub file: Option<Arc<NetworkFile>>,
    /// The transposition table.
    pub table: Weak<Tt>,
}

/// Something that is made.
pub(super) enum Loaded {
    /// Tables and weights of the rule, which stay until the process ends.
    Tables,
    /// The network.
    Network(Result<Network, NetworkError>),
}

/// A thread that makes what a plan says, in the order of [`Loaded`].
#[derive(Debug)]
pub(super) struct Loading(Receiver<Loaded>);

impl Loading {
    /// Starts the thread; makes everything at once where there is none.
    pub(super) fn start(plan: LoadPlan) -> Loading {
        let (sender, receiver) = mpsc::channel();
        let plan = Arc::new(plan);
        let thread = {
            let (plan, sender) = (Arc::clone(&plan), sender.clone());
            thread::Builder::new()
                .name("loader".to_string())
                .stack_size(STACK_BYTES)
                .spawn(move || load(&plan, &sender))
        };
        if let Err(error) = thread {
            log::info!("no thread for loading: {error}");
            load(&plan, &sender);
        }
        Loading(receiver)
    }

    /// The next thing that is made; `Err(Timeout)` if `gives_up` says so before, `Err(Disconnected)`
    /// if there is no more.
    pub(super) fn next(&self, gives_up: &dyn Fn() -> bool) -> Result<Loaded, RecvTimeoutError> {
        loop {
            match self.0.try_recv() {
                Ok(loaded) => return Ok(loaded),
                Err(mpsc::TryRecvError::Disconnected) => {
                    return Err(RecvTimeoutError::Disconnected);
                }
                Err(mpsc::TryRecvError::Empty) if gives_up() => {
                    return Err(RecvTimeoutError::Timeout);
                }
                Err(mpsc::TryRecvError::Empty) => {}
            }
            match self.0.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => {}
                answer => return answer,
            }
        }
    }
}

fn load(plan: &LoadPlan, sender: &Sender<Loaded>) {
    // Sending fails only where nobody waits any more.
    let smallest = Board::new(SMALL_BOARD, SMALL_BOARD).expect("the smallest board");
    // A position asks for all that is made once for each rule.
    let _ = Position::new(&smallest, plan.rule).evaluate();
    let _ = sender.send(Loaded::Tables);
    if let Some(file) = &plan.file {
        let _ = sender.send(Loaded::Network(Network::new(file, plan.rule)));
    }
    let mut touched = 0;
    // The table is held only for a moment at a time: it may be replaced meanwhile.
    while let Some(next) = plan.table.upgrade().and_then(|table| table.touch(touched)) {
        touched = next;
    }
}
