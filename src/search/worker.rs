//! One thread of the search: its own position and memory, and iterative deepening over the root.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::clock::SearchControl;
use super::evaluator::Evaluator;
use super::history::History;
use super::observer::RootMoveEvent;
use super::params::Params;
use super::pvs::Root;
use super::report::{SearchInfo, SearchRequest, SearchResult};
use super::tt::Tt;
use crate::eval::Weights;
use crate::eval::network::Network;
use crate::position::Position;
use crate::threats::{Vcf, Vct, VctMemory};
use crate::types::{MAX_PLY, Point, Score, ScoreKind};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub point: Point,
    /// Its score in the present iteration; worst of all if another move is better.
    pub score: Score,
    /// The score that [`score`](RootMove::score) was before this iteration.
    pub previous: Score,
    /// Expected continuation, this move first.
    pub pv: Vec<Point>,
    /// Deepest ply visited below it.
    pub seldepth: usize,
    /// Positions visited below it in the whole search.
    pub nodes: u64,
}

/// What the threads of one search share.
pub struct Shared<'a> {
    /// What is searched.
    pub request: &'a SearchRequest,
    /// Time and stop flag.
    pub control: &'a SearchControl,
    /// Memory of positions.
    pub tt: &'a Tt,
    /// Tuned numbers.
    pub params: &'a Params,
    /// The network to evaluate with; the classical evaluation if there is none.
    pub network: Option<&'a Network>,
    /// Memory of the search for wins by threats, made when first asked for.
    pub threats: &'a OnceLock<Arc<VctMemory>>,
    /// Nodes of each worker, brought up to date now and then.
    pub nodes: &'a [AtomicU64],
}

impl Shared<'_> {
    fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

/// What a search remembers of each ply on the way to the present node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// The move played there; `None` for a null move.
    pub played: Option<Point>,
    /// Static evaluation; [`Score::NONE`] where a four had to be parried.
    pub eval: Score,
    /// Move left out because the search asks how good the others are.
    pub excluded: Option<Point>,
}

/// See the [module](self).
pub struct Worker<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) stack: Box<[Ply; MAX_PLY + 4]>,
    /// Best lines by ply, each as long as is known.
    pub(super) pv: Vec<Vec<Point>>,
    /// Positions visited, those of the searches for wins by fours included.
    pub(super) nodes: u64,
    /// Count of nodes at which the clock is looked at next.
    next_poll: u64,
    /// Nodes from one look to the next.
    poll_nodes: u64,
    /// Age of the search at the last look.
    polled: Duration,
    pub(super) seldepth: usize,
    /// The moves that are searched, best first.
    pub root_moves: Vec<RootMove>,
    /// First root move that the present multi-PV pass may choose.
    pub(super) first_root_move: usize,
    /// Depth of the last completed iteration.
    pub(super) completed: u32,
    /// Positions given to the search for a win by threats at the root; `None`: it has tried all.
    pub(super) vct_nodes: Option<u64>,
    /// How sure the search is of its move.
    calm: Calm,
    /// The lines of the last completed iteration.
    reports: Vec<SearchInfo>,
}

/// How the best move and its score fared over the last iterations: what the time manager goes by.
#[derive(Clone, Copy, Debug, Default)]
struct Calm {
    best: Option<Point>,
    /// Iterations since the best move changed.
    stable: u32,
    /// Fall of the score from the iteration before, in evaluation units; negative for a rise.
    drop: i32,
    score: Score,
}

/// What one thread keeps from search to search.
pub struct Memory {
    /// Move statistics.
    pub history: History,
    /// Searcher for wins by fours with its refuted positions.
    pub vcf: Vcf,
    /// Searcher for wins by threats, made when first asked; all threads' share one memory.
    pub vct: Option<Vct>,
    /// Late-move reductions by depth and move number.
    pub reductions: Vec<[u8; 64]>,
}

impl Memory {
    /// Knows nothing yet.
    pub fn new(params: &Params) -> Memory {
        Memory {
            history: History::new(),
            vcf: Vcf::new(14),
            vct: None,
            reductions: (0..64)
                .map(|depth| {
                    std::array::from_fn(|index| params.lmr_reduction(depth, index).max(0) as u8)
                })
                .collect(),
        }
    }
}

impl Calm {
    /// Takes note of the end of an iteration.
    fn note(&mut self, best: &RootMove) {
        let same = self.best == Some(best.point);
        self.drop = match self.best {
            Some(_) => i32::from(self.score.raw()) - i32::from(best.score.raw()),
            None => 0,
        };
        self.stable = if same { self.stable + 1 } else { 0 };
        self.best = Some(best.point);
        self.score = best.score;
    }

    /// By how much the planned time is stretched or cut: longer while the move changes or the
    /// score falls, shorter for a move that stays and takes most of the nodes (`share`, 0 to 1).
    /// The factors are those that chess programs settled on (Stockfish, Reckless).
    fn time_factor(&self, params: &Params, share: f64) -> f64 {
        let hundredths = |n: i32| f64::from(n) / 100.0;
        let stable = f64::from(self.stable.min(8));
        let stability =
            hundredths(params.time_unstable) - stable * hundredths(params.time_stable_step);
        let drop =
            1.0 + f64::from(self.drop.clamp(-50, 150)) / 150.0 * hundredths(params.time_drop);
        let effort = hundredths(params.time_effort) - share;
        (stability * drop * effort).clamp(0.2, 3.0)
    }
}

/// Most nodes between two looks at the clock.
const MOST_POLL_NODES: u64 = 512;
/// Time between two looks that is short enough.
const POLL_TIME: Duration = Duration::from_micros(500);

/// Depth in plies from which the moves at the root are told one by one; before, they rush past.
const WATCHED_DEPTH: i32 = 8;
/// Age of a search in ms from which they are.
const WATCHED_MS: u64 = 200;

impl<'a> Worker<'a> {
    /// Worker number `id` (0 reports), to search `moves` at the root.
    pub fn new(id: usize, shared: Shared<'a>, memory: &'a mut Memory, moves: &[Point]) -> Self {
        memory.history.age();
        let root_moves = moves
            .iter()
            .map(|&point| RootMove {
                point,
                score: -Score::INFINITE,
                previous: -Score::INFINITE,
                pv: vec![point],
                seldepth: 0,
                nodes: 0,
            })
            .collect();
        Worker {
            id,
            position: Position::new(&shared.request.board, shared.request.rule),
            evaluator: Evaluator::new(shared.network, &shared.request.board),
            shared,
            memory,
            stack: Box::new([Ply::default(); MAX_PLY + 4]),
            pv: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            next_poll: 0,
            poll_nodes: 1,
            polled: Duration::ZERO,
            seldepth: 0,
            root_moves,
            first_root_move: 0,
            completed: 0,
            vct_nodes: Some(0),
            calm: Calm::default(),
            reports: Vec::new(),
        }
    }

    /// Looks once, before any thread deepens, for what fours decide at the root: a win, which ends
    /// the search and goes to `report`, or moves that lose to the opponent's, which are dropped.
    /// Returns whether there is a win.
    pub fn root_is_won(&mut self, report: &mut dyn FnMut(&SearchInfo)) -> bool {
        if self.lines() > 1 {
            return false;
        }
        if self.root_wins_by_fours() {
            report(&self.report(0, 1));
            return true;
        }
        self.restrict_root();
        false
    }

    /// Number of best moves that are asked for and exist.
    fn lines(&self) -> usize {
        let wanted = self.shared.request.multi_pv;
        wanted.clamp(1, self.root_moves.len().max(1))
    }

    /// Deepens until a limit is reached, handing every finished line to `report`.
    pub fn deepen(&mut self, report: &mut dyn FnMut(&SearchInfo)) {
        let request = self.shared.request;
        let lines = self.lines();
        let deepest = request
            .max_depth
            .unwrap_or(u32::MAX)
            .min(MAX_PLY as u32 / 2);
        for depth in 1..=deepest {
            // The first iteration always runs: there must be a move.
            if depth > 1 && depth > self.shared.control.max_depth() {
                break;
            }
            // Helpers look ahead on every other depth, so that the threads do not all walk the
            // same tree at the same time.
            if self.id % 2 == 1 && depth < deepest && depth % 2 == 0 {
                continue;
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                self.first_root_move = line;
                self.seldepth = 0;
                self.aspirate(depth as i32);
                self.root_moves[line..].sort_by_key(|m| std::cmp::Reverse((m.score, m.previous)));
                if self.is_stopped() {
                    break;
                }
                self.root_moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.score));
            }
            self.flush_nodes();
            if self.is_stopped() {
                return;
            }
            self.completed = depth;
            self.calm.note(&self.root_moves[0]);
            self.reports = (0..lines).map(|line| self.report(line, lines)).collect();
            self.reports.iter().for_each(&mut *report);
            if self.is_settled(depth, lines) {
                return;
            }
            if self.id == 0 {
                self.shared.tt.make_room(&|| self.shared.control.poll());
            }
            let undecided = !self.root_moves[0].score.is_decided();
            if lines == 1 && undecided && self.root_wins_by_threats() {
                report(&self.report(0, 1));
                return;
            }
        }
    }

    /// Whether deepening further cannot, or hardly, change the move.
    fn is_settled(&self, depth: u32, lines: usize) -> bool {
        let control = self.shared.control;
        let decided = match self.root_moves[lines - 1].score.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => plies <= depth,
            ScoreKind::Value(_) => false,
        };
        let bounded = control.hard_ms() < u64::MAX / 8;
        let forced = self.root_moves.len() == 1 && bounded && depth >= 4;
        let share = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let planned = control.soft_ms() as f64 * self.calm.time_factor(self.shared.params, share);
        // Where nothing is saved for later moves, a sure move is no reason to stop.
        let planned = if control.soft_ms() < control.hard_ms() {
            planned as u64
        } else {
            control.hard_ms()
        };
        decided || forced || control.elapsed_ms() >= planned
    }

    /// One iteration: a window around the last score, widened as long as the score falls outside.
    fn aspirate(&mut self, depth: i32) {
        let last = self.root_moves[self.first_root_move].previous;
        let mut delta = self.shared.params.aspiration;
        let (mut alpha, mut beta) = if depth >= 4 && !last.is_decided() {
            (last - delta, last + delta)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        loop {
            let score = self.search::<Root>(alpha, beta, depth, 0);
            let first = self.first_root_move;
            self.root_moves[first..].sort_by_key(|m| std::cmp::Reverse((m.score, m.previous)));
            if self.is_stopped() {
                return;
            }
            if score <= alpha && alpha > -Score::INFINITE {
                beta =
                    Score::from_raw(((i32::from(alpha.raw()) + i32::from(beta.raw())) / 2) as i16);
                alpha = widened(score, -delta);
            } else if score >= beta && beta < Score::INFINITE {
                beta = widened(score, delta);
            } else {
                return;
            }
            delta += delta / 2 + 5;
        }
    }

    fn report(&self, rank: usize, lines: usize) -> SearchInfo {
        let root_move = &self.root_moves[rank];
        SearchInfo {
            rank,
            lines,
            depth: self.completed,
            seldepth: root_move.seldepth as u32,
            score: root_move.score,
            win_rate: win_rate(root_move.score),
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.control.elapsed(),
            pv: root_move.pv.clone(),
        }
    }

    /// The best move and the last lines.
    pub fn outcome(&self) -> SearchResult {
        let lines = self.lines();
        // An iteration that was cut short may know nothing yet of some lines.
        let known = self.root_moves[..lines.min(self.root_moves.len())]
            .iter()
            .all(|m| m.score > -Score::INFINITE);
        let lines: Vec<SearchInfo> = if known {
            (0..lines).map(|rank| self.report(rank, lines)).collect()
        } else {
            self.reports.clone()
        };
        SearchResult {
            // The move and the first line agree, whichever iteration they come from.
            best: lines
                .first()
                .and_then(|line| line.pv.first())
                .or(self.root_moves.first().map(|m| &m.point))
                .copied(),
            lines,
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.control.elapsed(),
        }
    }

    /// Depth of the last completed iteration, and the score of the best move.
    pub fn standing(&self) -> (u32, Score) {
        let score = self
            .root_moves
            .first()
            .map_or(-Score::INFINITE, |m| m.score);
        (self.completed, score)
    }

    /// Whether the search was told to end.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.shared.control.is_stopped()
    }

    /// Counts a node and looks after the limits.
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

    /// Looks at the clock, and decides when to look again.
    #[cold]
    fn poll(&mut self) {
        // A node takes a microsecond, but milliseconds where the system hands out the table's
        // memory at the first touch, or has given the processor to somebody else.
        let now = self.shared.control.elapsed();
        self.poll_nodes = if now.saturating_sub(self.polled) > POLL_TIME {
            (self.poll_nodes / 4).max(1)
        } else {
            (self.poll_nodes * 2).min(MOST_POLL_NODES)
        };
        self.polled = now;
        self.next_poll = self.nodes + self.poll_nodes;
        self.flush_nodes();
        self.shared.control.poll();
        let is_too_deep = self.completed > 0 && self.completed >= self.shared.control.max_depth();
        if is_too_deep || self.shared.total_nodes() >= self.max_nodes() {
            self.shared.control.stop();
        }
    }

    /// Nodes after which the search ends.
    #[inline]
    fn max_nodes(&self) -> u64 {
        let requested = self.shared.request.max_nodes.unwrap_or(u64::MAX);
        requested.min(self.shared.control.max_nodes())
    }

    /// Tells who watches about a root move, from a depth and time on at which a person can follow.
    pub(super) fn notify(&self, depth: i32, news: RootMoveEvent) {
        if let (0, Some(observer)) = (self.id, self.shared.control.observer())
            && depth >= WATCHED_DEPTH
            && self.shared.control.elapsed_ms() >= WATCHED_MS
        {
            observer.notify(news);
        }
    }

    pub(super) fn flush_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }
}

/// A bound of the window moved out by `delta`; wide open once wins are in sight.
fn widened(score: Score, delta: i32) -> Score {
    let bound = score + delta;
    if bound > Score::MAX_VALUE {
        Score::INFINITE
    } else if bound < -Score::MAX_VALUE {
        -Score::INFINITE
    } else {
        bound
    }
}

/// Expected points (win 1, draw 1/2), 0 to 1, at `score`.
pub fn win_rate(score: Score) -> f64 {
    match score.kind() {
        ScoreKind::Win(_) => 1.0,
        ScoreKind::Loss(_) => 0.0,
        ScoreKind::Value(v) => Weights::win_rate(v),
    }
}
