//! Parts shared by the lines of several families.

use tengen::board::{Board, parse_size};
use tengen::rules::{ParseRuleError, Rule};
use tengen::types::{Color, Point};

/// The fault of a text of another form than expected.
pub(super) fn value(expected: &str, found: &str) -> String {
    format!("expected {expected}, found '{found}'")
}

/// The columns of a line, as many as there are names.
pub(super) fn columns<'a, const N: usize>(
    found: &[&'a str],
    names: &str,
) -> Result<[&'a str; N], String> {
    <[&str; N]>::try_from(found)
        .map_err(|_| format!("expected {N} columns ({names}), found {}", found.len()))
}

pub(super) fn rule(name: &str) -> Result<Rule, String> {
    name.parse()
        .map_err(|error: ParseRuleError| error.to_string())
}

/// An empty board of the size `15` or `20x15`.
pub(super) fn empty_board(text: &str) -> Result<Board, String> {
    let (width, height) =
        parse_size(text).ok_or_else(|| value("a board size such as 15 or 20x15", text))?;
    Board::new(width, height).map_err(|error| error.to_string())
}

/// A point `x,y` of the board.
pub(super) fn point(board: &Board, text: &str) -> Result<Point, String> {
    let (x, y) = text
        .split_once(',')
        .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
        .ok_or_else(|| value("a point such as 7,7", text))?;
    board.point(x, y).ok_or_else(|| {
        let (width, height) = (board.width(), board.height());
        format!("point {text} is off the {width}x{height} board")
    })
}

/// A free point `x,y` of the board.
pub(super) fn free_point(board: &Board, text: &str) -> Result<Point, String> {
    let p = point(board, text)?;
    match board.is_empty(p) {
        true => Ok(p),
        false => Err(format!("point {text} is not free")),
    }
}

/// The board of `size` with the stones listed in `black` and `white`, items separated by
/// `separator`. `last`, if given, must be among the stones and is put after all others.
pub(super) fn board(
    size: &str,
    [black, white]: [&str; 2],
    separator: char,
    last: Option<&str>,
) -> Result<Board, String> {
    let mut board = empty_board(size)?;
    let last = last.map(|text| point(&board, text)).transpose()?;
    let mut last_color = None;
    for (color, list) in [(Color::Black, black), (Color::White, white)] {
        for text in items(list, separator) {
            let p = point(&board, text)?;
            if !board.is_empty(p) || (Some(p) == last && last_color.is_some()) {
                return Err(format!("point {text} has two stones"));
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
        (Some(p), None) => return Err(format!("the last move {p} is not among the stones")),
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
