use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;

use super::answer::{Answer, Judgement, Verdict};
use super::input::Puzzle;
use super::{Args, Mode};
use tengen::position::Position;
use tengen::rules::{ends_by_foul, winner};
use tengen::threats::{Defences, HelperPool, SolveLimits, Vcf, Vct, VctMemory};
use tengen_games::corpus::Claim;
use tengen_games::solver::{self, Means, Outcome};

/// Positions that a search by threats expands alone, in a few milliseconds, before other threads
/// may help.
const HELPER_MIN_NODES: u64 = 500;

/// One thread's solvers.
pub(super) struct Solver<'a> {
    args: &'a Args,
    solver: solver::Solver,
    /// Returns true once the answer is no longer wanted.
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Solver<'a> {
    /// Solvers for one of `args.threads` threads, with this many bytes of memory. Threads without a
    /// position of their own help with the searches by threats. `is_stopped` ends a search.
    pub(super) fn new(
        args: &'a Args,
        bytes: u64,
        pool: &Arc<HelperPool>,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Solver<'a> {
        // A quarter of the memory for fours (8 bytes a position), the rest for threats, in powers
        // of two. More than 2^20 positions only slow the search for fours down.
        let threads = args.threads.into();
        let memory = VctMemory::new((bytes / 2 / 96).ilog2(), threads);
        let mut vct = Vct::sharing(Arc::new(memory));
        if threads > 1 {
            vct.use_helpers(Arc::clone(pool), HELPER_MIN_NODES);
        }
        let vcf = Vcf::new((bytes / 4 / 8).ilog2().min(20));
        Solver {
            args,
            solver: solver::Solver::new(vcf, vct, args.shortest),
            is_stopped,
        }
    }

    /// Solves `puzzle` independently of the positions before it, so the answer depends on no other.
    /// `None` when the search was stopped.
    pub(super) fn answer(&mut self, puzzle: &Puzzle) -> Option<Answer> {
        let is_stopped = self.is_stopped;
        if is_stopped() {
            return None;
        }
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
            self.solver.forget();
            let mut position = Position::new(&puzzle.board, puzzle.rule);
            let clock = ThreadTime::now();
            let limit = self.args.time;
            let stop = move |_| is_stopped() || clock.elapsed() >= limit;
            let mode = match (self.args.mode, &puzzle.claim) {
                (Mode::Auto, Some(Claim::VcfWin { .. } | Claim::VcfNone)) => Mode::Vcf,
                (Mode::Auto, Some(Claim::Defend(_))) => Mode::Defend,
                (Mode::Auto, _) => Mode::Vct,
                (mode, _) => mode,
            };
            match mode {
                Mode::Defend => self.defend(&mut position, &mut answer, SolveLimits::until(&stop)),
                _ => self.win(&mut position, mode, &mut answer, SolveLimits::until(&stop)),
            }
            answer.time = clock.elapsed();
            if answer.verdict == Verdict::Unknown && is_stopped() {
                return None;
            }
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
        Some(answer)
    }

    fn win(
        &mut self,
        position: &mut Position,
        mode: Mode,
        answer: &mut Answer,
        limits: SolveLimits,
    ) {
        let solver = &mut self.solver;
        let means = match mode {
            Mode::Vcf => Means::Fours,
            _ => Means::FoursThenThreats,
        };
        let outcome = solver.solve(position, means, limits, limits);
        answer.nodes = solver.nodes();
        answer.verdict = match outcome {
            Outcome::WinByFours { plies } => {
                answer.plies = Some(plies);
                answer.moves = solver.fours().line();
                Verdict::VcfWin
            }
            Outcome::WinByThreats => Verdict::VctWin,
            Outcome::None => Verdict::None,
            Outcome::Unknown => Verdict::Unknown,
        };
    }

    fn defend(&mut self, position: &mut Position, answer: &mut Answer, limits: SolveLimits) {
        let fours = self.solver.fours();
        let mut defences = fours.defences_until(position, limits);
        answer.nodes = fours.nodes();
        if defences == Defences::Any {
            let threats = self.solver.threats();
            defences = threats.defences(position, limits);
            answer.nodes += threats.nodes();
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

    /// Adds the proof to a win, checked if the options ask for it, and takes a line and its length
    /// from the proof.
    fn prove(&mut self, puzzle: &Puzzle, answer: &mut Answer) -> Result<(), String> {
        let mut position = Position::new(&puzzle.board, puzzle.rule);
        let proof = self.solver.prove(&mut position, &|_| false, usize::MAX);
        let proof = proof.ok_or("the win was found but has no proof")?;
        let root = proof.root().ok_or("the proof is empty")?;
        // The proof of a win by fours may be longer than the shortest win.
        if answer.verdict == Verdict::VctWin || !self.args.shortest {
            answer.plies = Some(proof.step(root).plies);
            answer.moves = proof.line();
        }
        if ends_by_foul(&puzzle.board, puzzle.rule, &answer.moves) {
            answer.verdict = Verdict::FoulWin;
        }
        if self.args.verify {
            proof
                .check(&puzzle.board, puzzle.rule)
                .map_err(|error| format!("the proof does not stand: {error}"))?;
        }
        answer.proof = self.args.tree.is_some().then_some(proof);
        Ok(())
    }
}
