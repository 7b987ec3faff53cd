//! The panel beside the board: players and clocks, the current step, the engine's analysis, and the
//! moves.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::describe;
use super::theme::Theme;
use super::{board, chart};
use crate::cli::wrap::{wrapped, wrapped_and_cut};
use crate::play::game::Action;
use crate::play::model::{Model, Purpose};
use tengen::openings::Choice;
use tengen::types::Color;

/// Rows of the chart of win rates.
const CHART: u16 = 3;
/// Fewest rows of moves with a chart above them.
const LEAST_MOVES: u16 = 3;

/// Writes lines into an area from top to bottom, until it is full.
struct PanelWriter<'a> {
    area: Rect,
    row: u16,
    buffer: &'a mut Buffer,
}

impl PanelWriter<'_> {
    fn left(&self) -> u16 {
        self.area.height.saturating_sub(self.row)
    }

    fn skip(&mut self) {
        self.row += 1;
    }

    /// A line, cut at the edge.
    fn line(&mut self, text: &str, style: Style) {
        if self.left() > 0 {
            let width = usize::from(self.area.width);
            let y = self.area.y + self.row;
            self.buffer.set_stringn(self.area.x, y, text, width, style);
        }
        self.row += 1;
    }

    /// A text on several lines, `most` at most.
    fn text(&mut self, text: &str, most: usize, style: Style) {
        for line in wrapped_and_cut(text, self.area.width.into(), most) {
            self.line(&line, style);
        }
    }
}

/// Draws everything into `area`, the most important first.
pub(super) fn draw(model: &Model, area: Rect, now: Instant, theme: Theme, buffer: &mut Buffer) {
    let mut writer = PanelWriter {
        area,
        row: 0,
        buffer,
    };
    writer.text(&describe::title(model), 2, theme.strong());
    let is_roomy = area.height >= 14;
    if is_roomy {
        writer.skip();
    }
    for color in Color::BOTH {
        player(model, color, now, theme, &mut writer);
    }
    if is_roomy {
        writer.skip();
    }
    writer.text(&describe::state(model), 5, theme.strong());
    if model.game().player().is_none() {
        writer.text(&describe::after_the_end(model), 5, Style::new());
    }
    thoughts(model, now, theme, &mut writer);
    if is_roomy {
        writer.skip();
    }
    game(model, theme, &mut writer);
}

/// A player: stone, name and clock; an arrow where it is his turn.
fn player(model: &Model, color: Color, now: Instant, theme: Theme, writer: &mut PanelWriter) {
    let game = model.game();
    let holder = game.holder(color);
    let is_turn = game.player() == Some(holder);
    let arrow = if is_turn {
        theme.symbol("▶", ">")
    } else {
        " "
    };
    let (stone, _) = board::stone(color.into(), theme);
    let name = match describe::holder(model, color) {
        "" => describe::capital(color).to_string(),
        who => format!("{} {who}", describe::capital(color)),
    };
    let clock = model.clock(holder, now).map(describe::clock);
    let style = if is_turn {
        theme.strong()
    } else {
        Style::new()
    };
    let text = format!("{arrow} {stone} {name:<12}  {}", clock.unwrap_or_default());
    writer.line(&text, style);
}

/// The engine's thoughts or its advice.
fn thoughts(model: &Model, now: Instant, theme: Theme, writer: &mut PanelWriter) {
    let height = model.game().setup().height;
    let (head, report) = if let Some(thinking) = model.thinking() {
        let seconds = now.saturating_duration_since(thinking.since).as_secs();
        let head = match thinking.purpose {
            Purpose::Turn => format!("{seconds} s"),
            Purpose::Hint => format!("Looking for a hint, {seconds} s"),
        };
        (head, thinking.latest.as_ref())
    } else if let Some(hint) = model.hint() {
        let head = format!("Hint: {}", describe::advice(hint, height));
        (head, hint.line.as_ref())
    } else {
        return;
    };
    writer.text(&head, 2, Style::new());
    if let Some(report) = report.filter(|_| model.display().values) {
        let color = model.game().board().side_to_move();
        writer.text(&describe::search(report, color), 2, Style::new());
        writer.text(&describe::line(report, height), 2, theme.faint());
    }
}

/// The win rates and the moves so far.
fn game(model: &Model, theme: Theme, writer: &mut PanelWriter) {
    let game = model.game();
    let values = game.black_wins();
    let numbers = game.move_numbers();
    let valued = values.iter().zip(&numbers).rev();
    if model.display().values
        && let Some((value, numbers)) = valued.into_iter().find_map(|(v, n)| Some(((*v)?, n)))
        && writer.left() > CHART + 2 + LEAST_MOVES
    {
        let mut text = describe::win_rate(value);
        if let Some(number) = describe::number(numbers) {
            text.push_str(&format!(" (move {number})"));
        }
        writer.line(&text, Style::new());
        let area = Rect {
            y: writer.area.y + writer.row,
            height: CHART,
            ..writer.area
        };
        chart::draw(&values, area, theme, writer.buffer);
        writer.row += CHART + 1;
    }
    if let Some(opening) = describe::named_opening(game) {
        writer.line(&format!("Opening {opening}"), theme.faint());
    }
    moves(model, theme, writer);
}

/// The latest moves, as many as there is room for.
fn moves(model: &Model, theme: Theme, writer: &mut PanelWriter) {
    let game = model.game();
    let height = game.setup().height;
    let numbered = game.turns().iter().zip(game.move_numbers());
    let texts: Vec<String> = numbered
        .map(|(turn, numbers)| {
            let number = describe::number(&numbers).map_or_else(String::new, |n| n + ".");
            match (turn.stones().len(), &turn.action) {
                (1, Action::Put(_) | Action::Choose(Choice::Put(_))) => {
                    number + &turn.action.text(height)
                }
                _ => format!("{number}{};", describe::turn(model, turn)),
            }
        })
        .collect();
    let rows = usize::from(writer.left());
    // From the end on, until the room is used up.
    let mut lines = Vec::new();
    for start in (0..texts.len()).rev() {
        let text = texts[start..].join(" ");
        let attempt = wrapped(&text, writer.area.width.into());
        if attempt.len() > rows {
            break;
        }
        lines = attempt;
    }
    for line in lines {
        writer.line(&line, theme.faint());
    }
}
