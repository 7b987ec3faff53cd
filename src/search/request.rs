//! What to search.

use crate::board::Board;
use crate::rules::Rule;
use crate::types::PointSet;

/// What to search and how deep. Time limits belong to [`SearchControl`](super::SearchControl).
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
    /// Whether somebody wants to know what the position holds, and no clock waits for a move: then a
    /// larger share of the nodes goes to wins by threats at the root.
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
