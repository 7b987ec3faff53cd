//! The moves that leave the opponent without a win by fours.

use super::shared_search::VctResult;
use super::vcf::{SolveLimits, Vcf, VcfResult};
use super::vct::Vct;
use crate::patterns::Class;
use crate::position::Position;
use crate::types::PointSet;

/// The moves that stop the opponent from winning by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defences {
    /// The opponent threatens nothing: no win of his is found if the side to move passes. A move
    /// may be forbidden all the same, or spoil its own side's defence.
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
    /// At most so many positions, and so many in all searches.
    Nodes {
        each: u64,
        all: u64,
    },
    Until(SolveLimits<'a>),
}

impl Vcf {
    /// The moves after which the opponent has no win by fours. Each of the searches visits at most
    /// `each` positions, and together they visit `all`.
    pub fn defences(&mut self, position: &mut Position, each: u64, all: u64) -> Defences {
        self.defences_within(position, Bound::Nodes { each, all })
    }

    /// As [`defences`](Vcf::defences), each of the searches within `limits`.
    pub fn defences_until(&mut self, position: &mut Position, limits: SolveLimits) -> Defences {
        self.defences_within(position, Bound::Until(limits))
    }

    fn defences_within(&mut self, position: &mut Position, bound: Bound) -> Defences {
        let mut nodes = 0;
        let mut solve = |vcf: &mut Vcf, position: &Position| {
            let result = match bound {
                Bound::Nodes { each, all } => vcf.solve(position, each.min(all - all.min(nodes))),
                Bound::Until(limits) => vcf.solve_until(position, false, limits),
            };
            nodes += vcf.nodes();
            result
        };
        position.pass();
        let result = self.listing_tree_cells(position, |vcf| solve(vcf, position));
        position.pass();
        let defences = match result {
            VcfResult::None => Defences::Any,
            VcfResult::Unknown => Defences::Unknown,
            VcfResult::Win { .. } => {
                let cells = self.relevant_cells(position);
                try_all(position, &cells, |position| match solve(self, position) {
                    VcfResult::Win { .. } => Some(false),
                    VcfResult::None => Some(true),
                    VcfResult::Unknown => None,
                })
            }
        };
        self.set_nodes(nodes);
        defences
    }
}

impl Vct {
    /// The moves after which the opponent is not found to win by threats. A search by threats
    /// proves wins only, so a listed move may still lose.
    pub fn defences(&mut self, position: &mut Position, limits: SolveLimits) -> Defences {
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

/// The allowed moves among `cells` without the refuted ones. After each move but a five, `hold` is
/// true if the opponent, who is to move, has no win; `None` where unknown.
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
