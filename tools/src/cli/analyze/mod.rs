//! `analyze`: the engine's view of a position, for people and (`--json`) for scripts.

mod json;
mod text;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::interrupt::{self, stop_search_on_interrupt};
use super::records::{Extract, Words};
use super::resources::Resources;
use super::values::parse_board;
use super::{Error, Output, values};
use crate::game::referee::Outcome;
use tengen::board::Board;
use tengen::rules::{Foul, Rule, ends_by_foul, foul};
use tengen::search::{SearchControl, SearchInfo, SearchRequest, SearchResult, TimeSettings};
use tengen::types::{MAX_CELLS, Point};
use tengen_games::records::RecordedGame;

/// Time when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Search a position and report on it
///
/// The position is given by its moves, or is the end of a recorded game in any format of
/// docs/analysis.md; a record that begins with a set-up gives its first position. Moves alternate,
/// Black first: letter and number as in 'h8 i9 h7' (a1 is the bottom left), or the protocol's 'x,y'
/// as in '7,7 8,6 7,8' (0,0 is the top left). Ctrl-C ends the search and reports the result so far;
/// the exit status is then 130.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The moves so far, a file of a game or a link to it; '-' reads it from standard input
    #[arg(value_name = "MOVES|FILE")]
    moves: Vec<OsString>,
    /// Read the game or position from this file
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    file: Option<PathBuf>,
    #[command(flatten)]
    extract: Extract,
    /// Rule set: freestyle, standard, renju, caro or caro9 [default: what a game names, or
    /// freestyle]
    #[arg(long, value_parser = values::rule(), hide_possible_values = true)]
    rule: Option<Rule>,
    /// Board size of moves, 5 to 22, such as 15 or 20x15; games and diagrams have their own
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// Longest time, such as 500ms, 10s or 2m [default: 5s without another limit]
    #[arg(long, value_name = "T", value_parser = values::time)]
    time: Option<Duration>,
    /// Deepest iteration in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Positions to search at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of candidate moves to compare
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_CELLS as i64))]
    multipv: u16,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object (fields in docs/analysis.md) and nothing else
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tengen analyze h8 i9 h7 --multipv 3 --time 2s
  tengen analyze --rule renju --size 15 --file position.txt
  tengen analyze game.sgf --after 12
  tengen analyze --json --depth 12 7,7 8,6 | jq .best";

/// A position and its state by the rules.
struct Subject {
    board: Board,
    rule: Rule,
    /// The last move, where the record tells one.
    last: Option<Point>,
    /// The last move's foul, if any.
    foul: Option<Foul>,
    /// The outcome, after which there is nothing to search.
    outcome: Option<Outcome>,
}

/// A completed search.
struct Searched {
    result: SearchResult,
    /// True if Ctrl-C ended the search.
    is_interrupted: bool,
}

impl Subject {
    fn new(game: &RecordedGame, rule: Rule) -> Subject {
        let (board, last) = (game.end(), game.last_stone());
        let is_restricted = |p: &Point| board.cell(*p).color().is_some_and(|c| rule.restricts(c));
        let foul = last
            .filter(is_restricted)
            .and_then(|p| foul(&board.without(p), p));
        Subject {
            outcome: Outcome::of(&board, rule),
            board,
            rule,
            last,
            foul,
        }
    }

    fn label(&self, p: Point) -> String {
        p.label(self.board.height())
    }

    /// True if the report proves a win by a foul: after its line all moves are forbidden.
    fn ends_by_foul(&self, report: &SearchInfo) -> bool {
        report.score.is_decided() && ends_by_foul(&self.board, self.rule, &report.pv)
    }
}

impl Args {
    /// The game whose end is analysed.
    fn game(&self) -> Result<RecordedGame, Error> {
        let words = match &self.file {
            Some(path) => Words::File(path),
            None => Words::of(&self.moves)?,
        };
        let game = self.extract.game(words, &self.size)?;
        Ok(self.extract.at_position(game))
    }

    /// Limits of a search that begins now.
    fn control(&self) -> SearchControl {
        let is_unlimited = self.depth.is_none() && self.nodes.is_none();
        let usual = is_unlimited.then_some(DEFAULT_TIME);
        let time = self.time.or(usual);
        SearchControl::new(
            Instant::now(),
            &TimeSettings {
                turn_ms: time.map(|time| time.as_millis() as u64),
                is_unmeasured: true,
                ..TimeSettings::default()
            },
        )
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let game = args.game()?;
    let rule = args.rule.or_else(|| game.known_rule());
    let subject = Subject::new(&game, rule.unwrap_or_default());
    let live = !args.json && io::stdout().is_terminal();
    let searched = match subject.outcome {
        None => Some(search_until_interrupt(args, &subject, live, out)?),
        Some(_) => None,
    };
    if args.json {
        json::write(out, &subject, searched.as_ref())?;
    } else {
        text::write(out, &subject, searched.as_ref())?;
    }
    let is_interrupted = searched.is_some_and(|searched| searched.is_interrupted);
    Ok(interrupt::status(is_interrupted))
}

/// Searches until a limit or Ctrl-C. A second Ctrl-C ends the process at once.
fn search_until_interrupt(
    args: &Args,
    subject: &Subject,
    live: bool,
    out: &mut Output,
) -> Result<Searched, Error> {
    let control = Arc::new(args.control());
    let interrupted = stop_search_on_interrupt({
        let control = Arc::clone(&control);
        move || control.stop()
    })?;
    let mut result = search(args, subject, &control, live, out)?;
    let is_interrupted = interrupted.load(Ordering::Relaxed);
    if result.lines.is_empty() && !result.needs_no_search {
        // No depth was completed: the move is arbitrary.
        result.best = None;
    }
    Ok(Searched {
        result,
        is_interrupted,
    })
}

/// Searches, and shows each completed depth if `live`.
fn search(
    args: &Args,
    subject: &Subject,
    control: &SearchControl,
    live: bool,
    out: &mut Output,
) -> Result<SearchResult, Error> {
    let mut request = SearchRequest::new(subject.board.clone(), subject.rule);
    request.max_depth = args.depth;
    request.max_nodes = args.nodes;
    request.multi_pv = args.multipv.into();
    request.is_analysis = true;
    let mut written = Ok(());
    let mut engine = args.resources.engine()?;
    let outcome = engine.go(&request, control, &mut |report| {
        if live && written.is_ok() {
            written = text::write_progress(out, subject, report);
            if written.is_err() {
                control.stop();
            }
        }
    });
    written?;
    args.resources.check(&mut engine)?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn every_depth_is_shown_with_all_of_its_candidates() {
        let words = "analyze --depth 3 --multipv 3 --hash 16 --evaluator classical h8 i9";
        let args = Cli::parse_from(words.split(' ')).args;
        let subject = Subject::new(&args.game().unwrap(), Rule::Freestyle);
        let mut out = Vec::new();
        let result = search(&args, &subject, &args.control(), true, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let text = anstream::adapter::strip_str(&text).to_string();
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9, "{text}");
        for (i, line) in lines.iter().enumerate() {
            let head = format!("depth {:>2}/", i / 3 + 1);
            let rank = format!(" #{} ", i % 3 + 1);
            assert!(line.starts_with(&head) && line.contains(&rank), "{text}");
        }
        for (line, info) in lines[6..].iter().zip(&result.lines) {
            assert!(line.contains(&subject.label(info.pv[0])), "{text}");
        }
    }
}
