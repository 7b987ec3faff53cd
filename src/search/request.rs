//! The question to a search and its answer: the position with its bounds, the lines of each
//! iteration and the final move.

use std::time::Duration;

use crate::board::Board;
use crate::eval::Weights;
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet, Score, ScoreKind};

/// Position to search and bounds of the search. Time limits belong to
/// [`SearchControl`](super::SearchControl).
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position; its side to move is the engine's side.
    pub board: Board,
    /// Rule set.
    pub rule: Rule,
    /// Deepest iteration in plies.
    pub max_depth: Option<u32>,
    /// Nodes after which the search ends.
    pub max_nodes: Option<u64>,
    /// Number of best moves to find, each with its line; at least 1.
    pub multi_pv: usize,
    /// Cells that are not to be played at the root (Yixin-Board's blocked moves).
    pub excluded: PointSet,
    /// Cells to search at the root in addition to the candidates, where no threat limits the
    /// choice.
    pub also: PointSet,
    /// True for an analysis, which uses its limits unless its results are proved: no rule for
    /// saving a game's time ends it. A larger share of the nodes goes to wins by threats at the
    /// root.
    pub is_analysis: bool,
}

impl SearchRequest {
    /// A request for the best move, without bounds.
    pub fn new(board: Board, rule: Rule) -> SearchRequest {
        SearchRequest {
            board,
            rule,
            max_depth: None,
            max_nodes: None,
            multi_pv: 1,
            excluded: PointSet::EMPTY,
            also: PointSet::EMPTY,
            is_analysis: false,
        }
    }
}

/// One of the best lines after a completed iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo {
    /// Rank of the line, 0 for the best.
    pub rank: usize,
    /// Number of lines searched (multi-PV).
    pub lines: usize,
    /// Completed iteration in plies.
    pub depth: u32,
    /// Deepest ply visited.
    pub seldepth: u32,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Expected points (win 1, draw 1/2) of the side to move at the root, 0 to 1.
    pub win_rate: f64,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since the request was read.
    pub elapsed: Duration,
    /// Best moves of both sides in turn; never empty.
    pub pv: Vec<Point>,
}

impl SearchInfo {
    /// Black's expected points, 0 to 1, where `side` is to move at the root.
    pub fn black_wins(&self, side: Color) -> f64 {
        match side {
            Color::Black => self.win_rate,
            Color::White => 1.0 - self.win_rate,
        }
    }

    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3)) as u64
    }
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move: legal, and not forbidden if an allowed move exists. `None` on a full board, and
    /// where the engine cannot search: without memory for a table, or without the rule's tables in
    /// time.
    pub best: Option<Point>,
    /// The last completed lines, best first. Empty when the move needed no search, or the search
    /// was stopped before its first iteration ended. Fewer than asked for where it was stopped
    /// after a win by fours.
    pub lines: Vec<SearchInfo>,
    /// Last completed iteration in plies; 0 where none was.
    pub completed_depth: u32,
    /// True if `best` needed no search: on an empty board but in an analysis, and where every point
    /// is forbidden or excluded.
    pub needs_no_search: bool,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the request was read.
    pub elapsed: Duration,
}

/// Expected points (win 1, draw 1/2), 0 to 1, at `score`.
pub fn win_rate(score: Score) -> f64 {
    match score.kind() {
        ScoreKind::Win(_) => 1.0,
        ScoreKind::Loss(_) => 0.0,
        ScoreKind::Value(v) => Weights::win_rate(v),
    }
}
