//! What a node of the search tree is, for the node itself and for its pruning rules.

use crate::types::{Point, Score};

/// Kind of a node, known at compile time.
pub(super) trait NodeType {
    /// On the principal variation: the exact score is wanted.
    const PV: bool;
    /// The root, whose moves are given by a list.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node on the principal variation.
pub(super) struct Pv;
/// A node searched with a null window: only whether it reaches beta is wanted.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows before it searches its moves.
#[derive(Clone, Copy)]
pub(super) struct NodeContext {
    /// Score that the side to move is sure of.
    pub alpha: Score,
    /// Score that the opponent does not allow.
    pub beta: Score,
    /// Remaining depth in plies.
    pub depth: i32,
    /// Distance from the root in plies.
    pub ply: usize,
    /// Static evaluation; [`Score::NONE`] where a four must be blocked.
    pub eval: Score,
    /// Whether the evaluation is better than at the side's last move.
    pub improving: bool,
    /// The transposition table's move.
    pub tt_move: Option<Point>,
    /// Whether the node is on the principal variation, or the table says that it was.
    pub was_pv: bool,
}
