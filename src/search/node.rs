//! Principal variation search: one node of the tree, as a list of numbered steps.
//!
//! Source: J. Pearl, "SCOUT" (1980); T. A. Marsland, M. Campbell, "Parallel search of strongly
//! ordered game trees" (1982).

use arrayvec::ArrayVec;

use super::control::RootMoveEvent;
use super::params::Params;
use super::picker::{MovePicker, MoveStage, NodeThreat};
use super::thread::SearchThread;
use super::tt::{Bound, TtEntry};
use crate::patterns::Class;
use crate::position::Position;
use crate::threats::VcfResult;
use crate::types::{Color, MAX_PLY, Point, Score};

/// Largest policy gap, so that hundredths of it fit into an `i32`.
const MAX_GAP: i32 = 1 << 20;

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

/// State of a node before its moves are searched.
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
    /// Static evaluation, for the table; [`Score::NONE`] where a four must be blocked.
    pub static_eval: Score,
    /// The same, corrected.
    pub eval: Score,
    /// True if the evaluation is better than at the side's last move.
    pub improving: bool,
    /// The transposition table's move.
    pub tt_move: Option<Point>,
    /// True if the node is on the principal variation, or its table entry was stored there.
    pub was_pv: bool,
}

/// A move that is about to be searched.
struct Child {
    point: Point,
    /// Remaining depth after the move.
    depth: i32,
    /// Plies less in the first, reduced search.
    reduction: i32,
    /// True if it is the node's first move.
    is_first: bool,
}

impl SearchThread<'_> {
    /// The value of the position for its side to move, searched `depth` plies deep: exact within
    /// (`alpha`, `beta`), a bound outside (fail-soft). Wins and losses are proved. Meaningless once
    /// the search is stopped.
    pub(super) fn search<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
    ) -> Score {
        debug_assert!(alpha < beta);

        // Step 1. Count the node and check the limits.
        self.count_node();
        if N::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        let side = self.position.side_to_move();
        let must_block = self.position.count(!side, Class::Five) > 0;
        if !N::ROOT {
            if self.is_stopped() {
                return Score::DRAW;
            }

            // Step 2. Terminal position.
            if let Some(score) = self.terminal_score(must_block, ply) {
                return score;
            }

            // Step 3. Win distance pruning: no score from here can be better or worse than these.
            alpha = alpha.max(Score::loss_in(ply + 2));
            beta = beta.min(Score::win_in(ply + 3));
            if alpha >= beta {
                return alpha;
            }

            // Step 4. Quiescence search at depth 0. The evaluation cannot judge a threatened
            // straight four: then one ply more.
            if depth <= 0 && !must_block {
                if self.position.count(!side, Class::StraightFour) == 0 {
                    return self.qsearch(alpha, beta, ply);
                }
                depth = 1;
            }
        }

        // Step 5. Transposition table cutoff. On the principal variation only proved scores cut, so
        // that the line is complete up to a proved win or loss.
        let key = self.position.key();
        let entry = self.shared.tt.probe(key);
        if let Some(entry) = entry
            && !N::ROOT
            && let Some(score) = entry.cutoff(alpha, beta, ply)
            && (!N::PV && entry.depth >= depth || entry.bound.proves(score))
        {
            return score;
        }

        // Step 6. Static evaluation, corrected; the history learns how the last move changed the value.
        let (static_eval, eval) = if must_block {
            (Score::NONE, Score::NONE)
        } else {
            let static_eval = self.static_eval(entry.as_ref());
            (static_eval, self.corrected(static_eval, ply))
        };
        self.stack[ply].eval = eval;
        self.learn_last_move(ply);
        let params = self.shared.params;
        let mut node = NodeContext {
            alpha,
            beta,
            depth,
            ply,
            static_eval,
            eval,
            improving: self.is_improving(ply),
            tt_move: entry.and_then(|e| e.best),
            was_pv: N::PV || entry.is_some_and(|e| e.was_pv),
        };

        // Steps 7 to 9. Pruning of the whole node.
        if !N::PV
            && !must_block
            && let Some(score) = self.prune_node(&node, entry.as_ref())
        {
            return score;
        }

        // Step 10. Internal iterative reduction: without a table move the node is not worth full
        // depth; the root is, which the table may not know. Source: E. Schröder, Rebel (2019).
        if !N::ROOT && node.tt_move.is_none() && depth >= params.iir_depth && !must_block {
            node.depth -= 1;
        }

        // Steps 11 to 17. The moves.
        let (best, best_move) = self.search_moves::<N>(&node);
        if self.is_stopped() {
            return best;
        }

        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Step 18. Correct the evaluation where the result contradicts it.
        if let Some(stones) = self.last_stones(ply)
            && !must_block
            && !best.is_decided()
            && !(bound == Bound::Lower && best <= eval)
            && !(bound == Bound::Upper && best >= eval)
        {
            let error = i32::from(best.raw()) - i32::from(eval.raw());
            let bonus = params.correction_rate * error * node.depth;
            self.data.history.correct(side, stones, bonus);
        }

        // Step 19. Store the result. At the root some moves may not have been searched: moves
        // excluded by the request, moves of earlier lines, and moves far from all stones.
        let is_whole = !N::ROOT
            || self.first_root_move == 0
                && self.shared.request.excluded.is_empty()
                && !best.is_loss();
        if is_whole {
            self.shared.tt.store(
                key,
                TtEntry {
                    best: best_move,
                    depth: node.depth,
                    bound,
                    score: best.to_node(ply),
                    eval: static_eval,
                    was_pv: node.was_pv,
                },
            );
        }
        best
    }

    /// The score of a position that needs no search: a full board, a five in one move, fours that
    /// cannot be blocked, a straight four in one move, or the depth limit of the stack.
    fn terminal_score(&mut self, must_block: bool, ply: usize) -> Option<Score> {
        let position = &mut self.position;
        let side = position.side_to_move();
        if position.board().empty_count() == 0 {
            Some(Score::DRAW)
        } else if position.count(side, Class::Five) > 0 {
            Some(Score::win_in(ply + 1))
        } else if ply >= MAX_PLY {
            Some(self.evaluator.evaluate(position))
        } else if must_block {
            let lost =
                position.count(!side, Class::Five) >= 2 && position.four_replies().is_empty();
            lost.then(|| Score::loss_in(ply + 2))
        } else if position.has_straight_four() {
            Some(Score::win_in(ply + 3))
        } else {
            None
        }
    }

    /// Steps 7 to 9: a score for the node without a search of its moves, where that is safe enough.
    /// Never a proved loss, and never a win without proof.
    fn prune_node(&mut self, node: &NodeContext, entry: Option<&TtEntry>) -> Option<Score> {
        let params = self.shared.params;
        let &NodeContext {
            alpha,
            beta,
            depth,
            ply,
            ..
        } = node;
        let eval = tt_adjusted_eval(entry, node);
        // The evaluation does not see what a threatened straight four is worth (Rapfi's issue 40),
        // nor a four with an open three.
        let opponent = !self.position.side_to_move();
        let threatened = [Class::StraightFour, Class::FourThree]
            .iter()
            .any(|&class| self.position.count(opponent, class) > 0);

        // Step 7. Razoring.
        if can_razor(params, node, eval) {
            let known = entry.and_then(|entry| entry.cutoff(alpha, beta, ply));
            let score =
                known.unwrap_or_else(|| self.vcf_or_eval(entry, node.static_eval, beta, ply));
            if score <= alpha || score.is_win() {
                return Some(score);
            }
        }
        if threatened || beta.is_decided() || eval < beta {
            return None;
        }

        // Step 8. Reverse futility pruning.
        if can_rfp(params, node, eval) {
            return Some(eval);
        }

        // Step 9. Null move pruning. A further stone never hurts in this game, except by an
        // overline, so that no verification search is needed.
        // Source: C. Donninger, "Null move and deep search" (1993).
        if depth >= params.null_depth && self.previous_move(ply).is_some() {
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

    /// Steps 11 to 17: searches the moves of a node. Returns the best score, and its move if it
    /// raised alpha.
    fn search_moves<N: NodeType>(&mut self, node: &NodeContext) -> (Score, Option<Point>) {
        let &NodeContext {
            mut alpha,
            beta,
            depth,
            ply,
            ..
        } = node;
        let params = self.shared.params;
        let previous = self.previous_move(ply);
        let mut picker = MovePicker::empty();
        if N::ROOT {
            let moves = &self.root_moves[self.first_root_move..];
            picker.list(moves.iter().map(|m| m.point));
        } else if let Some(p) = node.tt_move
            && self.may_try_first(p)
        {
            picker.put_first(p);
        }
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = ArrayVec::<Point, 64>::new();
        let mut count = 0;
        let mut less_depth = 0;
        let most_moves = self.most_moves::<N>(node);
        loop {
            // Step 11. Next move.
            let Some(p) = picker.next() else {
                match picker.stage {
                    MoveStage::Table => {
                        picker.generate(
                            &mut self.position,
                            &mut self.evaluator,
                            &self.data.history,
                            params,
                            previous,
                            node.tt_move,
                        );
                        best = best.max(match picker.threat {
                            // Lost unless a move saves the game: to the five, or to the straight
                            // four.
                            NodeThreat::Four => Score::loss_in(ply + 2),
                            NodeThreat::StraightFour => Score::loss_in(ply + 4),
                            NodeThreat::None => -Score::INFINITE,
                        });
                    }
                    MoveStage::Near if best <= -Score::WIN_BOUND => {
                        picker.add_far(&self.position, &mut self.evaluator);
                    }
                    MoveStage::Near | MoveStage::Far => break,
                }
                continue;
            };
            let quiet = is_quiet(&self.position, p);

            // Step 12. Move-count pruning of all moves, less on the principal variation, and
            // futility pruning of quiet moves off it; never while all moves lose. Source of pruning
            // by count at every depth: Rapfi.
            if picker.threat == NodeThreat::None && !best.is_loss() {
                if count >= most_moves {
                    break;
                }
                if !N::PV && quiet && skips_quiet_moves(params, node, alpha, count) {
                    let position = &self.position;
                    picker.retain(|p| !is_quiet(position, p));
                    continue;
                }
            }

            // Step 13. Extensions. The reply to a four costs no depth, because it is forced.
            let extension = i32::from(picker.threat == NodeThreat::Four);

            // Step 14. Late move reduction.
            let reduction = self.reduction::<N>(node, &picker, p, quiet, count);

            // Step 15. Search the move.
            let nodes_before = self.nodes;
            if N::ROOT {
                self.notify(depth, RootMoveEvent::Begin(p));
            }
            let child = Child {
                point: p,
                depth: depth - 1 + extension - less_depth,
                reduction,
                is_first: count == 0,
            };
            let score = self.search_child::<N>(&child, alpha, beta, ply);
            if self.is_stopped() {
                return (Score::DRAW, None);
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.update_root_move(p, score, count == 0 || score > alpha, nodes);
                let lost = score.is_loss();
                self.notify(depth, RootMoveEvent::Done { point: p, lost });
            }
            count += 1;

            // Step 16. New best move, and beta cutoff.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(p);
                    alpha = score;
                    if N::PV {
                        self.update_pv(ply, p);
                    }
                    if score >= beta {
                        let side = self.position.side_to_move();
                        self.data.history.update(side, previous, p, &tried, depth);
                        break;
                    }
                    // Another move is seldom better still: the rest is searched less deep. Source: Rapfi,
                    // Stockfish.
                    if (params.raised_least_depth..=params.raised_depth).contains(&depth)
                        && !score.is_decided()
                    {
                        less_depth = 1;
                    }
                }
            }
            if !tried.is_full() {
                tried.push(p);
            }
        }

        // Step 17. No legal move: all cells are forbidden to Black, who loses by any move.
        if count == 0 && best == -Score::INFINITE {
            best = Score::loss_in(ply + 2);
        }
        (best, best_move)
    }

    /// Move-count pruning: number of the node's moves to search.
    fn most_moves<N: NodeType>(&self, node: &NodeContext) -> usize {
        if N::ROOT && self.lines() > 1 {
            // Any of them may belong to the lines that are asked for.
            return usize::MAX;
        }
        let times = if N::PV { self.shared.params.lmp_pv } else { 1 };
        self.data.move_count_limit(node.depth, node.improving) * times as usize
    }

    /// Step 14, late move reduction: plies less for the last picked move `p`, before which `count`
    /// moves were searched. `quiet`: see [`is_quiet`]. Source: T. Romstad, "An introduction to late
    /// move reductions" (2006).
    fn reduction<N: NodeType>(
        &self,
        node: &NodeContext,
        picker: &MovePicker,
        p: Point,
        quiet: bool,
        count: usize,
    ) -> i32 {
        let may_reduce = node.depth >= 2 && count > usize::from(N::PV);
        if !may_reduce || picker.threat == NodeThreat::Four {
            return 0;
        }
        let params = self.shared.params;
        let side = self.position.side_to_move();
        let history = &self.data.history;
        let replies = history.replies(side, self.previous_move(node.ply));
        let (main, continuation) = (history.score(side, p), replies.score(p));
        let history = (params.lmr_main * main + params.lmr_continuation * continuation) / 100;
        let policy_gap = if N::ROOT { 0 } else { picker.policy_gap() };
        let plies = i32::from(!node.improving)
            - i32::from(N::PV)
            - i32::from(node.was_pv)
            - i32::from(!quiet);
        let hundredths = self.data.base_reduction(node.depth, count) + 100 * plies
            - 100 * history / params.lmr_history
            + 100 * policy_gap.min(MAX_GAP) / params.lmr_policy;
        (hundredths / 100).clamp(0, node.depth - 1)
    }

    /// True if the table's move `p` may be searched before the node's moves are generated. Against
    /// a four there are few moves, and the threat decides how deep they are searched. The move may
    /// belong to another position, after a collision of keys or in a table from a file.
    fn may_try_first(&self, p: Point) -> bool {
        let side = self.position.side_to_move();
        self.position.count(!side, Class::Five) == 0
            && self.position.free_set().contains(p)
            && !self.position.is_forbidden(side, p)
    }

    /// Step 15: plays a move, searches the position after it and takes the move back. All moves but
    /// the first are searched with a null window, at reduced depth first, and again where they
    /// raise alpha.
    fn search_child<N: NodeType>(
        &mut self,
        child: &Child,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let &Child {
            point,
            depth,
            reduction,
            is_first,
        } = child;
        self.shared.tt.prefetch(self.position.key_after(point));
        self.evaluator.prefetch_child(&self.position, point);
        self.stack[ply].played = Some(point);
        // Below the root a five is seen one ply ahead; at the root it ends the game here.
        let side = self.position.side_to_move();
        let wins = N::ROOT && self.position.class(side, point) == Class::Five;
        self.position.play(point);
        let mut score = -Score::INFINITE;
        let mut full = N::PV && is_first && !wins;
        if wins {
            score = Score::win_in(1);
            self.pv[ply + 1].clear();
        } else if !full {
            score = -self.search::<NonPv>(-alpha - 1, -alpha, depth - reduction, ply + 1);
            if score > alpha && reduction > 0 && !self.is_stopped() {
                // Far above alpha a ply deeper, barely above a ply less. Source: Stockfish.
                let params = self.shared.params;
                let more = match score {
                    _ if N::ROOT => 0,
                    _ if score > alpha + params.deeper_margin => 1,
                    _ if score < alpha + params.shallower_margin => -1,
                    _ => 0,
                };
                if reduction + more > 0 {
                    score = -self.search::<NonPv>(-alpha - 1, -alpha, depth + more, ply + 1);
                }
            }
            full = N::PV && score > alpha;
        }
        if full {
            score = -self.search::<Pv>(-beta, -alpha, depth, ply + 1);
        }
        self.position.undo();
        score
    }

    /// The value of a position at remaining depth 0: the table's score, a win by fours, or the
    /// evaluation. Source of the table lookup: Stockfish.
    fn qsearch(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        let entry = self.shared.tt.probe(self.position.key());
        match entry.and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            Some(score) => score,
            None => {
                let eval = self.static_eval(entry.as_ref());
                self.vcf_or_eval(entry.as_ref(), eval, beta, ply)
            }
        }
    }

    /// The score of a win by fours, or else the corrected evaluation. The win is searched only where
    /// the corrected evaluation is below beta. `eval` is the evaluation without correction, `entry`
    /// the table's entry, which was of no use.
    fn vcf_or_eval(
        &mut self,
        entry: Option<&TtEntry>,
        eval: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let value = self.corrected(eval, ply);
        let bound = if value >= beta {
            Bound::Lower
        } else {
            if let Some(win) = self.leaf_vcf(eval, ply) {
                return win;
            }
            Bound::Upper
        };
        if entry.is_none() {
            let entry = TtEntry {
                best: None,
                depth: 0,
                bound,
                score: value,
                eval,
                was_pv: false,
            };
            self.shared.tt.store(self.position.key(), entry);
        }
        value
    }

    /// The score of a win by fours of the side to move, who has no five and faces no four, if a
    /// small search finds one. The table keeps it as proved.
    fn leaf_vcf(&mut self, eval: Score, ply: usize) -> Option<Score> {
        let limit = self.shared.params.leaf_vcf_nodes as u64;
        if limit == 0 || !has_fours(&self.position, self.position.side_to_move()) {
            return None;
        }
        let result = self.data.vcf.solve(&self.position, limit);
        self.nodes += self.data.vcf.nodes();
        let VcfResult::Win { plies } = result else {
            return None;
        };
        let score = Score::win_in(ply + plies as usize);
        let entry = TtEntry {
            best: self.data.vcf.first_move(),
            depth: 0,
            bound: Bound::Lower,
            score: score.to_node(ply),
            eval,
            was_pv: false,
        };
        self.shared.tt.store(self.position.key(), entry);
        Some(score)
    }
}

/// Fours that a VCF can begin with. A straight four wins at once.
const FOURS: [Class; 3] = [Class::Four, Class::FourPlus, Class::FourThree];

/// True if `color` can make a four that is no straight four.
pub(super) fn has_fours(position: &Position, color: Color) -> bool {
    FOURS.iter().any(|&four| position.count(color, four) > 0)
}

/// The static evaluation, or the table's score where its bound is closer to the true value.
#[inline]
fn tt_adjusted_eval(entry: Option<&TtEntry>, node: &NodeContext) -> Score {
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
fn can_razor(params: &Params, node: &NodeContext, eval: Score) -> bool {
    node.depth <= params.razor_depth
        && !node.alpha.is_decided()
        && eval + params.razor_margin(node.depth) <= node.alpha
}

/// Reverse futility pruning: whether `eval` is so far above beta that the node fails high without
/// search.
#[inline]
fn can_rfp(params: &Params, node: &NodeContext, eval: Score) -> bool {
    node.depth <= params.rfp_depth
        && eval - params.rfp_margin(node.depth, node.improving) >= node.beta
}

/// True if a move of the side to move to `p` neither makes nor prevents an open three or more.
#[inline]
fn is_quiet(position: &Position, p: Point) -> bool {
    let threatens = |color| position.class(color, p) >= Class::OpenThree;
    !threatens(Color::Black) && !threatens(Color::White)
}

/// Futility pruning: whether the node skips its remaining quiet moves after `count` searched moves,
/// because its evaluation is far below `alpha`.
#[inline]
fn skips_quiet_moves(params: &Params, node: &NodeContext, alpha: Score, count: usize) -> bool {
    node.depth <= params.futility_depth
        && count > 0
        && node.eval + params.futility_margin(node.depth) <= alpha
}
