//! Trains the weights of Tengen's classical evaluation on games, and prepares games for the
//! network's trainer. See `README.md` beside this crate.

mod batches;
mod boards;
mod checkpoint;
mod features;
mod games;
mod lanes;
mod learner;
mod losses;
mod model;
mod options;
mod samples;
mod stream;
mod train;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tengen::rules::Rule;

use crate::learner::Recipe;
use crate::options::{not_negative, one_line, positive, trained_rule, unit_interval};
use crate::stream::{BatchArguments, BoardArguments};
use tengen::streams::eprint_line;

/// Trains the weights of the classical evaluation on games.
#[derive(Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Example:\n  \
    tengen datagen --folder DATA\n  \
    cargo run --release -p tengen-train -- DATA --out src/eval/weights \\\n      \
    --report training/classical/results.md"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Files of games, or folders with .bin.zst files
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Folder for freestyle.bin.zst, standard.bin.zst and renju.bin.zst
    #[arg(long, default_value = "src/eval/weights")]
    out: PathBuf,
    /// Markdown file for losses and calibration
    #[arg(long)]
    report: Option<PathBuf>,
    /// Rules to train
    #[arg(
        long,
        value_delimiter = ',',
        value_parser = trained_rule,
        default_value = "freestyle,standard,renju"
    )]
    rules: Vec<Rule>,
    /// Passes over the games
    #[arg(long, default_value_t = 3, value_parser = positive)]
    epochs: usize,
    /// Games of each rule to train on, chosen at random; all if left out
    #[arg(long, value_parser = positive)]
    max_games: Option<usize>,
    /// Weight of the game's result in the value's target, 0 to 1; the rest is the search's value
    #[arg(long, default_value_t = 0.5, value_parser = unit_interval)]
    result_weight: f32,
    /// First learning rate
    #[arg(long, default_value_t = 0.2, value_parser = not_negative)]
    rate: f32,
    /// Regularisation of a pair of combinations towards the sum of its parts, in positions
    #[arg(long, default_value_t = 300.0, value_parser = not_negative)]
    prior: f32,
    /// The same for the table of moves
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    move_prior: f32,
    /// Folder for the state after each pass; the same command continues an interrupted run
    #[arg(long)]
    checkpoints: Option<PathBuf>,
    /// Seed of the order of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Rules that are trained at the same time
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Tasks of the program besides training the classical evaluation.
#[derive(Subcommand)]
enum Command {
    Batches(BatchArguments),
    Boards(BoardArguments),
}

impl Arguments {
    fn recipe(&self) -> Recipe {
        Recipe {
            result_weight: self.result_weight,
            rate: self.rate,
            prior: self.prior,
            move_prior: self.move_prior,
        }
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            eprint_line(format_args!("tengen-train: {}", one_line(&error)));
            return ExitCode::from(2);
        }
    };
    let done = match &arguments.command {
        Some(Command::Batches(arguments)) => stream::run(arguments),
        Some(Command::Boards(arguments)) => stream::run_boards(arguments),
        None => train::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint_line(format_args!("tengen-train: {error}"));
            ExitCode::FAILURE
        }
    }
}
