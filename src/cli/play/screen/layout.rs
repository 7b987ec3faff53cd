//! The layout of the screen: the board, the panel beside it or above it, and at the
//! bottom the line that is typed.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::Ui;
use super::board::{self, View};
use super::keys;
use super::panel;
use crate::play::command::{HELP, OPENING_HELP};

/// Fewest columns in which the panel can be read.
const PANEL: u16 = 24;
/// Rows of the panel above the board where there is no room beside it.
const FLAT_PANEL: u16 = 5;
/// On smaller screens nothing can be shown.
const LEAST: (u16, u16) = (20, 8);
const PROMPT: &str = "> ";

/// The parts of the screen.
struct Layout {
    board: Rect,
    panel: Rect,
    /// Keys that help; empty where there is no room.
    keys: Rect,
    line: Rect,
}

impl Layout {
    fn new(ui: &Ui, area: Rect) -> Layout {
        let (width, height) = board::size(ui.model.game().board());
        let (rest, line) = (area.height.saturating_sub(1), 1.min(area.height));
        let line = Rect {
            y: area.y + rest,
            height: line,
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
        if area.width >= width + 1 + PANEL {
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
            return Layout {
                board,
                panel,
                keys,
                line,
            };
        }
        let flat = FLAT_PANEL.min(rest / 3);
        Layout {
            board: Rect {
                y: area.y + flat,
                height: rest - flat,
                ..above
            },
            panel: Rect {
                height: flat,
                ..above
            },
            keys,
            line,
        }
    }
}

/// The part of the board that is shown on a screen of that size.
pub(super) fn board_view(ui: &Ui, area: Rect) -> View {
    let board = ui.model.game().board();
    View::new(board, Layout::new(ui, area).board, ui.input_state.cursor)
}

/// Draws the whole screen.
pub(super) fn draw(ui: &Ui, area: Rect, now: Instant, buffer: &mut Buffer) {
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
        let keys = "arrows Enter or h8: play   Tab hint   ^Z undo   Esc move now   ? help";
        let width = layout.keys.width.into();
        buffer.set_stringn(layout.keys.x, layout.keys.y, keys, width, ui.theme.faint());
    }
    draw_line(ui, layout.line, buffer);
    if ui.input_state.shows_help {
        draw_help(ui, area, buffer);
    }
}

/// Where the text cursor stands: behind what was typed.
pub(super) fn caret(ui: &Ui, area: Rect) -> Option<(u16, u16)> {
    let line = Layout::new(ui, area).line;
    let typed = shown_input(ui, line).chars().count() + PROMPT.len();
    let has_caret = !ui.input_state.shows_help && !ui.input_state.input.is_empty();
    has_caret.then(|| (line.x + typed as u16, line.y))
}

/// The end of what was typed, as far as it fits.
fn shown_input(ui: &Ui, line: Rect) -> String {
    let room = usize::from(line.width).saturating_sub(PROMPT.len() + 1);
    let count = ui.input_state.input.chars().count();
    let hidden = count.saturating_sub(room);
    ui.input_state.input.chars().skip(hidden).collect()
}

/// The bottom line: the typed text and the latest message.
fn draw_line(ui: &Ui, line: Rect, buffer: &mut Buffer) {
    let input = format!("{PROMPT}{}", shown_input(ui, line));
    let told = match (&ui.wrong, ui.model.notice()) {
        (Some(wrong), _) => Some((wrong.as_str(), true)),
        // What was done is old news once the next line is begun.
        (None, Some(notice)) if notice.is_error || ui.input_state.input.is_empty() => {
            Some((notice.text.as_str(), notice.is_error))
        }
        (None, _) => None,
    };
    buffer.set_string(line.x, line.y, &input, Style::new());
    let Some((text, is_error)) = told else {
        return;
    };
    let style = match is_error {
        true => ui.theme.error(),
        false => ui.theme.strong(),
    };
    let used = input.chars().count() as u16 + 2;
    let x = line.x
        + if ui.input_state.input.is_empty() {
            2
        } else {
            used
        };
    let room = line.width.saturating_sub(x - line.x);
    buffer.set_stringn(x, line.y, text, room.into(), style);
}

/// All keys and commands, over everything else.
fn draw_help(ui: &Ui, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    let sections = [
        ("Keys", keys::HELP),
        ("Typed", HELP),
        ("Opening", OPENING_HELP),
    ];
    let spare = area.height.saturating_sub(22);
    let mut y = area.y;
    for (i, (title, entries)) in sections.into_iter().enumerate() {
        y += u16::from(i > 0 && spare > i as u16);
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
