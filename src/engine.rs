//! The engine as the rest of the program sees it: settings in, moves out.

#[cfg(feature = "tools")]
pub mod background;
mod evaluation;
pub mod hash_file;
pub mod move_control;
pub mod opening;
pub mod strength;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::{Board, Direction};
use crate::patterns::{Class, Shape};
use crate::position::Position;
use crate::rules::Rule;
use crate::search::{
    Evaluator, Memory, Need, ParamChanges, Params, RootMove, SearchControl, SearchInfo,
    SearchRequest, SearchResult, Shared, Tt, Worker, needed_cells,
};
use crate::threats::VctMemory;
use crate::types::{Point, PointSet, Score};
pub use hash_file::{GameKind, Origin};

pub use evaluation::Evaluation;
use evaluation::Unpacked;

/// Resources that a user grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Limit of the whole process in bytes.
    pub max_memory: u64,
    /// Wish for the size of the transposition table in KiB; cut to what `max_memory` allows.
    pub hash_kib: Option<u64>,
}

impl Default for Options {
    /// One thread and Gomocup's 350 MiB.
    fn default() -> Options {
        Options {
            threads: 1,
            max_memory: 350 << 20,
            hash_kib: None,
        }
    }
}

/// Kept free for the program, its tables and the system's own needs.
const BASE_KIB: u64 = 48 << 10;
/// Kept free for each search thread.
const THREAD_KIB: u64 = 4 << 10;
/// Size of the transposition table where nobody asks for another.
const DEFAULT_HASH_KIB: u64 = 256 << 10;
/// Smallest table, granted whatever the limits.
const LEAST_HASH_KIB: u64 = 1 << 10;
/// Stack of a search thread: the recursion is deep.
const STACK_BYTES: usize = 16 << 20;

impl Options {
    /// Size of the transposition table in KiB under these options and with the classical
    /// evaluation.
    pub fn table_kib(&self) -> u64 {
        self.table_kib_beside(0)
    }

    /// The same where the evaluation takes that much.
    fn table_kib_beside(&self, evaluation_kib: u64) -> u64 {
        let reserved = BASE_KIB + THREAD_KIB * self.threads as u64 + evaluation_kib;
        let most = (self.max_memory >> 10).saturating_sub(reserved);
        self.hash_kib
            .unwrap_or(DEFAULT_HASH_KIB)
            .min(most)
            .max(LEAST_HASH_KIB)
    }
}

/// A search engine with its memory between moves.
pub struct Engine {
    options: Options,
    changes: ParamChanges,
    /// The numbers for `game`.
    params: Params,
    evaluation: Evaluation,
    unpacked: Unpacked,
    /// Why the evaluation that was asked for could not be used.
    complaint: Option<String>,
    /// Allocated when a search needs it.
    tt: Option<Arc<Tt>>,
    /// Size that was asked for the table, in KiB.
    tt_kib: u64,
    pool: Option<ThreadPool>,
    memories: Vec<Memory>,
    /// What the threads' searchers for wins by threats share.
    threats: OnceLock<Arc<VctMemory>>,
    /// What the memory of earlier searches is good for: a change makes it worthless.
    game: Option<GameKind>,
}

impl Engine {
    /// An engine that allocates nothing large before its first search.
    pub fn new(options: Options) -> Engine {
        Engine {
            options,
            changes: ParamChanges::default(),
            params: Params::default(),
            evaluation: Evaluation::default(),
            unpacked: Unpacked::default(),
            complaint: None,
            tt: None,
            tt_kib: 0,
            pool: None,
            memories: Vec::new(),
            threats: OnceLock::new(),
            game: None,
        }
    }

    /// What was granted.
    pub fn options(&self) -> Options {
        self.options
    }

    /// What the memory of earlier searches belongs to; `None` before the first.
    pub fn game(&self) -> Option<GameKind> {
        self.game
    }

    /// Changes what is granted; takes effect with the next search.
    pub fn set_options(&mut self, options: Options) {
        self.options = Options {
            threads: options.threads.max(1),
            ..options
        };
    }

    /// Changes of the numbers that steer the search.
    pub fn params(&self) -> &ParamChanges {
        &self.changes
    }

    /// Changes the numbers that steer the search; what was learned with others is forgotten.
    pub fn set_params(&mut self, changes: ParamChanges) {
        self.changes = changes;
        self.game = None;
    }

    /// Which evaluation searches use.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Changes which evaluation searches use; what was learned with another is forgotten.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.clear_hash();
        self.evaluation = evaluation;
        self.unpacked = Unpacked::default();
    }

    /// Why the last searches did without the network that they should have used, if they did; each
    /// reason is told once.
    pub fn take_complaint(&mut self) -> Option<String> {
        self.complaint.take()
    }

    /// Forgets everything learned in earlier searches.
    pub fn clear_hash(&mut self) {
        self.tt = None;
        self.memories.clear();
        self.threats.take();
    }

    /// The transposition table, which may be looked at while a search uses it, and what it means.
    /// Give it back before the next [`prepare`](Engine::prepare), lest two tables take memory.
    pub fn table(&self) -> Option<(Arc<Tt>, Origin)> {
        let origin = Origin {
            game: self.game?,
            evaluation: self.unpacked.fingerprint(),
        };
        Some((Arc::clone(self.tt.as_ref()?), origin))
    }

    /// Value of `board` by `rule` for its side to move, without search.
    pub fn evaluate(&mut self, board: &Board, rule: Rule) -> Score {
        self.unpack(rule);
        let position = Position::new(board, rule);
        Evaluator::new(self.unpacked.network(), board).evaluate(&position)
    }

    /// Gets the network for `rule` ready, if there is one.
    fn unpack(&mut self, rule: Rule) {
        if let Err(error) = self.unpacked.prepare(&self.evaluation, rule) {
            log::error!("network: {error}");
            self.complaint = Some(error.to_string());
        }
    }

    /// Gets ready for a search: table, threads and their memory, as the options say. A search does
    /// so by itself.
    pub fn prepare(&mut self, game: GameKind) {
        if self.game != Some(game) {
            self.clear_hash();
            self.params = Params::with(&self.changes);
            self.game = Some(game);
        }
        self.unpack(game.rule);
        let kib = self
            .options
            .table_kib_beside(self.evaluation.kib(game.rule));
        if self.tt.is_none() || self.tt_kib != kib {
            // The old table goes before the new one comes: both together could be too much.
            self.tt = None;
            self.tt = Some(Arc::new(Tt::new(kib)));
            self.tt_kib = kib;
        }
        let threads = self.options.threads;
        if self.memories.len() != threads {
            self.memories
                .resize_with(threads, || Memory::new(&self.params));
            self.memories
                .iter_mut()
                .for_each(|memory| memory.vct = None);
            self.threats.take();
        }
        if self
            .pool
            .as_ref()
            .is_none_or(|pool| pool.current_num_threads() != threads)
        {
            self.pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .stack_size(STACK_BYTES)
                .thread_name(|i| format!("search-{i}"))
                .build()
                .map_err(|error| log::error!("no search threads: {error}"))
                .ok();
        }
    }

    /// Thinks until a limit of `request` or `control` is reached, calling `report` after each
    /// completed iteration (and for each line of a multi-PV search), and returns the move.
    pub fn go(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        report: &mut (dyn FnMut(&SearchInfo) + Send),
    ) -> SearchResult {
        self.prepare(GameKind::of(request));
        let board = &request.board;
        let moves = root_moves(request);
        if board.stones().is_empty() || moves.is_empty() {
            return SearchResult {
                best: moves.first().copied().or_else(|| last_resort(request)),
                lines: Vec::new(),
                nodes: 0,
                elapsed: control.elapsed(),
            };
        }
        let tt = self.tt.as_deref().expect("prepared above");
        tt.new_search();
        tt.make_room(&|| control.poll());
        let nodes: Vec<AtomicU64> = (0..self.options.threads)
            .map(|_| AtomicU64::new(0))
            .collect();
        let shared = || Shared {
            request,
            control,
            tt,
            params: &self.params,
            network: self.unpacked.network(),
            threats: &self.threats,
            nodes: &nodes,
        };
        let mut workers: Vec<Worker> = self
            .memories
            .iter_mut()
            .enumerate()
            .map(|(id, memory)| Worker::new(id, shared(), memory, &moves))
            .collect();
        let (main, helpers) = workers.split_first_mut().expect("at least one thread");
        // What fours decide at the root is the same for all threads, so that one is enough to look.
        let mut search = |main: &mut Worker, helpers: &mut dyn FnMut(&[RootMove])| {
            if !main.root_is_won(report) {
                helpers(&main.root_moves);
                main.deepen(report);
            }
            control.stop();
        };
        match &self.pool {
            Some(pool) => pool.in_place_scope(|scope| {
                scope.spawn(|scope| {
                    let mut helpers = helpers.iter_mut();
                    search(main, &mut |moves| {
                        for helper in helpers.by_ref() {
                            helper.root_moves = moves.to_vec();
                            scope.spawn(|_| helper.deepen(&mut |_| {}));
                        }
                    });
                });
            }),
            None => search(main, &mut |_| {}),
        }
        // The deepest worker knows best; a win found by any of them is as good as another.
        let best = workers
            .iter()
            .rev()
            .max_by_key(|worker| {
                let (depth, score) = worker.standing();
                (score.is_win(), depth, score)
            })
            .expect("at least one thread");
        best.outcome()
    }
}

/// The moves that the root may choose from, the most central first: legal, not excluded, and not
/// plainly lost if others are left.
fn root_moves(request: &SearchRequest) -> Vec<Point> {
    let board = &request.board;
    let mut position = Position::new(board, request.rule);
    let side = board.side_to_move();
    let legal = |position: &Position, set: PointSet| -> Vec<Point> {
        set.iter()
            .filter(|&p| !request.excluded.contains(p) && !position.is_forbidden(side, p))
            .collect()
    };
    let (need, needed) = needed_cells(&mut position);
    let mut moves = legal(&position, needed);
    if moves.is_empty() || (need == Need::Free && request.multi_pv > moves.len()) {
        moves = legal(&position, position.free_set());
    } else if need == Need::Free && position.count(side, Class::Five) == 0 {
        let more = request.also.intersection(&position.free_set());
        moves.extend(legal(&position, more.difference(&needed)));
    }
    moves.sort_by_key(|&p| (off_centre(request, p), p));
    if board.stones().is_empty() {
        return moves;
    }
    // A five that makes an overline as well wins, but there are referees that call it a foul.
    let doubtful = |p| {
        Direction::ALL
            .map(|d| position.shapes(side, p).get(d))
            .contains(&Shape::Overline)
    };
    moves.sort_by_key(|&p| (doubtful(p), std::cmp::Reverse(position.order(p))));
    moves
}

/// Squared distance from the board's centre, in half cells.
fn off_centre(request: &SearchRequest, p: Point) -> i32 {
    let dx = 2 * i32::from(p.x()) + 1 - i32::from(request.board.width());
    let dy = 2 * i32::from(p.y()) + 1 - i32::from(request.board.height());
    dx * dx + dy * dy
}

/// A free cell when every one is forbidden or excluded: a manager that asks wants an answer.
fn last_resort(request: &SearchRequest) -> Option<Point> {
    let excluded = |p: &Point| request.excluded.contains(*p);
    request
        .board
        .empty_points()
        .min_by_key(|p| (excluded(p), off_centre(request, *p), *p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_the_process_limit() {
        let options = Options::default();
        assert_eq!(options.table_kib(), DEFAULT_HASH_KIB);
        let small = Options {
            max_memory: 100 << 20,
            hash_kib: Some(1 << 30),
            ..options
        };
        assert_eq!(small.table_kib(), (100 << 10) - BASE_KIB - THREAD_KIB);
        assert_eq!(small.table_kib_beside(9), small.table_kib() - 9);
        let none = Options {
            max_memory: 1,
            ..options
        };
        assert_eq!(none.table_kib(), LEAST_HASH_KIB);
        assert_eq!(none.table_kib_beside(9), LEAST_HASH_KIB);
    }
}
