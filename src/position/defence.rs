//! The cells that stop the opponent's next threat.

use super::{Position, spread};
use crate::board::{Cell, Direction, WINDOW_RADIUS};
use crate::patterns::{Class, Shape, Shapes};
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet};

impl Position {
    /// True if stones at the ends of a five can make it worthless, so a four can be answered
    /// elsewhere than on its five point (caro).
    #[inline]
    pub fn fives_can_be_blocked(&self) -> bool {
        matches!(self.rule(), Rule::Caro | Rule::CaroExact)
    }

    /// The free cells where a stone of the side to move leaves the opponent, who has fours, no
    /// five, legal or not. Empty if nothing answers the fours.
    pub fn four_replies(&self) -> PointSet {
        let attacker = !self.side_to_move();
        let fives = *self.set(attacker, Class::Five);
        if !self.fives_can_be_blocked() {
            return match self.count(attacker, Class::Five) {
                1 => fives,
                _ => PointSet::EMPTY,
            };
        }
        let mut cells = fives;
        for five in &fives {
            for direction in Direction::ALL {
                cells = cells.union(&self.row_ends(attacker, five, direction));
            }
        }
        let mut lines = self.board.lines().clone();
        let stone = self.side_to_move().into();
        let mut stops_all = |c: Point| {
            lines.toggle(c, stone);
            let stays = |five| five != c && self.tables.makes_five(&lines, attacker, five);
            let stops = !fives.iter().any(stays);
            lines.toggle(c, stone);
            stops
        };
        cells.iter().filter(|&c| stops_all(c)).collect()
    }

    /// The free cells next to the row that a stone of `color` on `p` would belong to.
    fn row_ends(&self, color: Color, p: Point, direction: Direction) -> PointSet {
        [-1, 1]
            .into_iter()
            .filter_map(|sign| {
                (1..)
                    .map(|steps| self.board.step(p, direction, sign * steps))
                    .find(|q| q.is_none_or(|q| self.board.cell(q) != color.into()))
                    .flatten()
                    .filter(|&q| self.board.is_empty(q))
            })
            .collect()
    }

    /// The free cells where a stone of the side to move keeps the opponent from making a straight
    /// four (or two fours) with the next move: each takes the class from every allowed cell of that
    /// class. `None` if there is no such threat. Own fours, which come first, are not listed.
    ///
    /// Every other move that is no four loses, since a straight four cannot be blocked.
    pub fn straight_four_defences(&self) -> Option<PointSet> {
        let attacker = !self.side_to_move();
        let mut defences: Option<PointSet> = None;
        for winning in self.set(attacker, Class::StraightFour) {
            // Stones off the lines of a suspect point decide as well if it is forbidden. The
            // spoilers do not list such stones: this threat limits no moves.
            if self.is_forbidden(attacker, winning) || self.is_suspect(attacker, winning) {
                continue;
            }
            let cells = self.spoilers(attacker, winning);
            defences = Some(defences.map_or(cells, |d| d.intersection(&cells)));
        }
        defences
    }

    /// `winning` itself and the cells where a stone of `attacker`'s opponent takes the class of a
    /// straight four from it.
    fn spoilers(&self, attacker: Color, winning: Point) -> PointSet {
        let stone = Cell::from(!attacker) as u64;
        let shapes = self.shapes(attacker, winning);
        let mut cells = PointSet::EMPTY;
        cells.insert(winning);
        for direction in Direction::ALL {
            if shapes.get(direction) < Shape::Four {
                continue;
            }
            let around = self.board.lines().around(direction, winning);
            let mut free = around.free(self.tables.radius);
            while free != 0 {
                let bit = free.trailing_zeros();
                free &= free - 1;
                let line = around.line | stone << bit;
                let shape = self
                    .tables
                    .shape(line >> (around.centre - 2 * WINDOW_RADIUS as u32), attacker);
                let nibble = spread(15, direction) as u16;
                let new = Shapes(shapes.0 & !nibble | spread(shape as u8, direction) as u16);
                if self.tables.cell(attacker, new).class() != Class::StraightFour {
                    let steps = (bit as isize - around.centre as isize) / 2;
                    let index = winning.index() as isize + steps * direction.index_delta();
                    cells.insert(Point::from_index(index as usize));
                }
            }
        }
        cells
    }

    /// True if the side to move, who faces no four and has none, makes a straight four or two
    /// fours by an allowed move, and thereby wins.
    #[inline]
    pub fn has_straight_four(&self) -> bool {
        let side = self.side_to_move();
        self.count(side, Class::StraightFour) > 0
            && self
                .set(side, Class::StraightFour)
                .iter()
                .any(|p| !self.is_forbidden(side, p))
    }
}
