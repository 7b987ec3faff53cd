use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use super::super::Error;
use crate::board::{Board, SizeError, parse_diagram, parse_moves, parse_size};
use crate::files::read_text_argument;

/// Columns and rows of the board, from the options.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    width: u32,
    height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let (width, height) =
            parse_size(text).ok_or("expected a size such as 15 or 20x15".to_string())?;
        match Board::new(width, height) {
            Ok(_) => Ok(Size { width, height }),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The position in the arguments: moves, a file or standard input.
pub(super) fn board(size: Size, moves: &[String], file: Option<&Path>) -> Result<Board, Error> {
    let (name, text) = match file {
        None if moves != ["-"] => {
            let board = from_moves(size, &moves.join(" "));
            return board.map_err(Error::Usage);
        }
        Some(path) if path != Path::new("-") => {
            (path.display().to_string(), read_text_argument(path))
        }
        _ => ("standard input".to_string(), read_stdin()),
    };
    let named = |error: &dyn std::fmt::Display| Error::Failed(format!("{name}: {error}"));
    let text = text.map_err(|error| named(&error))?;
    // Only a diagram has free cells to show.
    if text.contains('.') {
        parse_diagram(&text).map_err(|error| named(&error))
    } else {
        from_moves(size, &text).map_err(|error| named(&error))
    }
}

fn from_moves(size: Size, moves: &str) -> Result<Board, String> {
    let text = |error: SizeError| error.to_string();
    let mut board = Board::new(size.width, size.height).map_err(text)?;
    parse_moves(&mut board, moves).map_err(|error| error.to_string())?;
    Ok(board)
}

fn read_stdin() -> io::Result<String> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}
