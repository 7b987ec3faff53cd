//! Victory by continuous threats: the attacker makes fours, threes and quiet moves that threaten to
//! win by fours. The defender has every reply that stops the threat, counter-fours included.
//!
//! The search is df-pn: depth-first, with thresholds on proof and disproof numbers, and a table.
//! Stones are only ever added, so no position repeats on a path. Several threads may search one
//! position: each runs this search with the shared table and, of two about equal children, prefers
//! the one with fewer threads at work below.
//!
//! Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002);
//! J. Pawlewicz, Ł. Lew, "Improving depth-first PN-search: 1+ε trick" (2006); T. Ueda et al.,
//! "Weak proof-number search" (2008); T. Kaneko, "Parallel depth first proof number search" (2010).

use std::sync::Arc;

use super::expansion::{Child, Expansion, VCF_LIMIT, attack, defend};
use super::helper_pool::{HelperGuard, HelperPool};
use super::proof_numbers::{NodeSummary, ProofNumbers};
use super::shared_search::{Progress, SharedSearch, ThreadSlot, VctMemory, VctResult};
use super::vcf::{SolveLimits, Vcf, VcfResult};
use crate::position::Position;
use crate::types::{Color, Point};

/// One thread's part in a search.
struct Part<'a> {
    progress: &'a Progress,
    stop: &'a dyn Fn(u64) -> bool,
    slot: ThreadSlot,
    /// Key of the position in which the search began.
    root: u64,
}

/// Solver of wins by threats.
pub struct Vct {
    vcf: Vcf,
    memory: Arc<VctMemory>,
    /// Helping threads, and the number of positions that a search expands before they join.
    helpers: Option<(Arc<HelperPool>, u64)>,
    /// Part of every key: what is known of a position depends on who attacks.
    salt: u64,
    nodes: u64,
}

/// See [`Vct::salt`].
const WHITE_ATTACKS: u64 = 0x8c5f_6e2d_94b1_a3c7;

impl Vct {
    /// A solver whose tables take about `96 * 2^bits` bytes.
    pub fn new(bits: u32) -> Vct {
        Vct::sharing(Arc::new(VctMemory::new(bits, 1)))
    }

    /// A solver that shares its memory with the solvers of other threads. All may search the same
    /// position, and what one proves is known to all.
    pub fn sharing(memory: Arc<VctMemory>) -> Vct {
        let bits = memory.table.bits();
        Vct {
            vcf: Vcf::new((bits + 2).min(20)),
            memory,
            helpers: None,
            salt: 0,
            nodes: 0,
        }
    }

    /// From now on lets the idle threads of `pool` help with every search that is not over after
    /// `min_nodes` positions. Easy searches end before a helper could join, so their results are
    /// deterministic.
    pub fn use_helpers(&mut self, pool: Arc<HelperPool>, min_nodes: u64) {
        self.helpers = Some((pool, min_nodes));
    }

    /// Positions expanded by the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets what [`nodes`](Vct::nodes) returns, so that several searches count as one.
    pub(super) fn set_nodes(&mut self, nodes: u64) {
        self.nodes = nodes;
    }

    /// The solver of fours that this one uses.
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

    /// Forgets all positions, so that later searches do not depend on earlier ones.
    pub fn forget(&mut self) {
        self.vcf.forget();
        self.memory.table.clear();
        self.memory.recent.clear();
    }

    /// Looks for a win by threats of the side to move.
    pub fn solve(&mut self, position: &mut Position, limits: SolveLimits) -> VctResult {
        let Some((pool, min_nodes)) = self.helpers.clone() else {
            return self.solve_alone(position, limits);
        };
        let max_alone = limits.nodes.min(min_nodes);
        let result = self.solve_alone(
            position,
            SolveLimits {
                nodes: max_alone,
                ..limits
            },
        );
        let alone = self.nodes;
        let is_stopped = alone < max_alone;
        if result != VctResult::Unknown || is_stopped || alone >= limits.nodes {
            return result;
        }
        let search = pool.open(position, &self.memory, limits.nodes - alone);
        let result = self.take_part(position, search.progress(), limits.stop);
        self.nodes = alone + search.progress().nodes();
        result
    }

    fn solve_alone(&mut self, position: &mut Position, limits: SolveLimits) -> VctResult {
        let progress = Progress::new(limits.nodes);
        self.take_part(position, &progress, limits.stop)
    }

    /// Joins the search of `position` by the solvers that share `memory`, until its end.
    fn help(&mut self, position: &mut Position, memory: &Arc<VctMemory>, progress: &Progress) {
        self.memory = Arc::clone(memory);
        self.take_part(position, progress, &|_| false);
    }

    /// Searches the position, alone or together with other threads, until one of them solves it or
    /// the search ends otherwise. Counts this thread's positions.
    fn take_part(
        &mut self,
        position: &mut Position,
        progress: &Progress,
        stop: &dyn Fn(u64) -> bool,
    ) -> VctResult {
        self.nodes = 0;
        self.salt = match position.side_to_move() {
            Color::Black => 0,
            Color::White => WHITE_ATTACKS,
        };
        let part = Part {
            progress,
            stop,
            slot: self.memory.paths.begin(),
            root: position.key() ^ self.salt,
        };
        let numbers = self.search::<true>(position, ProofNumbers::UNLIMITED, &part);
        self.memory.paths.end(part.slot);
        progress.end(match numbers {
            ProofNumbers { proof: 0, .. } => VctResult::Win,
            ProofNumbers { disproof: 0, .. } => VctResult::None,
            _ => VctResult::Unknown,
        })
    }

    /// The first move of the win from a position that was proven won and is still in the table: a
    /// move to a position that is proven too.
    pub(super) fn proven_move(&mut self, position: &mut Position) -> Option<Point> {
        let key = position.key() ^ self.salt;
        let recent = self.memory.recent.get(key);
        if let Some(children) = &recent {
            self.memory.recent.put(key, children.clone());
        }
        let children = match recent {
            Some(children) => children,
            None => match attack(&mut self.vcf, position) {
                Expansion::Solved(_) => return None,
                Expansion::Open(children) => children,
            },
        };
        // The table may have replaced the entry of a proven position.
        let is_proven = |child: &&Child| {
            let key = position.key_after(child.point) ^ self.salt;
            let numbers = self.memory.table.get(key);
            child.known.proof == 0 || numbers.is_some_and(|numbers| numbers.proof == 0)
        };
        children.iter().find(is_proven).map(|child| child.point)
    }

    /// Searches below the position until one of its numbers reaches its limit. The attacker is to
    /// move if `ATTACK`.
    fn search<const ATTACK: bool>(
        &mut self,
        position: &mut Position,
        limit: ProofNumbers,
        part: &Part,
    ) -> ProofNumbers {
        let key = position.key() ^ self.salt;
        let before = self.nodes;
        let mut children = match self.memory.recent.get(key) {
            Some(children) => children,
            None => {
                self.count_node(part);
                let expansion = match ATTACK {
                    true => attack(&mut self.vcf, position),
                    false => defend(&mut self.vcf, position),
                };
                match expansion {
                    Expansion::Solved(numbers) => {
                        self.memory.table.put(key, numbers, 1);
                        return numbers;
                    }
                    Expansion::Open(children) => {
                        self.memory.recent.share(key, &children);
                        children
                    }
                }
            }
        };
        let stones = position.board().stones().len() + 1;
        let numbers = loop {
            let Vct { memory, salt, .. } = &*self;
            let summary = NodeSummary::of::<ATTACK, _>(&children, |child| {
                let key = position.key_after(child.point) ^ salt;
                let known = memory.table.get(key);
                (
                    known.unwrap_or(child.known),
                    memory.paths.others(part.slot, stones, key),
                )
            });
            let numbers = summary.numbers;
            if numbers.reach(limit) || numbers.is_solved() || part.progress.is_over() {
                break numbers;
            }
            if let Some(numbers) = self.solved_by_others(key, part) {
                break numbers;
            }
            let p = children[summary.best].point;
            let child = summary.child_limit::<ATTACK>(limit);
            let paths = &self.memory.paths;
            paths.enter(part.slot, stones, position.key_after(p) ^ self.salt);
            position.play(p);
            // Kept here too: in a full table two children may replace each other again and again.
            children[summary.best].known = if ATTACK {
                self.search::<false>(position, child, part)
            } else {
                self.search::<true>(position, child, part)
            };
            position.undo();
            self.memory.paths.leave(part.slot, stones);
        };
        self.memory
            .table
            .put(key, numbers, (self.nodes - before) as u32);
        self.memory.recent.put(key, children);
        numbers
    }

    /// Counts a position that is about to be expanded, and checks the limits.
    fn count_node(&mut self, part: &Part) {
        self.nodes += 1;
        let is_last = part.progress.count_node();
        // Asked every time: to expand one position may take milliseconds.
        if is_last || (part.stop)(part.progress.nodes()) {
            part.progress.end(VctResult::Unknown);
        }
    }

    /// The numbers of a position solved by another thread while this one searched below. `None` at
    /// the root: a proof needs its moves in the table, not only its result.
    fn solved_by_others(&self, key: u64, part: &Part) -> Option<ProofNumbers> {
        if !self.memory.paths.are_shared() || key == part.root {
            return None;
        }
        self.memory.table.get(key).filter(|known| known.is_solved())
    }
}

impl HelperGuard<'_> {
    /// Begins no more searches, and helps with those of the others until no thread of the pool can
    /// begin one.
    pub fn help(self) {
        let pool = self.retire();
        let mut solver = None;
        while let Some(search) = pool.join() {
            let SharedSearch {
                position,
                memory,
                progress,
            } = &*search;
            let solver = solver.get_or_insert_with(|| Vct::sharing(Arc::clone(memory)));
            solver.help(&mut position.clone(), memory, progress);
            // The search is over: nobody can join it, though its owner may not know yet.
            pool.close(&search);
        }
    }
}
