//! The lines of proved wins and losses, played out to their end.
//!
//! The search proves a result by bounds, and its principal variation stops where the table knows
//! one. Here the proof is replayed from the root: searches in null windows ask of each move whether
//! it keeps the proved number of plies. The table answers most of them at once.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;

use super::node::NonPv;
use super::picker::{NodeThreat, moves_to_search};
use super::request::SearchInfo;
use super::thread::SearchThread;
use crate::threats::VcfResult;
use crate::types::{Point, PointSet, Score, ScoreKind};

/// Positions that one search for fours may visit.
const VCF_NODES: u64 = 2_000;

/// Plies until a five stands, and the moves until then or until nothing stops it.
type Line = (usize, Vec<Point>);

/// Winning lines by the keys of their positions, because many orders of moves lead to the same.
type Known = HashMap<u64, Line>;

impl SearchThread<'_> {
    /// Plays out the lines of proved results against the longest defence, down to the five, to a
    /// four that nothing stops, or to a position where all moves are forbidden. A proof shorter
    /// than its score gives the score its plies, and the lines are sorted again. A line stays as it
    /// is where `nodes` positions or `ms` milliseconds are not enough.
    pub(super) fn complete_lines(&mut self, lines: &mut [SearchInfo], nodes: u64, ms: u64) {
        if nodes == 0 || lines.iter().all(is_complete) && self.known_lines.is_empty() {
            return;
        }
        let (nodes_before, limit_before) = (self.nodes, self.node_limit);
        let control = mem::replace(&mut self.shared.control, self.shared.line_control);
        self.node_limit = self.shared.total_nodes() + nodes;
        self.shared.control.restart(ms);
        for info in lines.iter_mut().filter(|info| !is_complete(info)) {
            let claim = (info.pv[0], info.score);
            let known = self.known_lines.iter().find(|known| known.0 == claim);
            let found = match known {
                Some((_, score, pv)) => Some((*score, pv.clone())),
                None if self.is_stopped() => None,
                None => self.line_of(claim),
            };
            if let Some((score, pv)) = found {
                self.known_lines.push((claim, score, pv.clone()));
                info.score = score;
                info.seldepth = info.seldepth.max(pv.len() as u32);
                info.pv = pv;
            }
        }
        // A deeper iteration may have found a longer win than the one shown before.
        let shortest = self.known_lines.iter().max_by_key(|known| known.1);
        if let ([info], Some((_, score, pv))) = (&mut *lines, shortest)
            && score.is_win()
            && *score > info.score
        {
            info.score = *score;
            info.pv.clone_from(pv);
        }
        self.shared.control = control;
        self.node_limit = limit_before;
        self.nodes = nodes_before;
        self.flush_nodes();
        lines.sort_by_key(|info| Reverse(info.score));
        for (rank, info) in lines.iter_mut().enumerate() {
            info.rank = rank;
        }
    }

    /// The whole line of a root move with a proved score, and the score proved by the line.
    fn line_of(&mut self, (first, score): (Point, Score)) -> Option<(Score, Vec<Point>)> {
        let mut known = Known::new();
        let (score, rest) = match score.kind() {
            ScoreKind::Value(_) => return None,
            ScoreKind::Win(plies) => {
                let (plies, rest) = self.after(first, 0, |thread| {
                    thread.longest_defence(plies as usize - 1, 1, &mut known)
                })?;
                (Score::win_in(plies + 1), rest)
            }
            ScoreKind::Loss(plies) => {
                let (plies, rest) = self.after(first, 0, |thread| {
                    thread.win_within(plies as usize - 1, 1, &mut known)
                })?;
                (Score::loss_in(plies + 1), rest)
            }
        };
        Some((score, joined(first, rest)))
    }

    /// A win within `plies` plies of the side to move, `ply` plies from the root, who is known to
    /// have one.
    fn win_within(&mut self, plies: usize, ply: usize, known: &mut Known) -> Option<Line> {
        let key = self.position.key();
        if let Some(line) = known.get(&key).filter(|line| line.0 <= plies) {
            return Some(line.clone());
        }
        let line = match self.win_by_fours(plies) {
            Some(line) => line,
            None => {
                let (p, lost) = self.winning_move(plies, ply)?;
                let defence = self.after(p, ply, |thread| {
                    thread.longest_defence(lost, ply + 1, known)
                });
                let (plies, rest) = defence?;
                (plies + 1, joined(p, rest))
            }
        };
        known.insert(key, line.clone());
        Some(line)
    }

    /// The shortest win by fours that is found within `plies` plies.
    fn win_by_fours(&mut self, plies: usize) -> Option<Line> {
        let vcf = &mut self.data.vcf;
        for shortest in [true, false] {
            let found = match shortest {
                true => vcf.solve_shortest(&self.position, VCF_NODES),
                false => vcf.solve(&self.position, VCF_NODES),
            };
            self.nodes += vcf.nodes();
            match found {
                VcfResult::Win { plies: found } if found as usize <= plies => {
                    return Some((found as usize, vcf.line()));
                }
                VcfResult::None => return None,
                VcfResult::Win { .. } | VcfResult::Unknown => {}
            }
        }
        None
    }

    /// A move that keeps a win within `plies` plies, and the plies to the loss after the move.
    fn winning_move(&mut self, plies: usize, ply: usize) -> Option<(Point, usize)> {
        let entry = self.shared.tt.probe(self.position.key());
        let first = entry.and_then(|entry| entry.best);
        let (_, cells) = moves_to_search(&mut self.position);
        let mut moves = self.allowed(&cells);
        moves.sort_by_key(|&p| (Some(p) != first, Reverse(self.position.policy(p)), p));
        let bound = Score::loss_in(ply + plies);
        for depth in 0..plies as i32 {
            for &p in &moves {
                let score = self.after(p, ply, |thread| {
                    thread.search::<NonPv>(bound, bound + 1, depth, ply + 1)
                });
                if self.is_stopped() {
                    return None;
                }
                if let (true, ScoreKind::Loss(plies)) = (score <= bound, score.kind()) {
                    return Some((p, plies as usize - ply - 1));
                }
            }
        }
        None
    }

    /// The defence that puts a loss within `plies` plies off for longest: an answer to the threat
    /// where one is as good as any other move. The side to move is known to lose.
    fn longest_defence(&mut self, plies: usize, ply: usize, known: &mut Known) -> Option<Line> {
        let (threat, cells) = moves_to_search(&mut self.position);
        // The answers to the threat, and the plies to the win after any other move.
        let (answers, others) = match threat {
            NodeThreat::Four => (cells, 1),
            NodeThreat::StraightFour => (cells, 3),
            NodeThreat::None => match self.data.vcf.threat(&mut self.position, VCF_NODES) {
                Some((cells, plies)) => (cells, plies as usize),
                None => (self.position.free_set(), 0),
            },
        };
        let answers = self.allowed(&answers);
        if threat == NodeThreat::Four && answers.is_empty() {
            return Some((2, Vec::new()));
        }
        let mut claims = Vec::with_capacity(answers.len());
        for &p in &answers {
            let claim = self.after(p, ply, |thread| thread.proved_win(plies - 1, ply + 1))?;
            claims.push((claim, self.position.policy(p), p));
        }
        claims.sort_unstable_by_key(|&claim| Reverse(claim));
        let mut longest: Option<Line> = None;
        for (claim, _, p) in claims {
            if longest.as_ref().is_some_and(|line| line.0 > claim) {
                break;
            }
            let line = self.after(p, ply, |thread| thread.win_within(claim, ply + 1, known))?;
            if longest
                .as_ref()
                .is_none_or(|longest| line.0 + 1 > longest.0)
            {
                longest = Some((line.0 + 1, joined(p, line.1)));
            }
        }
        let other = self
            .position
            .free_set()
            .difference(&answers.into_iter().collect());
        let other = self.allowed(&other);
        if let Some(p) = other.into_iter().max_by_key(|&p| self.position.policy(p))
            && longest.as_ref().is_none_or(|line| line.0 <= others)
        {
            let line = self.after(p, ply, |thread| thread.win_within(others, ply + 1, known))?;
            longest = Some((line.0 + 1, joined(p, line.1)));
        }
        // Where there is none, all moves are forbidden.
        longest.or(Some((2, Vec::new())))
    }

    /// The plies to a win of the side to move that is proved to come within `plies` plies.
    fn proved_win(&mut self, plies: usize, ply: usize) -> Option<usize> {
        let bound = Score::win_in(ply + plies);
        for depth in 1..=plies as i32 {
            let score = self.search::<NonPv>(bound - 1, bound, depth, ply);
            if self.is_stopped() {
                return None;
            }
            if let (true, ScoreKind::Win(plies)) = (score >= bound, score.kind()) {
                return Some(plies as usize - ply);
            }
        }
        None
    }

    /// The allowed moves of the side to move among `cells`.
    fn allowed(&self, cells: &PointSet) -> Vec<Point> {
        let side = self.position.side_to_move();
        let free = cells.intersection(&self.position.free_set());
        free.iter()
            .filter(|&p| !self.position.is_forbidden(side, p))
            .collect()
    }

    /// Plays `p`, at `ply`, for as long as `look` takes.
    fn after<R>(&mut self, p: Point, ply: usize, look: impl FnOnce(&mut Self) -> R) -> R {
        self.stack[ply].played = Some(p);
        self.stack[ply].eval = Score::NONE;
        self.position.play(p);
        let result = look(self);
        self.position.undo();
        result
    }
}

/// True if the line of a proved score goes down to its end, and for every other score.
pub(super) fn is_complete(info: &SearchInfo) -> bool {
    match info.score.kind() {
        ScoreKind::Value(_) => true,
        ScoreKind::Win(plies) | ScoreKind::Loss(plies) => info.pv.len() + 2 >= plies as usize,
    }
}

fn joined(first: Point, rest: Vec<Point>) -> Vec<Point> {
    let mut line = vec![first];
    line.extend(rest);
    line
}
