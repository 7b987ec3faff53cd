//! Forced wins at the root: by fours (VCF), by threats (VCT), and defences against the opponent's
//! VCF.

use std::sync::Arc;

use super::qsearch::has_fours;
use super::root_moves::RootMove;
use super::thread::SearchThread;
use crate::patterns::Class;
use crate::threats::{Defences, SolveLimits, Vcf, VcfResult, Vct, VctMemory, VctResult};
use crate::types::{Point, Score};

/// Cost of one position of the VCT search, in nodes of the tree search.
const VCT_COST: u64 = 15;
/// In an analysis the VCT search takes two nodes for each of the tree search, up to this many, and
/// besides one for every [`ANALYSIS_PART`]. Most wins are found early, and who analyses wants moves
/// as well.
const ANALYSIS_HEAD_START: u64 = 300_000;
/// See [`ANALYSIS_HEAD_START`].
const ANALYSIS_PART: u64 = 8;
/// A VCT search of fewer positions is not started.
const VCT_MIN_NODES: u64 = 30;
/// Proofs of more steps, which would take more than 16 MiB, are not built, and their wins not reported.
const MAX_PROOF_STEPS: usize = 1 << 16;
/// Positions that a VCF search visits in a millisecond on a slow machine.
const VCF_NODES_PER_MS: u64 = 1_000;
/// A VCF search at the root may take one part in this many of the whole search.
const VCF_SHARE: u64 = 10;

/// Result of a VCT search.
struct VctOutcome {
    /// Plies and line of a proved win.
    win: Option<(u32, Vec<Point>)>,
    /// Whether there is nothing left to search.
    exhausted: bool,
    /// Positions expanded.
    nodes: u64,
}

impl SearchThread<'_> {
    /// Positions that a VCF search at the root may visit: a share of what the whole search may
    /// cost, because nothing interrupts it.
    fn root_vcf_limit(&self) -> u64 {
        let nodes = self.max_nodes();
        let time = self.shared.control.hard_ms();
        let time = time.saturating_mul(VCF_NODES_PER_MS);
        let most = self.shared.params.root_vcf_nodes as u64;
        most.min(nodes.min(time) / VCF_SHARE)
    }

    /// Searches the root for a win by fours, and for the shortest if there is one. Makes its first
    /// move the best. Returns whether there is a win.
    pub(super) fn find_root_vcf(&mut self) -> bool {
        let side = self.position.side_to_move();
        if self.position.count(side, Class::Five) > 0 {
            // The first iteration takes the first five of the root's list.
            return false;
        }
        let limit = self.root_vcf_limit();
        let vcf = &mut self.data.vcf;
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
        win.is_some_and(|(plies, line)| self.accept_root_win(plies as usize, line))
    }

    /// Where the opponent threatens to win by fours, drops the root moves that do not stop it. Where
    /// none of them does, moves far from all stones may.
    pub(super) fn drop_root_moves_losing_to_vcf(&mut self) {
        let all = self.root_vcf_limit();
        let share = all / (self.root_moves.len() as u64 + 1);
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
        let vcf = &mut self.data.vcf;
        let defences = vcf.defences(&mut self.position, limit, all);
        self.nodes += vcf.nodes();
        self.flush_nodes();
        let (Defences::Exactly(cells) | Defences::Among(cells)) = defences else {
            return;
        };
        if self.root_moves.iter().any(|m| cells.contains(m.point)) {
            self.root_moves.retain(|m| cells.contains(m.point));
        } else {
            let far = cells.difference(&self.shared.request.excluded);
            if !far.is_empty() {
                self.root_moves = far.iter().map(RootMove::new).collect();
            }
        }
    }

    /// Searches the root for a win by threats, and makes its first move the best. Returns whether
    /// there is a win.
    ///
    /// Each thread calls this after every iteration, and may then have spent a share of its nodes. The
    /// table that all threads share lets each call continue where the last ones stopped.
    pub(super) fn find_root_vct(&mut self) -> bool {
        let Some(spent) = self.vct_nodes else {
            return false;
        };
        let left = self.max_nodes().saturating_sub(self.shared.total_nodes());
        let nodes = (self.vct_budget(spent) / VCT_COST).saturating_sub(spent);
        let nodes = nodes.min(left / VCT_COST);
        if nodes < VCT_MIN_NODES || self.position.fives_can_be_blocked() {
            return false;
        }
        let found = self.solve_vct(nodes);
        self.vct_nodes = (!found.exhausted).then_some(spent + found.nodes);
        found
            .win
            .is_some_and(|(plies, line)| self.accept_root_win(plies as usize, line))
    }

    /// Nodes that the VCT search may have taken by now in all; it has expanded `spent` positions.
    fn vct_budget(&self, spent: u64) -> u64 {
        if self.shared.request.is_analysis {
            let tree = self.nodes.saturating_sub(spent * VCT_COST);
            (2 * tree).min(ANALYSIS_HEAD_START) + tree / ANALYSIS_PART
        } else {
            self.nodes * self.shared.params.vct_share as u64 / 100
        }
    }

    /// Searches for a win by threats of the side to move, expanding at most `nodes` positions.
    fn solve_vct(&mut self, nodes: u64) -> VctOutcome {
        let control = self.shared.control;
        let stop = |_| control.poll();
        let limits = SolveLimits { nodes, stop: &stop };
        let vct = self.data.vct.get_or_insert_with(|| {
            let (bits, threads) = (self.shared.vct_bits, self.shared.nodes.len());
            let memory = || Arc::new(VctMemory::new(bits, threads));
            Vct::sharing(Arc::clone(self.shared.vct_memory.get_or_init(memory)))
        });
        let result = vct.solve(&mut self.position, limits);
        let nodes = vct.nodes();
        let proof = match result {
            VctResult::Win => vct.prove(&mut self.position, limits, MAX_PROOF_STEPS),
            VctResult::None | VctResult::Unknown => None,
        };
        self.nodes += nodes * VCT_COST;
        self.flush_nodes();
        VctOutcome {
            win: proof.and_then(|proof| Some((proof.step(proof.root()?).plies, proof.line()))),
            exhausted: result == VctResult::None,
            nodes,
        }
    }

    /// Makes `line`, which wins within `plies` plies, the best root move's line. False if its first
    /// move is not among the root moves.
    fn accept_root_win(&mut self, plies: usize, line: Vec<Point>) -> bool {
        let first = line.first();
        let Some(first) = self.root_moves.iter().position(|m| Some(&m.point) == first) else {
            return false;
        };
        self.root_moves[..=first].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.score = Score::win_in(plies);
        best.seldepth = best.seldepth.max(plies);
        best.pv = line;
        best.is_proved = true;
        true
    }
}

fn win_of(result: &VcfResult, vcf: &Vcf) -> Option<(u32, Vec<Point>)> {
    match result {
        VcfResult::Win { plies } => Some((*plies, vcf.line())),
        VcfResult::None | VcfResult::Unknown => None,
    }
}
