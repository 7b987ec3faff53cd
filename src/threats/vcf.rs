//! Victory by continuous fours: every move of the attacker is a four, so that the defender has one
//! reply (or none), and the whole tree can be searched to its end.
//!
//! Source: L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, "Go-Moku and Threat-Space Search"
//! (1994).

use std::mem;

use super::fours::{Cross, Fives, Four, FourBoard};
use crate::board::{Direction, LINES, stone_key};
use crate::patterns::{Class, Shape};
use crate::position::Position;
use crate::types::{Color, POINTS, Point};

/// Limits of a search by fours or by threats.
#[derive(Clone, Copy)]
pub struct SolveLimits<'a> {
    /// Most positions to search, by all threads together.
    pub nodes: u64,
    /// Called every millisecond or so with the positions searched so far; `true` ends the search.
    pub stop: &'a dyn Fn(u64) -> bool,
}

impl<'a> SolveLimits<'a> {
    /// Only `stop` ends the search.
    pub fn until(stop: &'a dyn Fn(u64) -> bool) -> SolveLimits<'a> {
        SolveLimits {
            nodes: u64::MAX,
            stop,
        }
    }
}

/// Result of a search for a win by fours.
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

/// Classes of cells where a stone makes a four, or would if the rule allowed it.
const FOURS: [Class; 5] = [
    Class::Four,
    Class::FourPlus,
    Class::FourThree,
    Class::StraightFour,
    Class::Forbidden,
];

/// No limit: more fours than any board has room for.
const UNLIMITED: u32 = u32::MAX;

/// A budget of fours, at least 1, after one four.
#[inline]
fn less_one(budget: u32) -> u32 {
    match budget {
        UNLIMITED => UNLIMITED,
        _ => budget - 1,
    }
}

/// The key of a position without a win within a budget; a larger budget, under another key, may
/// win.
#[inline]
fn table_key(key: u64, budget: u32) -> u64 {
    match budget {
        UNLIMITED => key,
        _ => key ^ u64::from(budget).wrapping_mul(0x9e37_79b9_7f4a_7c15),
    }
}

/// Positions between two calls of `stop`: some milliseconds.
const STOP_INTERVAL: u64 = 1 << 16;

/// Searches for wins by fours and remembers, between calls, positions that have none.
pub struct Vcf {
    /// Keys of positions whose side to move has no win by fours, or none within a budget (see
    /// [`table_key`]), each at the place that its low bits name. Refutations do not depend on
    /// depth, so a key says everything.
    refuted: Box<[u64]>,
    /// Part of every key in the table but not of its place: changing it forgets all entries and has
    /// no other effect.
    salt: u64,
    nodes: u64,
    /// Positions after which the search ends, or asks whether to go on.
    limit: u64,
    /// True if the search left something out because of its budget.
    cut: bool,
    /// The winning line of the last win, in reverse.
    line: Vec<Point>,
    /// See [`tree_cells`](Vcf::tree_cells).
    tree_cells: Vec<Point>,
    /// True if the search lists them.
    lists_tree_cells: bool,
    /// The fours of the nodes on the path to the current one, node after node.
    fours: Vec<Four>,
    /// For each cell the mark of a node and the five threatened there by a four on the cell.
    seen: Box<[(u32, Point)]>,
    mark: u32,
}

/// The game during a search: the stones, who attacks, and for how long.
struct Attack<'a> {
    board: FourBoard,
    attacker: Color,
    limits: Option<SolveLimits<'a>>,
}

/// A position in which the attacker is to move.
struct Node {
    key: u64,
    /// The defender's cells for a five, which the next four must block.
    fives: Fives,
    /// The attacker's four and the reply that led here, and where the fours before them are
    /// listed. `None` at the root, whose fours are listed already.
    last: Option<(Point, Point, usize)>,
    /// Most fours that the win may take.
    budget: u32,
}

impl Vcf {
    /// A solver that remembers up to `2^bits` refuted positions (8 bytes each).
    pub fn new(bits: u32) -> Vcf {
        Vcf {
            refuted: vec![0; 1 << bits].into_boxed_slice(),
            salt: 0,
            nodes: 0,
            limit: 0,
            cut: false,
            line: Vec::new(),
            tree_cells: Vec::new(),
            lists_tree_cells: false,
            fours: Vec::with_capacity(1024),
            seen: vec![(0, Point::new(0, 0)); POINTS].into_boxed_slice(),
            mark: 0,
        }
    }

    /// Forgets all refuted positions, so that later searches do not depend on earlier ones.
    pub fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0xd1b5_4a32_d192_ed03);
    }

    /// Positions visited by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The moves of both sides in the last win found, up to an immediate five or to the four
    /// without an answer. Where a four has several replies, the one that resists longest.
    pub fn line(&self) -> Vec<Point> {
        self.line.iter().rev().copied().collect()
    }

    /// The cells of the last win's whole tree on which one more stone of the defender could change
    /// the win: both sides' moves, the threatened fives, the ends of the attacker's rows, and cells
    /// where the defender's replies prepare own fours.
    ///
    /// Only after [`listing_tree_cells`](Vcf::listing_tree_cells), and only where fives can be
    /// blocked, so that a four may have several replies: elsewhere the line is the tree.
    pub(super) fn tree_cells(&self) -> &[Point] {
        &self.tree_cells
    }

    /// Lets `search` list the [`tree_cells`](Vcf::tree_cells) of its win in `position`.
    pub(super) fn listing_tree_cells<R>(
        &mut self,
        position: &Position,
        search: impl FnOnce(&mut Vcf) -> R,
    ) -> R {
        self.lists_tree_cells = position.fives_can_be_blocked();
        let result = search(self);
        self.lists_tree_cells = false;
        result
    }

    /// The first move of the last win found.
    pub fn first_move(&self) -> Option<Point> {
        self.line.last().copied()
    }

    /// Sets what [`nodes`](Vcf::nodes) returns, so that several searches count as one.
    pub(super) fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    /// Looks for a win by fours of the side to move, visiting at most `limit` positions.
    pub fn solve(&mut self, position: &Position, limit: u64) -> VcfResult {
        self.nodes = 0;
        self.limit = limit;
        self.search(position, UNLIMITED, None)
    }

    /// As [`solve`](Vcf::solve); a win is one with the fewest fours.
    pub fn solve_shortest(&mut self, position: &Position, limit: u64) -> VcfResult {
        self.nodes = 0;
        self.limit = limit;
        self.deepen(position, None)
    }

    /// As [`solve`](Vcf::solve), or [`solve_shortest`](Vcf::solve_shortest) if `shortest`, within
    /// `limits`.
    pub fn solve_until(
        &mut self,
        position: &Position,
        shortest: bool,
        limits: SolveLimits,
    ) -> VcfResult {
        self.nodes = 0;
        self.limit = limits.nodes.min(STOP_INTERVAL);
        match shortest {
            true => self.deepen(position, Some(limits)),
            false => self.search(position, UNLIMITED, Some(limits)),
        }
    }

    fn deepen(&mut self, position: &Position, limits: Option<SolveLimits>) -> VcfResult {
        let mut budget = 1;
        loop {
            self.cut = false;
            match self.search(position, budget, limits) {
                VcfResult::None if self.cut => budget += 1,
                result => return result,
            }
        }
    }

    fn search(
        &mut self,
        position: &Position,
        budget: u32,
        limits: Option<SolveLimits>,
    ) -> VcfResult {
        self.line.clear();
        self.tree_cells.clear();
        let won = self.root(position, budget, limits);
        match won {
            Some(plies) => VcfResult::Win { plies },
            None if self.nodes > self.limit => VcfResult::Unknown,
            None => VcfResult::None,
        }
    }

    /// True if the search, at its limit, may go on up to another one.
    #[cold]
    fn may_go_on(&mut self, limits: Option<SolveLimits>) -> bool {
        let Some(limits) = limits else {
            return false;
        };
        if self.nodes > limits.nodes || (limits.stop)(self.nodes) {
            return false;
        }
        self.limit = limits.nodes.min(self.nodes + STOP_INTERVAL);
        true
    }

    /// Plies to the attacker's five. Answers from the position's classes where they are enough,
    /// without looking at the lines, because the main search asks at every leaf.
    fn root(
        &mut self,
        position: &Position,
        budget: u32,
        limits: Option<SolveLimits>,
    ) -> Option<u32> {
        let attacker = position.side_to_move();
        if let Some(five) = position.set(attacker, Class::Five).first() {
            self.nodes += 1;
            self.line.push(five);
            if self.lists_tree_cells {
                FourBoard::new(position).row_cells(attacker, five, &mut self.tree_cells);
            }
            return Some(1);
        }
        let must_block = position.count(!attacker, Class::Five);
        if must_block == 0 && position.has_straight_four() {
            let mut fours = position.set(attacker, Class::StraightFour).iter();
            let allowed = fours.find(|&p| !position.is_forbidden(attacker, p));
            self.nodes += 1;
            self.line.extend(allowed);
            if let Some(p) = allowed.filter(|_| self.lists_tree_cells) {
                let mut board = FourBoard::new(position);
                board.toggle(p, attacker);
                self.tree_cells.push(p);
                board.row_cells(attacker, p, &mut self.tree_cells);
            }
            return Some(3);
        }
        let few = must_block <= 1 || position.fives_can_be_blocked();
        let mut fives = Fives::new();
        let room = position.set(!attacker, Class::Five).iter();
        if !few || room.into_iter().any(|five| fives.try_push(five).is_err()) {
            self.nodes += 1;
            return None;
        }
        self.fours.clear();
        let board = FourBoard::new(position);
        let mut done = [0u64; 4];
        const _: () = assert!(
            LINES <= 64,
            "a word has a bit for every line of a direction"
        );
        for class in FOURS {
            if position.count(attacker, class) == 0 {
                continue;
            }
            for p in position.set(attacker, class) {
                let shapes = position.shapes(attacker, p);
                for direction in Direction::ALL {
                    let bit = 1 << direction.line(p);
                    let done = &mut done[direction.index()];
                    if shapes.get(direction) >= Shape::Four && *done & bit == 0 {
                        *done |= bit;
                        board.fours_on_line(attacker, direction, p, &mut self.fours);
                    }
                }
            }
        }
        let node = Node {
            key: position.key(),
            fives,
            last: None,
            budget,
        };
        let mut game = Attack {
            board,
            attacker,
            limits,
        };
        self.attack(&mut game, &node)
    }

    /// True if the position is known to have no win by fours within the budget. A possible win with
    /// a larger budget counts as something left out.
    fn is_known(&mut self, key: u64, budget: u32) -> bool {
        if self.is_refuted(key) {
            return true;
        }
        let is_cut = budget != UNLIMITED && self.is_refuted(table_key(key, budget));
        self.cut |= is_cut;
        is_cut
    }

    fn is_refuted(&self, key: u64) -> bool {
        self.refuted[key as usize & (self.refuted.len() - 1)] == key ^ self.salt
    }

    fn refute(&mut self, key: u64) {
        let place = key as usize & (self.refuted.len() - 1);
        self.refuted[place] = key ^ self.salt;
    }

    /// Plies to the attacker's five, or `None` if there is no win by fours within the budget or
    /// the limit was passed. He has no five at once.
    fn attack(&mut self, game: &mut Attack, node: &Node) -> Option<u32> {
        debug_assert!(node.budget > 0, "nothing is left to try");
        self.nodes += 1;
        if self.nodes > self.limit && !self.may_go_on(game.limits) {
            return None;
        }
        if self.is_known(node.key, node.budget) {
            return None;
        }
        let was_cut = mem::take(&mut self.cut);
        let start = match node.last {
            Some((p, reply, from)) => self.list_fours(game, p, reply, from),
            None => 0,
        };
        let end = self.fours.len();
        let mut won = self.double_four(game, node, start);
        // The last fours first: they follow from the stones just put.
        for i in (start..end).rev() {
            if won.is_some() || self.nodes > self.limit {
                break;
            }
            let four = self.fours[i];
            won = self.four(game, node, four, start);
        }
        self.fours.truncate(start);
        if won.is_none() && self.nodes <= self.limit {
            self.refute(match self.cut {
                true => table_key(node.key, node.budget),
                false => node.key,
            });
        }
        self.cut |= was_cut;
        won
    }

    /// Lists the attacker's fours after a four on `p` and `reply`: first the fours listed at `from`
    /// that the two stones have not touched, then all on the lines through either. Returns where
    /// the new list begins.
    fn list_fours(&mut self, game: &Attack, p: Point, reply: Point, from: usize) -> usize {
        let start = self.fours.len();
        let (cross, reply_cross) = (Cross::of(p), Cross::of(reply));
        for i in from..start {
            let four = self.fours[i];
            if !four.lies_on(cross) && !four.lies_on(reply_cross) {
                self.fours.push(four);
            }
        }
        for direction in Direction::ALL {
            if direction.line(p) != direction.line(reply) {
                let (board, fours) = (&game.board, &mut self.fours);
                board.fours_on_line(game.attacker, direction, reply, fours);
            }
        }
        for direction in Direction::ALL {
            let (board, fours) = (&game.board, &mut self.fours);
            board.fours_on_line(game.attacker, direction, p, fours);
        }
        start
    }

    /// A win by a stone that threatens two fives at once, where one reply cannot stop both.
    fn double_four(&mut self, game: &Attack, node: &Node, start: usize) -> Option<u32> {
        if game.board.fives_can_be_blocked() {
            return None;
        }
        self.mark = self.mark.wrapping_add(1);
        for i in start..self.fours.len() {
            let four = self.fours[i];
            let seen = &mut self.seen[four.cell.index()];
            if seen.0 != self.mark {
                *seen = (self.mark, four.five);
            } else if seen.1 != four.five
                && node.fives.iter().all(|&five| five == four.cell)
                && !game.board.is_forbidden(game.attacker, four.cell)
            {
                self.line.push(four.cell);
                return Some(3);
            }
        }
        None
    }

    /// As [`attack`](Vcf::attack) with `four` as the first move.
    fn four(&mut self, game: &mut Attack, node: &Node, four: Four, start: usize) -> Option<u32> {
        let (p, attacker) = (four.cell, game.attacker);
        let blocks_all = |game: &Attack| {
            let is_blocked = |&five: &Point| five == p || !game.board.is_five(!attacker, five);
            node.fives.iter().all(is_blocked)
        };
        if !game.board.fives_can_be_blocked() {
            if node.fives.iter().any(|&five| five != p) {
                return None;
            }
            // Fours commute, so most positions are reached in many ways. If the position after the
            // reply is refuted, so is this four, unless the rule forbids the defender that reply.
            let key = node.key ^ stone_key(attacker, p) ^ stone_key(!attacker, four.five);
            if !game.board.restricts(!attacker) && self.is_known(key, less_one(node.budget)) {
                return None;
            }
        }
        if game.board.is_forbidden(attacker, p) {
            return None;
        }
        let listed = self.tree_cells.len();
        game.board.toggle(p, attacker);
        let plies = if blocks_all(game) {
            self.defend(game, node, four, start)
        } else {
            None
        };
        game.board.toggle(p, attacker);
        let Some(plies) = plies else {
            self.tree_cells.truncate(listed);
            return None;
        };
        self.line.push(p);
        if self.lists_tree_cells {
            self.tree_cells.push(p);
        }
        Some(plies + 1)
    }

    /// Plies to the attacker's five when the defender has to answer `four`, or `None` if a reply
    /// refutes the attack.
    fn defend(&mut self, game: &mut Attack, node: &Node, four: Four, start: usize) -> Option<u32> {
        let (attacker, defender) = (game.attacker, !game.attacker);
        let p = four.cell;
        let fives = if game.board.fives_can_be_blocked() {
            game.board.fives_through(attacker, p)
        } else {
            // Two fives at once were found before, as a double four.
            debug_assert_eq!(game.board.fives_through(attacker, p)[..], [four.five]);
            Fives::from_iter([four.five])
        };
        let replies = game.board.replies(attacker, p, &fives);
        let base = self.line.len();
        let mut longest = None;
        if self.lists_tree_cells {
            game.board.row_cells(attacker, p, &mut self.tree_cells);
        }
        for reply in replies {
            if node.budget == 1 {
                self.cut = true;
                return None;
            }
            let line = self.line.len();
            game.board.toggle(reply, defender);
            let fives = game.board.fives_through(defender, reply);
            if self.lists_tree_cells {
                let cells = &mut self.tree_cells;
                game.board.forcing_cells(defender, reply, cells);
            }
            let plies = if fives.len() < 2 || game.board.fives_can_be_blocked() {
                let next = Node {
                    key: node.key ^ stone_key(attacker, p) ^ stone_key(defender, reply),
                    fives,
                    last: Some((p, reply, start)),
                    budget: less_one(node.budget),
                };
                self.attack(game, &next)
            } else {
                None
            };
            game.board.toggle(reply, defender);
            let Some(plies) = plies.map(|plies| plies + 1) else {
                self.line.truncate(base);
                return None;
            };
            if longest.is_none_or(|l| plies > l) {
                // Only the line of the longest defence stays; the part below `base` belongs to the
                // callers.
                self.line.drain(base..line);
                self.line.push(reply);
                longest = Some(plies);
            } else {
                self.line.truncate(line);
            }
        }
        // No reply at all: any move, then five.
        Some(longest.unwrap_or(2))
    }
}
