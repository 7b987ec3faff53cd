//! The bottom of the screen: the typed line and the latest message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Ui;
use crate::cli::wrap::{columns, wrapped_and_cut};

const PROMPT: &str = "> ";

/// Rows of the typed line and a message on a screen of that size. A message too long for the space
/// behind the typed text has rows of its own above the line.
pub(super) fn rows(ui: &Ui, area: Rect) -> u16 {
    let lines = message_lines(ui, area.width.into(), usize::from(area.height / 2));
    (lines.len() as u16 + 1).min(area.height)
}

/// Draws both into `area`, which has [`rows`].
pub(super) fn draw(ui: &Ui, area: Rect, buffer: &mut Buffer) {
    let Some(last) = area.rows().next_back() else {
        return;
    };
    let input = format!("{PROMPT}{}", shown_input(ui, area));
    buffer.set_stringn(last.x, last.y, &input, last.width.into(), Style::new());
    let Some((text, is_error)) = message(ui) else {
        return;
    };
    let style = match is_error {
        true => ui.theme.error(),
        false => ui.theme.strong(),
    };
    let lines = message_lines(ui, area.width.into(), usize::from(area.height) - 1);
    if lines.is_empty() {
        let x = last.x + message_column(ui) as u16;
        buffer.set_string(x, last.y, text, style);
    }
    for (row, line) in area.rows().zip(&lines) {
        buffer.set_stringn(row.x, row.y, line, row.width.into(), style);
    }
}

/// Place of the caret in the typed text.
pub(super) fn caret(ui: &Ui, area: Rect) -> Option<(u16, u16)> {
    let input = &ui.input_state.input;
    let before = input.visual_cursor() - input.visual_scroll(room(area)).min(input.visual_cursor());
    let has_caret = !ui.input_state.shows_help && !input.value().is_empty();
    let last = area.rows().next_back()?;
    let x = (PROMPT.len() + before) as u16;
    (has_caret && x < last.width).then(|| (last.x + x, last.y))
}

/// Columns for the typed text and the caret behind it.
fn room(area: Rect) -> usize {
    usize::from(area.width).saturating_sub(PROMPT.len() + 1)
}

/// The typed text from the first letter on that leaves the caret on the screen.
fn shown_input(ui: &Ui, area: Rect) -> &str {
    let input = &ui.input_state.input;
    let scroll = input.visual_scroll(room(area));
    let text = input.value();
    let mut starts = text.char_indices().map(|(at, _)| at);
    let first = starts.find(|&at| columns(&text[..at]) >= scroll);
    &text[first.unwrap_or(text.len())..]
}

/// The latest message; the flag is true for an error.
fn message(ui: &Ui) -> Option<(&str, bool)> {
    match (&ui.wrong, ui.model.notice()) {
        (Some(wrong), _) => Some((wrong, true)),
        // The notice of the last action is old news once the next line is begun.
        (None, Some(notice)) if ui.input_state.input.value().is_empty() => {
            Some((&notice.text, notice.is_error))
        }
        (None, _) => None,
    }
}

/// First column of a message behind the typed text.
fn message_column(ui: &Ui) -> usize {
    match columns(ui.input_state.input.value()) {
        0 => PROMPT.len(),
        typed => PROMPT.len() + typed + 2,
    }
}

/// The message on `most` lines at most; none if the message stands behind the typed text.
fn message_lines(ui: &Ui, width: usize, most: usize) -> Vec<String> {
    match message(ui) {
        Some((text, _)) if message_column(ui) + columns(text) > width => {
            wrapped_and_cut(text, width, most)
        }
        _ => Vec::new(),
    }
}
