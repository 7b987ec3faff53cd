//! Principal variation search: one node of the tree.
//!
//! Source: J. Pearl, "SCOUT" (1980); T. A. Marsland, M. Campbell, "Parallel search of strongly
//! ordered game trees" (1982).

use arrayvec::ArrayVec;

use super::picker::{Need, Picker};
use super::tt::{Bound, Entry};
use super::worker::Worker;
use crate::patterns::Class;
use crate::position::Position;
use crate::threats::VcfResult;
use crate::types::{Color, Point, Score, MAX_PLY};

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

/// Whether a move of the side to move to `p` neither makes nor prevents as much as an open three.
fn is_quiet(position: &Position, p: Point) -> bool {
    let threatens = |color| position.class(color, p) >= Class::OpenThree;
    !threatens(Color::Black) && !threatens(Color::White)
}

/// What is known of a node before its moves are tried.
struct Hints {
    /// The table's move.
    tt_move: Option<Point>,
    /// Plies by which that move is extended.
    singular: i32,
    /// Whether the evaluation is better than two plies ago.
    improving: bool,
}

/// A move that comes late in its node.
struct LateMove {
    /// Remaining depth of the node.
    depth: i32,
    /// Moves searched before.
    count: usize,
    /// See [`is_quiet`].
    quiet: bool,
    /// Lead of the most promising move by static order.
    behind: i32,
    /// Why the node's moves are what they are.
    need: Need,
}

impl Worker<'_> {
    /// The value of the position for its side to move, searched `depth` plies deep: exact within
    /// (`alpha`, `beta`), a bound outside (fail-soft). Wins and losses are proved. Meaningless once
    /// the search is stopped.
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
                    return self.leaf(beta, ply);
                }
                depth = 1;
            }
        }

        let excluded = self.stack[ply].excluded;
        let key = self.position.key();
        let entry = self.shared.tt.probe(key);
        if let (Some(entry), false, None) = (entry, N::PV, excluded) {
            let score = entry.score.from_node(ply);
            if entry.depth >= depth && entry.bound.cuts(score, alpha, beta) {
                return score;
            }
        }
        let tt_move = entry.and_then(|e| e.best);

        let eval = match entry {
            _ if parry => Score::NONE,
            Some(entry) if entry.eval != Score::NONE => entry.eval,
            _ => self.position.evaluate(),
        };
        self.stack[ply].eval = eval;
        let improving = self.improves(ply);
        if !N::PV && !parry && excluded.is_none() {
            // What the table knows is a better guess than the evaluation, in its own direction.
            let guess = match entry.map(|e| (e.bound, e.score.from_node(ply))) {
                Some((Bound::Lower, score)) if score > eval && !score.is_decided() => score,
                Some((Bound::Upper, score)) if score < eval && !score.is_decided() => score,
                Some((Bound::Exact, score)) if !score.is_decided() => score,
                _ => eval,
            };
            if let Some(score) = self.prune_node(alpha, beta, depth, ply, guess, improving) {
                return score;
            }
        }

        // Internal iterative reduction: without a known move the node is not worth full depth.
        // Source: E. Schröder, Rebel (2019).
        if tt_move.is_none() && depth >= self.shared.params.iir_depth && !parry {
            depth -= 1;
        }

        if !N::PV
            && !parry
            && excluded.is_none()
            && depth <= self.shared.params.vcf_depth
            && eval < beta
        {
            if let Some(win) = self.win_by_fours(ply) {
                return win;
            }
        }

        let singular = match entry {
            Some(entry) if !N::ROOT && excluded.is_none() && !parry => {
                self.singular_extension(&entry, depth, ply)
            }
            _ => 0,
        };
        let hints = Hints {
            tt_move,
            singular,
            improving,
        };
        let (best, best_move) = self.search_moves::<N>(alpha, beta, depth, ply, hints);
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
                    depth,
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
            Some(position.evaluate())
        } else {
            None
        }
    }

    /// The value of a position at the end of the search: a win by fours, or the evaluation. The win
    /// is not looked for where the evaluation alone reaches beta.
    fn leaf(&mut self, beta: Score, ply: usize) -> Score {
        let eval = self.position.evaluate();
        if eval >= beta {
            return eval;
        }
        self.win_by_fours(ply).unwrap_or(eval)
    }

    /// The score of a win by fours, if a small search finds one.
    fn win_by_fours(&mut self, ply: usize) -> Option<Score> {
        let side = self.position.side_to_move();
        let fours = [Class::Four, Class::FourPlus, Class::FourThree];
        if fours
            .iter()
            .all(|&four| self.position.count(side, four) == 0)
        {
            return None;
        }
        let limit = self.shared.params.leaf_vcf_nodes as u64;
        let result = self.memory.vcf.solve(&mut self.position, limit);
        self.nodes += self.memory.vcf.nodes();
        match result {
            VcfResult::Win { plies } => Some(Score::win_in(ply + plies as usize)),
            VcfResult::None | VcfResult::Unknown => None,
        }
    }

    /// Whether the evaluation is better than two plies ago.
    fn improves(&self, ply: usize) -> bool {
        let eval = self.stack[ply].eval;
        let before = ply
            .checked_sub(2)
            .map_or(Score::NONE, |p| self.stack[p].eval);
        eval != Score::NONE && before != Score::NONE && eval > before
    }

    /// A ply if the table's move stands alone: without it a shallower search stays well below its
    /// score. Source: T. Anantharaman, M. Campbell, F. Hsu, "Singular extensions" (1988), in the
    /// form that excludes the table's move.
    fn singular_extension(&mut self, entry: &Entry, depth: i32, ply: usize) -> i32 {
        let params = self.shared.params;
        let score = entry.score.from_node(ply);
        let known = matches!(entry.bound, Bound::Lower | Bound::Exact);
        if depth < params.singular_depth
            || entry.best.is_none()
            || entry.depth < depth - 3
            || !known
            || score.is_decided()
        {
            return 0;
        }
        let bound = Score::value(i32::from(score.raw()) - params.singular_margin * depth / 100);
        self.stack[ply].excluded = entry.best;
        let rest = self.search::<NonPv>(bound - 1, bound, (depth - 1) / 2, ply);
        self.stack[ply].excluded = None;
        i32::from(rest < bound)
    }

    /// Gives a node up without trying its moves where that is safe enough. Never a proved loss, and
    /// no win that was not proved.
    fn prune_node(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        improving: bool,
    ) -> Option<Score> {
        let params = self.shared.params;
        let side = self.position.side_to_move();
        // A straight four is threatened: the evaluation does not see what that is worth.
        let threatened = self.position.count(!side, Class::StraightFour) > 0;

        // Razoring. Source: Birmingham, Kent (1977), in today's form of dropping into the leaf.
        if depth <= params.razor_depth
            && !alpha.is_decided()
            && eval + params.razor_margin(depth) <= alpha
        {
            let score = self.leaf(beta, ply);
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

    /// Tries the moves of a node. Returns the best score, and its move if it raised alpha.
    fn search_moves<N: Node>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        hints: Hints,
    ) -> (Score, Option<Point>) {
        let params = self.shared.params;
        let side = self.position.side_to_move();
        let previous = ply.checked_sub(1).and_then(|p| self.stack[p].played);
        let eval = self.stack[ply].eval;
        let mut picker = if N::ROOT {
            Picker::of(
                self.root_moves[self.first_root_move..]
                    .iter()
                    .map(|m| m.point),
            )
        } else {
            Picker::new(
                &mut self.position,
                &self.memory.history,
                params,
                hints.tt_move,
                previous,
            )
        };
        let mut best = match picker.need {
            _ if N::ROOT => -Score::INFINITE,
            // Lost unless a move saves it: to the five, or to the straight four.
            Need::ParryFour => Score::loss_in(ply + 2),
            Need::StopStraightFour => Score::loss_in(ply + 4),
            Need::Free => -Score::INFINITE,
        };
        let mut best_move = None;
        let mut tried = ArrayVec::<Point, 64>::new();
        let mut count = 0;
        let mut far_added = N::ROOT;
        loop {
            let Some(p) = picker.next() else {
                // Only now, when all near moves lose, do far ones matter.
                if far_added || best > -Score::WIN_BOUND {
                    break;
                }
                far_added = true;
                picker.add_far(&self.position);
                continue;
            };
            if !N::ROOT && Some(p) == self.stack[ply].excluded {
                continue;
            }
            let quiet = is_quiet(&self.position, p);
            if !N::PV && picker.need == Need::Free && !best.is_loss() && quiet {
                // Late-move pruning and futility pruning: quiet moves that come late, or from far
                // below alpha, are not searched; never when all moves so far lose.
                let late =
                    depth <= params.lmp_depth && count >= params.lmp_moves(depth, hints.improving);
                let futile = depth <= params.futility_depth
                    && count > 0
                    && eval + params.futility_margin(depth) <= alpha;
                let behind = picker.top - self.position.order(p);
                if depth <= params.policy_depth && count > 0 && behind > params.policy_margin(depth)
                {
                    continue;
                }
                if late || futile {
                    let position = &self.position;
                    picker.retain(|p| !is_quiet(position, p));
                    continue;
                }
            }

            // The reply to a four costs no depth: it is no choice.
            let extension = if picker.need == Need::ParryFour {
                1
            } else if Some(p) == hints.tt_move {
                hints.singular
            } else {
                0
            };
            let next_depth = depth - 1 + extension;
            let reduction =
                if depth >= 2 && count > usize::from(N::PV) && picker.need != Need::ParryFour {
                    let behind = if N::ROOT {
                        0
                    } else {
                        picker.top - self.position.order(p)
                    };
                    let late = LateMove {
                        depth,
                        count,
                        quiet,
                        behind,
                        need: picker.need,
                    };
                    self.reduction(&late, p, N::PV, hints.improving)
                } else {
                    0
                };
            self.shared.tt.prefetch(self.position.key_after(p));
            self.stack[ply].played = Some(p);
            // Below the root a five is seen one ply ahead; at the root it ends the game here.
            let nodes_before = self.nodes;
            let wins = N::ROOT && self.position.class(side, p) == Class::Five;
            self.position.play(p);
            let mut score = -Score::INFINITE;
            let mut full = N::PV && count == 0 && !wins;
            if wins {
                score = Score::win_in(1);
                self.pv[ply + 1].clear();
            } else if !full {
                let reduced = next_depth - reduction;
                score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1);
                if score > alpha && reduction > 0 && !self.is_stopped() {
                    score = -self.search::<NonPv>(-alpha - 1, -alpha, next_depth, ply + 1);
                }
                full = N::PV && score > alpha;
            }
            if full {
                score = -self.search::<Pv>(-beta, -alpha, next_depth, ply + 1);
            }
            self.position.undo();
            if self.is_stopped() {
                return (Score::DRAW, None);
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.note_root_move(p, score, count == 0 || score > alpha, nodes);
            }
            count += 1;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(p);
                    alpha = score;
                    if N::PV {
                        self.extend_pv(ply, p);
                    }
                    if score >= beta {
                        self.memory.history.reward(side, previous, p, &tried, depth);
                        break;
                    }
                }
            }
            if !tried.is_full() {
                tried.push(p);
            }
        }
        if count == 0 && best == -Score::INFINITE {
            // Black may not play anywhere: he loses by any move.
            best = Score::loss_in(ply + 2);
        }
        (best, best_move)
    }

    /// Plies by which a late move is searched less deep.
    /// Source: T. Romstad, "An introduction to late move reductions" (2006).
    fn reduction(&self, late: &LateMove, p: Point, pv: bool, improving: bool) -> i32 {
        let params = self.shared.params;
        let side = self.position.side_to_move();
        let base = self.memory.reductions[(late.depth as usize).min(63)][late.count.min(63)];
        let history = self.memory.history.score(side, p);
        let mut reduction =
            i32::from(base) - history / params.lmr_history + late.behind / params.lmr_policy;
        if pv {
            reduction -= 1;
        }
        if !late.quiet {
            reduction -= 1;
        }
        if !improving {
            reduction += 1;
        }
        if late.need == Need::StopStraightFour {
            reduction -= params.lmr_defence;
        }
        reduction.clamp(0, late.depth - 1)
    }

    /// Puts `p` before the line found one ply further down.
    fn extend_pv(&mut self, ply: usize, p: Point) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(p);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// Keeps what is known of a root move; a move that is no better than the best is only known to
    /// be worse.
    fn note_root_move(&mut self, p: Point, score: Score, is_best: bool, nodes: u64) {
        let seldepth = self.seldepth;
        let line = &self.pv[1];
        if let Some(root_move) = self.root_moves.iter_mut().find(|m| m.point == p) {
            root_move.nodes += nodes;
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
}
