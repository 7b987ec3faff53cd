//! The engine as the rest of the program sees it: options and positions in, moves out.

#[cfg(feature = "tools")]
pub mod background;
pub mod balance;
mod evaluation;
pub mod hash_file;
pub mod move_control;
pub mod opening;
mod options;
pub mod strength;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::Board;
use crate::position::Position;
use crate::rules::Rule;
use crate::search::{
    Evaluator, ParamChanges, Params, RootMove, SearchControl, SearchInfo, SearchRequest,
    SearchResult, SearchThread, SharedState, ThreadData, Tt, last_resort, root_moves,
};
use crate::threats::VctMemory;
use crate::types::Score;

use evaluation::LoadedNetwork;

pub use evaluation::Evaluation;
pub use hash_file::{GameKind, Origin};
pub use options::Options;

/// Stack of a search thread: the recursion is deep.
const STACK_BYTES: usize = 16 << 20;

/// A search engine with all that it keeps between moves.
pub struct Engine {
    options: Options,
    param_changes: ParamChanges,
    /// The shipped numbers with `param_changes`.
    params: Params,
    evaluation: Evaluation,
    network: LoadedNetwork,
    /// Why the requested network could not be used; see
    /// [`take_network_error`](Engine::take_network_error).
    network_error: Option<String>,
    /// Allocated by [`prepare`](Engine::prepare).
    tt: Option<Arc<Tt>>,
    /// Requested size of the table, in KiB.
    tt_kib: u64,
    pool: Option<ThreadPool>,
    /// One for each search thread.
    thread_data: Vec<ThreadData>,
    /// Table of the VCT search, shared by all threads.
    vct_memory: OnceLock<Arc<VctMemory>>,
    /// The game that the tables belong to: of no use for another one.
    game: Option<GameKind>,
}

impl Engine {
    /// An engine that allocates nothing large before its first search.
    pub fn new(options: Options) -> Engine {
        Engine {
            options,
            param_changes: ParamChanges::default(),
            params: Params::default(),
            evaluation: Evaluation::default(),
            network: LoadedNetwork::default(),
            network_error: None,
            tt: None,
            tt_kib: 0,
            pool: None,
            thread_data: Vec::new(),
            vct_memory: OnceLock::new(),
            game: None,
        }
    }

    /// The granted resources.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the granted resources; takes effect with the next search.
    pub fn set_options(&mut self, options: Options) {
        self.options = Options {
            threads: options.threads.max(1),
            ..options
        };
    }

    /// Changes of the search's numbers.
    pub fn params(&self) -> &ParamChanges {
        &self.param_changes
    }

    /// Changes the search's numbers; the next search starts with empty tables.
    pub fn set_params(&mut self, changes: ParamChanges) {
        self.param_changes = changes;
        self.game = None;
    }

    /// Which evaluation searches use.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Changes which evaluation searches use, and clears the tables.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.clear_hash();
        self.evaluation = evaluation;
        self.network = LoadedNetwork::default();
    }

    /// Why the last searches did without the network that they should have used, if they did. Each
    /// error is returned once.
    pub fn take_network_error(&mut self) -> Option<String> {
        self.network_error.take()
    }

    /// Drops everything learned in earlier searches.
    pub fn clear_hash(&mut self) {
        self.tt = None;
        self.thread_data.clear();
        self.vct_memory.take();
    }

    /// The game of the last search; `None` before the first.
    pub fn game(&self) -> Option<GameKind> {
        self.game
    }

    /// The transposition table, which may be read while a search uses it, and what its entries
    /// belong to. Drop it before the next [`prepare`](Engine::prepare), otherwise two tables may be
    /// allocated.
    pub fn table(&self) -> Option<(Arc<Tt>, Origin)> {
        let origin = Origin {
            game: self.game?,
            evaluation: self.network.fingerprint(),
        };
        Some((Arc::clone(self.tt.as_ref()?), origin))
    }

    /// Value of `board` by `rule` for its side to move, without search.
    pub fn evaluate(&mut self, board: &Board, rule: Rule) -> Score {
        self.load_network(rule);
        let position = Position::new(board, rule);
        Evaluator::new(self.network.get(), board).evaluate(&position)
    }

    /// Allocates table, threads and their data as the options say. A search calls it by itself.
    pub fn prepare(&mut self, game: GameKind) {
        if self.game != Some(game) {
            self.clear_hash();
            self.params = Params::with(&self.param_changes);
            self.game = Some(game);
        }
        self.load_network(game.rule);
        self.allocate_table(game.rule);
        self.start_threads();
    }

    /// Loads the network for `rule`, if there is one.
    fn load_network(&mut self, rule: Rule) {
        if let Err(error) = self.network.load(&self.evaluation, rule) {
            log::error!("network: {error}");
            self.network_error = Some(error.to_string());
        }
    }

    fn allocate_table(&mut self, rule: Rule) {
        let kib = self.options.table_kib_beside(self.evaluation.kib(rule));
        if self.tt.is_none() || self.tt_kib != kib {
            // The old table is freed first: both together could be too much.
            self.tt = None;
            self.tt = Some(Arc::new(Tt::new(kib)));
            self.tt_kib = kib;
        }
    }

    fn start_threads(&mut self) {
        let threads = self.options.threads;
        if self.thread_data.len() != threads {
            let new = || ThreadData::new(&self.params);
            self.thread_data.resize_with(threads, new);
            self.thread_data.iter_mut().for_each(|data| data.vct = None);
            self.vct_memory.take();
        }
        let started = self.pool.as_ref().map(ThreadPool::current_num_threads);
        if started != Some(threads) {
            self.pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .stack_size(STACK_BYTES)
                .thread_name(|i| format!("search-{i}"))
                .build()
                .map_err(|error| log::error!("no search threads: {error}"))
                .ok();
        }
    }

    /// Searches until a limit of `request` or `control` is reached and returns the move. `on_info`
    /// is called after each completed iteration (and for each line of a multi-PV search).
    pub fn go(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        on_info: &mut (dyn FnMut(&SearchInfo) + Send),
    ) -> SearchResult {
        self.prepare(GameKind::of(request));
        let moves = root_moves(request);
        if request.board.stones().is_empty() || moves.is_empty() {
            return SearchResult {
                best: moves.first().copied().or_else(|| last_resort(request)),
                lines: Vec::new(),
                nodes: 0,
                elapsed: control.elapsed(),
            };
        }
        let tt = self.tt.as_deref().expect("allocated by prepare");
        tt.new_search();
        tt.grow_if_full(&|| control.poll());
        let nodes: Vec<AtomicU64> = (0..self.options.threads)
            .map(|_| AtomicU64::new(0))
            .collect();
        let shared = || SharedState {
            request,
            control,
            tt,
            params: &self.params,
            network: self.network.get(),
            vct_memory: &self.vct_memory,
            nodes: &nodes,
        };
        let mut threads: Vec<SearchThread> = self
            .thread_data
            .iter_mut()
            .enumerate()
            .map(|(id, data)| SearchThread::new(id, shared(), data, &moves))
            .collect();
        run(self.pool.as_ref(), &mut threads, control, on_info);
        best_thread(&threads).result()
    }
}

/// Runs all search threads until the main thread, which is the first one, is done.
fn run(
    pool: Option<&ThreadPool>,
    threads: &mut [SearchThread],
    control: &SearchControl,
    on_info: &mut (dyn FnMut(&SearchInfo) + Send),
) {
    let (main, helpers) = threads.split_first_mut().expect("at least one thread");
    // Forced wins at the root are the same for all threads: only the main thread searches them.
    let mut search = |main: &mut SearchThread, start_helpers: &mut dyn FnMut(&[RootMove])| {
        if !main.solve_root(on_info) {
            start_helpers(&main.root_moves);
            main.deepen(on_info);
        }
        control.stop();
    };
    let Some(pool) = pool else {
        return search(main, &mut |_| {});
    };
    pool.in_place_scope(|scope| {
        scope.spawn(|scope| {
            let mut helpers = helpers.iter_mut();
            search(main, &mut |moves| {
                for helper in helpers.by_ref() {
                    helper.root_moves = moves.to_vec();
                    scope.spawn(|_| helper.deepen(&mut |_| {}));
                }
            });
        });
    });
}

/// The thread whose move is played: one that found a win, or else the one that searched deepest.
fn best_thread<'a, 'b>(threads: &'a [SearchThread<'b>]) -> &'a SearchThread<'b> {
    threads
        .iter()
        .rev()
        .max_by_key(|thread| {
            let score = thread.best_score();
            (score.is_win(), thread.completed_depth(), score)
        })
        .expect("at least one thread")
}
