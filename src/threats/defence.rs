//! Which moves leave the opponent without a win by fours.

use super::fours::FourBoard;
use super::{Vcf, VcfResult};
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Color, Point, PointSet};

/// The classes of cells on which a stone makes a four.
const FOURS: [Class; 4] = [
    Class::Four,
    Class::FourPlus,
    Class::FourThree,
    Class::StraightFour,
];

/// The free cells on which `color` makes a four (but for those that are surely forbidden).
pub(super) fn four_cells(position: &Position, color: Color) -> PointSet {
    FOURS.into_iter().fold(PointSet::EMPTY, |cells, class| {
        cells.union(position.set(color, class))
    })
}

impl Vcf {
    /// The allowed moves after which the opponent, who would win by fours if the side to move
    /// passed, has no such win: exactly those, unless a search passes `limit` positions; then the
    /// move counts as one. `None` if the opponent has no such win, or it was not found within
    /// `limit`.
    pub fn defences(&mut self, position: &mut Position, limit: u64) -> Option<PointSet> {
        let cells = self.touching(position, limit)?;
        let side = position.side_to_move();
        let defends = |p: &Point| {
            if position.is_forbidden(side, *p) {
                return false;
            }
            if position.class(side, *p) == Class::Five {
                return true;
            }
            position.play(*p);
            let result = self.solve(position, limit);
            position.undo();
            !matches!(result, VcfResult::Win { .. })
        };
        Some(cells.iter().filter(defends).collect())
    }

    /// The free cells of which one must be played to change that the opponent of the side to move
    /// wins by fours if that side passes. `None` if he does not, or that was not found within
    /// `limit`.
    pub(super) fn touching(&mut self, position: &mut Position, limit: u64) -> Option<PointSet> {
        position.pass();
        let result = self.solve(position, limit);
        position.pass();
        match result {
            VcfResult::Win { .. } => Some(touching(position, &self.line())),
            _ => None,
        }
    }
}

/// As [`Vcf::touching`] for the opponent's winning line of fours.
///
/// A stone of the defender matters on a cell that the line itself uses, or where it gives him a
/// four or five at some time before the line ends. Where forbidden points or blocked fives decide,
/// any cell may matter.
pub(super) fn touching(position: &Position, line: &[Point]) -> PointSet {
    let defender = position.side_to_move();
    let attacker = !defender;
    if position.fives_can_be_blocked() {
        return position.free_set();
    }
    let mut cells: PointSet = line.iter().copied().collect();
    let mut board = FourBoard::new(position);
    for (i, &p) in line.iter().enumerate() {
        let side = if i % 2 == 0 { attacker } else { defender };
        if side == attacker && board.is_suspect(attacker, p) {
            return position.free_set();
        }
        board.toggle(p, side);
    }
    let fives = line.last().map(|&p| board.fives_through(attacker, p));
    match fives.as_deref() {
        // Either the five itself, or a four whose only reply is forbidden.
        Some([]) => {}
        Some([_]) => return position.free_set(),
        fives => {
            for &five in fives.into_iter().flatten() {
                cells.insert(five);
            }
        }
    }
    // The defender's fours, counted without the attacker's stones of the line, which may come too
    // late to stop them.
    for &p in line.iter().step_by(2) {
        board.toggle(p, attacker);
    }
    cells = cells.union(&four_cells(position, defender));
    cells = cells.union(position.set(defender, Class::Forbidden));
    for &p in line.iter().skip(1).step_by(2) {
        board.forcing_cells(defender, p, &mut cells);
    }
    cells.intersection(&position.free_set())
}
