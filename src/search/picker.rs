//! Move picker: the moves that a node tries, in their order.

use arrayvec::ArrayVec;

use super::evaluator::Evaluator;
use super::history::History;
use super::params::Params;
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{MAX_CELLS, Point, PointSet};

/// Moves that are selected one by one before the rest is sorted.
const SELECTED: usize = 8;

/// The opponent's threat that limits the moves of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeThreat {
    /// The opponent has a four: every move but a block loses.
    Four,
    /// The opponent threatens to make a straight four: only a defence or an own four can save the
    /// game.
    StraightFour,
    /// No such threat, or the side to move has a five.
    None,
}

/// The cells to search for the side to move in `position`, and the threat that limits them. A move
/// to any other cell loses, or has no stone near.
pub fn moves_to_search(position: &mut Position) -> (NodeThreat, PointSet) {
    let side = position.side_to_move();
    if position.count(side, Class::Five) > 0 {
        return (NodeThreat::None, *position.set(side, Class::Five));
    }
    if position.count(!side, Class::Five) > 0 {
        return (NodeThreat::Four, position.four_replies());
    }
    if let Some(defences) = position.straight_four_defences() {
        let fours = position.four_cells(side);
        return (NodeThreat::StraightFour, defences.union(&fours));
    }
    (NodeThreat::None, position.candidates())
}

/// A move with its scores.
#[derive(Clone, Copy, Debug)]
struct ScoredMove {
    point: Point,
    /// Policy of the evaluation, in units of [`POLICY_LOGIT`](crate::eval::POLICY_LOGIT).
    policy: i32,
    /// Sort key, the highest first: the score from policy and histories in the high bits, the point
    /// in the low ones, so the order never depends on how the moves were generated.
    key: i64,
}

/// The [`key`](ScoredMove::key) of a move to `point` with this score.
#[inline]
fn sort_key(score: i32, point: Point) -> i64 {
    i64::from(score) << 16 | i64::from(u16::MAX - point.index() as u16)
}

/// The moves that a [`MovePicker`] holds.
#[derive(Clone, Copy)]
pub(super) enum MoveStage {
    /// The table's move, if there is one. The others get their policies only after its search,
    /// which often cuts off.
    Table,
    /// The moves near stones.
    Near,
    /// The far moves as well, which matter only when all near ones lose; at the root, all moves.
    Far,
}

/// The moves of one node, best first. Forbidden moves are left out.
///
/// A picker is created empty and filled in place. Copying its room for all moves of a board in
/// every node takes a fifth of the search time on a processor that copies slowly (AMD EPYC, Zen 3).
pub(super) struct MovePicker {
    moves: ArrayVec<ScoredMove, MAX_CELLS>,
    next: usize,
    pub stage: MoveStage,
    /// The threat that limits the moves.
    pub threat: NodeThreat,
    /// Policy of the move with the highest policy.
    top_policy: i32,
}

impl MovePicker {
    /// No moves yet.
    #[inline(always)]
    pub fn empty() -> MovePicker {
        MovePicker {
            moves: ArrayVec::new(),
            next: 0,
            stage: MoveStage::Table,
            threat: NodeThreat::None,
            top_policy: 0,
        }
    }

    /// Generates the [moves to search](moves_to_search), without the one that was
    /// [put first](MovePicker::put_first), and scores them: the table's move first, then by policy,
    /// histories and counter move.
    pub fn generate(
        &mut self,
        position: &mut Position,
        evaluator: &mut Evaluator,
        history: &History,
        params: &Params,
        previous: Option<Point>,
        tt_move: Option<Point>,
    ) {
        let first = self.moves.first().map(|m| m.point);
        self.moves.clear();
        self.next = 0;
        self.stage = MoveStage::Near;
        history.prefetch(position.side_to_move(), previous);
        let (threat, cells) = moves_to_search(position);
        self.threat = threat;
        let side = position.side_to_move();
        let counter = history.counter(side, previous);
        let replies = history.replies(side, previous);
        let mut top = i32::MIN;
        self.add(position, evaluator, &cells, |p, policy| {
            top = top.max(policy);
            if Some(p) == tt_move {
                return i32::MAX;
            }
            let score = params.order_weight * policy
                + params.history_weight * history.score(side, p)
                + params.continuation_weight * replies.score(p);
            score / 100
                + if Some(p) == counter {
                    params.counter_bonus
                } else {
                    0
                }
        });
        self.top_policy = top;
        if let Some(first) = first
            && let Some(i) = self.moves.iter().position(|m| m.point == first)
        {
            self.moves.swap_remove(i);
        }
    }

    /// Holds the table's move `p`, before the other moves are [generated](MovePicker::generate).
    pub fn put_first(&mut self, p: Point) {
        self.list(std::iter::once(p));
        self.stage = MoveStage::Table;
    }

    /// Holds these moves in this order, and no others.
    pub fn list(&mut self, moves: impl Iterator<Item = Point>) {
        self.stage = MoveStage::Far;
        self.moves
            .extend(moves.zip(0..).map(|(point, i)| ScoredMove {
                point,
                policy: 0,
                key: sort_key(-i, point),
            }));
    }

    /// By how much the policy of the last picked move is below the highest policy.
    #[inline]
    pub fn policy_gap(&self) -> i32 {
        self.top_policy
            .saturating_sub(self.moves[self.next - 1].policy)
    }

    /// Adds the free cells that have no stone near. Without them a position in which every near
    /// move loses is not proved lost.
    pub fn add_far(&mut self, position: &Position, evaluator: &mut Evaluator) {
        self.stage = MoveStage::Far;
        if self.threat == NodeThreat::None {
            let far = position.free_set().difference(&position.candidates());
            self.add(position, evaluator, &far, |_, _| 0);
        }
    }

    /// Drops the remaining moves for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(Point) -> bool) {
        let mut kept = self.next;
        for i in self.next..self.moves.len() {
            if keep(self.moves[i].point) {
                self.moves[kept] = self.moves[i];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Adds the moves to `cells`, scored by `score` from the move and its policy.
    fn add(
        &mut self,
        position: &Position,
        evaluator: &mut Evaluator,
        cells: &PointSet,
        mut score: impl FnMut(Point, i32) -> i32,
    ) {
        let side = position.side_to_move();
        let first = self.moves.len();
        for point in cells {
            if !position.is_forbidden(side, point) {
                self.moves.push(ScoredMove {
                    point,
                    policy: position.policy(point),
                    key: 0,
                });
            }
        }
        let added = &mut self.moves[first..];
        // The few replies to a four need no finer order.
        if self.threat != NodeThreat::Four
            && let Some(policy) = evaluator.policy(position, added.iter().map(|m| m.point))
        {
            for (i, m) in added.iter_mut().enumerate() {
                m.policy = policy.logit(i, m.policy);
            }
        }
        for m in added {
            m.key = sort_key(score(m.point, m.policy), m.point);
        }
    }
}

impl Iterator for MovePicker {
    type Item = Point;

    /// The best of the remaining moves.
    fn next(&mut self) -> Option<Point> {
        let rest = self
            .moves
            .get_mut(self.next..)
            .filter(|rest| !rest.is_empty())?;
        if self.next < SELECTED {
            // Most nodes end after a few moves: selecting these one by one is cheaper than sorting.
            let (mut best, mut key) = (0, i64::MIN);
            for (i, m) in rest.iter().enumerate() {
                (best, key) = if m.key > key { (i, m.key) } else { (best, key) };
            }
            rest.swap(0, best);
        } else if self.next == SELECTED {
            rest.sort_unstable_by_key(|m| std::cmp::Reverse(m.key));
        }
        self.next += 1;
        rest.first().map(|m| m.point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, parse_moves};
    use crate::rules::Rule;

    #[test]
    fn near_and_far_moves_are_all_free_cells() {
        let mut board = Board::new(15, 15).unwrap();
        parse_moves(&mut board, "h8 i9 g7").unwrap();
        let mut position = Position::new(&board, Rule::Freestyle);
        let mut evaluator = Evaluator::new(None, &board);
        let (history, params) = (History::new(), Params::default());
        let mut picker = MovePicker::empty();
        picker.generate(&mut position, &mut evaluator, &history, &params, None, None);
        let mut picked: Vec<Point> = picker.by_ref().collect();
        assert!(picked.len() > SELECTED);
        picker.add_far(&position, &mut evaluator);
        picked.extend(picker);
        picked.sort_unstable();
        assert_eq!(picked, position.free_set().iter().collect::<Vec<_>>());
    }
}
