//! Victory by continuous fours: every move of the attacker is a four, so that the defender has one
//! reply (or none), and the whole tree can be searched to its end.
//!
//! Source: L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, "Go-Moku and Threat-Space Search"
//! (1994).

use crate::patterns::Class;
use crate::position::Position;
use crate::types::Point;

/// What a search for a win by fours found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VcfResult {
    /// The side to move wins; its five stands after `plies` plies at most.
    Win {
        /// Number of plies, 1 for a five at once.
        plies: u32,
    },
    /// There is no win by fours.
    None,
    /// The search gave up at its node limit.
    Unknown,
}

/// Classes of fours, most promising first.
const FOURS: [Class; 4] = [
    Class::StraightFour,
    Class::FourThree,
    Class::FourPlus,
    Class::Four,
];

/// Searches for wins by fours and remembers, between calls, positions that have none.
pub struct Vcf {
    /// Keys of positions whose side to move has no win by fours, each at the place that its low
    /// bits name. Refutations do not depend on depth, so a key says everything.
    refuted: Box<[u64]>,
    nodes: u64,
    limit: u64,
    /// The winning line of the last win, in reverse.
    line: Vec<Point>,
}

impl Vcf {
    /// A solver that remembers up to `2^bits` refuted positions (8 bytes each).
    pub fn new(bits: u32) -> Vcf {
        Vcf {
            refuted: vec![0; 1 << bits].into_boxed_slice(),
            nodes: 0,
            limit: 0,
            line: Vec::new(),
        }
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The moves of both sides in the last win found, ending before the five or the straight four
    /// that decides it where those follow from the position.
    pub fn line(&self) -> Vec<Point> {
        self.line.iter().rev().copied().collect()
    }

    /// Whether the side to move wins by fours, looking at no more than `limit` positions.
    pub fn solve(&mut self, position: &mut Position, limit: u64) -> VcfResult {
        self.nodes = 0;
        self.limit = limit;
        self.line.clear();
        match self.attack(position) {
            Some(plies) => VcfResult::Win { plies },
            None if self.nodes > limit => VcfResult::Unknown,
            None => VcfResult::None,
        }
    }

    fn is_refuted(&self, key: u64) -> bool {
        self.refuted[key as usize & (self.refuted.len() - 1)] == key
    }

    fn refute(&mut self, key: u64) {
        let place = key as usize & (self.refuted.len() - 1);
        self.refuted[place] = key;
    }

    /// Plies to the five of the side to move, or `None` if it has no win by fours or the limit was
    /// passed.
    fn attack(&mut self, position: &mut Position) -> Option<u32> {
        let side = position.side_to_move();
        self.nodes += 1;
        if let Some(five) = position.set(side, Class::Five).first() {
            self.line.push(five);
            return Some(1);
        }
        let key = position.key();
        if self.nodes > self.limit || self.is_refuted(key) {
            return None;
        }
        if position.count(!side, Class::Five) > 0 {
            // The opponent has a four of his own: only a four that parries it goes on.
            let replies = position.four_replies();
            for reply in &replies {
                if position.class(side, reply).is_four() {
                    if let Some(plies) = self.four(position, reply) {
                        return Some(plies);
                    }
                }
            }
        } else {
            for class in FOURS {
                for p in &position.set(side, class).clone() {
                    if let Some(plies) = self.four(position, p) {
                        return Some(plies);
                    }
                }
            }
        }
        if self.nodes <= self.limit {
            self.refute(key);
        }
        None
    }

    /// As [`attack`](Vcf::attack) with the four at `p` as the first move.
    fn four(&mut self, position: &mut Position, p: Point) -> Option<u32> {
        let side = position.side_to_move();
        if position.is_forbidden(side, p) {
            return None;
        }
        position.play(p);
        let plies = self.defend(position);
        position.undo();
        if plies.is_some() {
            self.line.push(p);
        }
        plies.map(|plies| plies + 1)
    }

    /// Plies to the attacker's five when the side to move has to parry a four, or `None` if a
    /// reply refutes the attack.
    fn defend(&mut self, position: &mut Position) -> Option<u32> {
        let side = position.side_to_move();
        let replies = position.four_replies();
        let base = self.line.len();
        let mut longest = None;
        for reply in &replies {
            // A five point that the rule denies the defender parries nothing.
            if position.is_forbidden(side, reply) {
                continue;
            }
            let start = self.line.len();
            position.play(reply);
            let plies = self.attack(position);
            position.undo();
            let Some(plies) = plies.map(|plies| plies + 1) else {
                self.line.truncate(base);
                return None;
            };
            if longest.is_none_or(|l| plies > l) {
                // Only the line of the longest defence stays; what lies below `base` belongs to
                // the callers.
                self.line.drain(base..start);
                self.line.push(reply);
                longest = Some(plies);
            } else {
                self.line.truncate(start);
            }
        }
        // No reply at all: any move, then five.
        Some(longest.unwrap_or(2))
    }
}
