//! The course of the game: Black's expected points after each turn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::theme::Theme;

/// Eighths of a cell, filled from below.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws Black's share from below; the rest above it is White's. A turn without a value keeps the
/// previous share, at the beginning an even one.
pub(super) fn draw(values: &[Option<f64>], area: Rect, theme: Theme, buffer: &mut Buffer) {
    if area.is_empty() || values.is_empty() {
        return;
    }
    let mut latest = 0.5;
    let values: Vec<f64> = values
        .iter()
        .map(|value| {
            latest = value.unwrap_or(latest);
            latest
        })
        .collect();
    for column in 0..area.width {
        // The whole game takes the whole width.
        let turn = usize::from(column) * values.len() / usize::from(area.width);
        let filled = values[turn] * f64::from(area.height) * 8.0;
        for row in 0..area.height {
            let below = f64::from(area.height - 1 - row) * 8.0;
            let eighths = (filled - below).round().clamp(0.0, 8.0) as usize;
            let symbol = match theme.is_unicode() {
                true => EIGHTHS[eighths],
                false if eighths >= 4 => "#",
                false => ".",
            };
            let x = area.x + column;
            buffer.set_string(x, area.y + row, symbol, theme.chart());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(values: &[Option<f64>], is_unicode: bool) -> Vec<String> {
        let area = Rect::new(0, 0, 5, 2);
        let mut buffer = Buffer::empty(area);
        draw(values, area, Theme::plain(is_unicode), &mut buffer);
        let row = |y| {
            (0..5)
                .map(|x| buffer[(x, y)].symbol().to_string())
                .collect()
        };
        (0..2).map(row).collect()
    }

    #[test]
    fn blacks_share_grows_from_below() {
        let values = [None, Some(1.0), None, Some(0.25), Some(0.0)];
        assert_eq!(drawn(&values, true), [" ██  ", "███▄ "]);
        assert_eq!(drawn(&values, false), [".##..", "####."]);
    }

    #[test]
    fn the_whole_game_takes_the_whole_width() {
        let values: Vec<_> = (0..100).map(|i| Some(f64::from(i) / 99.0)).collect();
        assert_eq!(drawn(&values, true), ["   ▂▅", " ▃▆██"]);
        assert_eq!(drawn(&[Some(0.5)], true), ["     ", "█████"]);
    }
}
