//! The conditions under which a node prunes, reduces or extends. Their margins are in [`Params`].

use super::node_context::NodeContext;
use super::params::Params;
use super::picker::NodeThreat;
use super::tt::{Bound, TtEntry};
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Color, Point, Score};

/// The static evaluation, or the table's score where its bound shows that it is closer to the true
/// value.
#[inline]
pub(super) fn tt_adjusted_eval(entry: Option<&TtEntry>, node: &NodeContext) -> Score {
    match entry.map(|e| (e.bound, e.score.from_node(node.ply))) {
        Some((Bound::Lower, score)) if score > node.eval && !score.is_decided() => score,
        Some((Bound::Upper, score)) if score < node.eval && !score.is_decided() => score,
        Some((Bound::Exact, score)) if !score.is_decided() => score,
        _ => node.eval,
    }
}

/// Razoring: whether `eval` is so far below alpha that quiescence search may answer for the node.
/// Source: J. Birmingham, P. Kent, "Tree-searching and tree-pruning techniques" (1977), in today's
/// form of dropping into quiescence search.
#[inline]
pub(super) fn can_razor(params: &Params, node: &NodeContext, eval: Score) -> bool {
    node.depth <= params.razor_depth
        && !node.alpha.is_decided()
        && eval + params.razor_margin(node.depth) <= node.alpha
}

/// Reverse futility pruning: whether `eval` is so far above beta that the node fails high without
/// search.
#[inline]
pub(super) fn can_rfp(params: &Params, node: &NodeContext, eval: Score) -> bool {
    node.depth <= params.rfp_depth
        && eval - params.rfp_margin(node.depth, node.improving) >= node.beta
}

/// Whether a move of the side to move to `p` neither makes nor prevents an open three or more.
#[inline]
pub(super) fn is_quiet(position: &Position, p: Point) -> bool {
    let threatens = |color| position.class(color, p) >= Class::OpenThree;
    !threatens(Color::Black) && !threatens(Color::White)
}

/// Futility pruning: whether the node skips its remaining quiet moves after `count` searched moves,
/// because its evaluation is far below `alpha`.
#[inline]
pub(super) fn skips_quiet_moves(
    params: &Params,
    node: &NodeContext,
    alpha: Score,
    count: usize,
) -> bool {
    node.depth <= params.futility_depth
        && count > 0
        && node.eval + params.futility_margin(node.depth) <= alpha
}

/// Late move reduction of one move.
/// Source: T. Romstad, "An introduction to late move reductions" (2006).
pub(super) struct LateMove {
    /// Remaining depth of the node.
    pub depth: i32,
    /// Whether the node is on the principal variation.
    pub pv: bool,
    /// See [`NodeContext::was_pv`].
    pub was_pv: bool,
    /// See [`NodeContext::improving`].
    pub improving: bool,
    /// The threat that limits the node's moves.
    pub threat: NodeThreat,
    /// See [`is_quiet`].
    pub quiet: bool,
    /// By how much the move's policy is below the highest policy.
    pub policy_gap: i32,
    /// History score of the move.
    pub history: i32,
}

impl LateMove {
    /// Plies by which the move's depth is reduced, where depth and move number alone say `base`.
    #[inline]
    pub fn reduction(&self, params: &Params, base: u8) -> i32 {
        let mut reduction = i32::from(base) - self.history / params.lmr_history
            + self.policy_gap / params.lmr_policy;
        if self.pv {
            reduction -= 1;
        }
        if self.was_pv {
            reduction -= 1;
        }
        if !self.quiet {
            reduction -= 1;
        }
        if !self.improving {
            reduction += 1;
        }
        if self.threat == NodeThreat::StraightFour {
            reduction -= params.lmr_defence;
        }
        reduction.clamp(0, self.depth - 1)
    }
}
