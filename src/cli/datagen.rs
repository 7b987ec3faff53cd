//! `datagen`: games of the engine against itself.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::resources::Evaluator;
use super::{Error, Output};
use crate::datagen::{Journal, Settings, Totals, run as play};
use crate::rules::Rule;
use crate::types::MAX_SIDE;

/// Smallest board: the random stones of an opening need room.
const LEAST_SIDE: i64 = 9;

/// Play games against itself, to learn from
///
/// Writes zstd frames of records (see src/datagen/record.rs) that the trainers read. The same
/// command goes on where it was cut short; a larger --games adds games. A game depends on the
/// settings and its number alone.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File of games, such as games.bin.zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games the file shall hold in the end
    #[arg(long, value_name = "N")]
    games: u64,
    /// Games played at the same time; all processors if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Beside each game keep so many random lines out of the tree of each of its searches, with what
    /// the search says of their positions
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=1_000))]
    branches: u32,
    /// Let a line of --branches end after a few plies, and search the position there with so many
    /// nodes, instead of taking the search's word for those on the way; 0 takes it
    #[arg(long, value_name = "NODES", default_value_t = 0, requires = "branches")]
    settle: u64,
    /// Rules in turn: freestyle, standard, renju
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = recorded_rule,
          default_value = "freestyle,standard,renju")]
    rules: Vec<Rule>,
    /// Columns and rows of the boards in turn
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "15,20",
          value_parser = clap::value_parser!(u8).range(LEAST_SIDE..=MAX_SIDE as i64))]
    sizes: Vec<u8>,
    /// Most random stones of an opening
    #[arg(long, value_name = "N", default_value_t = 9,
          value_parser = clap::value_parser!(u8).range(..=20))]
    opening: u8,
    /// Up to this ply any move that is hardly worse than the best may be played
    #[arg(long, value_name = "PLY", default_value_t = 12)]
    varied: u16,
    /// Ply at which a game is called a draw
    #[arg(long, value_name = "PLY", default_value_t = 180)]
    draw_after: u16,
    /// Size of each game's transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Chooses openings and varied moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    evaluator: Evaluator,
}

/// A rule that records know.
fn recorded_rule(text: &str) -> Result<Rule, String> {
    match text.parse() {
        Ok(Rule::Caro | Rule::CaroExact) => Err("records know no caro rules".to_string()),
        Ok(rule) => Ok(rule),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let mut settings = Settings {
        rules: args.rules.clone(),
        sizes: args.sizes.clone(),
        nodes: args.nodes,
        branches: args.branches,
        settle: args.settle,
        opening: args.opening,
        varied: args.varied,
        draw_after: args.draw_after,
        hash_kib: args.hash << 10,
        seed: args.seed,
        evaluations: Vec::new(),
    };
    let evaluation = args.evaluator.evaluation()?;
    settings
        .set_evaluation(&evaluation)
        .map_err(|why| args.evaluator.refused(&why.to_string()))?;
    let failed = |error: crate::datagen::JournalError| Error::Failed(error.to_string());
    let journal = Journal::open(&args.out, &settings).map_err(failed)?;
    let threads = args
        .threads
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let before = journal.games();
    let bar = progress_bar(args.games, before);
    let totals = play(
        &settings,
        &evaluation,
        journal,
        args.games,
        threads,
        &mut |totals| {
            bar.set_position(before + totals.games);
            bar.set_message(summary(totals));
        },
    )
    .map_err(failed)?;
    bar.finish_and_clear();
    writeln!(out, "{}", summary(&totals))?;
    Ok(ExitCode::SUCCESS)
}

fn summary(totals: &Totals) -> String {
    let games = format!(
        "{} games played: Black won {}, White won {}, {} draws; {:.1} plies a game",
        totals.games,
        totals.black,
        totals.white,
        totals.draws(),
        totals.plies as f64 / totals.games.max(1) as f64
    );
    match totals.branches {
        0 => games,
        branches => format!("{games}; {branches} branches"),
    }
}

/// A bar on standard error if that is a terminal.
fn progress_bar(games: u64, before: u64) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let template = "{elapsed_precise} {bar:24} {pos}/{len} ({eta} left)\n{msg}";
    let style = ProgressStyle::with_template(template).expect("a template that is in order");
    let bar = ProgressBar::with_draw_target(Some(games), target).with_style(style);
    bar.set_position(before);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
