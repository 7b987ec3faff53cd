use super::Error;
use tengen::engine::strength::Strength;
use tengen::engine::{Engine, Evaluation, Options};

/// Resources of a subcommand that searches.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Resources {
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB",
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: Option<u32>,
    #[command(flatten)]
    evaluator: Evaluator,
}

/// The evaluation for a subcommand's searches.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Evaluator {
    /// Evaluation: default or network (the program's own network), classical, or a file of
    /// networks
    #[arg(
        long = "evaluator",
        value_name = "NAME|FILE",
        default_value = "default"
    )]
    name: String,
}

impl Evaluator {
    /// The evaluation itself.
    ///
    /// # Errors
    /// When no evaluation has that name.
    pub(super) fn evaluation(&self) -> Result<Evaluation, Error> {
        Evaluation::named(&self.name).map_err(|why| self.refused(&why.to_string()))
    }

    /// The error for an evaluation that cannot be used.
    pub(super) fn refused(&self, why: &str) -> Error {
        Error::Failed(format!("--evaluator {}: {why}", self.name))
    }
}

impl Resources {
    /// An engine with these resources.
    ///
    /// # Errors
    /// When the network in the options cannot be used.
    pub(super) fn engine(&self) -> Result<Engine, Error> {
        let evaluation = self.evaluator.evaluation()?;
        let mut engine = Engine::new(self.options());
        engine.set_evaluation(evaluation);
        Ok(engine)
    }

    /// Checks after a search that `engine` used the network in the options.
    ///
    /// # Errors
    /// When the network could not be used.
    pub(super) fn check(&self, engine: &mut Engine) -> Result<(), Error> {
        engine.take_network_fault().map_or(Ok(()), |fault| {
            Err(self.evaluator.refused(&fault.why.to_string()))
        })
    }

    /// The engine's options. A table size in the options comes on top of the default memory.
    fn options(&self) -> Options {
        Options::with_hash(self.threads.into(), self.hash)
    }
}

/// Limits on the engine's choice of a move against an opponent.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct MoveLimits {
    /// Deepest iteration of the engine's move in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub depth: Option<u32>,
    /// Positions to search for the engine's move at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Strength of the engine, from 0 (a beginner) to 100; hints and analyses are always at full
    /// strength [default: 100]
    #[arg(long, value_name = "0-100", value_parser = clap::value_parser!(i64).range(0..=100))]
    strength: Option<i64>,
}

impl MoveLimits {
    /// The engine's strength.
    pub(super) fn strength(&self) -> Strength {
        self.wanted_strength().unwrap_or_default()
    }

    /// The same, if an argument gives it.
    pub(super) fn wanted_strength(&self) -> Option<Strength> {
        self.strength.map(Strength::new)
    }
}
