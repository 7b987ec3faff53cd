//! Iterative deepening over the root moves, with aspiration windows.

use std::time::Duration;

use super::node_context::Root;
use super::result::{SearchInfo, SearchResult, win_rate};
use super::root_moves::{RootMove, far_root_moves};
use super::thread::SearchThread;
use crate::types::{MAX_PLY, Score, ScoreKind};

/// Growth of the table may take one part in this many of the time planned for a move. On a machine whose
/// memory is slow at its first touch it would take whole moves of fast games, where a small table costs
/// little.
const GROWTH_PART: u64 = 8;

impl SearchThread<'_> {
    /// Searches the root for forced wins by fours, before any thread deepens. A win of the side to
    /// move goes to `on_info`; against one of the opponent's, moves that lose to it are dropped where
    /// only the best move is wanted. Returns whether nothing is left to search.
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

    /// Every root move loses: adds those far from all stones, without which the loss is not proved, and
    /// forgets it. Returns whether there are any.
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
            // Also after a stop: what was found of a line before it may be better than the lines above.
            self.root_moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.score));
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
        self.root_moves[first..].sort_by_key(|m| std::cmp::Reverse((m.score, m.previous_score)));
    }

    /// After a stop: replaces a best move that this iteration has just proved lost by the next move that is
    /// not. Its score is that of the last completed iteration.
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

    /// Whether deeper iterations change nothing: proved results, or a single move.
    fn is_settled(&self, depth: u32, lines: usize) -> bool {
        let is_decided = |root_move: &RootMove| match root_move.score.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => plies <= depth,
            ScoreKind::Value(_) => false,
        };
        let decided = self.root_moves[..lines].iter().all(is_decided);
        let bounded = self.shared.control.hard_ms() < u64::MAX / 8;
        decided || self.root_moves.len() == 1 && bounded && depth >= 4
    }

    /// Whether the time planned for the move is used up, so that the next iteration is not worth its time.
    fn is_planned_time_used(&self) -> bool {
        let control = self.shared.control;
        let effort = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let factor = self.stability.time_factor(self.shared.params, effort);
        // Where no time is saved for later moves, a stable move is no reason to stop.
        let planned = if control.soft_ms() < control.hard_ms() {
            (control.soft_ms() as f64 * factor) as u64
        } else {
            control.hard_ms()
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

    /// The best move and the last lines.
    pub fn result(&self) -> SearchResult {
        let lines = self.lines();
        // An iteration that was stopped may not have searched some lines yet.
        let known = self.root_moves[..lines.min(self.root_moves.len())]
            .iter()
            .all(|m| m.score > -Score::INFINITE);
        let lines: Vec<SearchInfo> = if known {
            self.infos(lines)
        } else {
            self.completed_lines.clone()
        };
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
