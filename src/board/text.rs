use std::fmt;

use super::{Board, Cell};
use crate::types::{ParsePointError, Point};

/// Why a text of moves cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMovesError {
    /// Not a point of the board.
    #[error(transparent)]
    Point(#[from] ParsePointError),
    /// A cell named twice or blocked; holds its label.
    #[error("'{0}' is already taken")]
    Taken(String),
}

/// Plays moves such as `h8 i9 h7` (or `h8i9h7`, or `7,7 8,6` in the wire's coordinates), separated
/// by blanks or semicolons, labels by commas too, on `board`; sides alternate from the side to
/// move.
///
/// # Errors
/// At the first word that is not a free point; the moves before it stay played.
pub fn parse_moves(board: &mut Board, text: &str) -> Result<(), ParseMovesError> {
    for word in text.split(|c: char| c.is_whitespace() || c == ';') {
        let is_wire = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let mut rest = word;
        loop {
            // `7,7` is one point, `h8,i9` are two.
            if !is_wire {
                rest = rest.trim_start_matches(',');
            }
            if rest.is_empty() {
                break;
            }
            let (head, tail) = rest.split_at(split_index(rest));
            // A letter without a number: all of it is a word.
            let head = if head.len() == 1 { rest } else { head };
            let p = parse_point(board, head)?;
            if !board.is_empty(p) {
                return Err(ParseMovesError::Taken(head.to_string()));
            }
            board.play(p);
            rest = tail;
        }
    }
    Ok(())
}

/// Columns and rows from `15` (a square) or `20x15`; [`Board::new`] checks the range.
pub fn parse_size(text: &str) -> Option<(u32, u32)> {
    match text.split_once(['x', 'X']) {
        Some((width, height)) => Some((width.parse().ok()?, height.parse().ok()?)),
        None => text.parse().ok().map(|side| (side, side)),
    }
}

/// The size of a board as [`parse_size`] reads it: `15` for a square, or `20x15`.
pub fn size_text(board: &Board) -> String {
    match (board.width(), board.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}x{height}"),
    }
}

/// Where the first point of a run such as `h8i9` or `h8,i9` ends: before the second letter or the
/// comma.
fn split_index(text: &str) -> usize {
    let mut letters = text
        .char_indices()
        .filter(|(_, c)| c.is_alphabetic() || *c == ',')
        .map(|(i, _)| i);
    match (letters.next(), letters.next()) {
        (Some(0), Some(second)) => second,
        _ => text.len(),
    }
}

fn parse_point(board: &Board, text: &str) -> Result<Point, ParsePointError> {
    if let Some((x, y)) = text.split_once(',') {
        return match (x.parse(), y.parse()) {
            (Ok(x), Ok(y)) => board.point(x, y),
            _ => None,
        }
        .ok_or_else(|| ParsePointError(text.to_string()));
    }
    Point::from_label(text, board.width(), board.height())
}

/// A diagram with labels: `X` black, `O` white, `#` blocked, `.` free.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.height {
            write!(f, "{:>2} ", self.height - y)?;
            for x in 0..self.width {
                let symbol = match self.cell(Point::new(x, y)) {
                    Cell::Empty => '.',
                    Cell::Black => 'X',
                    Cell::White => 'O',
                    Cell::Blocked => '#',
                };
                write!(f, " {symbol}")?;
            }
            writeln!(f)?;
        }
        write!(f, "   ")?;
        for x in 0..self.width {
            write!(f, " {}", (b'a' + x) as char)?;
        }
        Ok(())
    }
}
