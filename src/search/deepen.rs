//! Iterative deepening over the root moves with aspiration windows, and forced wins at the root: by
//! fours (VCF), by threats (VCT), and defences against the opponent's VCF.

use std::cmp::Reverse;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::lines::is_complete;
use super::node::{Root, has_fours};
use super::request::{SearchInfo, SearchResult, win_rate};
use super::root_moves::{RootMove, far_root_moves};
use super::thread::SearchThread;
use super::time_manager::UNLIMITED_MS;
use crate::patterns::Class;
use crate::threats::{Defences, SolveLimits, Vcf, VcfResult, Vct, VctMemory, VctResult};
use crate::types::{MAX_PLY, Point, Score, ScoreKind};

/// Growth of the table may take one part in this many of the time planned for a move. On a machine
/// whose memory is slow at its first touch it would take whole moves of fast games, where a small
/// table costs little.
const GROWTH_PART: u64 = 8;
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
/// Proofs of more steps, which would take more than 16 MiB, are not built, and their wins not
/// reported.
const MAX_PROOF_STEPS: usize = 1 << 16;
/// Positions that a VCF search visits in a millisecond on a slow machine.
const VCF_NODES_PER_MS: u64 = 1_000;
/// The lines of proved results may cost one part in this many of the nodes of the search before
/// them, and of the time that a game's move has left.
const LINE_PART: u64 = 16;
/// Nodes that these lines may always cost.
const LEAST_LINE_NODES: u64 = 2_000;
/// Nodes that these lines may cost at the end of an analysis.
const LINE_NODES: u64 = 100_000;
/// Time that these lines may take, in ms.
const LINE_MS: u64 = 300;
/// The same after the time of an analysis.
const LATE_MS: u64 = 50;
/// A VCF search at the root may take one part in this many of the whole search.
const VCF_SHARE: u64 = 10;

/// Result of a VCT search.
struct VctOutcome {
    /// Plies and line of a proved win.
    win: Option<(u32, Vec<Point>)>,
    /// True if there is nothing left to search.
    exhausted: bool,
    /// Positions expanded.
    nodes: u64,
}

impl SearchThread<'_> {
    /// Searches the root for forced wins by fours, before any thread deepens. A win of the side to
    /// move goes to `on_info`. Where only the best move is wanted, moves are dropped that lose to a
    /// win of the opponent. Returns whether nothing is left to search.
    pub fn solve_root(&mut self, on_info: &mut dyn FnMut(&SearchInfo)) -> bool {
        let lines = self.lines();
        if self.find_root_vcf() {
            let line = self.info(0, lines);
            on_info(&line);
            self.completed_lines = vec![line];
            return lines == 1;
        }
        if lines == 1 {
            self.drop_root_moves_losing_to_vcf();
        }
        false
    }

    /// Number of best moves that are asked for and exist.
    pub(super) fn lines(&self) -> usize {
        let wanted = self.shared.request.multi_pv;
        wanted.clamp(1, self.root_moves.len().max(1))
    }

    /// Iterative deepening until a limit is reached. Every completed line goes to `on_info`.
    ///
    /// Parallel search: Lazy SMP. All threads search the same root and share the transposition
    /// table. Source: Stockfish.
    pub fn deepen(&mut self, on_info: &mut dyn FnMut(&SearchInfo)) {
        let request = self.shared.request;
        let lines = self.lines();
        let max_depth = request
            .max_depth
            .unwrap_or(u32::MAX)
            .min(MAX_PLY as u32 / 2);
        self.grow_table();
        for depth in 1..=max_depth {
            // The first iteration always runs: there must be a move.
            if depth > 1 && depth > self.shared.control.max_depth() {
                break;
            }
            // Every other thread skips the even depths, so that the threads do not all search the
            // same tree at the same time.
            if self.id % 2 == 1 && depth < max_depth && depth % 2 == 0 {
                continue;
            }
            self.search_lines(depth, lines);
            if !self.is_stopped() && self.root_moves[0].score.is_loss() && self.add_far_root_moves()
            {
                self.search_lines(depth, lines);
            }
            self.flush_nodes();
            if self.is_stopped() {
                if lines == 1 {
                    self.replace_lost_move();
                }
                return;
            }
            self.completed_depth = depth;
            let best = &self.root_moves[0];
            self.stability.update(best.point, best.score);
            self.completed_lines = self.infos(lines);
            if request.is_analysis && self.id == 0 {
                let mut infos = mem::take(&mut self.completed_lines);
                let (nodes, ms) = self.bounds_of_lines(1);
                self.complete_lines(&mut infos, nodes, ms);
                if lines > 1 {
                    self.keep_wins(&infos);
                }
                self.completed_lines = infos;
            }
            self.completed_lines.iter().for_each(&mut *on_info);
            // Only the main thread minds the time: it stops the others.
            if self.is_settled(depth, lines) || self.id == 0 && self.is_planned_time_used() {
                return;
            }
            self.grow_table();
            if !self.root_moves[0].score.is_decided() && self.find_root_vct() {
                on_info(&self.info(0, lines));
                if lines == 1 {
                    return;
                }
                self.completed_lines = self.infos(lines);
            }
        }
    }

    /// Of several lines, complete wins are not searched again.
    fn keep_wins(&mut self, lines: &[SearchInfo]) {
        let is_kept = |info: &&SearchInfo| info.score.is_win() && is_complete(info);
        for info in lines.iter().filter(is_kept) {
            let place = self.root_moves.iter_mut().find(|m| m.point == info.pv[0]);
            let root_move = place.expect("lines begin with root moves");
            root_move.score = info.score;
            root_move.seldepth = info.seldepth as usize;
            root_move.pv.clone_from(&info.pv);
            root_move.is_proved = true;
        }
        self.root_moves[..lines.len()].sort_by_key(|m| Reverse(m.score));
    }

    /// Lets the table grow where it is full, for a share of the time planned for the move.
    fn grow_table(&mut self) {
        // One thread does it for all.
        if self.id != 0 {
            return;
        }
        let control = self.shared.control;
        let before = control.elapsed();
        let most = Duration::from_millis(control.soft_ms() / GROWTH_PART);
        let left = most.saturating_sub(self.growth_time);
        let time_left = || match control.poll() {
            true => Duration::ZERO,
            false => (before + left).saturating_sub(control.elapsed()),
        };
        self.shared.tt.grow_if_full(&time_left);
        self.growth_time += control.elapsed() - before;
    }

    /// Where every root move loses: adds the moves far from all stones, because only all moves
    /// prove a loss, and forgets the scores. Returns whether there are any.
    fn add_far_root_moves(&mut self) -> bool {
        let far = far_root_moves(self.shared.request);
        let known = self.root_moves.len();
        for p in far {
            if self.root_moves[..known].iter().all(|m| m.point != p) {
                self.root_moves.push(RootMove::new(p));
            }
        }
        let has_more = self.root_moves.len() > known;
        if has_more {
            self.root_moves
                .iter_mut()
                .for_each(|m| m.score = -Score::INFINITE);
        }
        has_more
    }

    /// One iteration: each line of a multi-PV search excludes the best moves of the lines before. A
    /// proved win is a line already.
    fn search_lines(&mut self, depth: u32, lines: usize) {
        for root_move in &mut self.root_moves {
            root_move.previous_score = root_move.score;
        }
        for line in 0..lines {
            if self.root_moves[line].is_proved {
                continue;
            }
            self.first_root_move = line;
            self.seldepth = 0;
            self.aspiration_search(depth as i32);
            self.sort_root_moves(line);
            // Also after a stop: what was found of a line before it may be better than the lines
            // above.
            self.root_moves[..=line].sort_by_key(|m| Reverse(m.score));
            if self.is_stopped() {
                break;
            }
        }
    }

    /// Searches the root with a window around the last score, widened as long as the score falls
    /// outside.
    fn aspiration_search(&mut self, depth: i32) {
        let last = self.root_moves[self.first_root_move].previous_score;
        let mut delta = self.shared.params.aspiration;
        let (mut alpha, mut beta) = if depth >= 4 && !last.is_decided() {
            (last - delta, last + delta)
        } else {
            (-Score::INFINITE, Score::INFINITE)
        };
        loop {
            let score = self.search::<Root>(alpha, beta, depth, 0);
            self.sort_root_moves(self.first_root_move);
            if self.is_stopped() {
                return;
            }
            if score <= alpha && alpha > -Score::INFINITE {
                beta =
                    Score::from_raw(((i32::from(alpha.raw()) + i32::from(beta.raw())) / 2) as i16);
                alpha = widened(score, -delta);
            } else if score >= beta && beta < Score::INFINITE {
                beta = widened(score, delta);
            } else {
                return;
            }
            delta += delta / 2 + 5;
        }
    }

    /// Sorts the root moves from number `first` on, the best first.
    fn sort_root_moves(&mut self, first: usize) {
        self.root_moves[first..].sort_by_key(|m| Reverse((m.score, m.previous_score)));
    }

    /// After a stop: replaces a best move just proved lost by the next move not proved lost. Its
    /// score is that of the last completed iteration.
    fn replace_lost_move(&mut self) {
        let best = &self.root_moves[0];
        let completed = self.completed_lines.first();
        let known = completed.map_or(best.previous_score, |line| line.score);
        let next = self.root_moves.iter().position(|m| !m.is_lost);
        if let (true, Some(next)) = (best.is_lost, next) {
            self.root_moves[..=next].rotate_right(1);
            self.root_moves[0].score = known;
        }
    }

    /// True if deeper iterations change nothing: proved results, or a single move where only the
    /// move is wanted, and no analysis.
    fn is_settled(&self, depth: u32, lines: usize) -> bool {
        let is_decided = |root_move: &RootMove| match root_move.score.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => plies <= depth,
            ScoreKind::Value(_) => false,
        };
        let decided = self.root_moves[..lines].iter().all(is_decided);
        let bounded = self.shared.control.hard_ms() < u64::MAX / 8;
        let saves_time = bounded && !self.shared.request.is_analysis;
        decided || self.root_moves.len() == 1 && saves_time && depth >= 4
    }

    /// True if the time planned for the move is used up, so that the next iteration is not worth
    /// its time.
    fn is_planned_time_used(&self) -> bool {
        let control = self.shared.control;
        let effort = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let factor = self.stability.time_factor(self.shared.params, effort);
        // Where no time is saved for later moves, and in an analysis, a stable move is no reason to
        // stop.
        let planned = match self.shared.request.is_analysis {
            false if control.soft_ms() < control.hard_ms() => {
                (control.soft_ms() as f64 * factor) as u64
            }
            _ => control.soft_ms(),
        };
        control.elapsed_ms() >= planned
    }

    /// The best `lines` root moves' lines as of the last completed iteration.
    fn infos(&self, lines: usize) -> Vec<SearchInfo> {
        (0..lines).map(|rank| self.info(rank, lines)).collect()
    }

    /// The line of root move number `rank` as of the last completed iteration.
    fn info(&self, rank: usize, lines: usize) -> SearchInfo {
        let root_move = &self.root_moves[rank];
        SearchInfo {
            rank,
            lines,
            // A win by fours is found before the first iteration.
            depth: self.completed_depth.max(1),
            seldepth: root_move.seldepth as u32,
            score: root_move.score,
            win_rate: win_rate(root_move.score),
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.control.elapsed(),
            pv: root_move.pv.clone(),
        }
    }

    /// Positions and milliseconds that the lines of proved results may cost: one `part` of the time
    /// that is left to the search. Without a limit of time the positions alone bound them, so that
    /// a search by nodes or depth is the same on every machine.
    fn bounds_of_lines(&self, part: u64) -> (u64, u64) {
        let control = self.shared.control;
        let nodes = LEAST_LINE_NODES + self.shared.total_nodes() / LINE_PART;
        match control.soft_ms() {
            UNLIMITED_MS.. => (nodes.min(LINE_NODES), UNLIMITED_MS),
            soft_ms => {
                let left_ms = soft_ms.saturating_sub(control.elapsed_ms());
                (nodes, LINE_MS.min(left_ms) / part)
            }
        }
    }

    /// The best move and the last lines. `was_stopped` says that a limit or a stop ended the
    /// search, and in a game nothing is searched any more.
    pub fn result(&mut self, was_stopped: bool) -> SearchResult {
        let lines = self.lines();
        // An iteration that was stopped may not have searched some lines yet.
        let known = self.root_moves[..lines.min(self.root_moves.len())]
            .iter()
            .all(|m| m.score > -Score::INFINITE);
        let mut lines: Vec<SearchInfo> = if known {
            self.infos(lines)
        } else {
            self.completed_lines.clone()
        };
        let (nodes, ms) = match (self.shared.request.is_analysis, was_stopped) {
            (true, false) => (LINE_NODES, self.bounds_of_lines(1).1),
            (true, true) if self.shared.total_nodes() >= self.max_nodes() => {
                (LINE_NODES, self.bounds_of_lines(1).1.max(LATE_MS))
            }
            // Less than the reserve for the manager's clock.
            (true, true) => (
                LINE_NODES,
                self.shared.control.hard_ms().div_ceil(64).min(LATE_MS),
            ),
            (false, false) => self.bounds_of_lines(LINE_PART),
            (false, true) => (0, 0),
        };
        self.complete_lines(&mut lines, nodes, ms);
        SearchResult {
            // The move and the first line agree, whichever iteration they come from.
            best: lines
                .first()
                .and_then(|line| line.pv.first())
                .or(self.root_moves.first().map(|m| &m.point))
                .copied(),
            lines,
            completed_depth: self.completed_depth,
            needs_no_search: false,
            nodes: self.shared.total_nodes(),
            elapsed: self.shared.control.elapsed(),
        }
    }

    /// Depth of the last completed iteration.
    pub fn completed_depth(&self) -> u32 {
        self.completed_depth
    }

    /// Score of the best move.
    pub fn best_score(&self) -> Score {
        self.root_moves
            .first()
            .map_or(-Score::INFINITE, |m| m.score)
    }

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
    fn find_root_vcf(&mut self) -> bool {
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

    /// Drops the root moves that do not stop the opponent's threat to win by fours. Where none of
    /// them does, moves far from all stones may.
    fn drop_root_moves_losing_to_vcf(&mut self) {
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
    /// Each thread calls this after every iteration, and may then have spent a share of its nodes.
    /// The table that all threads share lets each call continue where the last ones stopped.
    fn find_root_vct(&mut self) -> bool {
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

/// A bound of the window moved outwards by `delta`; infinite where it would be a win or loss.
fn widened(score: Score, delta: i32) -> Score {
    let bound = score + delta;
    if bound > Score::MAX_VALUE {
        Score::INFINITE
    } else if bound < -Score::MAX_VALUE {
        -Score::INFINITE
    } else {
        bound
    }
}

fn win_of(result: &VcfResult, vcf: &Vcf) -> Option<(u32, Vec<Point>)> {
    match result {
        VcfResult::Win { plies } => Some((*plies, vcf.line())),
        VcfResult::None | VcfResult::Unknown => None,
    }
}
