//! Giving a node up before its moves are tried, and extending the one move that stands alone.

use super::pvs::{Bounds, NonPv};
use super::tt::{Bound, Entry};
use super::worker::Worker;
use crate::patterns::Class;
use crate::types::Score;

/// What the search without the table's move says.
pub(super) enum Singular {
    /// The move is worth that many plies more (fewer, if negative).
    Extend(i32),
    /// Other moves reach beta as well: a bound of the score.
    Cut(Score),
}

impl Worker<'_> {
    /// A ply more if the table's move stands alone: without it a shallower search stays well below
    /// its score. If the others reach beta without it, the node is as good as cut.
    /// Source: T. Anantharaman, M. Campbell, F. Hsu, "Singular extensions" (1988), in the form that
    /// excludes the table's move; multi-cut: Y. Bjornsson, T. A. Marsland (2001).
    pub(super) fn singular_extension(&mut self, node: &Bounds, entry: &Entry) -> Singular {
        let params = self.shared.params;
        let (depth, ply) = (node.depth, node.ply);
        let score = entry.score.from_node(ply);
        let known = matches!(entry.bound, Bound::Lower | Bound::Exact);
        if depth < params.singular_depth
            || entry.best.is_none()
            || entry.depth < depth - 3
            || !known
            || score.is_decided()
        {
            return Singular::Extend(0);
        }
        let bound = Score::value(i32::from(score.raw()) - params.singular_margin * depth / 100);
        self.stack[ply].excluded = entry.best;
        let rest = self.search::<NonPv>(bound - 1, bound, (depth - 1) / 2, ply);
        self.stack[ply].excluded = None;
        if rest < bound {
            Singular::Extend(1)
        } else if bound >= node.beta && !rest.is_decided() {
            Singular::Cut(bound)
        } else {
            Singular::Extend(0)
        }
    }

    /// Gives a node up without trying its moves where that is safe enough; `entry` is what the table
    /// knows of it, `eval` the best guess at its score. Never a proved loss, and no win that was not
    /// proved.
    pub(super) fn prune_node(
        &mut self,
        node: &Bounds,
        entry: Option<&Entry>,
        eval: Score,
        improving: bool,
    ) -> Option<Score> {
        let params = self.shared.params;
        let Bounds {
            alpha,
            beta,
            depth,
            ply,
        } = *node;
        let side = self.position.side_to_move();
        // A straight four is threatened: the evaluation does not see what that is worth.
        let threatened = self.position.count(!side, Class::StraightFour) > 0;

        // Razoring. Source: Birmingham, Kent (1977), in today's form of dropping into the leaf.
        if depth <= params.razor_depth
            && !alpha.is_decided()
            && eval + params.razor_margin(depth) <= alpha
        {
            let known = entry.and_then(|entry| entry.cut(alpha, beta, ply));
            let score = known.unwrap_or_else(|| self.judge(entry, self.stack[ply].eval, beta, ply));
            if score <= alpha || score.is_win() {
                return Some(score);
            }
        }
        if threatened || beta.is_decided() || eval < beta {
            return None;
        }
        // Reverse futility pruning. Not when a straight four is threatened (Rapfi's issue 40).
        if depth <= params.rfp_depth && eval - params.rfp_margin(depth, improving) >= beta {
            return Some(eval);
        }
        // Null move. Source: C. Donninger, "Null move and deep search" (1993). A stone more never
        // hurts in this game but by making an overline, so no verification is needed.
        if depth >= params.null_depth && ply > 0 && self.stack[ply - 1].played.is_some() {
            self.stack[ply].played = None;
            self.position.pass();
            let reduced = depth - params.null_reduction(depth);
            let score = -self.search::<NonPv>(-beta, -beta + 1, reduced, ply + 1);
            self.position.pass();
            if score >= beta && !self.is_stopped() {
                return Some(if score.is_win() { beta } else { score });
            }
        }
        None
    }
}
