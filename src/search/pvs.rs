//! Principal variation search: one node of the tree.
//!
//! Source: J. Pearl, "SCOUT" (1980); T. A. Marsland, M. Campbell, "Parallel search of strongly
//! ordered game trees" (1982).

use super::moves::Hints;
use super::prune::Singular;
use super::tt::{Bound, Entry};
use super::worker::Worker;
use crate::patterns::Class;
use crate::types::{MAX_PLY, Score};

/// What kind of node is searched, known when the code is compiled.
pub trait Node {
    /// On the principal variation, so the exact score is wanted.
    const PV: bool;
    /// The root, whose moves are listed.
    const ROOT: bool;
}

/// The root.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node that is asked only whether it reaches a bound.
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// The question that a node is asked.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Score that the side to move has already.
    pub alpha: Score,
    /// Score that the opponent will not allow.
    pub beta: Score,
    /// Remaining depth.
    pub depth: i32,
    /// Distance from the root.
    pub ply: usize,
}

impl Worker<'_> {
    /// The value of the position for its side to move, searched `depth` plies deep: exact within
    /// (`alpha`, `beta`), a bound outside (fail-soft). Wins and losses are
    /// proved. Meaningless once the search is stopped.
    pub(super) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
    ) -> Score {
        debug_assert!(alpha < beta);
        self.count_node();
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        let side = self.position.side_to_move();
        let parry = self.position.count(!side, Class::Five) > 0;
        if !N::ROOT {
            if self.is_stopped() {
                return Score::DRAW;
            }
            if let Some(score) = self.settled(parry, ply) {
                return score;
            }
            // No score from here can be better or worse than these.
            alpha = alpha.max(Score::loss_in(ply + 2));
            beta = beta.min(Score::win_in(ply + 3));
            if alpha >= beta {
                return alpha;
            }
            if depth <= 0 && !parry {
                // Where a straight four is threatened the evaluation cannot judge: a ply more. Not
                // where a straight four does not limit the moves, lest the tree never end.
                let threatened = self.position.count(!side, Class::StraightFour) > 0;
                if !threatened || self.position.fives_can_be_blocked() {
                    return self.leaf(alpha, beta, ply);
                }
                depth = 1;
            }
        }

        let excluded = self.stack[ply].excluded;
        let key = self.position.key();
        let entry = self.shared.tt.probe(key);
        if let (Some(entry), false, None) = (entry, N::ROOT, excluded) {
            // On the principal variation an estimate is searched anew, for the line's sake.
            if let Some(score) = entry.cut(alpha, beta, ply)
                && (!N::PV && entry.depth >= depth || entry.bound.proves(score))
            {
                return score;
            }
        }
        let tt_move = entry.and_then(|e| e.best);

        let eval = if parry {
            Score::NONE
        } else {
            self.static_eval(entry.as_ref())
        };
        self.stack[ply].eval = eval;
        let improving = self.improves(ply);
        let mut node = Bounds {
            alpha,
            beta,
            depth,
            ply,
        };
        if !N::PV && !parry && excluded.is_none() {
            // What the table knows is a better guess than the evaluation, in its own direction.
            let guess = match entry.map(|e| (e.bound, e.score.from_node(ply))) {
                Some((Bound::Lower, score)) if score > eval && !score.is_decided() => score,
                Some((Bound::Upper, score)) if score < eval && !score.is_decided() => score,
                Some((Bound::Exact, score)) if !score.is_decided() => score,
                _ => eval,
            };
            if let Some(score) = self.prune_node(&node, entry.as_ref(), guess, improving) {
                return score;
            }
        }

        // Internal iterative reduction: without a known move the node is not worth full depth.
        // Source: E. Schröder, Rebel (2019).
        if tt_move.is_none() && depth >= self.shared.params.iir_depth && !parry {
            node.depth -= 1;
        }

        let singular = match entry {
            Some(entry) if !N::ROOT && excluded.is_none() && !parry => {
                match self.singular_extension(&node, &entry) {
                    Singular::Extend(plies) => plies,
                    Singular::Cut(score) if !N::PV => return score,
                    Singular::Cut(_) => 0,
                }
            }
            _ => 0,
        };
        let hints = Hints {
            tt_move,
            singular,
            improving,
        };
        let (best, best_move) = self.search_moves::<N>(node, &hints);
        if self.is_stopped() || excluded.is_some() {
            return best;
        }
        // Passes of a multi-PV search after the first see only a part of the root's moves.
        if !N::ROOT || self.first_root_move == 0 {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.shared.tt.store(
                key,
                Entry {
                    best: best_move,
                    depth: node.depth,
                    bound,
                    score: best.to_node(ply),
                    eval,
                },
            );
        }
        best
    }

    /// The score of a position that needs no search: a full board, a five at hand, fours that
    /// cannot be parried, a straight four at hand.
    fn settled(&mut self, parry: bool, ply: usize) -> Option<Score> {
        let position = &self.position;
        let side = position.side_to_move();
        if position.board().empty_count() == 0 {
            Some(Score::DRAW)
        } else if position.count(side, Class::Five) > 0 {
            Some(Score::win_in(ply + 1))
        } else if parry {
            let lost = position.count(!side, Class::Five) >= 2 && !position.fives_can_be_blocked();
            lost.then(|| Score::loss_in(ply + 2))
        } else if position.has_straight_four() {
            Some(Score::win_in(ply + 3))
        } else if ply >= MAX_PLY {
            Some(self.evaluator.evaluate(position))
        } else {
            None
        }
    }

    /// The position's evaluation, which the table may have kept.
    pub(super) fn static_eval(&mut self, entry: Option<&Entry>) -> Score {
        match entry {
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.evaluator.evaluate(&self.position),
        }
    }

    /// Whether the evaluation is better than at the side's last move.
    fn improves(&self, ply: usize) -> bool {
        let eval = self.stack[ply].eval;
        let known = |plies| {
            let before = ply.checked_sub(plies).map(|p| self.stack[p].eval);
            before.filter(|&before| before != Score::NONE)
        };
        // Where a four had to be parried there is no evaluation: then two plies more.
        eval != Score::NONE
            && known(2)
                .or_else(|| known(4))
                .is_some_and(|before| eval > before)
    }
}
