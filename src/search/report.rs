use std::time::Duration;

use crate::board::Board;
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet, Score};

/// What to search and how far; time is the business of [`super::SearchControl`].
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position; its side to move is the one that thinks.
    pub board: Board,
    /// Rule set.
    pub rule: Rule,
    /// Deepest iteration in plies.
    pub max_depth: Option<u32>,
    /// Nodes after which the search ends.
    pub max_nodes: Option<u64>,
    /// Number of best moves to report, each with its line; at least 1.
    pub multi_pv: usize,
    /// Cells that are not to be played at the root (Yixin-Board's blocked moves).
    pub excluded: PointSet,
    /// Cells to be considered at the root besides those that the search would choose itself, where
    /// no threat limits the choice.
    pub also: PointSet,
}

impl SearchRequest {
    /// A request for the one best move, without bounds.
    pub fn new(board: Board, rule: Rule) -> SearchRequest {
        SearchRequest {
            board,
            rule,
            max_depth: None,
            max_nodes: None,
            multi_pv: 1,
            excluded: PointSet::EMPTY,
            also: PointSet::EMPTY,
        }
    }
}

/// What the search knows about one of its best lines.
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
    /// Value for the side that thinks.
    pub score: Score,
    /// Expected points (win 1, draw 1/2) of the side that thinks, 0 to 1.
    pub win_rate: f64,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since the request was read.
    pub elapsed: Duration,
    /// Best moves of both sides in turn; never empty.
    pub pv: Vec<Point>,
}

impl SearchInfo {
    /// Black's expected points, 0 to 1, where `thinker` is the side that thinks.
    pub fn black_wins(&self, thinker: Color) -> f64 {
        match thinker {
            Color::Black => self.win_rate,
            Color::White => 1.0 - self.win_rate,
        }
    }

    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3)) as u64
    }
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move: legal, and not forbidden if an allowed move exists. `None` only on a full board.
    pub best: Option<Point>,
    /// The last report of every line, best first. Empty when the move needed no search.
    pub lines: Vec<SearchInfo>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the request was read.
    pub elapsed: Duration,
}
