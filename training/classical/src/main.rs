//! Learns the weights of Tengen's classical evaluation from games, and prepares games for the
//! network's trainer. See `README.md` beside this crate.

mod batches;
mod checkpoint;
mod games;
mod learner;
mod losses;
mod model;
mod samples;
mod stream;
mod tracks;
mod train;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tengen::rules::Rule;

use crate::learner::Recipe;
use crate::stream::BatchArguments;

/// Learns the weights of the classical evaluation from games.
#[derive(Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Example:\n  \
    cargo run --release -p tengen-train -- ../shared/selfplay --out src/eval/weights \\\n      \
    --report training/classical/results.md"
)]
pub struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    /// Files of games, or folders with .bin.zst files
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Folder for freestyle.bin, standard.bin and renju.bin
    #[arg(long, default_value = "src/eval/weights")]
    out: PathBuf,
    /// Markdown file for losses and calibration
    #[arg(long)]
    report: Option<PathBuf>,
    /// Rules to learn
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "freestyle,standard,renju"
    )]
    rules: Vec<Rule>,
    /// Passes over the games
    #[arg(long, default_value_t = 3)]
    epochs: usize,
    /// Learn from no more games a rule than this, chosen at random
    #[arg(long)]
    max_games: Option<usize>,
    /// Part of the game's result in the value's target; the rest is the search's value
    #[arg(long, default_value_t = 0.5)]
    lambda: f32,
    /// First learning rate
    #[arg(long, default_value_t = 0.2)]
    rate: f32,
    /// How firmly a rare pair of combinations is held to the sum of its parts, in positions
    #[arg(long, default_value_t = 300.0)]
    prior: f32,
    /// The same for the moves' table
    #[arg(long, default_value_t = 1.0)]
    move_prior: f32,
    /// Folder that keeps the state after each pass, so that a run that was cut short goes on
    #[arg(long)]
    checkpoints: Option<PathBuf>,
    /// Order of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Rules that are learned at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// What is done instead of learning the classical evaluation.
#[derive(Subcommand)]
enum Task {
    Batches(BatchArguments),
}

impl Arguments {
    fn recipe(&self) -> Recipe {
        Recipe {
            lambda: self.lambda,
            rate: self.rate,
            prior: self.prior,
            move_prior: self.move_prior,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.task {
        Some(Task::Batches(arguments)) => stream::run(arguments),
        None => train::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen-train: {error}");
            ExitCode::FAILURE
        }
    }
}
