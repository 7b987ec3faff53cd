//! A game drawn with numbered stones, as text and as SVG.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::recorded_game::RecordedGame;
use crate::types::{Color, Point};

/// Each stone with its colour and number. A pass counts as a move.
fn stones(game: &RecordedGame) -> HashMap<Point, (Color, usize)> {
    let mut stones = HashMap::new();
    for (i, point) in game.points.iter().enumerate() {
        if let Some(p) = point {
            stones.entry(*p).or_insert((Color::BOTH[i % 2], i + 1));
        }
    }
    stones
}

/// The board with `X` and a number for each black stone, `O` for each white one.
pub fn text(game: &RecordedGame) -> String {
    let stones = stones(game);
    let digits = game.points.len().max(1).to_string().len();
    let cell = digits + 2;
    let mut text = format!("{}\n", game.title());
    for y in 0..game.height {
        let _ = write!(text, "{:>2}", game.height - y);
        for x in 0..game.width {
            let symbol = match stones.get(&Point::new(x, y)) {
                Some((Color::Black, n)) => format!("X{n}"),
                Some((Color::White, n)) => format!("O{n}"),
                None => ".".to_string(),
            };
            let _ = write!(text, "{symbol:>cell$}");
        }
        text.push('\n');
    }
    text.push_str("  ");
    for x in 0..game.width {
        let _ = write!(text, "{:>cell$}", (b'a' + x) as char);
    }
    let labels: Vec<String> = game
        .points
        .iter()
        .map(|p| p.map_or_else(|| "pass".to_string(), |p| p.label(game.height)))
        .collect();
    let _ = writeln!(text, "\n{}", labels.join(" "));
    text
}

/// Distance between two lines of the drawing, in its units.
const STEP: u32 = 32;

/// The board as a drawing for browsers and documents.
pub fn svg(game: &RecordedGame) -> String {
    let (columns, rows) = (u32::from(game.width), u32::from(game.height));
    // Half a step around the lines for stones, one for labels.
    let (left, top) = (2 * STEP, 2 * STEP);
    let (right, bottom) = (left + (columns - 1) * STEP, top + (rows - 1) * STEP);
    let at = |p: Point| {
        (
            left + u32::from(p.x()) * STEP,
            top + u32::from(p.y()) * STEP,
        )
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>\n",
        right + STEP,
        bottom + 2 * STEP,
        escape(&game.title())
    );
    text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#e8c98a\"/>\n");
    text.push_str("<g stroke=\"#503810\" stroke-width=\"1\">\n");
    for i in 0..columns {
        let x = left + i * STEP;
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"
        );
    }
    for i in 0..rows {
        let y = top + i * STEP;
        let _ = writeln!(
            text,
            "<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>"
        );
    }
    text.push_str("</g>\n<g font-size=\"14\" fill=\"#503810\">\n");
    for i in 0..columns {
        let letter = (b'a' + i as u8) as char;
        let (x, y) = (left + i * STEP, bottom + STEP);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\">{letter}</text>");
    }
    for i in 0..rows {
        let (x, y) = (left - STEP, top + i * STEP + 5);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\">{}</text>", rows - i);
    }
    text.push_str("</g>\n");
    let mut stones: Vec<_> = stones(game).into_iter().collect();
    stones.sort_by_key(|(_, (_, number))| *number);
    let last = stones.last().map(|(_, (_, number))| *number);
    for (p, (color, number)) in stones {
        let (x, y) = at(p);
        let (fill, ink) = match color {
            Color::Black => ("#101010", "#ffffff"),
            Color::White => ("#ffffff", "#101010"),
        };
        // The last stone's number stands out.
        let ink = if Some(number) == last { "#d02020" } else { ink };
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{fill}\" stroke=\"#101010\"/>\
             <text x=\"{x}\" y=\"{}\" font-size=\"13\" fill=\"{ink}\">{number}</text>",
            y + 5
        );
    }
    text.push_str("</svg>\n");
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> RecordedGame {
        RecordedGame {
            black: "A & B".to_string(),
            white: "<C>".to_string(),
            rule: String::new(),
            result: "black wins".to_string(),
            width: 6,
            height: 5,
            points: vec![
                Some(Point::new(2, 2)),
                None,
                Some(Point::new(0, 4)),
                Some(Point::new(5, 0)),
            ],
        }
    }

    #[test]
    fn stones_have_colours_and_numbers() {
        let expected = [
            "A & B - <C>, 6x5, black wins",
            " 5  .  .  .  .  . O4",
            " 4  .  .  .  .  .  .",
            " 3  .  . X1  .  .  .",
            " 2  .  .  .  .  .  .",
            " 1 X3  .  .  .  .  .",
            "    a  b  c  d  e  f",
            "c3 pass a1 f5",
        ];
        assert_eq!(text(&game()).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_drawing_has_every_line_stone_and_escaped_name() {
        let svg = svg(&game());
        assert_eq!(svg.matches("<line").count(), 6 + 5);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("<title>A &amp; B - &lt;C&gt;, 6x5"));
        assert!(svg.contains("fill=\"#d02020\">4</text>"), "the last stone");
    }
}
