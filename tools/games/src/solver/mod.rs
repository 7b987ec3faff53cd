//! Problems: wins by force of the side to move, with their proof, also as a game tree.

mod tree;

#[cfg(test)]
mod tests;

pub use tree::{is_tree, tree};

use tengen::position::Position;
use tengen::threats::{Proof, SolveLimits, Vcf, VcfResult, Vct, VctMemory, VctResult};

/// The means of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Continuous fours.
    Fours,
    /// Threats, including fours.
    Threats,
    /// Fours, and then threats.
    FoursThenThreats,
}

/// The result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move wins by fours; its five stands after at most `plies` plies.
    WinByFours {
        /// Number of plies, 1 for a five at once.
        plies: u32,
    },
    /// The side to move wins by threats.
    WinByThreats,
    /// The side to move has no win by the given means.
    None,
    /// A limit was reached.
    Unknown,
}

/// The solvers of fours and of threats, with their memory.
pub struct Solver {
    vcf: Vcf,
    vct: Vct,
    /// True if a win by fours has to have the fewest fours.
    shortest: bool,
    /// True if the memory of the solver of threats is not empty.
    used_threats: bool,
    nodes: u64,
    outcome: Outcome,
}

/// Bytes of memory for each step of a proof: its place among the steps, its replies, and its entry
/// for transpositions.
const STEP_BYTES: u64 = 256;
/// Steps allowed in every proof.
const LEAST_STEPS: u64 = 1 << 12;

impl Solver {
    /// A solver from a solver of fours and one of threats. If `shortest`, a win by fours has the
    /// fewest fours.
    pub fn new(vcf: Vcf, vct: Vct, shortest: bool) -> Solver {
        Solver {
            vcf,
            vct,
            shortest,
            used_threats: false,
            nodes: 0,
            outcome: Outcome::Unknown,
        }
    }

    /// A solver of one thread. Together with a proof of [`max_steps`](Solver::max_steps) the solver
    /// takes `bytes`, but at least about 2 MiB.
    pub fn within(bytes: u64) -> Solver {
        let fours = (bytes / 8 / 8).max(1).ilog2().clamp(14, 20);
        let threats = VctMemory::bits_within(bytes / 4 * 3);
        Solver::new(Vcf::new(fours), Vct::new(threats), false)
    }

    /// Most steps of a proof; an eighth of `bytes` is for the proof.
    pub fn max_steps(bytes: u64) -> usize {
        usize::try_from((bytes / 8 / STEP_BYTES).max(LEAST_STEPS)).unwrap_or(usize::MAX)
    }

    /// Positions of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The solver of fours.
    pub fn fours(&mut self) -> &mut Vcf {
        &mut self.vcf
    }

    /// The solver of threats.
    pub fn threats(&mut self) -> &mut Vct {
        self.used_threats = true;
        &mut self.vct
    }

    /// Forgets all positions, so that later searches do not depend on earlier ones.
    pub fn forget(&mut self) {
        self.vcf.forget();
        if std::mem::take(&mut self.used_threats) {
            self.vct.forget();
        }
    }

    /// Searches for a win of the side to move by `means` within `limits`. Fours before threats may
    /// take `limits_of_fours` of these.
    pub fn solve(
        &mut self,
        position: &mut Position,
        means: Means,
        limits_of_fours: SolveLimits,
        limits: SolveLimits,
    ) -> Outcome {
        self.nodes = 0;
        self.outcome = match means {
            Means::Fours => self.solve_fours(position, limits),
            Means::Threats => self.solve_threats(position, limits),
            Means::FoursThenThreats => match self.solve_fours(position, limits_of_fours) {
                Outcome::None | Outcome::Unknown => self.solve_threats(position, limits),
                win => win,
            },
        };
        self.outcome
    }

    /// True if the solver has searched for threats since its memory was last cleared.
    pub fn has_used_threats(&self) -> bool {
        self.used_threats
    }

    fn solve_fours(&mut self, position: &Position, limits: SolveLimits) -> Outcome {
        let result = self.vcf.solve_until(position, self.shortest, limits);
        self.nodes += self.vcf.nodes();
        match result {
            VcfResult::Win { plies } => Outcome::WinByFours { plies },
            VcfResult::None => Outcome::None,
            VcfResult::Unknown => Outcome::Unknown,
        }
    }

    /// The rest of a search after the nodes for fours.
    fn solve_threats(&mut self, position: &mut Position, limits: SolveLimits) -> Outcome {
        let spent = self.nodes;
        if spent >= limits.nodes || (limits.stop)(spent) {
            return Outcome::Unknown;
        }
        let stop = |nodes| (limits.stop)(spent + nodes);
        let rest = SolveLimits {
            nodes: limits.nodes - spent,
            stop: &stop,
        };
        let result = self.threats().solve(position, rest);
        self.nodes += self.vct.nodes();
        match result {
            VctResult::Win => Outcome::WinByThreats,
            VctResult::None => Outcome::None,
            VctResult::Unknown => Outcome::Unknown,
        }
    }

    /// The proof of the win just found by [`solve`](Solver::solve). `None` without a win, if `stop`
    /// returns true, or if the proof needs more than `max_steps`.
    pub fn prove(
        &mut self,
        position: &mut Position,
        stop: &dyn Fn(u64) -> bool,
        max_steps: usize,
    ) -> Option<Proof> {
        let limits = SolveLimits::until(stop);
        match self.outcome {
            Outcome::WinByFours { .. } => self.vcf.prove(position, limits, max_steps),
            Outcome::WinByThreats => self.vct.prove(position, limits, max_steps),
            Outcome::None | Outcome::Unknown => None,
        }
    }
}
