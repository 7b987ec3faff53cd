//! `datagen`: games of the engine against itself, to train evaluations from.

mod factory;
mod priority;
mod status;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use self::factory::Factory;
use self::priority::Priority;
use self::status::{MergeArgs, StatusArgs};
use super::error::warn;
use super::interrupt::{self, stop_on_interrupt};
use super::output_file::lasting;
use super::progress_style::counting_bar;
use super::resources::Evaluator;
use super::values::rule;
use super::{Error, Output};
use crate::datagen::{
    DatagenSettings, GameFile, MIN_DATAGEN_SIDE, Plan, Shards, Totals, run as play,
};
use crate::share::Share;
use tengen::rules::Rule;
use tengen::types::MAX_SIDE;

/// Play games against itself, to train evaluations from
///
/// With --folder it makes labelled positions for all rules, shard after shard, at the lowest
/// priority, until stopped. With --out it fills one file. The same command continues after any
/// interruption. A game depends on the settings and its number alone. Files are zstd frames of
/// records behind a header with the settings (see src/datagen/data_file.rs).
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Args {
    #[command(subcommand)]
    task: Option<Task>,
    /// Folder for shards without end, such as freestyle-15-00001.bin.zst; several processes may
    /// fill the same
    #[arg(
        long,
        value_name = "FOLDER",
        value_parser = lasting(),
        required_unless_present = "out",
        conflicts_with = "out"
    )]
    folder: Option<PathBuf>,
    /// Kinds of shards and how many of each among all, as RULE-SIZE:WEIGHT
    #[arg(long, value_name = "PLAN", default_value_t, conflicts_with = "out")]
    plan: Plan,
    /// Games of a shard
    #[arg(long, value_name = "N", default_value_t = 2_000, conflicts_with = "out",
          value_parser = clap::value_parser!(u64).range(1..))]
    shard_games: u64,
    /// Stop after this many shards, counting finished ones and those of others
    #[arg(long, value_name = "N", conflicts_with = "out")]
    shards: Option<u64>,
    /// Make only the shards of process K of N
    #[arg(
        long,
        value_name = "K/N",
        default_value = "1/1",
        hide_default_value = true,
        conflicts_with = "out"
    )]
    shard: Share,
    /// One file of games instead, such as games.bin.zst
    #[arg(long, value_name = "FILE", value_parser = lasting(), requires = "games")]
    out: Option<PathBuf>,
    /// Games in the file at the end
    #[arg(long, value_name = "N", requires = "out")]
    games: Option<u64>,
    /// Rules in turn: freestyle, standard, renju, caro, caro9
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rule(),
          default_value = "freestyle,standard,renju", conflicts_with = "folder")]
    rules: Vec<Rule>,
    /// Columns and rows of the boards in turn
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "15,20",
          value_parser = clap::value_parser!(u8).range(i64::from(MIN_DATAGEN_SIDE)..=MAX_SIDE as i64),
          conflicts_with = "folder")]
    sizes: Vec<u8>,
    /// Games played at the same time; all processors if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Priority beside other processes; idle for a folder, normal for a file
    #[arg(long, value_name = "PRIORITY")]
    priority: Option<Priority>,
    /// Nodes for each move; 1500 for a folder, 20000 for a file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Random lines to sample from the tree of each search, with the search's values of their
    /// positions; 4 for a folder, 0 for a file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000))]
    branches: Option<u32>,
    /// End each line of --branches after a few plies and search the position there with so many
    /// nodes; 0 takes the values of the first search instead; 1600 for a folder, 0 for a file
    #[arg(long, value_name = "NODES")]
    relabel_nodes: Option<u64>,
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
    /// Size of each game's transposition table in MiB; 4 for a folder, 8 for a file
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: Option<u64>,
    /// Seed of the openings, varied moves and branches; each shard's is made of it and its name
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    evaluator: Evaluator,
}

/// The commands about files of games.
#[derive(Debug, clap::Subcommand)]
enum Task {
    Status(StatusArgs),
    Merge(MergeArgs),
}

/// The search for the labels of a factory where no options tell: few good ones teach more than many
/// quick ones in the same time (docs/journal.md, 23 November 2026).
const FACTORY: Labelling = Labelling {
    nodes: 1_500,
    branches: 4,
    relabel_nodes: 1_600,
    hash_mib: 4,
};
/// The same for a single file: games alone.
const SINGLE: Labelling = Labelling {
    nodes: 20_000,
    branches: 0,
    relabel_nodes: 0,
    hash_mib: 8,
};

/// The searches for the labels.
struct Labelling {
    nodes: u64,
    branches: u32,
    relabel_nodes: u64,
    hash_mib: u64,
}

impl Args {
    fn settings(&self, defaults: &Labelling) -> Result<DatagenSettings, Error> {
        let branches = self.branches.unwrap_or(defaults.branches);
        let relabel_nodes = self.relabel_nodes.unwrap_or(match branches {
            0 => 0,
            _ => defaults.relabel_nodes,
        });
        if relabel_nodes > 0 && branches == 0 {
            let text = "--relabel-nodes needs --branches: there is nothing to label";
            return Err(Error::Usage(text.to_string()));
        }
        Ok(DatagenSettings {
            rules: self.rules.clone(),
            sizes: self.sizes.clone(),
            nodes: self.nodes.unwrap_or(defaults.nodes),
            branches,
            relabel_nodes,
            opening: self.opening,
            varied: self.varied,
            draw_after: self.draw_after,
            hash_kib: self.hash.unwrap_or(defaults.hash_mib) << 10,
            seed: self.seed,
            shard: 0,
            evaluations: Vec::new(),
        })
    }

    fn threads(&self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    match &args.task {
        Some(Task::Status(args)) => return status::run_status(args, out),
        Some(Task::Merge(args)) => return status::run_merge(args, out),
        None => {}
    }
    let default = match args.folder {
        Some(_) => Priority::Idle,
        None => Priority::Normal,
    };
    if let Err(error) = args.priority.unwrap_or(default).apply() {
        warn(&format!("the priority stays as it is: {error}"));
    }
    let stop = stop_on_interrupt()?;
    match (&args.folder, &args.out, args.games) {
        (Some(folder), _, _) => fill_folder(args, folder, &stop, out),
        (None, Some(file), Some(games)) => fill_file(args, file, games, &stop, out),
        _ => unreachable!("clap demands a folder, or a file with its games"),
    }
}

fn fill_folder(
    args: &Args,
    folder: &Path,
    stop: &AtomicBool,
    out: &mut Output,
) -> Result<ExitCode, Error> {
    let settings = args.settings(&FACTORY)?;
    let evaluation = args.evaluator.evaluation()?;
    let games = args.shard_games;
    let shards = Shards::new(
        folder.to_path_buf(),
        &args.plan,
        args.shard,
        games,
        &settings,
        &evaluation,
    )
    .map_err(|why| args.evaluator.refused(&why.to_string()))?;
    let factory = Factory {
        folder,
        shards,
        games,
        limit: args.shards,
        evaluation: &evaluation,
        threads: args.threads(),
        stop,
    };
    factory.run(out)
}

fn fill_file(
    args: &Args,
    path: &Path,
    games: u64,
    stop: &AtomicBool,
    out: &mut Output,
) -> Result<ExitCode, Error> {
    let mut settings = args.settings(&SINGLE)?;
    let evaluation = args.evaluator.evaluation()?;
    settings
        .set_evaluation(&evaluation)
        .map_err(|why| args.evaluator.refused(&why.to_string()))?;
    let file = GameFile::open(path, &settings).map_err(Error::failed)?;
    if let Some(repair) = file.repair() {
        warn(&repair);
    }
    let before = file.games();
    let bar = counting_bar(games, before, "");
    let mut progress = |totals: &Totals| {
        bar.set_position(before + totals.games);
        bar.set_message(summary(totals));
    };
    let threads = args.threads();
    let totals = play(
        &settings,
        &evaluation,
        file,
        games,
        threads,
        stop,
        &mut progress,
    );
    bar.finish_and_clear();
    let totals = totals.map_err(Error::failed)?;
    writeln!(out, "{}", summary(&totals))?;
    Ok(interrupt::status(stop.load(Ordering::Relaxed)))
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
        branches => format!("{games}; {branches} branches, {} labels", totals.labels),
    }
}
