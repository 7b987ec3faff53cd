//! The engine as the rest of the program sees it: options and positions in, moves out.

pub mod background;
mod evaluation;
pub mod hash_file;
pub mod move_control;
pub mod opening;
mod resources;
pub mod safety;
pub mod strength;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock, Weak};

use rayon::{Scope, ThreadPool};

use crate::board::Board;
use crate::position::Position;
use crate::rules::Rule;
use crate::search::{
    Evaluator, ParamChanges, Params, SearchControl, SearchInfo, SearchRequest, SearchResult,
    SearchThread, SharedState, ThreadData, Tt, last_resort, root_moves,
};
use crate::threats::VctMemory;
use crate::types::{Point, Score};

use evaluation::LoadedNetwork;
use resources::{MOST_THREADS, Shortages};

pub use evaluation::{Evaluation, Fallback, NetworkFault};
pub use hash_file::{GameKind, Origin};
pub use resources::{Options, Shortage};

/// The table of a search that does without its network, in KiB: the entries of the two evaluations
/// do not mix.
const OWN_TABLE_KIB: u64 = 1 << 10;
/// Longest wait for the tables of the rule where a move is wanted at once, in ms.
const AT_ONCE_MS: u64 = 50;

/// A search engine with its tables, which last from move to move.
pub struct Engine {
    options: Options,
    param_changes: ParamChanges,
    /// The shipped numbers with `param_changes`.
    params: Params,
    evaluation: Evaluation,
    network: LoadedNetwork,
    /// Why the requested network could not be used; see
    /// [`take_network_fault`](Engine::take_network_fault).
    network_fault: Option<NetworkFault>,
    /// Allocated by [`prepare`](Engine::prepare).
    tt: Option<Arc<Tt>>,
    /// Requested size of the table, in KiB.
    tt_kib: u64,
    /// Runs the search threads, or all but the main one where that is the calling thread.
    pool: Option<ThreadPool>,
    /// Threads that the pool was wanted to have; it has fewer where memory is short.
    pool_threads: usize,
    /// True if the thread that calls [`go`](Engine::go) is the main search thread.
    main_is_caller: bool,
    shortages: Shortages,
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
            network_fault: None,
            tt: None,
            tt_kib: 0,
            pool: None,
            pool_threads: 0,
            main_is_caller: false,
            shortages: Shortages::default(),
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

    /// From now on the thread that calls [`go`](Engine::go) is the main search thread. Its stack
    /// has to be as large as that of one of the engine's own threads.
    pub fn search_on_calling_thread(&mut self) {
        self.main_is_caller = true;
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

    /// The evaluation that searches use.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Changes the evaluation that searches use, and clears the tables.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.clear_hash();
        self.evaluation = evaluation;
        self.network = LoadedNetwork::default();
    }

    /// Why the last searches did without the wanted network, if they did, and which evaluation they
    /// used. Each fault is returned once.
    pub fn take_network_fault(&mut self) -> Option<NetworkFault> {
        self.network_fault.take()
    }

    /// Shortages of the system's memory. Each kind is returned once.
    pub fn take_shortages(&mut self) -> Vec<Shortage> {
        self.shortages.take()
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

    /// The transposition table and the origin of its entries. A search may use the table at the
    /// same time. Drop it before the next [`prepare`](Engine::prepare), otherwise two tables may be
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
        if self.network.want(&self.evaluation, rule) {
            self.network.load(Weak::new());
        }
        self.wait_for_network(&|| false);
        let position = Position::new(board, rule);
        Evaluator::new(self.network.get(), board).evaluate(&position)
    }

    /// Starts threads and allocates the table and all data as the options say. Begins to load all
    /// else that searches by the rule need and wait for. A search calls this by itself.
    pub fn prepare(&mut self, game: GameKind) {
        if self.game != Some(game) {
            self.clear_hash();
            self.params = Params::with(&self.param_changes);
            self.game = Some(game);
        }
        if self.thread_data.is_empty() && !resources::can_search_beside(0) {
            return self.shortages.add(Shortage::Search);
        }
        let must_load = self.network.want(&self.evaluation, game.rule);
        let evaluation_kib = self.evaluation.kib(game.rule);
        let loading_bytes = match self.network.is_expected() {
            true => evaluation_kib << 10,
            false => 0,
        };
        self.start_threads(evaluation_kib, loading_bytes);
        self.allocate_table(evaluation_kib, loading_bytes);
        if must_load {
            let table = self.tt.as_ref().map(Arc::downgrade);
            self.network.load(table.unwrap_or_default());
        }
    }

    /// Prepares everything, and waits for what is being loaded until `gives_up` says so.
    pub fn prepare_until(&mut self, game: GameKind, gives_up: &dyn Fn() -> bool) {
        self.prepare(game);
        self.wait_for_network(gives_up);
    }

    /// Waits for all that is being loaded; false if `gives_up` says so before.
    fn wait_for_network(&mut self, gives_up: &dyn Fn() -> bool) -> bool {
        let is_there = self.network.wait(gives_up);
        if let Some(fault) = self.network.take_fault() {
            log::error!("network: {fault}");
            self.network_fault = Some(fault);
        }
        is_there
    }

    fn allocate_table(&mut self, evaluation_kib: u64, loading_bytes: u64) {
        let kib = self.options.table_kib_beside(evaluation_kib);
        if self.tt.is_some() && self.tt_kib == kib {
            return;
        }
        // The old table is freed first: both together could be too much.
        self.tt = None;
        self.tt_kib = kib;
        let granted = resources::granted_table_kib(kib, loading_bytes);
        match granted {
            Some(granted) if granted < kib => self.shortages.add(Shortage::Table {
                wanted: kib,
                granted,
            }),
            Some(_) => {}
            None => self.shortages.add(Shortage::Search),
        }
        self.tt = granted.map(|kib| Arc::new(Tt::new(kib)));
    }

    /// Gives up the transposition table, and returns how many bytes work of another kind may take
    /// in its place until the next [`prepare`](Engine::prepare) allocates a new one; 0 where the
    /// system has no room. Drop what [`table`](Engine::table) returned before.
    pub fn release_table(&mut self, game: GameKind) -> u64 {
        self.tt = None;
        let kib = self
            .options
            .table_kib_beside(self.evaluation.kib(game.rule));
        resources::granted_table_kib(kib, 0).unwrap_or(0) << 10
    }

    fn start_threads(&mut self, evaluation_kib: u64, loading_bytes: u64) {
        let most = *MOST_THREADS;
        if self.options.threads > most {
            self.shortages.add(Shortage::Processors {
                wanted: self.options.threads,
                granted: most,
            });
        }
        let wanted = self.options.threads_beside(evaluation_kib).min(most);
        let beside_pool = usize::from(self.main_is_caller);
        let pool_threads = wanted - beside_pool;
        if self.pool_threads != pool_threads {
            // The threads come before the table, which takes what they leave.
            self.tt = None;
            self.pool = None;
            self.pool_threads = pool_threads;
            self.pool = resources::start_pool(pool_threads, loading_bytes);
        }
        let started = self
            .pool
            .as_ref()
            .map_or(0, ThreadPool::current_num_threads);
        let threads = (started + beside_pool).max(1);
        if threads < self.options.threads.min(most) {
            self.shortages.add(Shortage::Threads {
                wanted: self.options.threads,
                granted: threads,
            });
        }
        if self.thread_data.len() != threads {
            let new = || ThreadData::new(&self.params);
            self.thread_data.resize_with(threads, new);
            self.thread_data.iter_mut().for_each(|data| data.vct = None);
            self.vct_memory.take();
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
        let unsearched = |best: Option<Point>| SearchResult {
            best,
            lines: Vec::new(),
            completed_depth: 0,
            needs_no_search: best.is_some(),
            nodes: 0,
            elapsed: control.elapsed(),
        };
        let Some(tt) = self.tt.clone() else {
            return unsearched(None);
        };
        let limit_ms = match control.hard_ms() {
            0 => AT_ONCE_MS,
            hard_ms => hard_ms,
        };
        let is_late = || control.elapsed_ms() >= limit_ms;
        if !self.network.wait_for_tables(&is_late) {
            return unsearched(None);
        }
        let moves = root_moves(request);
        let is_game = !request.is_analysis && request.multi_pv == 1;
        let is_first = is_game && request.board.stones().is_empty();
        if is_first || moves.is_empty() {
            return unsearched(moves.first().copied().or_else(|| last_resort(request)));
        }
        let has_network =
            self.wait_for_network(&|| control.is_stopped() || control.elapsed_ms() >= limit_ms / 2);
        let tt = match has_network {
            true => tt,
            false => Arc::new(Tt::new(OWN_TABLE_KIB)),
        };
        tt.new_search();
        let nodes: Vec<AtomicU64> = self.thread_data.iter().map(|_| AtomicU64::new(0)).collect();
        let line_control = SearchControl::unlimited();
        let shared = || SharedState {
            request,
            control,
            line_control: &line_control,
            tt: &tt,
            params: &self.params,
            network: self.network.get(),
            vct_memory: &self.vct_memory,
            vct_bits: self.options.vct_bits(),
            nodes: &nodes,
        };
        let mut threads: Vec<SearchThread> = self
            .thread_data
            .iter_mut()
            .enumerate()
            .map(|(id, data)| SearchThread::new(id, shared(), data, &moves))
            .collect();
        let pool = self.pool.as_ref();
        run(pool, self.main_is_caller, &mut threads, control, on_info);
        let was_stopped = threads[0].was_stopped;
        best_thread(&mut threads).result(was_stopped)
    }
}

/// Stops a search when dropped, even by a panic, so no helper goes on.
struct StopGuard<'a>(&'a SearchControl);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs all search threads until the main thread, which is the first one, is done. The calling
/// thread is the main one if `main_is_caller` or if there is no pool.
fn run(
    pool: Option<&ThreadPool>,
    main_is_caller: bool,
    threads: &mut [SearchThread],
    control: &SearchControl,
    on_info: &mut (dyn FnMut(&SearchInfo) + Send),
) {
    let (main, helpers) = threads.split_first_mut().expect("at least one thread");
    let Some(pool) = pool else {
        return search_with_helpers(None, main, helpers, control, on_info);
    };
    pool.in_place_scope(|scope| {
        if main_is_caller {
            search_with_helpers(Some(scope), main, helpers, control, on_info);
        } else {
            scope.spawn(|scope| {
                search_with_helpers(Some(scope), main, helpers, control, on_info);
            });
        }
    });
}

/// The main thread's search, which starts the helpers in `scope`.
fn search_with_helpers<'scope, 'a>(
    scope: Option<&Scope<'scope>>,
    main: &mut SearchThread<'a>,
    helpers: &'scope mut [SearchThread<'a>],
    control: &SearchControl,
    on_info: &mut (dyn FnMut(&SearchInfo) + Send),
) where
    'a: 'scope,
{
    let _guard = StopGuard(control);
    // Forced wins at the root are the same for all threads: only the main thread searches them.
    if main.solve_root(on_info) {
        return;
    }
    if let Some(scope) = scope {
        for helper in helpers {
            helper.root_moves = main.root_moves.clone();
            scope.spawn(|_| helper.deepen(&mut |_| {}));
        }
    }
    main.deepen(on_info);
    main.was_stopped = control.is_stopped();
}

/// The thread whose move is played: one with a win, or else the deepest of the threads whose moves
/// are not proved lost.
fn best_thread<'a, 'b>(threads: &'a mut [SearchThread<'b>]) -> &'a mut SearchThread<'b> {
    let is_lost = |p: Option<Point>| {
        let mut moves = threads.iter().flat_map(|thread| &thread.root_moves);
        moves.any(|m| m.is_lost && Some(m.point) == p)
    };
    let best = threads
        .iter()
        .enumerate()
        .rev()
        .max_by_key(|(_, thread)| {
            let score = thread.best_score();
            let best = thread.root_moves.first().map(|m| m.point);
            (
                score.is_win(),
                !is_lost(best),
                thread.completed_depth(),
                score,
            )
        })
        .map(|(id, _)| id);
    &mut threads[best.expect("at least one thread")]
}
