//! Which moves a node tries, and in which order.

use arrayvec::ArrayVec;

use super::history::History;
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
    /// The opponent threatens to win by fours: that is stopped, or answered by own fours.
    StopFours,
    /// Nothing.
    Free,
}

/// The moves of one node, handed out best first. Forbidden moves are left out.
pub struct Picker {
    moves: ArrayVec<(i32, Point), MAX_MOVES>,
    next: usize,
    /// Why the moves are limited.
    pub need: Need,
    /// Static order of the most promising move.
    pub top: i32,
}

impl Picker {
    /// The moves that `position` needs; those of `threat` only, if the opponent threatens to win by
    /// fours. Other moves need not be searched: they lose at once.
    pub fn new(
        position: &mut Position,
        history: &History,
        params: &Params,
        tt_move: Option<Point>,
        previous: Option<Point>,
        threat: Option<&PointSet>,
    ) -> Picker {
        let (need, cells) = match (needed_cells(position), threat) {
            ((Need::Free, _), Some(cells)) => (Need::StopFours, *cells),
            (needed, _) => needed,
        };
        let mut picker = Picker {
            moves: ArrayVec::new(),
            next: 0,
            need,
            top: i32::MIN,
        };
        let side = position.side_to_move();
        let counter = history.counter(side, previous);
        let replies = history.replies(side, previous);
        let mut top = i32::MIN;
        picker.add(position, &cells, |p| {
            let order = position.order(p);
            top = top.max(order);
            if Some(p) == tt_move {
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
        picker.top = top;
        picker
    }

    /// These moves, in this order.
    pub fn of(moves: impl Iterator<Item = Point>) -> Picker {
        Picker {
            moves: moves.zip(0..).map(|(p, i)| (-i, p)).collect(),
            next: 0,
            need: Need::Free,
            top: i32::MIN,
        }
    }

    /// Adds the free cells that [`Picker::new`] left out because no stone is near. Without them a
    /// position in which every near move loses is not proved lost.
    pub fn add_far(&mut self, position: &Position) {
        if self.need == Need::Free {
            let far = position.free_set().difference(&position.candidates());
            self.add(position, &far, |_| 0);
        }
    }

    /// Drops those of the moves not yet handed out that `keep` says false of.
    pub fn retain(&mut self, keep: impl Fn(Point) -> bool) {
        let mut kept = self.next;
        for i in self.next..self.moves.len() {
            if keep(self.moves[i].1) {
                self.moves[kept] = self.moves[i];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    fn add(&mut self, position: &Position, cells: &PointSet, mut score: impl FnMut(Point) -> i32) {
        let side = position.side_to_move();
        for p in cells {
            if !position.is_forbidden(side, p) {
                self.moves.push((score(p), p));
            }
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
    if !position.fives_can_be_blocked() {
        if let Some(defences) = position.straight_four_defences() {
            let fours = Class::ALL
                .into_iter()
                .filter(|class| class.is_four())
                .fold(PointSet::EMPTY, |set, class| {
                    set.union(position.set(side, class))
                });
            return (Need::StopStraightFour, defences.union(&fours));
        }
    }
    (Need::Free, position.candidates())
}

impl Iterator for Picker {
    type Item = Point;

    /// The best of the moves that are left; equal scores in the order of the points, so that the
    /// order never depends on how the moves were found.
    fn next(&mut self) -> Option<Point> {
        let key = |&(score, p): &(i32, Point)| (std::cmp::Reverse(score), p);
        let rest = self.moves.get_mut(self.next..)?;
        if self.next < SELECTED {
            // Most nodes end after a few moves: finding these one by one is cheaper than sorting.
            let best = (0..rest.len()).min_by_key(|&i| key(&rest[i]))?;
            rest.swap(0, best);
        } else if self.next == SELECTED {
            rest.sort_unstable_by_key(key);
        }
        self.next += 1;
        rest.first().map(|m| m.1)
    }
}
