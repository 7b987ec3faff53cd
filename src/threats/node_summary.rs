//! The proof numbers of all children of a position, combined.

use super::proof_numbers::{INFINITE, ProofNumbers};

/// See the [module](self).
pub(super) struct NodeSummary {
    /// Index of the child to search next.
    pub best: usize,
    /// The position's own numbers.
    pub numbers: ProofNumbers,
    /// The deciding number (proof for the attacker, disproof for the defender) of the best child,
    /// and the least virtual one of any other child.
    chosen: u32,
    second: u32,
    /// Number of children whose other number is not 0.
    open: u32,
}

/// What a deciding number grows by while `others` threads are at work below: for each as far as a
/// search goes beyond the second-best child, see [`NodeSummary::child_limit`].
///
/// Source: virtual proof and disproof numbers, Kaneko (2010).
fn virtual_part(own: u32, others: u32) -> u32 {
    others.saturating_mul(own / 4 + 1)
}

impl NodeSummary {
    /// Combines what `look` tells of each of `children` (at least one): its numbers, and how many
    /// other threads are at work below it.
    pub(super) fn of<const ATTACK: bool, C>(
        children: &[C],
        look: impl Fn(&C) -> (ProofNumbers, u32),
    ) -> NodeSummary {
        let (mut best, mut chosen, mut second) = (0, 0, INFINITE);
        let (mut least, mut least_virtual) = (u32::MAX, u32::MAX);
        let (mut most, mut open) = (0, 0);
        for (i, child) in children.iter().enumerate() {
            let (numbers, others) = look(child);
            let (own, other) = match ATTACK {
                true => (numbers.proof, numbers.disproof),
                false => (numbers.disproof, numbers.proof),
            };
            let virtual_pn = match own {
                0 | INFINITE.. => own,
                _ => own.saturating_add(virtual_part(own, others)),
            };
            if virtual_pn < least_virtual {
                second = least_virtual.min(INFINITE);
                (best, chosen, least_virtual) = (i, own, virtual_pn);
            } else {
                second = second.min(virtual_pn);
            }
            least = least.min(own);
            most = most.max(other);
            open += u32::from(other > 0);
        }
        // Weak proof numbers: the largest number plus one for every other open child, instead of
        // the sum, which counts positions twice that several orders of moves reach.
        let rest = (most + u32::saturating_sub(open, 1)).min(INFINITE);
        let numbers = match ATTACK {
            true if least == 0 => ProofNumbers::PROVEN,
            true => ProofNumbers {
                proof: least,
                disproof: rest,
            },
            false if least == 0 => ProofNumbers::REFUTED,
            false => ProofNumbers {
                proof: rest,
                disproof: least,
            },
        };
        NodeSummary {
            best,
            numbers,
            chosen,
            second,
            open,
        }
    }

    /// Limits of the search of the best child when the position itself is searched up to `limit`.
    pub(super) fn child_limit<const ATTACK: bool>(&self, limit: ProofNumbers) -> ProofNumbers {
        let others = self.open.saturating_sub(1);
        let second = self
            .second
            .saturating_add(self.second / 4)
            .saturating_add(1);
        // While another thread is below the best child, its number can already be at the limit. The
        // search of the child must be able to begin, or the loop above it would not terminate.
        let own = |limit: u32| limit.min(second).max(self.chosen + 1);
        match ATTACK {
            true => ProofNumbers {
                proof: own(limit.proof),
                disproof: limit.disproof.saturating_sub(others),
            },
            false => ProofNumbers {
                proof: limit.proof.saturating_sub(others),
                disproof: own(limit.disproof),
            },
        }
    }
}
