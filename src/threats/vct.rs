//! Victory by continuous threats: the attacker makes fours, threes and quiet moves that threaten to
//! win by fours, and the defender has every reply that stops the threat, fours of his own included.
//!
//! The search is df-pn: depth-first, with thresholds on proof and disproof numbers, and a table.
//! Stones are only ever added, so no position repeats on the way. Several threads may search one
//! position: each does all of this by itself, but they share the table, and where two choices are
//! about equal each prefers the one at which fewer others are at work.
//!
//! Sources: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002);
//! J. Pawlewicz, Ł. Lew, "Improving depth-first PN-search: 1+ε trick" (2006); T. Ueda et al.,
//! "Weak proof-number search" (2008); T. Kaneko, "Parallel depth first proof number search" (2010).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::crew::Crew;
use super::expansion::{Choice, Expansion, Recent, VCF_LIMIT, attack, defend};
use super::paths::{Lane, Paths};
use super::proof_numbers::{NumberTable, Numbers};
use super::tally::Tally;
use super::{Vcf, VcfResult};
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
    /// Most positions to expand, by all threads together.
    pub nodes: u64,
    /// Asked now and then; `true` ends the search.
    pub stop: &'a dyn Fn() -> bool,
}

/// What the searchers of several threads share: the numbers of all positions, and where each is.
pub struct VctMemory {
    table: NumberTable,
    recent: Recent,
    paths: Paths,
}

impl VctMemory {
    /// About `96 * 2^bits` bytes, for the searchers of that many threads.
    pub fn new(bits: u32, threads: usize) -> VctMemory {
        VctMemory {
            table: NumberTable::new(bits),
            recent: Recent::new(bits.min(14), threads),
            paths: Paths::new(threads),
        }
    }
}

/// How far a search has come that several threads may do together.
pub(super) struct Progress {
    /// Positions expanded, and most that may be.
    nodes: AtomicU64,
    most: u64,
    /// Set once, by the thread that ends the search.
    end: OnceLock<VctResult>,
}

impl Progress {
    pub(super) fn new(most: u64) -> Progress {
        Progress {
            nodes: AtomicU64::new(0),
            most,
            end: OnceLock::new(),
        }
    }

    /// Whether the search is over, for whatever reason.
    pub(super) fn is_over(&self) -> bool {
        self.end.get().is_some()
    }

    /// Positions expanded by all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Ends the search for all threads, and returns what is known of it in the end.
    pub(super) fn end(&self, result: VctResult) -> VctResult {
        let known = *self.end.get_or_init(|| result);
        match result {
            VctResult::Unknown => known,
            _ => result,
        }
    }
}

/// One thread's part in a search.
struct Part<'a> {
    progress: &'a Progress,
    stop: &'a dyn Fn() -> bool,
    lane: Lane,
    /// Key of the position in which the search began.
    root: u64,
}

/// Searches for wins by threats.
pub struct Vct {
    vcf: Vcf,
    memory: Arc<VctMemory>,
    /// Threads that help with a search that has expanded so many positions.
    crew: Option<(Arc<Crew>, u64)>,
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

    /// A solver that shares its memory with those of other threads: all of them may search the same
    /// position, and what one proves is known to all.
    pub fn sharing(memory: Arc<VctMemory>) -> Vct {
        let bits = memory.table.bits();
        Vct {
            vcf: Vcf::new((bits + 2).min(20)),
            memory,
            crew: None,
            salt: 0,
            nodes: 0,
        }
    }

    /// From now on lets the threads of `crew` that have nothing to do help with every search that is
    /// not over after `patience` positions. Easy ones are solved sooner than a helper could come, and
    /// so always in the same way.
    pub fn employ(&mut self, crew: Arc<Crew>, patience: u64) {
        self.crew = Some((crew, patience));
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
        self.memory.table.clear();
        self.memory.recent.clear();
    }

    /// Whether the side to move wins by threats.
    pub fn solve(&mut self, position: &mut Position, limits: VctLimits) -> VctResult {
        let Some((crew, patience)) = self.crew.clone() else {
            return self.solve_alone(position, limits);
        };
        let most_alone = limits.nodes.min(patience);
        let result = self.solve_alone(
            position,
            VctLimits {
                nodes: most_alone,
                ..limits
            },
        );
        let alone = self.nodes;
        let is_stopped = alone < most_alone;
        if result != VctResult::Unknown || is_stopped || alone >= limits.nodes {
            return result;
        }
        let search = crew.open(position, &self.memory, limits.nodes - alone);
        let result = self.take_part(position, search.progress(), limits.stop);
        self.nodes = alone + search.progress().nodes();
        result
    }

    fn solve_alone(&mut self, position: &mut Position, limits: VctLimits) -> VctResult {
        let progress = Progress::new(limits.nodes);
        self.take_part(position, &progress, limits.stop)
    }

    /// Joins the search of `position` by the solvers that share `memory`, and stays until it is over.
    pub(super) fn help(
        &mut self,
        position: &mut Position,
        memory: &Arc<VctMemory>,
        progress: &Progress,
    ) {
        self.memory = Arc::clone(memory);
        self.take_part(position, progress, &|| false);
    }

    /// Searches the position alone or beside others, until it is solved by one of them or the search
    /// ends otherwise. Counts its own positions.
    fn take_part(
        &mut self,
        position: &mut Position,
        progress: &Progress,
        stop: &dyn Fn() -> bool,
    ) -> VctResult {
        self.nodes = 0;
        self.salt = match position.side_to_move() {
            Color::Black => 0,
            Color::White => WHITE_ATTACKS,
        };
        let part = Part {
            progress,
            stop,
            lane: self.memory.paths.begin(),
            root: position.key() ^ self.salt,
        };
        let numbers = self.search::<true>(position, Numbers::ENDLESS, &part);
        self.memory.paths.end(part.lane);
        progress.end(match numbers {
            Numbers { proof: 0, .. } => VctResult::Win,
            Numbers { disproof: 0, .. } => VctResult::None,
            _ => VctResult::Unknown,
        })
    }

    /// The first move of a position that was proven a win and still is in the table: a move that
    /// leads to a position proven as well.
    pub(super) fn proven_move(&mut self, position: &mut Position) -> Option<Point> {
        let key = position.key() ^ self.salt;
        let recent = self.memory.recent.get(key);
        if let Some(choices) = &recent {
            self.memory.recent.put(key, choices.clone());
        }
        let choices = match recent {
            Some(choices) => choices,
            None => match attack(&mut self.vcf, position) {
                Expansion::Solved(_) => return None,
                Expansion::Open(choices) => choices,
            },
        };
        // The table may have given the place of a proven position to another.
        let is_proven = |choice: &&Choice| {
            let key = position.key_after(choice.point) ^ self.salt;
            let numbers = self.memory.table.get(key);
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
        part: &Part,
    ) -> Numbers {
        let key = position.key() ^ self.salt;
        let before = self.nodes;
        let mut choices = match self.memory.recent.get(key) {
            Some(choices) => choices,
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
                    Expansion::Open(choices) => {
                        self.memory.recent.share(key, &choices);
                        choices
                    }
                }
            }
        };
        let stones = position.board().stones().len() + 1;
        let numbers = loop {
            let Vct { memory, salt, .. } = &*self;
            let tally = Tally::of::<ATTACK, _>(&choices, |choice| {
                let key = position.key_after(choice.point) ^ salt;
                let known = memory.table.get(key);
                (
                    known.unwrap_or(choice.known),
                    memory.paths.others(part.lane, stones, key),
                )
            });
            let numbers = tally.numbers;
            if numbers.reach(limit) || numbers.is_solved() || part.progress.is_over() {
                break numbers;
            }
            if let Some(numbers) = self.solved_by_others(key, part) {
                break numbers;
            }
            let p = choices[tally.best].point;
            let child = tally.child_limit::<ATTACK>(limit);
            let paths = &self.memory.paths;
            paths.enter(part.lane, stones, position.key_after(p) ^ self.salt);
            position.play(p);
            // Kept here too: two choices may drive each other out of a full table for ever.
            choices[tally.best].known = if ATTACK {
                self.search::<false>(position, child, part)
            } else {
                self.search::<true>(position, child, part)
            };
            position.undo();
            self.memory.paths.leave(part.lane, stones);
        };
        self.memory
            .table
            .put(key, numbers, (self.nodes - before) as u32);
        self.memory.recent.put(key, choices);
        numbers
    }

    /// Counts a position about to be expanded, and looks after the limits.
    fn count_node(&mut self, part: &Part) {
        self.nodes += 1;
        let all = part.progress.nodes.fetch_add(1, Ordering::Relaxed) + 1;
        if all >= part.progress.most || (self.nodes.is_multiple_of(32) && (part.stop)()) {
            part.progress.end(VctResult::Unknown);
        }
    }

    /// What another thread has found of a position while this one was at work below it. The start
    /// of the search is left out: a proof needs the moves of the win in the table, not its result.
    fn solved_by_others(&self, key: u64, part: &Part) -> Option<Numbers> {
        if !self.memory.paths.are_shared() || key == part.root {
            return None;
        }
        self.memory.table.get(key).filter(|known| known.is_solved())
    }
}
