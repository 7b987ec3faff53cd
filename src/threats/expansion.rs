//! What there is to search below a position of the search by threats.

use std::sync::{Mutex, MutexGuard};

use super::defence::four_cells;
use super::proof_numbers::Numbers;
use super::{Vcf, VcfResult};
use crate::board::Direction;
use crate::patterns::{Class, Shape};
use crate::position::Position;
use crate::types::Point;

/// A move and what was last known of the position after it: at first what its look promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub point: Point,
    pub known: Numbers,
}

/// What a look at a position gives.
pub(super) enum Expansion {
    Solved(Numbers),
    Open(Vec<Choice>),
}

/// A position that was expanded, and its choices.
#[derive(Default)]
struct Place {
    key: u64,
    choices: Vec<Choice>,
}

/// The choices of positions expanded of late, each at the place that the low bits of its key name.
pub(super) struct Recent {
    places: Box<[Mutex<Place>]>,
    shared: bool,
}

impl Recent {
    /// Room for `2^bits` positions, shared by that many threads.
    pub(super) fn new(bits: u32, threads: usize) -> Recent {
        Recent {
            places: (0..1 << bits).map(|_| Mutex::default()).collect(),
            shared: threads > 1,
        }
    }

    fn place(&self, key: u64) -> MutexGuard<'_, Place> {
        let place = &self.places[key as usize & (self.places.len() - 1)];
        place
            .lock()
            .expect("no thread panics while it holds a place")
    }

    /// Hands out the choices of that position, to be [`put`](Recent::put) back.
    pub(super) fn get(&self, key: u64) -> Option<Vec<Choice>> {
        let mut place = self.place(key);
        if place.key != key {
            return None;
        }
        // Only another thread may ask for them before they are back.
        let choices = match self.shared {
            true => place.choices.clone(),
            false => std::mem::take(&mut place.choices),
        };
        Some(choices).filter(|choices| !choices.is_empty())
    }

    /// Lets other threads, if there are any, have choices that were just found.
    pub(super) fn share(&self, key: u64, choices: &[Choice]) {
        if self.shared {
            self.put(key, choices.to_vec());
        }
    }

    /// Remembers the choices of a position in place of another's.
    pub(super) fn put(&self, key: u64, choices: Vec<Choice>) {
        let old = std::mem::replace(&mut *self.place(key), Place { key, choices });
        // Freed when the place is no longer locked.
        drop(old);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for place in 0..self.places.len() {
            self.place(place as u64).key = 0;
        }
    }
}

/// Positions that one search for a win by fours may visit inside the search by threats.
pub(super) const VCF_LIMIT: u64 = 3_000;
/// As [`VCF_LIMIT`], for the defender's wins, where giving up costs time and no correctness.
const COUNTER_LIMIT: u64 = 1_000;

/// Looks at a position with the attacker to move.
pub(super) fn attack(vcf: &mut Vcf, position: &mut Position) -> Expansion {
    let side = position.side_to_move();
    if let VcfResult::Win { .. } = vcf.solve(position, VCF_LIMIT) {
        return Expansion::Solved(Numbers::PROVEN);
    }
    let mut choices: Vec<(u32, i32, Point)> = if position.count(!side, Class::Five) > 0 {
        let replies = position.four_replies();
        replies.iter().map(|p| (1, 0, p)).collect()
    } else {
        let cells = position.candidates();
        let worth = |p| Some((effort(position, p)?, -position.order(p), p));
        cells.iter().filter_map(worth).collect()
    };
    choices.retain(|&(_, _, p)| !position.is_forbidden(side, p));
    if choices.is_empty() {
        return Expansion::Solved(Numbers::REFUTED);
    }
    choices.sort_unstable_by_key(|&(effort, order, p)| (order + 256 * effort as i32, p));
    let choices = choices.into_iter().enumerate();
    Expansion::Open(
        choices
            .map(|(rank, (effort, _, point))| Choice {
                point,
                known: Numbers {
                    proof: effort + rank as u32 / 4,
                    disproof: 1,
                },
            })
            .collect(),
    )
}

/// Looks at a position with the defender to move, the attacker having just moved.
pub(super) fn defend(vcf: &mut Vcf, position: &mut Position) -> Expansion {
    let defender = position.side_to_move();
    let attacker = !defender;
    if position.count(defender, Class::Five) > 0 {
        return Expansion::Solved(Numbers::REFUTED);
    }
    if position.count(attacker, Class::Five) > 0 {
        let replies = position.four_replies();
        return open(
            replies
                .iter()
                .filter(|&p| !position.is_forbidden(defender, p))
                .map(|point| Choice {
                    point,
                    known: FIRST_DEFENCE,
                })
                .collect(),
        );
    }
    if let VcfResult::Win { .. } = vcf.solve(position, COUNTER_LIMIT) {
        return Expansion::Solved(Numbers::REFUTED);
    }
    let Some((cells, _)) = vcf.threat(position, VCF_LIMIT) else {
        return Expansion::Solved(Numbers::REFUTED);
    };
    let fours = four_cells(position, defender);
    let mut choices = Vec::new();
    for p in &cells {
        if position.is_forbidden(defender, p) {
            continue;
        }
        let order = -position.order(p);
        let is_four = fours.contains(p);
        position.play(p);
        let result = vcf.solve(position, VCF_LIMIT);
        position.undo();
        if !matches!(result, VcfResult::Win { .. }) {
            choices.push((is_four, order, p));
        }
    }
    choices.sort_unstable();
    open(
        choices
            .into_iter()
            .map(|(is_four, _, point)| Choice {
                point,
                known: if is_four { COUNTER_FOUR } else { FIRST_DEFENCE },
            })
            .collect(),
    )
}

/// Numbers of a reply that was not looked at yet.
const FIRST_DEFENCE: Numbers = Numbers {
    proof: 1,
    disproof: 1,
};
/// As [`FIRST_DEFENCE`] for a four of the defender, which as a rule only delays.
const COUNTER_FOUR: Numbers = Numbers {
    proof: 1,
    disproof: 4,
};

/// Replies to choose from; none at all means that the attacker has won.
fn open(choices: Vec<Choice>) -> Expansion {
    if choices.is_empty() {
        Expansion::Solved(Numbers::PROVEN)
    } else {
        Expansion::Open(choices)
    }
}

/// How hard a move of the attacker is to prove at first sight, or `None` if it cannot be a threat.
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
