use super::Error;
use crate::engine::{Engine, Evaluation, Options};

/// What a subcommand that searches may use.
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
    /// Evaluation: classical, network (the program's own) or a file of networks
    #[arg(long, value_name = "NAME|FILE", default_value = "classical")]
    evaluator: String,
}

impl Resources {
    /// An engine that may use this.
    ///
    /// # Errors
    /// When the network that is asked for cannot be used.
    pub(super) fn engine(&self) -> Result<Engine, Error> {
        let evaluation =
            Evaluation::named(&self.evaluator).map_err(|error| self.refused(&error.to_string()))?;
        let mut engine = Engine::new(self.options());
        engine.set_evaluation(evaluation);
        Ok(engine)
    }

    /// Whether `engine`, which has searched, could use the network that was asked for.
    ///
    /// # Errors
    /// When it could not.
    pub(super) fn check(&self, engine: &mut Engine) -> Result<(), Error> {
        engine
            .take_complaint()
            .map_or(Ok(()), |why| Err(self.refused(&why)))
    }

    fn refused(&self, why: &str) -> Error {
        Error::Failed(format!("--evaluator {}: {why}", self.evaluator))
    }

    /// The engine's options. A table that is asked for comes on top of the usual memory.
    fn options(&self) -> Options {
        let usual = Options::default();
        let hash = self.hash.map(|mib| u64::from(mib) << 20);
        Options {
            threads: self.threads.into(),
            max_memory: usual.max_memory + hash.unwrap_or(0),
            hash_kib: hash.map(|bytes| bytes >> 10),
        }
    }
}
