//! The children of a position in the search by threats.

use super::proof_numbers::ProofNumbers;
use super::vcf::{Vcf, VcfResult};
use crate::board::Direction;
use crate::patterns::{Class, Shape};
use crate::position::Position;
use crate::types::{Color, Point};

/// A move and what was last known of the position after it; at first an estimate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub point: Point,
    pub known: ProofNumbers,
}

/// The result of expanding a position.
pub(super) enum Expansion {
    Solved(ProofNumbers),
    Open(Vec<Child>),
}

/// Positions that one search for a win by fours may visit inside the search by threats.
pub(super) const VCF_LIMIT: u64 = 3_000;
/// The same for all replies of one position, of which there are hundreds where any cell may be one.
const REPLIES_LIMIT: u64 = 10 * VCF_LIMIT;
/// The same for the defender's wins, where giving up costs time but no correctness.
const COUNTER_LIMIT: u64 = 1_000;

/// With this many free cells or fewer every move is tried, because `defender` may run out of
/// allowed ones.
const LAST_CELLS: usize = 10;

/// True if `defender` may have only forbidden moves before the board is full.
pub(super) fn may_run_out(position: &Position, defender: Color) -> bool {
    position.rule().restricts(defender) && position.board().empty_count() <= LAST_CELLS
}

/// Expands a position with the attacker to move.
pub(super) fn attack(vcf: &mut Vcf, position: &mut Position) -> Expansion {
    let side = position.side_to_move();
    if let VcfResult::Win { .. } = vcf.solve(position, VCF_LIMIT) {
        return Expansion::Solved(ProofNumbers::PROVEN);
    }
    let mut children: Vec<(u32, i32, Point)> = if position.count(!side, Class::Five) > 0 {
        let replies = position.four_replies();
        replies.iter().map(|p| (1, 0, p)).collect()
    } else if may_run_out(position, !side) {
        let rated = |p| (effort(position, p).unwrap_or(6), -position.policy(p), p);
        position.free_set().iter().map(rated).collect()
    } else {
        let cells = position.candidates();
        let rated = |p| Some((effort(position, p)?, -position.policy(p), p));
        cells.iter().filter_map(rated).collect()
    };
    children.retain(|&(_, _, p)| !position.is_forbidden(side, p));
    if children.is_empty() {
        return Expansion::Solved(ProofNumbers::REFUTED);
    }
    children.sort_unstable_by_key(|&(effort, order, p)| (order + 256 * effort as i32, p));
    let children = children.into_iter().enumerate();
    Expansion::Open(
        children
            .map(|(rank, (effort, _, point))| Child {
                point,
                known: ProofNumbers {
                    proof: effort + rank as u32 / 4,
                    disproof: 1,
                },
            })
            .collect(),
    )
}

/// Expands a position with the defender to move, just after a move of the attacker.
pub(super) fn defend(vcf: &mut Vcf, position: &mut Position) -> Expansion {
    let defender = position.side_to_move();
    let attacker = !defender;
    if position.count(defender, Class::Five) > 0 {
        return Expansion::Solved(ProofNumbers::REFUTED);
    }
    if position.count(attacker, Class::Five) > 0 {
        let replies = position.four_replies();
        return open(
            replies
                .iter()
                .filter(|&p| !position.is_forbidden(defender, p))
                .map(|point| Child {
                    point,
                    known: FIRST_DEFENCE,
                })
                .collect(),
        );
    }
    if let VcfResult::Win { .. } = vcf.solve(position, COUNTER_LIMIT) {
        return Expansion::Solved(ProofNumbers::REFUTED);
    }
    let cells = match vcf.threat(position, VCF_LIMIT) {
        Some((cells, _)) => cells,
        None if may_run_out(position, defender) && !position.free_set().is_empty() => {
            position.free_set()
        }
        None => return Expansion::Solved(ProofNumbers::REFUTED),
    };
    let fours = position.four_cells(defender);
    let mut children = Vec::new();
    let mut left = REPLIES_LIMIT;
    for p in &cells {
        if position.is_forbidden(defender, p) {
            continue;
        }
        let order = -position.policy(p);
        let is_four = fours.contains(p);
        position.play(p);
        let result = vcf.solve(position, left.min(VCF_LIMIT));
        position.undo();
        left = left.saturating_sub(vcf.nodes());
        if !matches!(result, VcfResult::Win { .. }) {
            children.push((is_four, order, p));
        }
    }
    children.sort_unstable();
    open(
        children
            .into_iter()
            .map(|(is_four, _, point)| Child {
                point,
                known: if is_four { COUNTER_FOUR } else { FIRST_DEFENCE },
            })
            .collect(),
    )
}

/// First numbers of a reply.
const FIRST_DEFENCE: ProofNumbers = ProofNumbers {
    proof: 1,
    disproof: 1,
};
/// The same for a four of the defender, which usually only delays.
const COUNTER_FOUR: ProofNumbers = ProofNumbers {
    proof: 1,
    disproof: 4,
};

/// The defender's replies; without any the attacker has won.
fn open(children: Vec<Child>) -> Expansion {
    if children.is_empty() {
        Expansion::Solved(ProofNumbers::PROVEN)
    } else {
        Expansion::Open(children)
    }
}

/// First proof number of a move of the attacker, `None` if it cannot be a threat.
fn effort(position: &Position, p: Point) -> Option<u32> {
    let side = position.side_to_move();
    Some(match position.class(side, p) {
        Class::Forbidden => return None,
        Class::Five | Class::StraightFour | Class::FourThree | Class::DoubleThree => 1,
        Class::ThreePlus => 1,
        Class::OpenThree | Class::FourPlus => 2,
        Class::Four => 3,
        Class::Quiet => {
            let shapes = position.shapes(side, p);
            let count = |least| {
                let reaches = |&&direction: &&Direction| shapes.get(direction) >= least;
                Direction::ALL.iter().filter(reaches).count()
            };
            match (count(Shape::ClosedThree), count(Shape::ClosedTwo)) {
                (0, 0) => return None,
                (0, 1) => 6,
                (0, _) => 5,
                _ => 3,
            }
        }
    })
}
