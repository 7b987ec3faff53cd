//! Proofs of the wins that the solvers find.

use std::collections::HashMap;

use super::expansion::may_run_out;
use super::proof::{Proof, Step, StepId};
use super::relevant::relevant_cells_of_line;
use super::shared_search::VctResult;
use super::vcf::{SolveLimits, Vcf, VcfResult};
use super::vct::Vct;
use crate::patterns::Class;
use crate::position::Position;
use crate::types::{Point, PointSet};

impl Vcf {
    /// The proof of a win by fours of the side to move, `None` where there is none. Starts from the
    /// line of the last win if that was in this position. `None` too if a search exceeds `limits`,
    /// or the proof `max_steps`.
    pub fn prove(
        &mut self,
        position: &mut Position,
        limits: SolveLimits,
        max_steps: usize,
    ) -> Option<Proof> {
        let mut builder = Builder::new(limits, max_steps);
        let line = self.line();
        builder.fours(self, position, &line)?;
        Some(builder.proof)
    }
}

impl Vct {
    /// The proof of a win by threats that [`solve`](Vct::solve) has just found for the side to
    /// move. What is no longer in the table is searched again; `None` if that exceeds `limits`, or
    /// the proof `max_steps`.
    pub fn prove(
        &mut self,
        position: &mut Position,
        limits: SolveLimits,
        max_steps: usize,
    ) -> Option<Proof> {
        let mut builder = Builder::new(limits, max_steps);
        builder.threats(self, position)?;
        Some(builder.proof)
    }
}

/// Replies and the steps that answer them.
type Answers = Vec<(Point, StepId)>;

struct Builder<'a> {
    proof: Proof,
    /// Steps by the keys of the positions in which they are played.
    known: HashMap<u64, StepId>,
    /// Limits of each search on the way.
    limits: SolveLimits<'a>,
    /// Most steps of the proof.
    max_steps: usize,
}

impl Builder<'_> {
    fn new(limits: SolveLimits<'_>, max_steps: usize) -> Builder<'_> {
        Builder {
            proof: Proof::default(),
            known: HashMap::new(),
            limits,
            max_steps,
        }
    }

    /// True if the proof may get another step.
    fn may_go_on(&self) -> bool {
        self.proof.len() < self.max_steps && !(self.limits.stop)(0)
    }

    fn push(
        &mut self,
        position: &Position,
        point: Point,
        replies: Answers,
        otherwise: Option<StepId>,
    ) -> StepId {
        let answers = replies.iter().map(|reply| reply.1).chain(otherwise);
        let longest = answers.map(|id| self.proof.step(id).plies).max();
        let wins = position.class(position.side_to_move(), point) == Class::Five;
        let step = Step {
            point,
            replies,
            otherwise,
            plies: if wins { 1 } else { 2 + longest.unwrap_or(1) },
        };
        let id = self.proof.push(step);
        self.known.insert(position.key(), id);
        id
    }

    /// The step for a position that is won by the fours of `line`, attacker first.
    fn fours(&mut self, vcf: &mut Vcf, position: &mut Position, line: &[Point]) -> Option<StepId> {
        if let Some(&id) = self.known.get(&position.key()) {
            return Some(id);
        }
        let &p = line.first().filter(|_| self.may_go_on())?;
        let mut replies = Vec::new();
        if position.class(position.side_to_move(), p) != Class::Five {
            position.play(p);
            for reply in &allowed(position, |position| position.four_replies()) {
                position.play(reply);
                let id = match line.get(1) {
                    Some(&q) if q == reply => self.fours(vcf, position, &line[2..]),
                    _ => self.other_fours(vcf, position),
                };
                position.undo();
                replies.push((reply, id?));
            }
            position.undo();
        }
        Some(self.push(position, p, replies, None))
    }

    /// As [`fours`](Builder::fours), but the line has to be found first.
    fn other_fours(&mut self, vcf: &mut Vcf, position: &mut Position) -> Option<StepId> {
        match vcf.solve_until(position, false, self.limits) {
            VcfResult::Win { .. } => {
                let line = vcf.line();
                self.fours(vcf, position, &line)
            }
            _ => None,
        }
    }

    /// The step for a position that was proven won by threats.
    fn threats(&mut self, vct: &mut Vct, position: &mut Position) -> Option<StepId> {
        if let Some(&id) = self.known.get(&position.key()) {
            return Some(id);
        }
        if !self.may_go_on() {
            return None;
        }
        // The fours may be found only with positions that the search had refuted elsewhere.
        let mut searched = false;
        let p = loop {
            if let Some(line) = vct.win_by_fours(position) {
                return self.fours(vct.vcf(), position, &line);
            }
            match vct.proven_move(position) {
                Some(p) => break p,
                None if searched || vct.solve(position, self.limits) != VctResult::Win => {
                    return None;
                }
                None => searched = true,
            }
        };
        let attacker = position.side_to_move();
        position.play(p);
        let step = if position.count(attacker, Class::Five) > 0 {
            let replies = allowed(position, |position| position.four_replies());
            self.answers(vct, position, &replies)
                .map(|replies| (replies, None))
        } else {
            self.threat(vct, position)
        };
        position.undo();
        let (replies, otherwise) = step?;
        Some(self.push(position, p, replies, otherwise))
    }

    /// The answers to a threat, with the defender to move: a win by fours, and another answer to
    /// each reply that could stop this win. Without a threat, near the end of a board, the answers
    /// to all replies.
    fn threat(
        &mut self,
        vct: &mut Vct,
        position: &mut Position,
    ) -> Option<(Answers, Option<StepId>)> {
        position.pass();
        let line = vct.win_by_fours(position);
        let otherwise = line.and_then(|line| self.fours(vct.vcf(), position, &line));
        position.pass();
        let cells = match otherwise {
            Some(id) => {
                // A step that was known already may follow another line than the one just found.
                let line = self.proof.line_from(id);
                allowed(position, |position| relevant_cells_of_line(position, &line))
            }
            None if may_run_out(position, position.side_to_move()) => {
                allowed(position, |position| position.free_set())
            }
            None => return None,
        };
        let replies = self.answers(vct, position, &cells)?;
        Some((replies, otherwise))
    }

    fn answers(
        &mut self,
        vct: &mut Vct,
        position: &mut Position,
        replies: &PointSet,
    ) -> Option<Answers> {
        let answer = |reply| {
            position.play(reply);
            let id = self.threats(vct, position);
            position.undo();
            Some((reply, id?))
        };
        replies.iter().map(answer).collect()
    }
}

/// The allowed moves of the side to move among `cells`.
fn allowed(position: &mut Position, cells: impl FnOnce(&mut Position) -> PointSet) -> PointSet {
    let cells = cells(position);
    let side = position.side_to_move();
    cells
        .iter()
        .filter(|&p| !position.is_forbidden(side, p))
        .collect()
}
