//! The numbers of all choices of a position, put together.

use super::proof_numbers::{INFINITE, Numbers};

/// See the [module](self).
pub(super) struct Tally {
    /// Place of the choice to search next.
    pub best: usize,
    /// The position's own numbers.
    pub numbers: Numbers,
    /// The number that decides (proof for the attacker, disproof for the defender) of the choice to
    /// search next, and the least that any other choice seems to have.
    chosen: u32,
    second: u32,
    /// Number of choices that are not settled in the other number.
    open: u32,
}

/// By how much a number that decides seems larger than it is while `others` threads are at work
/// below: for each as far as a search goes beyond the second choice, see
/// [`Tally::child_limit`].
///
/// Source: virtual proof and disproof numbers, Kaneko (2010).
fn virtual_part(own: u32, others: u32) -> u32 {
    others.saturating_mul(own / 4 + 1)
}

impl Tally {
    /// Puts together what `look` tells of each of `choices` (at least one): its numbers, and how
    /// many other threads are at work below it.
    pub(super) fn of<const ATTACK: bool, C>(
        choices: &[C],
        look: impl Fn(&C) -> (Numbers, u32),
    ) -> Tally {
        let (mut best, mut chosen, mut second) = (0, 0, INFINITE);
        let (mut least, mut least_seeming) = (u32::MAX, u32::MAX);
        let (mut most, mut open) = (0, 0);
        for (i, choice) in choices.iter().enumerate() {
            let (numbers, others) = look(choice);
            let (own, other) = match ATTACK {
                true => (numbers.proof, numbers.disproof),
                false => (numbers.disproof, numbers.proof),
            };
            let seeming = match own {
                0 | INFINITE.. => own,
                _ => own.saturating_add(virtual_part(own, others)),
            };
            if seeming < least_seeming {
                second = least_seeming.min(INFINITE);
                (best, chosen, least_seeming) = (i, own, seeming);
            } else {
                second = second.min(seeming);
            }
            least = least.min(own);
            most = most.max(other);
            open += u32::from(other > 0);
        }
        // Weak proof numbers: the largest and one for every other choice in place of the sum, which
        // counts positions twice that several orders of moves reach.
        let rest = (most + u32::saturating_sub(open, 1)).min(INFINITE);
        let numbers = match ATTACK {
            true if least == 0 => Numbers::PROVEN,
            true => Numbers {
                proof: least,
                disproof: rest,
            },
            false if least == 0 => Numbers::REFUTED,
            false => Numbers {
                proof: rest,
                disproof: least,
            },
        };
        Tally {
            best,
            numbers,
            chosen,
            second,
            open,
        }
    }

    /// How far the best choice is to be searched in a position to be searched as far as `limit`.
    pub(super) fn child_limit<const ATTACK: bool>(&self, limit: Numbers) -> Numbers {
        let others = self.open.saturating_sub(1);
        let second = self
            .second
            .saturating_add(self.second / 4)
            .saturating_add(1);
        // Where another thread has the best choice, this one may already be beyond the limits. A
        // search that could not even begin would be asked for again for ever.
        let own = |limit: u32| limit.min(second).max(self.chosen + 1);
        match ATTACK {
            true => Numbers {
                proof: own(limit.proof),
                disproof: limit.disproof.saturating_sub(others),
            },
            false => Numbers {
                proof: limit.proof.saturating_sub(others),
                disproof: own(limit.disproof),
            },
        }
    }
}
