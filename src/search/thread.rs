//! The state of one search thread, and what all threads of a search share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::control::{RootMoveEvent, SearchControl};
use super::evaluator::Evaluator;
use super::history::History;
use super::params::Params;
use super::request::{SearchInfo, SearchRequest};
use super::root_moves::RootMove;
use super::time_manager::MoveStability;
use super::tt::{Tt, TtEntry};
use crate::eval::network::Network;
use crate::position::Position;
use crate::threats::{Vcf, Vct, VctMemory};
use crate::types::{MAX_PLY, Point, Score};

/// Data shared by the threads of one search.
#[derive(Clone, Copy)]
pub struct SharedState<'a> {
    /// Position and bounds.
    pub request: &'a SearchRequest,
    /// Time limits and stop flag.
    pub control: &'a SearchControl,
    /// Time limit and stop flag of the search for the lines of proved results.
    pub line_control: &'a SearchControl,
    /// Transposition table.
    pub tt: &'a Tt,
    /// Tuned numbers.
    pub params: &'a Params,
    /// The network to evaluate with; the classical evaluation if there is none.
    pub network: Option<&'a Network>,
    /// Table of the VCT search, allocated at its first use.
    pub vct_memory: &'a OnceLock<Arc<VctMemory>>,
    /// Size of that table; see [`VctMemory::new`].
    pub vct_bits: u32,
    /// Nodes of each thread, updated now and then.
    pub nodes: &'a [AtomicU64],
}

impl SharedState<'_> {
    /// Nodes of all threads.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

/// Data that one thread keeps from search to search.
pub struct ThreadData {
    /// Move statistics.
    pub history: History,
    /// VCF searcher with its table of refuted positions.
    pub vcf: Vcf,
    /// VCT searcher, created at its first use; all threads share one table.
    pub vct: Option<Vct>,
    /// Late move reductions by depth and move number, in hundredths of a ply.
    reductions: Vec<[i16; 64]>,
    /// Moves before move-count pruning, by whether the evaluation is improving and by depth.
    move_counts: [[u8; 64]; 2],
}

impl ThreadData {
    /// Empty tables.
    pub fn new(params: &Params) -> ThreadData {
        ThreadData {
            history: History::new(),
            vcf: Vcf::new(14),
            vct: None,
            reductions: (0..64)
                .map(|depth| std::array::from_fn(|index| params.lmr_reduction(depth, index) as i16))
                .collect(),
            move_counts: [false, true].map(|improving| {
                std::array::from_fn(|depth| {
                    params.lmp_moves(depth as i32, improving).clamp(0, 255) as u8
                })
            }),
        }
    }

    /// Moves that a node searches before move-count pruning skips the others.
    #[inline]
    pub(super) fn move_count_limit(&self, depth: i32, improving: bool) -> usize {
        self.move_counts[usize::from(improving)][(depth as usize).min(63)].into()
    }

    /// Late move reduction by `depth` and number of the move (from 0) alone, in hundredths of a ply.
    #[inline]
    pub(super) fn base_reduction(&self, depth: i32, index: usize) -> i32 {
        self.reductions[(depth as usize).min(63)][index.min(63)].into()
    }
}

/// State of one ply on the way to the current node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StackEntry {
    /// The move played there; `None` for a null move.
    pub played: Option<Point>,
    /// Static evaluation; [`Score::NONE`] where a four must be blocked.
    pub eval: Score,
}

/// See the [module](self).
pub struct SearchThread<'a> {
    pub(super) shared: SharedState<'a>,
    /// Number of the thread; 0 is the main thread.
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) data: &'a mut ThreadData,
    pub(super) stack: Box<[StackEntry; MAX_PLY + 4]>,
    /// Principal variations by ply.
    pub(super) pv: Vec<Vec<Point>>,
    /// Positions visited, including those of VCF and VCT searches.
    pub(super) nodes: u64,
    /// Nodes after which the search ends, in addition to the bound of its control.
    pub(super) node_limit: u64,
    /// Node count at which the limits are checked next.
    next_poll: u64,
    /// Nodes between two checks.
    poll_nodes: u64,
    /// Age of the search at the last check.
    last_poll: Duration,
    pub(super) seldepth: usize,
    /// The moves to search, best first.
    pub root_moves: Vec<RootMove>,
    /// First root move that the current multi-PV search may choose.
    pub(super) first_root_move: usize,
    /// Depth of the last completed iteration.
    pub(super) completed_depth: u32,
    /// The lines of the last completed iteration.
    pub(super) completed_lines: Vec<SearchInfo>,
    /// Scores and lines of proved results, by their first moves and claimed scores.
    pub(super) known_lines: Vec<((Point, Score), Score, Vec<Point>)>,
    /// Positions expanded by the VCT search at the root; `None` once it has tried everything.
    pub(super) vct_nodes: Option<u64>,
    pub(super) stability: MoveStability,
    /// True if a limit or a stop ended the search.
    pub was_stopped: bool,
    /// Time that the table's growth has taken.
    pub(super) growth_time: Duration,
}

/// Most nodes between two checks of the limits.
const MAX_POLL_NODES: u64 = 512;
/// Longest time between two checks that is short enough.
const POLL_TIME: Duration = Duration::from_micros(500);

/// Depth in plies from which root moves are reported one by one; before, they pass too fast.
const NOTIFY_DEPTH: i32 = 8;
/// Age of a search in ms from which root moves are reported.
const NOTIFY_MS: u64 = 200;

impl<'a> SearchThread<'a> {
    /// Thread number `id` (0 is the main thread), to search `moves` at the root.
    pub fn new(
        id: usize,
        shared: SharedState<'a>,
        data: &'a mut ThreadData,
        moves: &[Point],
    ) -> Self {
        data.history.age();
        SearchThread {
            id,
            position: Position::new(&shared.request.board, shared.request.rule),
            evaluator: Evaluator::new(shared.network, &shared.request.board),
            node_limit: shared.request.max_nodes.unwrap_or(u64::MAX),
            shared,
            data,
            stack: Box::new([StackEntry::default(); MAX_PLY + 4]),
            pv: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            next_poll: 0,
            poll_nodes: 1,
            last_poll: Duration::ZERO,
            seldepth: 0,
            root_moves: moves.iter().copied().map(RootMove::new).collect(),
            first_root_move: 0,
            completed_depth: 0,
            completed_lines: Vec::new(),
            known_lines: Vec::new(),
            vct_nodes: Some(0),
            stability: MoveStability::default(),
            was_stopped: false,
            growth_time: Duration::ZERO,
        }
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.shared.control.is_stopped()
    }

    /// Counts a node and checks the limits.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.shared.nodes.len() == 1 && self.nodes >= self.max_nodes() {
            self.shared.control.stop();
        }
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Checks time, depth and nodes, and decides when to check again.
    #[cold]
    fn poll(&mut self) {
        // A node takes a microsecond, but milliseconds where the system maps the table's memory at
        // its first touch, or has given the processor to another program.
        let now = self.shared.control.elapsed();
        self.poll_nodes = if now.saturating_sub(self.last_poll) > POLL_TIME {
            (self.poll_nodes / 4).max(1)
        } else {
            (self.poll_nodes * 2).min(MAX_POLL_NODES)
        };
        self.last_poll = now;
        self.next_poll = self.nodes + self.poll_nodes;
        self.flush_nodes();
        self.shared.control.poll();
        let is_too_deep =
            self.completed_depth > 0 && self.completed_depth >= self.shared.control.max_depth();
        if is_too_deep || self.shared.total_nodes() >= self.max_nodes() {
            self.shared.control.stop();
        }
    }

    /// Nodes after which the search ends.
    #[inline]
    pub(super) fn max_nodes(&self) -> u64 {
        self.node_limit.min(self.shared.control.max_nodes())
    }

    /// Publishes this thread's node count.
    pub(super) fn flush_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// The position's static evaluation, from the table's entry if it has one.
    pub(super) fn static_eval(&mut self, entry: Option<&TtEntry>) -> Score {
        match entry {
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluator.evaluate(&self.position),
        }
    }

    /// The static evaluation `eval` of the node at `ply`, corrected by its last two stones.
    /// Source: Stockfish.
    pub(super) fn corrected(&self, eval: Score, ply: usize) -> Score {
        let Some(stones) = self.last_stones(ply) else {
            return eval;
        };
        let side = self.position.side_to_move();
        let weight = self.shared.params.correction_weight;
        let correction = self.data.history.correction(side, stones, weight);
        Score::value(i32::from(eval.raw()) + correction)
    }

    /// Teaches the history by cell how the move to the node at `ply` changed the evaluation.
    /// Source: Stockfish.
    pub(super) fn learn_last_move(&mut self, ply: usize) {
        let Some(p) = self.previous_move(ply) else {
            return;
        };
        let (before, after) = (self.stack[ply - 1].eval, self.stack[ply].eval);
        if before == Score::NONE || after == Score::NONE {
            return;
        }
        let params = self.shared.params;
        // Both values are those of their own side to move.
        let change = -i32::from(before.raw()) - i32::from(after.raw());
        let bonus = params.eval_history_rate * (change - params.eval_history_middle);
        let mover = !self.position.side_to_move();
        self.data.history.learn_change(mover, p, bonus);
    }

    /// True if the evaluation is better than at the side's last move.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let eval = self.stack[ply].eval;
        let eval_before = |plies| {
            let before = ply.checked_sub(plies).map(|p| self.stack[p].eval);
            before.filter(|&before| before != Score::NONE)
        };
        // Where a four had to be blocked there is no evaluation: then two plies more.
        eval != Score::NONE
            && eval_before(2)
                .or_else(|| eval_before(4))
                .is_some_and(|before| eval > before)
    }

    /// The last two stones before the node at `ply`, the last one first; `None` near the root and
    /// after a null move.
    pub(super) fn last_stones(&self, ply: usize) -> Option<[Point; 2]> {
        let before = self.stack[ply.checked_sub(2)?].played?;
        Some([self.previous_move(ply)?, before])
    }

    /// The move that led to the node at `ply`; `None` at the root and after a null move.
    #[inline]
    pub(super) fn previous_move(&self, ply: usize) -> Option<Point> {
        ply.checked_sub(1).and_then(|p| self.stack[p].played)
    }

    /// Makes `p` and the line one ply further down the principal variation at `ply`.
    pub(super) fn update_pv(&mut self, ply: usize, p: Point) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(p);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Records the result of a root move. Of a move that is not the best, only an upper bound of
    /// its score is known.
    pub(super) fn update_root_move(&mut self, p: Point, score: Score, is_best: bool, nodes: u64) {
        let seldepth = self.seldepth;
        let line = &self.pv[1];
        if let Some(root_move) = self.root_moves.iter_mut().find(|m| m.point == p) {
            root_move.nodes += nodes;
            root_move.is_lost |= score.is_loss();
            // A proved win keeps its score and line until a shorter one is found that is the best
            // move: of any other move the search has no line and only an upper bound.
            if root_move.is_proved && (score <= root_move.score || !is_best) {
                return;
            }
            if is_best {
                root_move.score = score;
                root_move.seldepth = seldepth;
                root_move.pv.truncate(1);
                root_move.pv.extend_from_slice(line);
            } else {
                root_move.score = -Score::INFINITE;
            }
        }
    }

    /// Reports a root move to the observer, from a depth and time on at which a person can follow.
    pub(super) fn notify(&self, depth: i32, event: RootMoveEvent) {
        if let (0, Some(observer)) = (self.id, self.shared.control.observer())
            && depth >= NOTIFY_DEPTH
            && self.shared.control.elapsed_ms() >= NOTIFY_MS
        {
            observer.notify(event);
        }
    }
}
