//! Victory by continuous threats: the attacker makes fours, threes and quiet moves that threaten to
//! win by fours, and the defender has every reply that stops the threat, fours of his own included.
//!
//! The search is df-pn: depth-first, with thresholds on proof and disproof numbers, and a table.
//! Stones are only ever added, so no position repeats on the way.
//!
//! Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002);
//! J. Pawlewicz, Ł. Lew, "Improving depth-first PN-search: 1+ε trick" (2006); T. Ueda et al.,
//! "Weak proof-number search" (2008).

use super::defence::four_cells;
use super::proof_numbers::{NumberTable, Numbers, INFINITE};
use super::{Vcf, VcfResult};
use crate::board::Direction;
use crate::patterns::{Class, Shape};
use crate::position::Position;
use crate::types::{Color, Point};

/// What a search for a win by threats found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VctResult {
    /// The side to move wins.
    Win,
    /// The search has tried every threat that it makes, and none wins. Quiet moves far from all
    /// stones are not tried, so this is no proof that there is no win.
    None,
    /// A limit was reached.
    Unknown,
}

/// When a search gives up.
#[derive(Clone, Copy)]
pub struct VctLimits<'a> {
    /// Most positions to expand.
    pub nodes: u64,
    /// Asked now and then; `true` ends the search.
    pub stop: &'a dyn Fn() -> bool,
}

/// A move and what was last known of the position after it: at first what its look promises.
#[derive(Clone, Copy, Debug)]
struct Choice {
    point: Point,
    known: Numbers,
}

/// What a look at a position gives.
enum Expansion {
    Solved(Numbers),
    Open(Vec<Choice>),
}

/// The moves of a position that was expanded.
#[derive(Default)]
struct Expanded {
    key: u64,
    choices: Vec<Choice>,
}

/// Searches for wins by threats.
pub struct Vct {
    vcf: Vcf,
    table: NumberTable,
    /// Moves of positions expanded of late, each at the place that the low bits of its key name.
    expanded: Vec<Expanded>,
    /// Part of every key: what is known of a position depends on who attacks.
    salt: u64,
    nodes: u64,
    stopped: bool,
}

/// See [`Vct::salt`].
const WHITE_ATTACKS: u64 = 0x8c5f_6e2d_94b1_a3c7;

/// Positions that one search for a win by fours may visit inside the search by threats.
const VCF_LIMIT: u64 = 3_000;
/// As [`VCF_LIMIT`], for the defender's wins, where giving up costs time and no correctness.
const COUNTER_LIMIT: u64 = 1_000;

impl Vct {
    /// A solver whose tables take about `96 * 2^bits` bytes.
    pub fn new(bits: u32) -> Vct {
        Vct {
            vcf: Vcf::new((bits + 2).min(20)),
            table: NumberTable::new(bits),
            expanded: (0..1 << bits.min(14))
                .map(|_| Expanded::default())
                .collect(),
            salt: 0,
            nodes: 0,
            stopped: false,
        }
    }

    /// Positions expanded by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Makes several searches count as one.
    pub(super) fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    /// The solver of fours that this one asks.
    pub(super) fn vcf(&mut self) -> &mut Vcf {
        &mut self.vcf
    }

    /// The line of a win by fours as this search would find it.
    pub(super) fn win_by_fours(&mut self, position: &Position) -> Option<Vec<Point>> {
        match self.vcf.solve(position, VCF_LIMIT) {
            VcfResult::Win { .. } => Some(self.vcf.line()),
            _ => None,
        }
    }

    /// Forgets all positions, so that what follows does not depend on what was before.
    pub fn forget(&mut self) {
        self.vcf.forget();
        self.table.clear();
        for expanded in &mut self.expanded {
            expanded.key = 0;
        }
    }

    /// Whether the side to move wins by threats.
    pub fn solve(&mut self, position: &mut Position, limits: VctLimits) -> VctResult {
        self.nodes = 0;
        self.stopped = false;
        self.salt = match position.side_to_move() {
            Color::Black => 0,
            Color::White => WHITE_ATTACKS,
        };
        let all = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        let numbers = self.search::<true>(position, all, &limits);
        match numbers {
            Numbers { proof: 0, .. } => VctResult::Win,
            Numbers { disproof: 0, .. } => VctResult::None,
            _ => VctResult::Unknown,
        }
    }

    /// The first move of a position that was proven a win and still is in the table: a move that
    /// leads to a position proven as well.
    pub(super) fn proven_move(&mut self, position: &mut Position) -> Option<Point> {
        let key = position.key() ^ self.salt;
        let expanded = &self.expanded[key as usize & (self.expanded.len() - 1)];
        let choices = if expanded.key == key {
            expanded.choices.clone()
        } else {
            match self.attack(position) {
                Expansion::Solved(_) => return None,
                Expansion::Open(choices) => choices,
            }
        };
        // The table may have given the place of a proven position to another.
        let is_proven = |choice: &&Choice| {
            let numbers = self.table.get(position.key_after(choice.point) ^ self.salt);
            choice.known.proof == 0 || numbers.is_some_and(|numbers| numbers.proof == 0)
        };
        choices.iter().find(is_proven).map(|choice| choice.point)
    }

    /// Searches below the position until one of its numbers reaches its limit. `ATTACK` says that
    /// the attacker is to move.
    fn search<const ATTACK: bool>(
        &mut self,
        position: &mut Position,
        limit: Numbers,
        limits: &VctLimits,
    ) -> Numbers {
        let key = position.key() ^ self.salt;
        let before = self.nodes;
        let place = key as usize & (self.expanded.len() - 1);
        let mut choices = if self.expanded[place].key == key {
            std::mem::take(&mut self.expanded[place].choices)
        } else {
            self.nodes += 1;
            if self.nodes >= limits.nodes || (self.nodes.is_multiple_of(32) && (limits.stop)()) {
                self.stopped = true;
            }
            let expansion = match ATTACK {
                true => self.attack(position),
                false => self.defend(position),
            };
            match expansion {
                Expansion::Solved(numbers) => {
                    self.table.put(key, numbers, 1);
                    return numbers;
                }
                Expansion::Open(choices) => choices,
            }
        };
        let numbers = loop {
            let tally = Tally::of::<ATTACK>(&choices, |choice| {
                let known = self.table.get(position.key_after(choice.point) ^ self.salt);
                known.unwrap_or(choice.known)
            });
            let numbers = tally.numbers::<ATTACK>();
            if numbers.proof >= limit.proof
                || numbers.disproof >= limit.disproof
                || numbers.is_solved()
                || self.stopped
            {
                break numbers;
            }
            let p = choices[tally.best].point;
            let child = tally.child_limit::<ATTACK>(limit);
            position.play(p);
            // Kept here too: two choices may drive each other out of a full table for ever.
            choices[tally.best].known = if ATTACK {
                self.search::<false>(position, child, limits)
            } else {
                self.search::<true>(position, child, limits)
            };
            position.undo();
        };
        self.table.put(key, numbers, (self.nodes - before) as u32);
        self.expanded[place] = Expanded { key, choices };
        numbers
    }

    /// Looks at a position with the attacker to move.
    fn attack(&mut self, position: &mut Position) -> Expansion {
        let side = position.side_to_move();
        if let VcfResult::Win { .. } = self.vcf.solve(position, VCF_LIMIT) {
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
    fn defend(&mut self, position: &mut Position) -> Expansion {
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
        if let VcfResult::Win { .. } = self.vcf.solve(position, COUNTER_LIMIT) {
            return Expansion::Solved(Numbers::REFUTED);
        }
        let Some((cells, _)) = self.vcf.threat(position, VCF_LIMIT) else {
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
            let result = self.vcf.solve(position, VCF_LIMIT);
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

/// The numbers of all choices of a position, put together.
struct Tally {
    /// Place of the choice to search next.
    best: usize,
    /// That choice's numbers.
    best_numbers: Numbers,
    /// Least number that decides (proof for the attacker, disproof for the defender) among the
    /// other choices.
    second: u32,
    /// Largest of the other number, and how many choices are not settled in it.
    most: u32,
    open: u32,
}

impl Tally {
    fn of<const ATTACK: bool>(choices: &[Choice], numbers: impl Fn(&Choice) -> Numbers) -> Tally {
        let mut tally = Tally {
            best: 0,
            best_numbers: Numbers::REFUTED,
            second: INFINITE,
            most: 0,
            open: 0,
        };
        let mut least = u32::MAX;
        for (i, choice) in choices.iter().enumerate() {
            let numbers = numbers(choice);
            let (own, other) = match ATTACK {
                true => (numbers.proof, numbers.disproof),
                false => (numbers.disproof, numbers.proof),
            };
            if own < least {
                tally.second = least;
                least = own;
                tally.best = i;
                tally.best_numbers = numbers;
            } else {
                tally.second = tally.second.min(own);
            }
            tally.most = tally.most.max(other);
            tally.open += u32::from(other > 0);
        }
        tally
    }

    /// Weak proof numbers: the largest and one for every other choice in place of the sum, which
    /// counts positions twice that several orders of moves reach.
    fn numbers<const ATTACK: bool>(&self) -> Numbers {
        let least = match ATTACK {
            true => self.best_numbers.proof,
            false => self.best_numbers.disproof,
        };
        let rest = (self.most + self.open.saturating_sub(1)).min(INFINITE);
        match ATTACK {
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
        }
    }

    fn child_limit<const ATTACK: bool>(&self, limit: Numbers) -> Numbers {
        let others = self.open.saturating_sub(1);
        let second = self
            .second
            .saturating_add(self.second / 4)
            .saturating_add(1);
        match ATTACK {
            true => Numbers {
                proof: limit.proof.min(second),
                disproof: limit.disproof.saturating_sub(others),
            },
            false => Numbers {
                proof: limit.proof.saturating_sub(others),
                disproof: limit.disproof.min(second),
            },
        }
    }
}
