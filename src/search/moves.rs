//! The moves of one node: which are left out, how deep each is searched, and what is kept of them.

use arrayvec::ArrayVec;

use super::observer::RootMoveEvent;
use super::picker::{Need, Picker};
use super::pvs::{Bounds, Node, NonPv, Pv};
use super::worker::Worker;
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Color, Point, Score};

/// What is known of a node before its moves are tried.
pub(super) struct Hints {
    /// The table's move.
    pub tt_move: Option<Point>,
    /// Plies by which that move is extended.
    pub singular: i32,
    /// Whether the evaluation is better than at the side's last move.
    pub improving: bool,
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
    /// How well the move fared in other nodes.
    history: i32,
}

/// Whether a move of the side to move to `p` neither makes nor prevents as much as an open three.
fn is_quiet(position: &Position, p: Point) -> bool {
    let threatens = |color| position.class(color, p) >= Class::OpenThree;
    !threatens(Color::Black) && !threatens(Color::White)
}

impl Worker<'_> {
    /// Tries the moves of a node. Returns the best score, and its move if it raised alpha.
    pub(super) fn search_moves<N: Node>(
        &mut self,
        node: Bounds,
        hints: &Hints,
    ) -> (Score, Option<Point>) {
        let Bounds {
            mut alpha,
            beta,
            depth,
            ply,
        } = node;
        let params = self.shared.params;
        let side = self.position.side_to_move();
        let previous = ply.checked_sub(1).and_then(|p| self.stack[p].played);
        let eval = self.stack[ply].eval;
        let mut picker = Picker::empty();
        if N::ROOT {
            let moves = &self.root_moves[self.first_root_move..];
            picker.list(moves.iter().map(|m| m.point));
        } else {
            picker.fill(
                &mut self.position,
                &mut self.evaluator,
                &self.memory.history,
                params,
                previous,
                hints,
            );
        }
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
                picker.add_far(&self.position, &mut self.evaluator);
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
                    let behind = if N::ROOT { 0 } else { picker.behind() };
                    let late = LateMove {
                        depth,
                        count,
                        quiet,
                        behind,
                        need: picker.need,
                        history: (params.lmr_main * self.memory.history.score(side, p)
                            + params.lmr_continuation
                                * self.memory.history.replies(side, previous).score(p))
                            / 100,
                    };
                    self.reduction(&late, N::PV, hints.improving)
                } else {
                    0
                };
            self.shared.tt.prefetch(self.position.key_after(p));
            self.evaluator.expect(&self.position, p);
            self.stack[ply].played = Some(p);
            // Below the root a five is seen one ply ahead; at the root it ends the game here.
            let nodes_before = self.nodes;
            if N::ROOT {
                self.notify(depth, RootMoveEvent::Begin(p));
            }
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
                let lost = score.is_loss();
                self.notify(depth, RootMoveEvent::Done { point: p, lost });
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
    fn reduction(&self, late: &LateMove, pv: bool, improving: bool) -> i32 {
        let params = self.shared.params;
        let base = self.memory.reductions[(late.depth as usize).min(63)][late.count.min(63)];
        let mut reduction =
            i32::from(base) - late.history / params.lmr_history + late.behind / params.lmr_policy;
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
