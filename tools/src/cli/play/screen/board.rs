//! The board on the screen, as large as the screen allows; a board that does not fit scrolls with
//! the cursor.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::describe;
use super::theme::Theme;
use crate::play::model::Model;
use tengen::board::{Board, Cell};
use tengen::types::{Color, Point};
use tengen_games::records::drawing::star_points;

/// Columns of the row numbers.
const NUMBERS: u16 = 2;
/// Rows of the largest cells, which have twice as many columns to be square.
pub(super) const MAX_ROWS: u16 = 3;
/// A stone in a cell of two rows and in one of three, for terminals with colours.
const STONES: [&[&str]; 2] = [&["▐█▌"], &["▄▄▄", "▐███▌", "▀▀▀"]];

/// The size of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    rows: u16,
    columns: u16,
}

impl Cells {
    /// Cells of 1 to [`MAX_ROWS`] rows. The smallest ones are wider where they have numbers.
    pub(super) fn new(rows: u16, has_numbers: bool) -> Cells {
        let columns = match rows {
            1 if has_numbers => 3,
            _ => 2 * rows,
        };
        Cells { rows, columns }
    }

    /// Columns and rows that the whole board takes.
    pub(super) fn size(self, board: &Board) -> (u16, u16) {
        let columns = NUMBERS + 1 + self.columns * u16::from(board.width());
        let lines = self.rows * (u16::from(board.height()) - 1) + 1;
        (columns, lines + 2 * self.margin() + 1)
    }

    /// Rows of wood above the first line of the board and below the last one.
    fn margin(self) -> u16 {
        self.rows / 2
    }

    /// Columns from the middle of a cell to its last one. A bracket stands there, and another one
    /// in the last column of the cell before.
    fn right(self) -> u16 {
        self.columns / 2
    }

    fn left(self) -> u16 {
        self.columns - self.right()
    }
}

/// The shown part of the board, and its place on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    area: Rect,
    cells: Cells,
    /// First column and row of the shown part.
    first: (u8, u8),
    /// Number of shown columns and rows.
    shown: (u8, u8),
}

impl View {
    /// The part around `cursor` that fits into `area` with such cells.
    pub(super) fn new(board: &Board, area: Rect, cursor: Point, cells: Cells) -> View {
        let fit = |room: u16, whole: u8| room.min(u16::from(whole)) as u8;
        let rows = area.height.saturating_sub(1 + 2 * cells.margin());
        let shown = (
            fit(
                area.width.saturating_sub(NUMBERS + 1) / cells.columns,
                board.width(),
            ),
            fit(rows.div_ceil(cells.rows), board.height()),
        );
        let first = |at: u8, shown: u8, whole: u8| at.saturating_sub(shown / 2).min(whole - shown);
        View {
            area,
            cells,
            first: (
                first(cursor.x(), shown.0, board.width()),
                first(cursor.y(), shown.1, board.height()),
            ),
            shown,
        }
    }

    /// True if the whole board is shown.
    pub(super) fn is_whole(&self, board: &Board) -> bool {
        self.shown == (board.width(), board.height())
    }

    /// The middle of the cell of `p`, if the cell is shown.
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
            self.area.x + NUMBERS + self.cells.left() + self.cells.columns * u16::from(x),
            self.area.y + self.cells.margin() + self.cells.rows * u16::from(y),
        ))
    }

    /// The point in whose cell a column and row of the screen lie.
    pub(super) fn point_at(&self, column: u16, row: u16) -> Option<Point> {
        let x = column.checked_sub(self.area.x + NUMBERS)? / self.cells.columns;
        let y = row.checked_sub(self.area.y)? / self.cells.rows;
        let is_shown = x < u16::from(self.shown.0) && y < u16::from(self.shown.1);
        is_shown.then(|| Point::new(x as u8 + self.first.0, y as u8 + self.first.1))
    }

    /// The shown points, and their places.
    fn points(&self) -> impl Iterator<Item = (Point, (u16, u16))> {
        let (columns, rows) = (
            self.first.0..self.first.0 + self.shown.0,
            self.first.1..self.first.1 + self.shown.1,
        );
        let points = rows.flat_map(move |y| columns.clone().map(move |x| Point::new(x, y)));
        points.filter_map(|p| Some((p, self.place(p)?)))
    }

    /// The wood: all shown cells.
    fn ground(&self) -> Rect {
        let lines = (self.cells.rows * u16::from(self.shown.1)).saturating_sub(self.cells.rows - 1);
        Rect {
            x: self.area.x + NUMBERS,
            width: self.cells.columns * u16::from(self.shown.0) + 1,
            height: lines + 2 * self.cells.margin(),
            ..self.area
        }
    }
}

/// Draws the board of `model` as `view` says.
pub(super) fn draw(model: &Model, cursor: Point, view: View, theme: Theme, buffer: &mut Buffer) {
    let board = model.game().board();
    draw_grid(board, view, theme, buffer);
    draw_labels(board, view, theme, buffer);
    let marked = describe::marked(model);
    let hinted = model.hint().map(|hint| hint.points()).unwrap_or_default();
    let numbers: HashMap<Point, usize> = match model.display().numbers {
        true => model.game().numbered_stones().into_iter().collect(),
        false => HashMap::new(),
    };
    for (p, place) in view.points() {
        let (symbol, style) = if let Some(color) = board.cell(p).color() {
            draw_stone(buffer, place, color, view.cells, theme);
            if let Some(number) = numbers.get(&p) {
                draw_number(buffer, place, color, *number, theme);
            }
            continue;
        } else if let Some(place) = marked.iter().position(|&q| q == p) {
            (DIGITS[place.min(DIGITS.len() - 1)], theme.advised())
        } else if hinted.contains(&p) {
            (theme.symbol("◆", "*"), theme.advised())
        } else if model.game().forbidden().contains(p) {
            (theme.symbol("×", "!"), theme.forbidden())
        } else {
            continue;
        };
        buffer.set_string(place.0, place.1, symbol, style);
    }
    let mut bracket = |p: Point, marks: (&str, &str)| {
        if let Some((column, line)) = view.place(p) {
            buffer.set_string(column - view.cells.left(), line, marks.0, theme.mark());
            buffer.set_string(column + view.cells.right(), line, marks.1, theme.mark());
        }
    };
    if let Some(last) = model.game().last_stone() {
        bracket(last, ("(", ")"));
    }
    if model.is_persons_turn() {
        bracket(cursor, ("[", "]"));
    }
}

/// Marks of points in the order of their choice; no rule in use offers more.
const DIGITS: [&str; 16] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "+",
];

/// The ground, and the lines between the shown cells.
fn draw_grid(board: &Board, view: View, theme: Theme, buffer: &mut Buffer) {
    let grid = theme.grid();
    let ground = view.ground();
    let spaces = " ".repeat(ground.width.into());
    for line in ground.top()..ground.bottom() {
        buffer.set_string(ground.x, line, &spaces, grid);
    }
    let line_before = "─".repeat(usize::from(view.cells.columns - 1));
    let stars = star_points(board);
    for (p, (column, line)) in view.points() {
        buffer.set_string(column, line, crossing(board, &stars, p, theme), grid);
        if !theme.is_unicode() {
            continue;
        }
        if p.x() > view.first.0 {
            let left = column - (view.cells.columns - 1);
            buffer.set_string(left, line, &line_before, grid);
        }
        if p.y() > view.first.1 {
            for above in line - (view.cells.rows - 1)..line {
                buffer.set_string(column, above, "│", grid);
            }
        }
    }
}

/// The numbers of the rows and the letters of the columns.
fn draw_labels(board: &Board, view: View, theme: Theme, buffer: &mut Buffer) {
    let ground = view.ground();
    for (p, (column, line)) in view.points() {
        if p.x() == view.first.0 {
            let number = format!("{:>2}", board.height() - p.y());
            buffer.set_string(view.area.x, line, number, theme.labels());
        }
        if p.y() == view.first.1 {
            let letter = char::from(b'a' + p.x()).to_string();
            buffer.set_string(column, ground.bottom(), letter, theme.labels());
        }
    }
}

/// A stone as a symbol.
pub(super) fn stone(cell: Cell, theme: Theme) -> (&'static str, Style) {
    match cell {
        Cell::White => (theme.symbol("○", "O"), theme.white()),
        _ => (theme.symbol("●", "X"), theme.black()),
    }
}

/// A stone on the board around `place`. Without colours all filled shapes look the same, so stones
/// remain symbols.
fn draw_stone(buffer: &mut Buffer, place: (u16, u16), color: Color, cells: Cells, theme: Theme) {
    let (symbol, style) = stone(color.into(), theme);
    let shape = match cells.rows {
        rows @ 2.. if theme.is_unicode() && theme.has_colors() => STONES[usize::from(rows) - 2],
        _ => &[symbol],
    };
    let top = place.1 - shape.len() as u16 / 2;
    for (line, text) in (top..).zip(shape) {
        let left = place.0 - text.chars().count() as u16 / 2;
        buffer.set_string(left, line, text, style);
    }
}

/// A number in two columns, as far as it fits: of three digits the last two.
pub(super) fn two_digits(number: usize) -> String {
    match number {
        ..100 => format!("{number:>2}"),
        _ => format!("{:02}", number % 100),
    }
}

/// The number of a move in place of the middle of its stone.
fn draw_number(buffer: &mut Buffer, place: (u16, u16), color: Color, number: usize, theme: Theme) {
    let text = two_digits(number);
    buffer.set_string(place.0 - 1, place.1, text, theme.numbered(color));
}

/// The lines that meet on a free cell.
fn crossing(board: &Board, stars: &[Point], p: Point, theme: Theme) -> &'static str {
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
        _ if stars.contains(&p) => "╋",
        _ => "┼",
    }
}
