//! `show`: draws recorded games and positions, or prints all that was read.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use super::output_file::{self, is_drawing};
use super::records::{Extract, Words, handed_out};
use super::values::{Listed, parse_board};
use super::{Error, Output};
use serde_json::json;
use tengen::board::{Board, Move};
use tengen::types::Symmetry;
use tengen_games::records::{Format, Record, RecordedGame, TakeGame, Warning, drawing, limit};

/// Draw a game with numbered stones
///
/// Takes moves, or reads records of all formats in docs/analysis.md: Smart Game Format, Piskvork's
/// .psq and .rec, games of PlayOK and Yixin, moves, diagrams, JSON, and the .jsonl journals of
/// 'match'.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A file of a game, its moves or a link to it; '-' reads it from standard input
    #[arg(required = true, value_name = "FILE|MOVES")]
    moves: Vec<OsString>,
    #[command(flatten)]
    extract: Extract,
    /// Board size of a record that is only moves
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// Turn the board: 90, 180 or 270 degrees clockwise; mirror (left and right), flip (top and
    /// bottom), diagonal (at the one through a1) or anti-diagonal
    #[arg(long, value_name = "TURN", value_parser = Listed::<Turn>::new(TURNS.map(|turn| turn.0)),
          hide_possible_values = true)]
    turn: Option<Turn>,
    /// Write a drawing (SVG) there instead; '-' is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print all games that were read as one JSON object (fields in docs/analysis.md)
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// The symmetries of a square but the identity, by their words.
const TURNS: [(&str, u8); 7] = [
    ("90", 6),
    ("180", 3),
    ("270", 5),
    ("mirror", 1),
    ("flip", 2),
    ("diagonal", 7),
    ("anti-diagonal", 4),
];

/// A turn of the board.
#[derive(Clone, Copy, Debug)]
struct Turn(Symmetry);

impl FromStr for Turn {
    type Err = String;

    fn from_str(text: &str) -> Result<Turn, String> {
        let found = TURNS.into_iter().find(|(word, _)| *word == text);
        found
            .map(|(_, number)| Turn(Symmetry::new(number)))
            .ok_or_else(|| format!("expected one of {}", TURNS.map(|turn| turn.0).join(", ")))
    }
}

impl Turn {
    /// The game on the turned board. A rectangle on its side has its columns as rows.
    fn of(self, game: &RecordedGame) -> RecordedGame {
        let (width, height) = (game.start.width(), game.start.height());
        let map = |p| self.0.map(p, width, height);
        let mut turned = RecordedGame::from_position(game.start.turned(self.0));
        turned.black.clone_from(&game.black);
        turned.white.clone_from(&game.white);
        turned.rule.clone_from(&game.rule);
        turned.result.clone_from(&game.result);
        turned.swaps.clone_from(&game.swaps);
        turned.marked = game.marked.map(map);
        for made in &game.moves {
            turned.play(Move {
                color: made.color,
                point: made.point.map(map),
            });
        }
        turned
    }
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if args.json {
        return print_json(args, out);
    }
    let game = args.extract.game(Words::of(&args.moves)?, &args.size)?;
    let game = args.turned(game);
    match &args.svg {
        None => write!(out, "{}", drawing::text(&game))?,
        Some(path) => output_file::write(path, is_drawing, &drawing::svg(&game), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn turned(&self, game: RecordedGame) -> RecordedGame {
        match self.turn {
            Some(turn) => turn.of(&game),
            None => game,
        }
    }

    /// Hands the games to `take`, one after the other.
    fn each(&self, take: &mut TakeGame) -> Result<Record, Error> {
        match Words::of(&self.moves)? {
            Words::File(path) => self.extract.each(path, &self.size, take),
            words @ Words::Moves(_) => {
                let _ = take(self.extract.game(words, &self.size)?, Vec::new());
                Ok(handed_out(Format::Moves))
            }
        }
    }
}

/// Prints the games as they are read; a file may hold more than memory has room for.
fn print_json(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let mut warnings = Vec::new();
    let mut result = Ok(());
    let (mut number, mut written) = (0, 0);
    let name = Words::of(&args.moves)?.name();
    let record = args.each(&mut |game, found| {
        number += 1;
        if !args.extract.chooses(number) {
            return ControlFlow::Continue(());
        }
        warnings.extend(found);
        limit(&mut warnings);
        result = args.extract.cut(&name, game).and_then(|game| {
            let before = if written == 0 { "{\"games\":[" } else { "," };
            written += 1;
            Ok(write!(out, "{before}{}", args.turned(game).json())?)
        });
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    result?;
    let record = record?;
    if written == 0 {
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
