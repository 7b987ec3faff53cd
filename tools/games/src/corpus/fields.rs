//! Parts shared by the lines of several families.

use super::LineError;
use tengen::board::{Board, parse_size};
use tengen::types::{Color, Point};

pub(super) fn value(expected: &'static str, found: &str) -> LineError {
    LineError::Value {
        expected,
        found: found.to_string(),
    }
}

/// An empty board of the size `15` or `20x15`.
pub(super) fn empty_board(text: &str) -> Result<Board, LineError> {
    let (width, height) =
        parse_size(text).ok_or_else(|| value("a board size such as 15 or 20x15", text))?;
    Ok(Board::new(width, height)?)
}

/// A point `x,y` of the board.
pub(super) fn point(board: &Board, text: &str) -> Result<Point, LineError> {
    let (x, y) = text
        .split_once(',')
        .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
        .ok_or_else(|| value("a point such as 7,7", text))?;
    board.point(x, y).ok_or_else(|| LineError::OffBoard {
        point: text.to_string(),
        width: board.width(),
        height: board.height(),
    })
}

/// A free point `x,y` of the board.
pub(super) fn free_point(board: &Board, text: &str) -> Result<Point, LineError> {
    let p = point(board, text)?;
    if board.is_empty(p) {
        Ok(p)
    } else {
        Err(LineError::NotFree(text.to_string()))
    }
}

/// The board of `size` with the stones listed in `black` and `white`, items separated by
/// `separator`. `last`, if given, must be among the stones and is put after all others.
pub(super) fn board(
    size: &str,
    [black, white]: [&str; 2],
    separator: char,
    last: Option<&str>,
) -> Result<Board, LineError> {
    let mut board = empty_board(size)?;
    let last = last.map(|text| point(&board, text)).transpose()?;
    let mut last_color = None;
    for (color, list) in [(Color::Black, black), (Color::White, white)] {
        for text in items(list, separator) {
            let p = point(&board, text)?;
            if !board.is_empty(p) || (Some(p) == last && last_color.is_some()) {
                return Err(LineError::Duplicate(text.to_string()));
            }
            if Some(p) == last {
                last_color = Some(color);
            } else {
                board.put(p, color);
            }
        }
    }
    match (last, last_color) {
        (Some(p), Some(color)) => board.put(p, color),
        (Some(p), None) => return Err(LineError::LastMissing(p.to_string())),
        (None, _) => {}
    }
    Ok(board)
}

/// The items of a list, none if the text is empty.
pub(super) fn items(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator)
        .map(str::trim)
        .filter(|item| !item.is_empty())
}
