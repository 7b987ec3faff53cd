//! `show`: draws recorded games and positions, or prints all that was read.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use super::drawing::write_drawing;
use super::records::{Extract, Words, name_of};
use super::values::parse_board;
use super::{Error, Output};
use serde_json::json;
use tengen::board::Board;
use tengen_games::records::{Warning, drawing, limit};

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
        return print_json(args, out);
    }
    let game = args.extract.game(Words::File(&args.record), &args.size)?;
    match &args.svg {
        None => write!(out, "{}", drawing::text(&game))?,
        Some(path) => write_drawing(path, &drawing::svg(&game))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the games as they are read; a file may hold more than memory has room for.
fn print_json(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let mut warnings = Vec::new();
    let mut result = Ok(());
    let (mut number, mut written) = (0, 0);
    let record = args
        .extract
        .each(&args.record, &args.size, &mut |game, found| {
            number += 1;
            if !args.extract.chooses(number) {
                return ControlFlow::Continue(());
            }
            warnings.extend(found);
            limit(&mut warnings);
            let game = args.extract.cut(&name_of(&args.record), game);
            result = game.and_then(|game| {
                let before = if written == 0 { "{\"games\":[" } else { "," };
                written += 1;
                Ok(write!(out, "{before}{}", game.json())?)
            });
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
    result?;
    let record = record?;
    if written == 0 {
        let name = name_of(&args.record);
        let text = format!("{name}: there is no such game, it has {number}");
        return Err(Error::Failed(text));
    }
    warnings.extend(record.warnings);
    limit(&mut warnings);
    let facts = json!({
        "format": record.format.name(),
        "charset": record.charset,
        "warnings": warnings.iter().map(Warning::to_string).collect::<Vec<String>>(),
    });
    writeln!(out, "],{}", &facts.to_string()[1..])?;
    Ok(ExitCode::SUCCESS)
}
