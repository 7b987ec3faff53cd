use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;

use super::answer::{Answer, Judgement, Verdict};
use super::input::Puzzle;
use super::{Args, Mode};
use crate::corpus::Claim;
use crate::position::Position;
use crate::rules::winner;
use crate::threats::{Defences, HelperPool, Vcf, VcfResult, Vct, VctLimits, VctMemory, VctResult};

/// Positions that a search by threats expands, in a few milliseconds, before others may help.
const HELPER_MIN_NODES: u64 = 500;

/// One thread's solvers.
pub(super) struct Solver<'a> {
    args: &'a Args,
    vcf: Vcf,
    vct: Vct,
    /// Whether the solver of threats remembers another position.
    used: bool,
}

impl<'a> Solver<'a> {
    /// Solvers for one of `args.threads` threads, which has so many bytes of memory; the others
    /// help with its searches by threats when they have no position of their own.
    pub(super) fn new(args: &'a Args, bytes: u64, pool: &Arc<HelperPool>) -> Solver<'a> {
        // A quarter of the memory for fours (8 bytes a position), the rest for threats, in powers
        // of two. More than 2^20 positions only slow the search for fours down.
        let threads = args.threads.into();
        let memory = VctMemory::new((bytes / 2 / 96).ilog2(), threads);
        let mut vct = Vct::sharing(Arc::new(memory));
        if threads > 1 {
            vct.use_helpers(Arc::clone(pool), HELPER_MIN_NODES);
        }
        Solver {
            args,
            vcf: Vcf::new((bytes / 4 / 8).ilog2().min(20)),
            vct,
            used: false,
        }
    }

    /// Solves `puzzle` as if it were the only one, so that the answer does not depend on others.
    pub(super) fn answer(&mut self, puzzle: &Puzzle) -> Answer {
        let mut answer = Answer {
            verdict: Verdict::Over,
            moves: Vec::new(),
            plies: None,
            nodes: 0,
            time: Duration::ZERO,
            proof: None,
            judgement: Judgement::Unsolved,
        };
        if winner(&puzzle.board, puzzle.rule).is_none() {
            self.vcf.forget();
            if std::mem::take(&mut self.used) {
                self.vct.forget();
            }
            let mut position = Position::new(&puzzle.board, puzzle.rule);
            let clock = ThreadTime::now();
            let limit = self.args.limit_ms.unwrap_or(self.args.time);
            let stop = move || clock.elapsed() >= limit;
            let mode = match (self.args.mode, &puzzle.claim) {
                (Mode::Auto, Some(Claim::VcfWin { .. } | Claim::VcfNone)) => Mode::Vcf,
                (Mode::Auto, Some(Claim::Defend(_))) => Mode::Defend,
                (Mode::Auto, _) => Mode::Vct,
                (mode, _) => mode,
            };
            match mode {
                Mode::Defend => self.defend(&mut position, &mut answer, &stop),
                _ => self.win(&mut position, mode, &mut answer, &stop),
            }
            answer.time = clock.elapsed();
        }
        let wanted = self.args.verify || self.args.tree.is_some();
        // A win by threats gets its line and length from its proof.
        let is_win = matches!(answer.verdict, Verdict::VcfWin | Verdict::VctWin);
        let needs_proof = is_win && (wanted || answer.verdict == Verdict::VctWin);
        let proven = if needs_proof {
            self.prove(puzzle, &mut answer)
        } else {
            Ok(())
        };
        answer.judge(puzzle.claim.as_ref(), self.args.shortest);
        if let Err(why) = proven {
            answer.judgement = Judgement::Wrong(why);
        }
        answer
    }

    fn win(
        &mut self,
        position: &mut Position,
        mode: Mode,
        answer: &mut Answer,
        stop: &dyn Fn() -> bool,
    ) {
        let result = self.vcf.solve_until(position, self.args.shortest, stop);
        answer.nodes = self.vcf.nodes();
        answer.verdict = match result {
            VcfResult::Win { plies } => {
                answer.plies = Some(plies);
                answer.moves = self.vcf.line();
                Verdict::VcfWin
            }
            VcfResult::Unknown => Verdict::Unknown,
            VcfResult::None if mode == Mode::Vcf => Verdict::None,
            VcfResult::None => {
                self.used = true;
                let result = self.vct.solve(position, until(stop));
                answer.nodes += self.vct.nodes();
                match result {
                    VctResult::Win => Verdict::VctWin,
                    VctResult::None => Verdict::None,
                    VctResult::Unknown => Verdict::Unknown,
                }
            }
        };
    }

    fn defend(&mut self, position: &mut Position, answer: &mut Answer, stop: &dyn Fn() -> bool) {
        let mut defences = self.vcf.defences_until(position, stop);
        answer.nodes = self.vcf.nodes();
        if defences == Defences::Any {
            self.used = true;
            defences = self.vct.defences(position, until(stop));
            answer.nodes += self.vct.nodes();
        }
        answer.verdict = match defences {
            Defences::Any => Verdict::NoThreat,
            Defences::Exactly(moves) => {
                answer.moves = moves.iter().collect();
                Verdict::Defend
            }
            Defences::Among(_) | Defences::Unknown => Verdict::Unknown,
        };
    }

    /// Adds the proof to a win, checked if that is wanted, and from it a line and its length.
    fn prove(&mut self, puzzle: &Puzzle, answer: &mut Answer) -> Result<(), String> {
        let mut position = Position::new(&puzzle.board, puzzle.rule);
        let proof = match answer.verdict {
            Verdict::VcfWin => self.vcf.prove(&mut position),
            _ => self.vct.prove(&mut position, until(&|| false)),
        };
        let proof = proof.ok_or("the win was found but has no proof")?;
        let root = proof.root().ok_or("the proof is empty")?;
        answer.plies = Some(proof.step(root).plies);
        answer.moves = proof.line();
        if self.args.verify {
            proof
                .check(&puzzle.board, puzzle.rule)
                .map_err(|error| format!("the proof does not stand: {error}"))?;
        }
        answer.proof = self.args.tree.is_some().then_some(proof);
        Ok(())
    }
}

/// Only `stop` ends it.
fn until(stop: &dyn Fn() -> bool) -> VctLimits<'_> {
    VctLimits {
        nodes: u64::MAX,
        stop,
    }
}
