//! The cells on which a defender's stone can matter to a win by fours.

use super::fours::FourBoard;
use super::vcf::{Vcf, VcfResult};
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Point, PointSet};

/// The free cells on which a stone of the side to move could stop `line`, the opponent's win by
/// fours after a pass.
///
/// A stone of the defender matters on a cell of the line itself, or where it makes a four or five
/// before the line ends. Where forbidden points or blocked fives decide, any cell may matter.
pub(super) fn relevant_cells_of_line(position: &Position, line: &[Point]) -> PointSet {
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
    // The defender's fours without the attacker's stones of the line, which may come too late to
    // stop them. Rows that only the defender's own later stones make too long count as well.
    for &p in line.iter().step_by(2) {
        board.toggle(p, attacker);
    }
    cells = cells.union(&position.four_cells(defender));
    cells = cells.union(position.set(defender, Class::Forbidden));
    for &p in line.iter().skip(1).step_by(2) {
        board.forcing_cells(defender, p, &mut cells);
    }
    cells.intersection(&position.free_set())
}

impl Vcf {
    /// The free cells on which a stone of the side to move of `position` could stop the opponent's
    /// win by fours after a pass, just found by a search
    /// [`listing_tree_cells`](Vcf::listing_tree_cells).
    pub(super) fn relevant_cells(&self, position: &mut Position) -> PointSet {
        let side = position.side_to_move();
        let own_fives = *position.set(side, Class::Five);
        let cells = if position.count(!side, Class::Five) > 0 {
            position.four_replies()
        } else if !position.fives_can_be_blocked() {
            relevant_cells_of_line(position, &self.line())
        } else {
            let tree: PointSet = self.tree_cells().iter().copied().collect();
            tree.union(&position.four_cells(side))
        };
        cells.union(&own_fives).intersection(&position.free_set())
    }

    /// The opponent's threat to win by fours if the side to move passes: the free cells to choose a
    /// defence from, and the plies to the win. `None` if there is no such threat or none was found
    /// within `limit` positions.
    pub fn threat(&mut self, position: &mut Position, limit: u64) -> Option<(PointSet, u32)> {
        position.pass();
        let result = self.listing_tree_cells(position, |vcf| vcf.solve(position, limit));
        position.pass();
        match result {
            VcfResult::Win { plies } => Some((self.relevant_cells(position), plies)),
            _ => None,
        }
    }
}
