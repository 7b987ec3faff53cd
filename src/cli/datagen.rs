//! `datagen`: games of the engine against itself, to train evaluations from.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use super::progress_style::counting_bar;
use super::resources::Evaluator;
use super::{Error, Output};
use crate::datagen::{DatagenSettings, GameFile, GameFileError, Totals, run as play};
use crate::rules::Rule;
use crate::types::MAX_SIDE;

/// Smallest board; the random stones of an opening need room.
const MIN_DATAGEN_SIDE: i64 = 9;

/// Play games against itself, to train evaluations from
///
/// Writes zstd frames of records (see src/datagen/record.rs) that the trainers read. The same
/// command continues an interrupted run; a larger --games adds games. A game depends on the
/// settings and its number alone.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File of games, such as games.bin.zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games in the file at the end
    #[arg(long, value_name = "N")]
    games: u64,
    /// Games played at the same time; all processors if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random lines to sample from the tree of each search, with the search's values of their
    /// positions
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=1_000))]
    branches: u32,
    /// End each line of --branches after a few plies and search the position there with so many
    /// nodes; 0 takes the values of the first search instead
    #[arg(long, value_name = "NODES", default_value_t = 0, requires = "branches")]
    relabel_nodes: u64,
    /// Rules in turn: freestyle, standard, renju
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = recorded_rule,
          default_value = "freestyle,standard,renju")]
    rules: Vec<Rule>,
    /// Columns and rows of the boards in turn
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "15,20",
          value_parser = clap::value_parser!(u8).range(MIN_DATAGEN_SIDE..=MAX_SIDE as i64))]
    sizes: Vec<u8>,
    /// Most random stones of an opening
    #[arg(long, value_name = "N", default_value_t = 9,
          value_parser = clap::value_parser!(u8).range(..=20))]
    opening: u8,
    /// Before this ply a move may be any that is little worse than the best
    #[arg(long, value_name = "PLY", default_value_t = 12)]
    varied: u16,
    /// Ply at which a game is a draw
    #[arg(long, value_name = "PLY", default_value_t = 180)]
    draw_after: u16,
    /// Size of each game's transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Seed of the openings, varied moves and branches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    evaluator: Evaluator,
}

/// A rule that records have a number for.
fn recorded_rule(text: &str) -> Result<Rule, String> {
    match text.parse() {
        Ok(Rule::Caro | Rule::CaroExact) => Err("records have no caro rules".to_string()),
        Ok(rule) => Ok(rule),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let mut settings = DatagenSettings {
        rules: args.rules.clone(),
        sizes: args.sizes.clone(),
        nodes: args.nodes,
        branches: args.branches,
        relabel_nodes: args.relabel_nodes,
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
    let failed = |error: GameFileError| Error::Failed(error.to_string());
    let file = GameFile::open(&args.out, &settings).map_err(failed)?;
    if let Some(repair) = file.repair() {
        eprintln!("warning: {repair}");
    }
    let threads = args
        .threads
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let before = file.games();
    let bar = counting_bar(args.games, before, "");
    let totals = play(
        &settings,
        &evaluation,
        file,
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
