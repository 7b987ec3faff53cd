//! The layout of the screen: the board, the panel beside or above it, and the typed line at the
//! bottom.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::Ui;
use super::board::{self, Cells, View};
use super::keys;
use super::line;
use super::panel;
use crate::play::command::{HELP, OPENING_HELP};
use tengen::board::Board;

/// Fewest columns of a readable panel.
const PANEL: u16 = 24;
/// Columns that the panel keeps when the board's cells grow.
const ROOMY_PANEL: u16 = 36;
/// Rows of the panel above the board where there is no room beside it.
const FLAT_PANEL: u16 = 5;
/// Smallest screen; on smaller ones nothing is shown.
const LEAST: (u16, u16) = (20, 8);
/// The keys that everyone needs.
const KEYS: &str = "click, h8, or arrows and Enter: play   Tab hint   ^Z undo   Esc now   ? help";
/// The same keys after a typed line was refused.
const KEYS_AFTER_REFUSAL: &str = "Up: the refused line again, to correct it   ? help";

/// The parts of the screen.
struct Layout {
    board: Rect,
    cells: Cells,
    panel: Rect,
    /// Keys that help; empty where there is no room.
    keys: Rect,
    /// The typed line and the latest message.
    line: Rect,
}

impl Layout {
    fn new(ui: &Ui, area: Rect) -> Layout {
        let board = ui.model.game().board();
        let cells = cells(board, area, ui.model.display().numbers);
        let (width, height) = cells.size(board);
        let line_rows = line::rows(ui, area);
        let rest = area.height - line_rows;
        let line = Rect {
            y: area.y + rest,
            height: line_rows,
            ..area
        };
        let has_keys = rest > height;
        let keys = Rect {
            y: area.y + rest.saturating_sub(1),
            height: has_keys.into(),
            ..area
        };
        let rest = rest - u16::from(has_keys);
        let above = Rect {
            height: rest,
            ..area
        };
        let (board, panel) = if area.width >= width + 1 + PANEL {
            let board = Rect {
                width,
                height: height.min(rest),
                ..above
            };
            let panel = Rect {
                x: area.x + width + 1,
                width: area.width - width - 1,
                ..above
            };
            (board, panel)
        } else {
            let flat = FLAT_PANEL.min(rest / 3);
            let board = Rect {
                y: area.y + flat,
                height: rest - flat,
                ..above
            };
            let panel = Rect {
                height: flat,
                ..above
            };
            (board, panel)
        };
        Layout {
            board,
            cells,
            panel,
            keys,
            line,
        }
    }
}

/// The board's cells, as large as the panel, the keys and the typed line allow. With one row the
/// board may have to scroll.
fn cells(board: &Board, area: Rect, has_numbers: bool) -> Cells {
    let fits = |cells: &Cells| {
        let (width, height) = cells.size(board);
        width + 1 + ROOMY_PANEL <= area.width && height + 2 <= area.height
    };
    let all = (2..=board::MAX_ROWS).rev();
    all.map(|rows| Cells::new(rows, has_numbers))
        .find(fits)
        .unwrap_or(Cells::new(1, has_numbers))
}

/// The shown part of the board on a screen of that size.
pub(super) fn board_view(ui: &Ui, area: Rect) -> View {
    let layout = Layout::new(ui, area);
    let board = ui.model.game().board();
    View::new(board, layout.board, ui.input_state.cursor, layout.cells)
}

/// Draws the whole screen.
pub(super) fn draw(ui: &Ui, area: Rect, now: Instant, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = "too small";
        buffer.set_stringn(area.x, area.y, text, area.width.into(), Style::new());
        return;
    }
    let layout = Layout::new(ui, area);
    let view = board_view(ui, area);
    board::draw(&ui.model, ui.input_state.cursor, view, ui.theme, buffer);
    panel::draw(&ui.model, layout.panel, now, ui.theme, buffer);
    if !layout.keys.is_empty() {
        let keys = match ui.input_state.offers_refused_line() {
            true => KEYS_AFTER_REFUSAL,
            false => KEYS,
        };
        let width = layout.keys.width.into();
        buffer.set_stringn(layout.keys.x, layout.keys.y, keys, width, ui.theme.faint());
    }
    line::draw(ui, layout.line, buffer);
    if ui.input_state.shows_help {
        draw_help(ui, area, buffer);
    }
}

/// Place of the text cursor: behind the typed text.
pub(super) fn caret(ui: &Ui, area: Rect) -> Option<(u16, u16)> {
    line::caret(ui, Layout::new(ui, area).line)
}

/// All keys and commands, over everything else.
fn draw_help(ui: &Ui, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    let sections = [
        ("Keys", keys::HELP),
        ("Typed", HELP),
        ("Opening", OPENING_HELP),
    ];
    let rows: usize = sections.iter().map(|(_, entries)| entries.len()).sum();
    let spare = area.height.saturating_sub(rows as u16);
    let mut y = area.y;
    for (i, (title, entries)) in sections.into_iter().enumerate() {
        y += u16::from(i > 0 && spare >= i as u16);
        for (row, (what, meaning)) in entries.iter().enumerate() {
            if y >= area.bottom() {
                return;
            }
            let title = if row == 0 { title } else { "" };
            let width = area.width.into();
            buffer.set_stringn(area.x, y, title, width, ui.theme.strong());
            let text = format!("{what:<33} {meaning}");
            let x = area.x + 9.min(area.width);
            let room = usize::from(area.right().saturating_sub(x));
            buffer.set_stringn(x, y, text, room, Style::new());
            y += 1;
        }
    }
}
