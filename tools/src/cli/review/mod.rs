//! `review`: every move of a game judged by search.

mod output;
mod text;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::interrupt::{self, stop_search_on_interrupt};
use super::output_file::is_standard_output;
use super::progress_style::counting_bar;
use super::records::{Extract, Words};
use super::resources::Resources;
use super::values::parse_board;
use super::{Error, Output, values};
use tengen::board::Board;
use tengen::engine::move_control::MoveControl;
use tengen::rules::Rule;
use tengen::search::TimeSettings;
use tengen_games::records::RecordedGame;
use tengen_games::review::{Game, Limits, Review, review};

/// Time for a position when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Judge every move of a game
///
/// Searches each position of a recorded game (in any format of docs/analysis.md) or of moves, from
/// the last to the first. Shows for each move its quality and a better move, and the accuracy of
/// both sides; docs/analysis.md says how. Ctrl-C ends the review with the results so far; the exit
/// status is then 130.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A file of a game, its moves or a link to it; '-' reads it from standard input
    #[arg(required = true, value_name = "FILE|MOVES")]
    moves: Vec<OsString>,
    #[command(flatten)]
    extract: Extract,
    /// Rule set: freestyle, standard, renju, caro or caro9 [default: what a game names, or
    /// freestyle]
    #[arg(long, value_parser = values::rule(), hide_possible_values = true)]
    rule: Option<Rule>,
    /// Board size of moves, 5 to 22, such as 15 or 20x15; games have their own
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// First move to judge; earlier moves belong to the opening
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: usize,
    /// Time for a search, such as 500ms, 10s or 2m; a move takes one or two [default: 1s without
    /// another limit]
    #[arg(long, value_name = "T", value_parser = values::time)]
    time: Option<Duration>,
    /// Nodes for a search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Deepest iteration in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object (fields in docs/analysis.md) and nothing else
    #[arg(long)]
    json: bool,
    /// Write the game with all that its file says, the values, and the better lines as variations,
    /// to this file (SGF); '-' is standard output, without the table
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write the review as a page in one file (HTML); '-' is standard output, without the table
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen review game.sgf
  tengen review game.sgf --time 5s --threads 4 --html review.html
  tengen review --rule renju --from 4 --nodes 200000 h8 i9 h7 h9 g8
  tengen review game.psq --sgf reviewed.sgf --json | jq .summary.accuracy";

/// A game and its review.
struct Reviewed {
    record: RecordedGame,
    rule: Rule,
    review: Review,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let record = args.record()?;
    let rule = args.rule.or_else(|| record.known_rule());
    let game = game(&record, rule.unwrap_or_default(), args.from);
    if game.is_empty() {
        return Err(Error::Failed("there are no moves to review".to_string()));
    }
    // After the review an error about a file would come too late.
    output::check(args)?;
    let control = Arc::new(MoveControl::new(Instant::now(), &TimeSettings::default()));
    let interrupted = stop_search_on_interrupt({
        let control = Arc::clone(&control);
        move || control.stop()
    })?;
    let mut engine = args.resources.engine()?;
    let bar = counting_bar(game.len() as u64, 0, " moves");
    let found = review(&mut engine, &game, &args.limits(), &control, &mut |_| {
        bar.inc(1);
    });
    bar.finish_and_clear();
    args.resources.check(&mut engine)?;
    let reviewed = Reviewed {
        record,
        rule: game.rule,
        review: found,
    };
    let printed = match args.json {
        _ if args.prints_file() => Ok(()),
        true => writeln!(out, "{}", output::json(&reviewed)),
        false => text::write(out, &reviewed),
    };
    // Neither a closed pipe nor a full disk loses the other report.
    output::write_files(args, &reviewed, out)?;
    printed?;
    Ok(interrupt::status(interrupted.load(Ordering::Relaxed)))
}

impl Args {
    /// The game that the arguments name.
    fn record(&self) -> Result<RecordedGame, Error> {
        self.extract.game(Words::of(&self.moves)?, &self.size)
    }

    /// True if a file of the review goes to standard output.
    fn prints_file(&self) -> bool {
        let mut files = self.sgf.iter().chain(&self.html);
        files.any(|path| is_standard_output(path))
    }

    fn limits(&self) -> Limits {
        let is_unlimited = self.depth.is_none() && self.nodes.is_none();
        let time = self.time.or(is_unlimited.then_some(DEFAULT_TIME));
        Limits {
            time_ms: time.map(|time| time.as_millis() as u64),
            depth: self.depth,
            nodes: self.nodes,
        }
    }
}

/// A record as a game to review.
fn game(record: &RecordedGame, rule: Rule, first_judged: usize) -> Game {
    let moves = record.moves.clone();
    Game::new(rule, record.start.clone(), moves, first_judged)
}
