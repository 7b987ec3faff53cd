//! Which moves leave the opponent without a win by fours.

use super::fours::FourBoard;
use super::{Vcf, VcfResult, Vct, VctLimits, VctResult};
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

/// What keeps the opponent from winning by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defences {
    /// Any move does: the opponent would not win even if the side to move passed.
    Any,
    /// Exactly these allowed moves.
    Exactly(PointSet),
    /// Some of these allowed moves, no others: a limit was reached.
    Among(PointSet),
    /// A limit was reached before it was known whether the opponent threatens to win.
    Unknown,
}

/// When a search for fours gives up.
#[derive(Clone, Copy)]
enum Bound<'a> {
    Nodes(u64),
    Until(&'a dyn Fn() -> bool),
}

impl Vcf {
    /// The moves after which the opponent has no win by fours, each of the searches visiting at
    /// most `limit` positions.
    pub fn defences(&mut self, position: &mut Position, limit: u64) -> Defences {
        self.defences_within(position, Bound::Nodes(limit))
    }

    /// As [`defences`](Vcf::defences), until `stop` says so.
    pub fn defences_until(&mut self, position: &mut Position, stop: &dyn Fn() -> bool) -> Defences {
        self.defences_within(position, Bound::Until(stop))
    }

    fn defences_within(&mut self, position: &mut Position, bound: Bound) -> Defences {
        let mut nodes = 0;
        let mut solve = |position: &Position| {
            let result = match bound {
                Bound::Nodes(limit) => self.solve(position, limit),
                Bound::Until(stop) => self.solve_until(position, false, stop),
            };
            nodes += self.nodes();
            (result, self.line())
        };
        position.pass();
        let (result, line) = solve(position);
        position.pass();
        let defences = match result {
            VcfResult::None => Defences::Any,
            VcfResult::Unknown => Defences::Unknown,
            VcfResult::Win { .. } => {
                let cells = touching(position, &line);
                try_all(position, &cells, |position| match solve(position).0 {
                    VcfResult::Win { .. } => Some(false),
                    VcfResult::None => Some(true),
                    VcfResult::Unknown => None,
                })
            }
        };
        self.set_nodes(nodes);
        defences
    }

    /// The free cells of which one must be played to change that the opponent of the side to move
    /// wins by fours if that side passes, and the plies that this takes him. `None` if he does not,
    /// or that was not found within `limit`.
    pub fn threat(&mut self, position: &mut Position, limit: u64) -> Option<(PointSet, u32)> {
        position.pass();
        let result = self.solve(position, limit);
        position.pass();
        match result {
            VcfResult::Win { plies } => Some((touching(position, &self.line()), plies)),
            _ => None,
        }
    }
}

impl Vct {
    /// The moves after which the opponent is not found to win by threats. As a search by threats
    /// proves wins only, a move that is listed may still lose.
    pub fn defences(&mut self, position: &mut Position, limits: VctLimits) -> Defences {
        let mut nodes = 0;
        let mut solve = |position: &mut Position| {
            let result = self.solve(position, limits);
            nodes += self.nodes();
            result
        };
        position.pass();
        let result = solve(position);
        position.pass();
        let defences = match result {
            VctResult::None => Defences::Any,
            VctResult::Unknown => Defences::Unknown,
            VctResult::Win => {
                let cells = position.free_set();
                try_all(position, &cells, |position| match solve(position) {
                    VctResult::Win => Some(false),
                    VctResult::None => Some(true),
                    VctResult::Unknown => None,
                })
            }
        };
        self.set_nodes(nodes);
        defences
    }
}

/// Which allowed moves among `cells` win or `hold`; that says of the position after a move whether
/// the opponent, who is to move, has no win.
fn try_all(
    position: &mut Position,
    cells: &PointSet,
    mut hold: impl FnMut(&mut Position) -> Option<bool>,
) -> Defences {
    let side = position.side_to_move();
    let (mut moves, mut exact) = (PointSet::EMPTY, true);
    for p in cells {
        if position.is_forbidden(side, p) {
            continue;
        }
        let five = position.class(side, p) == Class::Five;
        position.play(p);
        let holds = if five { Some(true) } else { hold(position) };
        position.undo();
        if holds != Some(false) {
            moves.insert(p);
        }
        exact &= holds.is_some();
    }
    match exact {
        true => Defences::Exactly(moves),
        false => Defences::Among(moves),
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
    // late to stop them, and without regard to rows that only the defender's own later stones
    // make too long.
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
