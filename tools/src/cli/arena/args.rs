use std::path::PathBuf;
use std::sync::Arc;

use super::super::values;
use super::Error;
use super::book::{BALANCE_NODES, BookArgs, Source, source};
use super::engines::{EngineArgs, warnings};
use super::judge::JudgeArgs;
use super::parse::{Points, check_kind, parse_plies, parse_points};
use super::report::ReportArgs;
use crate::arena::forfeits::MAX_FORFEITS;
use crate::arena::game::Conditions;
use crate::arena::journal::{JournalPlayer, MatchTerms};
use crate::arena::json_lines::{self, FoundOpenings};
use crate::arena::record::Folder;
use crate::arena::runner::Match;
use crate::arena::schedule::{MOST_GAMES, Schedule, ScheduleKind};
use crate::arena::spec::parse_engines;
use crate::arena::sprt::Sprt;
use crate::balance::BalanceOptions;
use crate::cli::output_file::lasting;
use crate::cli::values::parse_board;
use crate::share::Share;
use tengen::board::Board;
use tengen::openings::{OpeningRule, Phase};
use tengen::rules::Rule;

/// Games of a match that its test ends.
const ENDLESS: u64 = 200_000;

/// Run engines against each other
///
/// Any engines that speak the Gomocup protocol. Every opening is played from both sides. An engine
/// that hangs, crashes or cheats loses the game, and the match goes on.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    pub part: Option<Part>,
    #[command(flatten)]
    engines: EngineArgs,
    /// Rule: freestyle, standard, renju, caro, caro9
    #[arg(long, default_value = "freestyle", help_heading = "Game",
          value_parser = values::rule(), hide_possible_values = true)]
    rule: Rule,
    /// Side of the board, or WIDTHxHEIGHT
    #[arg(long, default_value = "15", value_parser = parse_board, help_heading = "Game")]
    size: Board,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Games of each meeting [default: 2, or as many as --sprt needs]
    #[arg(long, value_name = "N", help_heading = "Schedule",
          value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// Schedule: round-robin, gauntlet (the first player against all others), swiss:ROUNDS,
    /// knock-out, double-knock-out, or groups:GROUPS:ADVANCING followed by a knock-out; the order
    /// of --engine is the seeding
    #[arg(
        long,
        value_name = "KIND",
        default_value = "round-robin",
        value_parser = values::schedule(),
        hide_possible_values = true,
        help_heading = "Schedule"
    )]
    schedule: ScheduleKind,
    /// Points for a win, a draw and a loss
    #[arg(long, value_name = "W/D/L", default_value = "1/0.5/0", value_parser = parse_points,
          help_heading = "Schedule")]
    points: Points,
    /// Stop when a sequential test has its answer, such as elo0=0 elo1=5 alpha=0.05 beta=0.05: is
    /// the first engine 0 Elo (H0) or 5 Elo (H1) stronger, with an error of 5 % either way? These
    /// are the defaults
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., help_heading = "Schedule")]
    sprt: Option<Vec<String>>,
    /// Games played at once; each engine needs its own cores
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Schedule",
          value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// End the match when an engine has forfeited this many games in a row, by crashes, time,
    /// illegal moves; 0: never
    #[arg(long, value_name = "N", default_value_t = MAX_FORFEITS, help_heading = "Schedule")]
    pub max_forfeits: u64,
    /// Play only part K of N of the pairs of games
    #[arg(long, value_name = "K/N", help_heading = "Schedule")]
    shard: Option<Share>,
    /// File of openings ('-' is standard input), or balanced:N for N openings that a search finds
    /// balanced; without it every game begins on the empty board
    #[arg(long, value_name = "FILE", value_parser = source(), help_heading = "Openings")]
    openings: Option<Source>,
    /// Rule by which the engines open their games themselves: swap1, swap, swap2, pro, long-pro,
    /// rif, renju-swap, yamaguchi, tarannikov, taraguchi, taraguchi-10, soosorv-8 or
    /// designated:OPENING:FIFTHS, such as designated:4D:2; the player with Black in the schedule
    /// begins
    #[arg(
        long,
        value_name = "RULE",
        default_value = "free",
        value_parser = values::opening_rule(),
        hide_default_value = true,
        hide_possible_values = true,
        help_heading = "Openings"
    )]
    opening_rule: OpeningRule,
    #[command(flatten)]
    book: BookArgs,
    /// Folder for journal.jsonl, games.pgn, psq/ and sgf/
    #[arg(long, value_name = "DIR", value_parser = lasting(), help_heading = "Output")]
    pub records: Option<PathBuf>,
    /// File for a line about every game at its end [default: in the --records folder]
    #[arg(long, value_name = "FILE", value_parser = lasting(), help_heading = "Output")]
    journal: Option<PathBuf>,
    /// Continue the match of the journal
    #[arg(long, help_heading = "Output")]
    pub resume: bool,
    /// Write JSON lines to standard output: every game, a status after each hundred games, the
    /// result
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Folder for logs of the communication with the engines and of their standard error
    #[arg(long, value_name = "DIR", value_parser = lasting(), help_heading = "Output")]
    trace: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen match --engine cmd=./new --engine cmd=./old --rule renju --each nodes=20000 \\
      --openings openings.txt --concurrency 2 --sprt elo0=0 elo1=5 --records out
  tengen match --engine cmd=./a --engine cmd=./b --engine 'cmd=./c --level 3' name=C \\
      --each tc=180s/30s --size 20 --games 24 --openings openings.txt
  tengen match --engine cmd=./a --engine cmd=./b --rule renju --opening-rule soosorv-8 \\
      --each tc=60s/5s --games 20 --records out
  tengen match merge part1.jsonl part2.jsonl
  tengen match report out --html report.html";

/// Other tasks of `match`.
#[derive(Debug, clap::Subcommand)]
pub enum Part {
    /// Join the journals of a match that was played in parts, and show its result
    Merge(MergeArgs),
    /// Report a match from its journal: as text, or as a web page with charts and all games
    Report(ReportArgs),
    /// Find balanced openings and write them to standard output
    Openings(Box<OpeningsArgs>),
}

/// Arguments of `match openings`.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Fewest and most stones
    #[arg(long, value_name = "A..B", default_value = "4..6", value_parser = parse_plies)]
    plies: (usize, usize),
    /// Openings for a rule under which one player puts stones and the other chooses: three for swap
    /// or swap2, five for tarannikov, taraguchi or taraguchi-10; balanced in longer and longer
    /// searches and in games
    #[arg(long, value_name = "RULE", conflicts_with = "plies", value_parser = parse_even_rule)]
    pub opening_rule: Option<OpeningRule>,
    /// Rule: freestyle, standard, renju, caro, caro9
    #[arg(long, default_value = "freestyle",
          value_parser = values::rule(), hide_possible_values = true)]
    pub rule: Rule,
    /// Side of the board, or WIDTHxHEIGHT
    #[arg(long, default_value = "15", value_parser = parse_board)]
    pub size: Board,
    /// Nodes of the longest search for each
    #[arg(long, value_name = "N", default_value_t = BALANCE_NODES,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Keep only openings balanced in games too, with at least a 40th of the nodes for each move
    #[arg(long, conflicts_with = "opening_rule")]
    played: bool,
    /// The same seed gives the same openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn parse_even_rule(text: &str) -> Result<OpeningRule, String> {
    let rule: OpeningRule = text.parse().map_err(|e| format!("{e}"))?;
    match rule.stones_before_choice() {
        Some(_) => Ok(rule),
        None => Err("swap, swap2, tarannikov, taraguchi or taraguchi-10 is expected".to_string()),
    }
}

impl OpeningsArgs {
    /// The options of the search.
    pub fn balance_options(&self) -> BalanceOptions {
        BalanceOptions {
            count: self.count as usize,
            plies: self.plies,
            nodes: self.nodes,
            // Openings by a rule are always played out.
            played: self.played || self.opening_rule.is_some(),
            seed: self.seed,
        }
    }
}

/// Arguments of `match merge`.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Journals, or folders that hold one; '-' is standard input
    #[arg(required = true)]
    pub journals: Vec<PathBuf>,
    /// Write the joined journal there; '-' is standard output, without the result
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the result as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// A match ready to be played.
pub struct MatchSetup {
    /// For the runner.
    pub contest: Match,
    /// For the journal.
    pub terms: MatchTerms,
    /// Openings for the journal.
    pub found: Vec<FoundOpenings>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

impl Args {
    /// The journal's path: the given one, or that in the folder of records.
    pub fn journal_path(&self) -> Option<PathBuf> {
        let beside_records = self.records.as_deref().map(Folder::journal);
        self.journal.clone().or(beside_records)
    }

    /// Checks the arguments and reads the files named by them. `--resume` takes the openings that
    /// the journal keeps.
    pub fn setup(&self) -> Result<MatchSetup, Error> {
        let usage = |text: String| Error::Usage(text);
        let engines = parse_engines(&self.engines.each, &self.engines.engines).map_err(usage)?;
        if engines.len() < 2 {
            return Err(usage("a match needs at least two --engine".to_string()));
        }
        let sprt = self.sprt.as_deref().map(Sprt::parse).transpose();
        let sprt = sprt.map_err(|e| usage(format!("--sprt: {e}")))?;
        if sprt.is_some() && engines.len() != 2 {
            return Err(usage("--sprt compares exactly two engines".to_string()));
        }
        if sprt.is_some() && self.games.is_some_and(|games| !games.is_multiple_of(2)) {
            return Err(usage(
                "--sprt counts pairs: give an even --games".to_string(),
            ));
        }
        if sprt.is_some() && self.shard.is_some() && self.games.is_none() {
            return Err(usage(
                "--shard: a part cannot end by --sprt; give --games".to_string(),
            ));
        }
        check_kind(self.schedule, engines.len()).map_err(|e| usage(format!("--schedule: {e}")))?;
        let schedule = Schedule {
            points: self.points,
            kind: self.schedule,
            players: engines.len(),
            games: self
                .games
                .unwrap_or(if sprt.is_some() { ENDLESS } else { 2 }),
        };
        if self.shard.is_some() && !schedule.is_fixed() {
            return Err(usage(
                "--shard: the pairings of this schedule depend on results".to_string(),
            ));
        }
        let (referee, adjudication) = self.judge.read()?;
        let openings = self.openings.as_ref();
        if self.opening_rule != OpeningRule::Free {
            if openings.is_some() {
                let text = "--opening-rule and --openings exclude each other";
                return Err(usage(text.to_string()));
            }
            Phase::new(self.opening_rule, &self.size)
                .map_err(|e| usage(format!("--opening-rule: {e}")))?;
        }
        let journal = self.journal_path().filter(|_| self.resume);
        let mut found = journal.map_or_else(Vec::new, |path| json_lines::found_openings(&path));
        let book = self.book.book(openings, self.rule, &self.size, &mut found);
        let (book, openings) = book?;
        let mut warnings = warnings(&engines, self.concurrency);
        let openings = match self.opening_rule {
            OpeningRule::Free => openings,
            rule => format!("by the rule {rule}"),
        };
        if book.is_empty() && schedule.games > 2 && self.opening_rule == OpeningRule::Free {
            warnings.push(
                "no --openings: all games begin on the empty board and may be the same".into(),
            );
        }
        if !schedule.games.is_multiple_of(2) {
            warnings.push(format!(
                "--games {} is odd: the last opening is played from one side only",
                schedule.games
            ));
        }
        let terms = MatchTerms {
            version: env!("CARGO_PKG_VERSION").to_string(),
            rule: self.rule.to_string(),
            width: self.size.width(),
            height: self.size.height(),
            players: engines
                .iter()
                .map(|engine| JournalPlayer {
                    name: engine.name.clone(),
                    settings: engine.settings.clone(),
                })
                .collect(),
            schedule: self.schedule.to_string(),
            games: schedule.games,
            seed: self.book.seed,
            openings,
            judge: format!("{referee}; {adjudication}"),
            points: self.points,
            sprt,
            shard: self.shard.map(|share| share.to_string()),
        };
        let contest = Match {
            engines: engines.into_iter().map(Arc::new).collect(),
            conditions: Conditions {
                rule: self.rule,
                board: self.size.clone(),
                referee,
                adjudication,
                opening_rule: self.opening_rule,
            },
            book,
            schedule,
            shard: self.shard,
            // A part does not know the other parts' results; `merge` runs the test.
            sprt: sprt.filter(|_| self.shard.is_none()),
            concurrency: usize::from(self.concurrency),
            seed: self.book.seed,
            trace: self.trace.clone(),
        };
        Ok(MatchSetup {
            contest,
            terms,
            found,
            warnings,
        })
    }
}
