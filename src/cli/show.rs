//! `show`: draws recorded games.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Error, Output};
use crate::arena::record::{diagram, read};

/// Draw a recorded game with numbered stones
///
/// Reads .psq (Piskvork), .sgf, and the .jsonl journals of 'match'.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record
    record: PathBuf,
    /// Which game of a journal, from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Show the position after this many moves
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Write a drawing (SVG) there instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let mut games = read::read(&args.record).map_err(Error::Failed)?;
    let place = args.game as usize - 1;
    if place >= games.len() {
        return Err(Error::Failed(format!(
            "{}: there is no game {}, it has {}",
            args.record.display(),
            args.game,
            games.len()
        )));
    }
    let mut game = games.swap_remove(place);
    if let Some(moves) = args.moves {
        game.points.truncate(moves);
    }
    match &args.svg {
        None => write!(out, "{}", diagram::text(&game))?,
        Some(path) => std::fs::write(path, diagram::svg(&game))
            .map_err(|e| Error::Failed(format!("{}: {e}", path.display())))?,
    }
    Ok(ExitCode::SUCCESS)
}
