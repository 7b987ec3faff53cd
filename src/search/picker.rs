//! Which moves a node tries, and in which order.

use arrayvec::ArrayVec;

use super::evaluator::Evaluator;
use super::history::History;
use super::moves::Hints;
use super::params::Params;
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Point, PointSet};

/// Most moves of a position.
const MAX_MOVES: usize = 484;

/// Moves that are picked one by one before the rest is sorted.
const SELECTED: usize = 5;

/// Why a node's moves are what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The opponent has a four: it is parried, or the game is lost.
    ParryFour,
    /// The opponent will make a straight four: it is stopped, or answered by own fours.
    StopStraightFour,
    /// Nothing.
    Free,
}

/// A move that may be picked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The move.
    pub point: Point,
    /// How promising it looks without search.
    pub order: i32,
    /// The higher, the earlier it is tried: the score that all that is known of it makes, and below
    /// the point, so that the order never depends on how the moves were found.
    rank: i64,
}

/// The [`rank`](Choice::rank) of a move to `point` with this score.
#[inline]
fn rank(score: i32, point: Point) -> i64 {
    i64::from(score) << 16 | i64::from(u16::MAX - point.index() as u16)
}

/// The moves of one node, handed out best first. Forbidden moves are left out.
///
/// It is filled where it stands: to move it would copy room for all moves that a board can have, in
/// every node, which took a fifth of the time of a search on a processor that copies slowly (AMD
/// EPYC, Zen 3).
pub struct Picker {
    moves: ArrayVec<Choice, MAX_MOVES>,
    next: usize,
    /// Why the moves are limited.
    pub need: Need,
    /// Order of the most promising move.
    top: i32,
}

impl Picker {
    /// No moves yet.
    #[inline(always)]
    pub fn empty() -> Picker {
        Picker {
            moves: ArrayVec::new(),
            next: 0,
            need: Need::Free,
            top: 0,
        }
    }

    /// Takes the moves that `position` needs. Other moves need not be searched: they lose at once.
    pub(super) fn fill(
        &mut self,
        position: &mut Position,
        evaluator: &mut Evaluator,
        history: &History,
        params: &Params,
        previous: Option<Point>,
        hints: &Hints,
    ) {
        history.prefetch(position.side_to_move(), previous);
        let (need, cells) = needed_cells(position);
        self.need = need;
        let side = position.side_to_move();
        let counter = history.counter(side, previous);
        let replies = history.replies(side, previous);
        let mut top = i32::MIN;
        self.add(position, evaluator, &cells, |p, order| {
            top = top.max(order);
            if Some(p) == hints.tt_move {
                return i32::MAX;
            }
            let learned = params.order_weight * order
                + params.history_weight * history.score(side, p)
                + params.continuation_weight * replies.score(p);
            learned / 100
                + if Some(p) == counter {
                    params.counter_bonus
                } else {
                    0
                }
        });
        self.top = top;
    }

    /// Takes these moves, in this order.
    pub fn list(&mut self, moves: impl Iterator<Item = Point>) {
        self.moves.extend(moves.zip(0..).map(|(point, i)| Choice {
            point,
            order: 0,
            rank: rank(-i, point),
        }));
    }

    /// By how much the most promising move leads over the one that was handed out last.
    #[inline]
    pub fn behind(&self) -> i32 {
        self.top.saturating_sub(self.moves[self.next - 1].order)
    }

    /// Adds the free cells that [`Picker::fill`] left out because no stone is near. Without them a
    /// position in which every near move loses is not proved lost.
    pub fn add_far(&mut self, position: &Position, evaluator: &mut Evaluator) {
        if self.need == Need::Free {
            let far = position.free_set().difference(&position.candidates());
            self.add(position, evaluator, &far, |_, _| 0);
        }
    }

    /// Drops those of the moves not yet handed out that `keep` says false of.
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

    /// Adds the moves to `cells` with the scores that `score` makes of them and their order.
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
                self.moves.push(Choice {
                    point,
                    order: position.order(point),
                    rank: 0,
                });
            }
        }
        let added = &mut self.moves[first..];
        // The few replies to a four need no finer order.
        if self.need != Need::ParryFour {
            evaluator.refine(position, added);
        }
        for choice in added {
            choice.rank = rank(score(choice.point, choice.order), choice.point);
        }
    }
}

/// The cells that matter in `position`, and why.
pub fn needed_cells(position: &mut Position) -> (Need, PointSet) {
    let side = position.side_to_move();
    if position.count(side, Class::Five) > 0 {
        return (Need::Free, *position.set(side, Class::Five));
    }
    if position.count(!side, Class::Five) > 0 {
        return (Need::ParryFour, position.four_replies());
    }
    if !position.fives_can_be_blocked()
        && let Some(defences) = position.straight_four_defences()
    {
        let fours = Class::ALL
            .into_iter()
            .filter(|class| class.is_four())
            .fold(PointSet::EMPTY, |set, class| {
                set.union(position.set(side, class))
            });
        return (Need::StopStraightFour, defences.union(&fours));
    }
    (Need::Free, position.candidates())
}

impl Iterator for Picker {
    type Item = Point;

    /// The best of the moves that are left.
    fn next(&mut self) -> Option<Point> {
        let rest = self.moves.get_mut(self.next..)?;
        if self.next < SELECTED {
            // Most nodes end after a few moves: finding these one by one is cheaper than sorting.
            let best = (0..rest.len()).max_by_key(|&i| rest[i].rank)?;
            rest.swap(0, best);
        } else if self.next == SELECTED {
            rest.sort_unstable_by_key(|choice| std::cmp::Reverse(choice.rank));
        }
        self.next += 1;
        rest.first().map(|choice| choice.point)
    }
}
