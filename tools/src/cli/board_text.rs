//! A board for people, as lines of text.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use tengen::board::{Board, Cell};
use tengen::types::Point;

const BLACK: Style = AnsiColor::Blue.on_default().bold();
const WHITE: Style = AnsiColor::Yellow.on_default().bold();
/// Style of suggested moves.
pub(super) const SUGGESTED: Style = AnsiColor::Green.on_default().bold();
/// Style of forbidden points.
pub(super) const FORBIDDEN: Style = AnsiColor::Red.on_default();
/// Style of less important text.
pub(super) const FAINT: Style = Style::new().dimmed();

/// Largest number of suggested moves on the board, each a digit.
const MOST_SHOWN: usize = 9;

/// The board with the last move in brackets, forbidden points, and suggested ones numbered from
/// the best on; below it a legend of the signs.
pub(super) fn write(
    out: &mut dyn Write,
    board: &Board,
    last: Option<Point>,
    forbidden: &[Point],
    suggested: &[Point],
) -> io::Result<()> {
    for y in 0..board.height() {
        write!(out, "{FAINT}{:>2}{FAINT:#} ", board.height() - y)?;
        for x in 0..board.width() {
            let p = Point::new(x, y);
            let before = match last {
                Some(q) if q == p => '[',
                Some(q) if x > 0 && q == Point::new(x - 1, y) => ']',
                _ => ' ',
            };
            let rank = suggested.iter().take(MOST_SHOWN).position(|&q| q == p);
            let (style, symbol) = match (board.cell(p), rank) {
                (Cell::Black, _) => (BLACK, 'X'),
                (Cell::White, _) => (WHITE, 'O'),
                (Cell::Blocked, _) => (FAINT, '#'),
                (Cell::Empty, Some(rank)) => (SUGGESTED, (b'1' + rank as u8) as char),
                (Cell::Empty, None) if forbidden.contains(&p) => (FORBIDDEN, '!'),
                (Cell::Empty, None) => (FAINT, '.'),
            };
            write!(out, "{before}{style}{symbol}{style:#}")?;
        }
        let ends_row = last.is_some_and(|q| q.x() + 1 == board.width() && q.y() == y);
        writeln!(out, "{}", if ends_row { "]" } else { "" })?;
    }
    let letters: String = (0..board.width())
        .flat_map(|x| [' ', (b'a' + x) as char])
        .collect();
    writeln!(out, "{FAINT}   {letters}{FAINT:#}")?;
    let mut legend = vec!["X black", "O white"];
    legend.extend(last.map(|_| "[ ] last move"));
    let shown = suggested.len().min(MOST_SHOWN);
    let suggestions = match shown {
        1 => "1 suggested".to_string(),
        _ => format!("1-{shown} suggested"),
    };
    legend.extend((shown > 0).then_some(suggestions.as_str()));
    legend.extend((!forbidden.is_empty()).then_some("! forbidden"));
    writeln!(out, "{FAINT}    {}{FAINT:#}", legend.join("   "))
}
