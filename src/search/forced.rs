//! Wins by force, asked for by the tree search: at leaves, in its nodes and at the root.

use std::sync::Arc;

use super::tt::{Bound, Entry};
use super::worker::Worker;
use crate::patterns::Class;
use crate::position::Position;
use crate::threats::{Defences, Vcf, VcfResult, Vct, VctLimits, VctMemory, VctResult};
use crate::types::{Color, Point, Score};

/// What one position of the search by threats costs, measured in nodes of the tree search.
const VCT_COST: u64 = 15;
/// Size of the table of the search by threats at the root; see [`Vct::new`].
const VCT_BITS: u32 = 15;
/// Fewer positions than these are not worth a start of the search by threats.
const VCT_LEAST: u64 = 30;
/// Positions that a search for fours visits in a millisecond on a slow machine.
const FOURS_PER_MS: u64 = 1_000;
/// A search for fours at the root may take one part in so many of the whole search.
const ROOT_SHARE: u64 = 10;

/// Fours that are no straight fours: those a longer win by fours begins with.
const FOURS: [Class; 3] = [Class::Four, Class::FourPlus, Class::FourThree];

fn has_fours(position: &Position, color: Color) -> bool {
    FOURS.iter().any(|&four| position.count(color, four) > 0)
}

/// What a search for a win by threats found.
struct Threats {
    /// Plies and line of a proved win.
    win: Option<(u32, Vec<Point>)>,
    /// Whether there is nothing left to try.
    exhausted: bool,
    /// Positions expanded.
    nodes: u64,
}

impl Worker<'_> {
    /// The value of a position at the end of the search: what the table knows, a win by fours, or
    /// the evaluation.
    pub(super) fn leaf(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        let entry = self.shared.tt.probe(self.position.key());
        match entry.and_then(|entry| entry.cut(alpha, beta, ply)) {
            Some(score) => score,
            None => {
                let eval = self.static_eval(entry.as_ref());
                self.judge(entry.as_ref(), eval, beta, ply)
            }
        }
    }

    /// The value of a position of which the table's `entry` is not enough: a win by fours, or `eval`,
    /// its evaluation. The win is not looked for where the evaluation alone reaches beta.
    pub(super) fn judge(
        &mut self,
        entry: Option<&Entry>,
        eval: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let bound = if eval >= beta {
            Bound::Lower
        } else {
            let limit = self.shared.params.leaf_vcf_nodes;
            if let Some(win) = self.win_by_fours(limit, eval, ply) {
                return win;
            }
            Bound::Upper
        };
        if entry.is_none() {
            let entry = Entry {
                best: None,
                depth: 0,
                bound,
                score: eval,
                eval,
            };
            self.shared.tt.store(self.position.key(), entry);
        }
        eval
    }

    /// The score of a win by fours of the side to move, who has no five and faces no four, if a
    /// search of `limit` positions finds one. It goes into the table as proved.
    fn win_by_fours(&mut self, limit: i32, eval: Score, ply: usize) -> Option<Score> {
        if limit == 0 || !has_fours(&self.position, self.position.side_to_move()) {
            return None;
        }
        let result = self.memory.vcf.solve(&self.position, limit as u64);
        self.nodes += self.memory.vcf.nodes();
        let VcfResult::Win { plies } = result else {
            return None;
        };
        let score = Score::win_in(ply + plies as usize);
        let entry = Entry {
            best: self.memory.vcf.first_move(),
            depth: 0,
            bound: Bound::Lower,
            score: score.to_node(ply),
            eval,
        };
        self.shared.tt.store(self.position.key(), entry);
        Some(score)
    }

    /// Positions that a search for fours at the root may visit: many, but no more than a part of
    /// what the whole search may cost, since nothing interrupts it.
    fn root_fours_limit(&self) -> u64 {
        let nodes = self.shared.request.max_nodes.unwrap_or(u64::MAX);
        let time = self.shared.control.hard_ms().saturating_mul(FOURS_PER_MS);
        let most = self.shared.params.root_vcf_nodes as u64;
        most.min(nodes.min(time) / ROOT_SHARE)
    }

    /// Asks for a win by fours at the root, with far more patience than at a leaf; the shortest if
    /// there is one. Makes its first move the best.
    pub(super) fn root_wins_by_fours(&mut self) -> bool {
        let side = self.position.side_to_move();
        if self.position.count(side, Class::Five) > 0 {
            // The first iteration takes the first five of the root's list.
            return false;
        }
        let limit = self.root_fours_limit();
        let vcf = &mut self.memory.vcf;
        let found = vcf.solve(&self.position, limit);
        let mut nodes = vcf.nodes();
        let mut win = win_of(&found, vcf);
        if win.is_some() {
            let shortest = vcf.solve_shortest(&self.position, limit);
            nodes += vcf.nodes();
            win = win_of(&shortest, vcf).or(win);
        }
        self.nodes += nodes;
        self.flush_nodes();
        win.is_some_and(|(plies, line)| self.settle_root(plies as usize, line))
    }

    /// Where the opponent threatens to win by fours, drops the root's moves that do not stop it, as
    /// long as one is left.
    pub(super) fn restrict_root(&mut self) {
        let share = self.root_fours_limit() / (self.root_moves.len() as u64 + 1);
        let limit = share.min(self.shared.params.root_defence_nodes as u64);
        let opponent = !self.position.side_to_move();
        if limit == 0
            || self.root_moves.len() < 2
            || self.position.count(!opponent, Class::Five) > 0
            || self.position.count(opponent, Class::Five) > 0
            || !has_fours(&self.position, opponent)
        {
            return;
        }
        let vcf = &mut self.memory.vcf;
        let defences = vcf.defences(&mut self.position, limit);
        self.nodes += vcf.nodes();
        self.flush_nodes();
        if let Defences::Exactly(cells) | Defences::Among(cells) = defences
            && self.root_moves.iter().any(|m| cells.contains(m.point))
        {
            self.root_moves.retain(|m| cells.contains(m.point));
        }
    }

    /// Asks for a win by threats at the root, and if there is one makes its first move the best.
    ///
    /// Called after every iteration of each thread, it takes a share of what that thread's search has
    /// cost so far; the table that all share lets each call go on where the last ones stopped.
    pub(super) fn root_wins_by_threats(&mut self) -> bool {
        let share = self.shared.params.vct_share as u64;
        let spent = self.vct_nodes.unwrap_or(u64::MAX);
        let nodes = (self.nodes * share / 100 / VCT_COST).saturating_sub(spent);
        if nodes < VCT_LEAST || self.position.fives_can_be_blocked() {
            return false;
        }
        let found = self.solve_threats(nodes);
        self.vct_nodes = (!found.exhausted).then_some(spent + found.nodes);
        found
            .win
            .is_some_and(|(plies, line)| self.settle_root(plies as usize, line))
    }

    /// Asks whether the side to move wins by threats, expanding no more than `nodes` positions.
    fn solve_threats(&mut self, nodes: u64) -> Threats {
        let control = self.shared.control;
        let stop = || control.poll();
        let limits = VctLimits { nodes, stop: &stop };
        let vct = self.memory.vct.get_or_insert_with(|| {
            let threads = self.shared.nodes.len();
            let memory = || Arc::new(VctMemory::new(VCT_BITS, threads));
            Vct::sharing(Arc::clone(self.shared.threats.get_or_init(memory)))
        });
        let result = vct.solve(&mut self.position, limits);
        let nodes = vct.nodes();
        let proof = match result {
            VctResult::Win => vct.prove(&mut self.position, limits),
            VctResult::None | VctResult::Unknown => None,
        };
        self.nodes += nodes * VCT_COST;
        self.flush_nodes();
        Threats {
            win: proof.and_then(|proof| Some((proof.step(proof.root()?).plies, proof.line()))),
            exhausted: result == VctResult::None,
            nodes,
        }
    }

    /// Takes `line`, which wins within `plies` plies, for the best. False if its first move may not
    /// be played.
    fn settle_root(&mut self, plies: usize, line: Vec<Point>) -> bool {
        let first = line.first();
        let Some(first) = self.root_moves.iter().position(|m| Some(&m.point) == first) else {
            return false;
        };
        self.root_moves[..=first].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.score = Score::win_in(plies);
        best.seldepth = best.seldepth.max(plies);
        best.pv = line;
        self.completed = self.completed.max(1);
        true
    }
}

fn win_of(result: &VcfResult, vcf: &Vcf) -> Option<(u32, Vec<Point>)> {
    match result {
        VcfResult::Win { plies } => Some((*plies, vcf.line())),
        VcfResult::None | VcfResult::Unknown => None,
    }
}
