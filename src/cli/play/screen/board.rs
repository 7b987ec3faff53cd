//! The board on the screen: two columns a cell, scrolled to the cursor where it does not fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::describe;
use super::theme::Theme;
use crate::board::{Board, Cell};
use crate::play::model::Model;
use crate::types::Point;

/// Columns of the row numbers.
const NUMBERS: u16 = 3;
/// Columns of a cell.
const CELL: u16 = 2;

/// Columns and rows that the whole board takes.
pub(super) fn size(board: &Board) -> (u16, u16) {
    let columns = NUMBERS + CELL * u16::from(board.width());
    (columns, u16::from(board.height()) + 1)
}

/// The part of the board that is shown, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    area: Rect,
    /// First column and row of the board that are shown.
    first: (u8, u8),
    /// How many are shown.
    shown: (u8, u8),
}

impl View {
    /// The part around `cursor` that fits into `area`.
    pub(super) fn new(board: &Board, area: Rect, cursor: Point) -> View {
        let fit = |room: u16, whole: u8| room.min(u16::from(whole)) as u8;
        let shown = (
            fit(area.width.saturating_sub(NUMBERS) / CELL, board.width()),
            fit(area.height.saturating_sub(1), board.height()),
        );
        let first = |at: u8, shown: u8, whole: u8| at.saturating_sub(shown / 2).min(whole - shown);
        View {
            area,
            first: (
                first(cursor.x(), shown.0, board.width()),
                first(cursor.y(), shown.1, board.height()),
            ),
            shown,
        }
    }

    /// Where `p` is drawn, if it is shown.
    fn place(&self, p: Point) -> Option<(u16, u16)> {
        let x = p
            .x()
            .checked_sub(self.first.0)
            .filter(|&x| x < self.shown.0)?;
        let y = p
            .y()
            .checked_sub(self.first.1)
            .filter(|&y| y < self.shown.1)?;
        Some((
            self.area.x + NUMBERS + CELL * u16::from(x),
            self.area.y + u16::from(y),
        ))
    }

    /// The point that is drawn at a column and row of the screen; each has the column of its
    /// symbol and the one before it.
    pub(super) fn point_at(&self, column: u16, row: u16) -> Option<Point> {
        let x = (column + 1).checked_sub(self.area.x + NUMBERS)? / CELL;
        let y = row.checked_sub(self.area.y)?;
        let is_shown = x < u16::from(self.shown.0) && y < u16::from(self.shown.1);
        is_shown.then(|| Point::new(x as u8 + self.first.0, y as u8 + self.first.1))
    }
}

/// Draws the board of `model` as `view` says.
pub(super) fn draw(model: &Model, cursor: Point, view: View, theme: Theme, buffer: &mut Buffer) {
    let board = model.game().board();
    let last = board.last().map(|stone| stone.point);
    let marked = describe::marked(model);
    let hinted = model.hint().map(|hint| hint.points()).unwrap_or_default();
    for y in view.first.1..view.first.1 + view.shown.1 {
        let row = Point::new(view.first.0, y);
        let (left, line) = view.place(row).expect("a row that is shown");
        let number = format!("{:>2}", board.height() - y);
        buffer.set_string(left - NUMBERS, line, number, theme.labels());
        for x in view.first.0..view.first.0 + view.shown.0 {
            let p = Point::new(x, y);
            let (column, line) = view.place(p).expect("a cell that is shown");
            let (symbol, style) = if let Some(color) = board.cell(p).color() {
                stone(color.into(), theme)
            } else if let Some(place) = marked.iter().position(|&q| q == p) {
                (DIGITS[place.min(DIGITS.len() - 1)], theme.advised())
            } else if hinted.contains(&p) {
                (theme.symbol("◆", "*"), theme.advised())
            } else if model.game().forbidden().contains(p) {
                (theme.symbol("×", "!"), theme.forbidden())
            } else {
                (crossing(board, p, theme), theme.grid())
            };
            buffer.set_string(column, line, symbol, style);
            let is_first = x == view.first.0;
            let before = if x == 0 || !theme.is_unicode() {
                " "
            } else {
                "─"
            };
            let before = if is_first { " " } else { before };
            buffer.set_string(column - 1, line, before, theme.grid());
        }
        let right = left + CELL * u16::from(view.shown.0) - 1;
        buffer.set_string(right, line, " ", theme.grid());
    }
    if let Some(place) = last.and_then(|p| view.place(p)) {
        bracket(buffer, place, ("(", ")"), theme.mark());
    }
    if model.is_persons_turn()
        && let Some(place) = view.place(cursor)
    {
        bracket(buffer, place, ("[", "]"), theme.mark());
    }
    let line = view.area.y + u16::from(view.shown.1);
    for x in view.first.0..view.first.0 + view.shown.0 {
        let (column, _) = view
            .place(Point::new(x, view.first.1))
            .expect("a column that is shown");
        let letter = char::from(b'a' + x).to_string();
        buffer.set_string(column, line, letter, theme.labels());
    }
}

/// Marks of points in the order in which they were chosen; no more are offered by any rule that
/// people play.
const DIGITS: [&str; 16] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "+",
];

/// A stone on the board.
pub(super) fn stone(cell: Cell, theme: Theme) -> (&'static str, Style) {
    match cell {
        Cell::White => (theme.symbol("○", "O"), theme.white()),
        _ => (theme.symbol("●", "X"), theme.black()),
    }
}

/// The lines that meet on a free cell.
fn crossing(board: &Board, p: Point, theme: Theme) -> &'static str {
    if !theme.is_unicode() {
        return ".";
    }
    let (right, bottom) = (board.width() - 1, board.height() - 1);
    match (p.x(), p.y()) {
        (0, 0) => "┌",
        (0, y) if y == bottom => "└",
        (0, _) => "├",
        (x, 0) if x == right => "┐",
        (x, y) if x == right && y == bottom => "┘",
        (x, _) if x == right => "┤",
        (_, 0) => "┬",
        (_, y) if y == bottom => "┴",
        _ if is_star(board, p) => "╋",
        _ => "┼",
    }
}

/// The points by which people find their way: the centre, and those that boards of these sizes
/// have four lines from the edge.
fn is_star(board: &Board, p: Point) -> bool {
    let on = |at: u8, side: u8| {
        let middle = side % 2 == 1 && at == side / 2;
        (middle, side >= 13 && (at == 3 || at + 4 == side))
    };
    let (x, y) = (on(p.x(), board.width()), on(p.y(), board.height()));
    (x.0 && y.0) || (x.1 && y.1)
}

fn bracket(buffer: &mut Buffer, (column, line): (u16, u16), marks: (&str, &str), style: Style) {
    buffer.set_string(column - 1, line, marks.0, style);
    buffer.set_string(column + 1, line, marks.1, style);
}
