//! `show`: draws recorded games and positions, or prints all that was read.

use std::path::PathBuf;
use std::process::ExitCode;

use super::drawing::write_drawing;
use super::records::{Extract, Words, name_of};
use super::values::parse_board;
use super::{Error, Output};
use tengen::board::Board;
use tengen_games::records::drawing;

/// Draw a recorded game with numbered stones
///
/// Reads records of all formats in docs/analysis.md: Smart Game Format, Piskvork's .psq and .rec,
/// games of PlayOK and Yixin, moves, diagrams, JSON, and the .jsonl journals of 'match'.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record; '-' reads it from standard input
    record: PathBuf,
    #[command(flatten)]
    extract: Extract,
    /// Board size of a record that is only moves
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// Write a drawing (SVG) there instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print all games that were read as one JSON object (fields in docs/analysis.md)
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if args.json {
        let mut record = args.extract.record(&args.record, &args.size)?;
        record.games = args.extract.chosen(&name_of(&args.record), record.games)?;
        writeln!(out, "{}", record.json(false))?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = args.extract.game(Words::File(&args.record), &args.size)?;
    match &args.svg {
        None => write!(out, "{}", drawing::text(&game))?,
        Some(path) => write_drawing(path, &drawing::svg(&game))?,
    }
    Ok(ExitCode::SUCCESS)
}
