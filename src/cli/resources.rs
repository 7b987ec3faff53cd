use crate::engine::Options;

/// What a subcommand that searches may use.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Resources {
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB",
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: Option<u32>,
}

impl Resources {
    /// The engine's options. A table that is asked for comes on top of the usual memory.
    pub(super) fn options(&self) -> Options {
        let usual = Options::default();
        let hash = self.hash.map(|mib| u64::from(mib) << 20);
        Options {
            threads: self.threads.into(),
            max_memory: usual.max_memory + hash.unwrap_or(0),
            hash_kib: hash.map(|bytes| bytes >> 10),
        }
    }
}
