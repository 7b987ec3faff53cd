//! A screen of text cells as a drawing (SVG).

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Size of a cell and of its letters.
const WIDTH: f32 = 9.6;
const HEIGHT: f32 = 20.0;
const FONT_SIZE: f32 = 16.0;
/// Space around the screen.
const MARGIN: f32 = 12.0;
/// A terminal with dark letters on a light ground.
const GROUND: &str = "#fbfbfa";
const INK: &str = "#24292f";
/// The terminal's own first 16 colours.
const BASIC: [&str; 16] = [
    "#24292f", "#b3261e", "#1a7f37", "#9a6700", "#0550ae", "#8250df", "#1b7c83", "#6e7781",
    "#57606a", "#cf222e", "#2da44e", "#bf8700", "#218bff", "#a475f9", "#3192aa", "#8c959f",
];

/// The screen with its background colours, letters, stones and lines. Stones, lines and bars are
/// drawn as shapes, because fonts differ in them.
pub(super) fn svg(screen: &Buffer) -> String {
    let (columns, rows) = (screen.area.width, screen.area.height);
    let (width, height) = (
        f32::from(columns) * WIDTH + 2.0 * MARGIN,
        f32::from(rows) * HEIGHT + 2.0 * MARGIN,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"{FONT_SIZE}\" stroke-width=\"1.2\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{GROUND}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\">\n"
    );
    let row = |y| (0..columns).map(move |x| &screen[(x, y)]);
    for y in 0..rows {
        let cells: Vec<&Cell> = row(y).collect();
        backgrounds(&cells, f32::from(y) * HEIGHT, &mut svg);
    }
    // Stones cover the lines around them.
    let mut above_lines = String::new();
    for y in 0..rows {
        let cells: Vec<&Cell> = row(y).collect();
        symbols(&cells, f32::from(y) * HEIGHT, &mut svg, &mut above_lines);
    }
    svg.push_str(&above_lines);
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// A rectangle for each run of cells with the same background.
fn backgrounds(cells: &[&Cell], top: f32, svg: &mut String) {
    let mut left = 0.0;
    for run in cells.chunk_by(|a, b| a.bg == b.bg) {
        let width = run.len() as f32 * WIDTH;
        if run[0].bg != Color::Reset {
            let fill = rgb(run[0].bg, GROUND);
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
                 fill=\"{fill}\" shape-rendering=\"crispEdges\"/>"
            );
        }
        left += width;
    }
}

/// A shape for each symbol that has one, and a text for each word of one style. Lines go to
/// `lines`, everything else to `others`.
fn symbols(cells: &[&Cell], top: f32, lines: &mut String, others: &mut String) {
    let is_letter = |cell: &Cell| cell.symbol() != " " && shape(cell, 0.0, 0.0).is_none();
    let is_word = |a: &&Cell, b: &&Cell| is_letter(a) && is_letter(b) && a.style() == b.style();
    let mut left = 0.0;
    for run in cells.chunk_by(is_word) {
        if let Some(shape) = shape(run[0], left, top) {
            let is_line = shape.starts_with("<path");
            let layer = if is_line { &mut *lines } else { &mut *others };
            let _ = writeln!(layer, "{shape}");
        } else if run[0].symbol() != " " {
            let text: String = run.iter().map(|cell| escaped(cell.symbol())).collect();
            let weight = match run[0].modifier.contains(Modifier::BOLD) {
                true => " font-weight=\"bold\"",
                false => "",
            };
            let (fill, y) = (rgb(run[0].fg, INK), top + 0.74 * HEIGHT);
            let _ = writeln!(
                others,
                "<text x=\"{left:.1}\" y=\"{y}\" fill=\"{fill}\"{weight}>{text}</text>"
            );
        }
        left += run.len() as f32 * WIDTH;
    }
}

/// The symbol of a cell at `left`, `top` as a shape, if it is a stone, a line or a bar.
fn shape(cell: &Cell, left: f32, top: f32) -> Option<String> {
    let color = rgb(cell.fg, INK);
    let (x, y) = (left + WIDTH / 2.0, top + HEIGHT / 2.0);
    let (right, bottom) = (left + WIDTH, top + HEIGHT);
    let symbol = cell.symbol().chars().next()?;
    let lines = |to_left, to_right, up, down| {
        let ends = [
            (to_left, left, y),
            (to_right, right, y),
            (up, x, top),
            (down, x, bottom),
        ];
        let drawn = ends.iter().filter(|(is_drawn, ..)| *is_drawn);
        let path: String = drawn
            .map(|(_, a, b)| format!("M{x:.1} {y}L{a:.1} {b}"))
            .collect();
        format!("<path d=\"{path}\" stroke=\"{color}\"/>")
    };
    let circle = |radius: f32, fill: &str| {
        format!(
            "<circle cx=\"{x:.1}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{color}\"/>"
        )
    };
    Some(match symbol {
        '●' => circle(7.0, &color),
        // Without a colour of its own the stone is a ring.
        '○' if cell.fg == Color::Reset => circle(6.6, "none"),
        '○' => circle(7.0, &color),
        '┌' => lines(false, true, false, true),
        '┐' => lines(true, false, false, true),
        '└' => lines(false, true, true, false),
        '┘' => lines(true, false, true, false),
        '├' => lines(false, true, true, true),
        '┤' => lines(true, false, true, true),
        '┬' => lines(true, true, false, true),
        '┴' => lines(true, true, true, false),
        '─' => lines(true, true, false, false),
        '┼' => lines(true, true, true, true),
        '╋' => lines(true, true, true, true) + &circle(2.0, &color),
        // Eighths of a cell, filled from below.
        '▁'..='█' => {
            let filled = HEIGHT * (symbol as u32 - '▁' as u32 + 1) as f32 / 8.0;
            let top = bottom - filled;
            format!(
                "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{filled}\" \
                 fill=\"{color}\" shape-rendering=\"crispEdges\"/>"
            )
        }
        _ => return None,
    })
}

/// A terminal's colour, or `default` where it has none of its own.
fn rgb(color: Color, default: &str) -> String {
    let hex = |r: u8, g: u8, b: u8| format!("#{r:02x}{g:02x}{b:02x}");
    match color {
        Color::Indexed(n @ 16..=231) => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let n = n - 16;
            hex(level(n / 36), level(n / 6 % 6), level(n % 6))
        }
        Color::Indexed(n @ 232..) => {
            let grey = 8 + 10 * (n - 232);
            hex(grey, grey, grey)
        }
        Color::Indexed(n) => BASIC[usize::from(n)].to_string(),
        Color::Rgb(r, g, b) => hex(r, g, b),
        Color::Red => BASIC[1].to_string(),
        _ => default.to_string(),
    }
}

fn escaped(symbol: &str) -> &str {
    match symbol {
        "<" => "&lt;",
        ">" => "&gt;",
        "&" => "&amp;",
        symbol => symbol,
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn cells_become_words_shapes_and_backgrounds() {
        let mut screen = Buffer::empty(Rect::new(0, 0, 9, 1));
        screen.set_string(0, 0, "a<b cd", Style::new());
        screen.set_string(6, 0, "─●", Style::new().bg(Color::Indexed(179)));
        let svg = svg(&screen);
        assert!(
            svg.contains(">a&lt;b</text>") && svg.contains(">cd</text>"),
            "{svg}"
        );
        assert_eq!(svg.matches("<circle").count(), 1);
        assert_eq!(svg.matches("<path").count(), 1);
        assert_eq!(svg.matches("fill=\"#d7af5f\"").count(), 1);
    }

    #[test]
    fn colours_are_those_of_the_256() {
        assert_eq!(rgb(Color::Indexed(16), INK), "#000000");
        assert_eq!(rgb(Color::Indexed(231), INK), "#ffffff");
        assert_eq!(rgb(Color::Indexed(245), INK), "#8a8a8a");
        assert_eq!(rgb(Color::Reset, INK), INK);
    }
}
