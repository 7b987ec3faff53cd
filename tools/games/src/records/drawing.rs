//! A game drawn with numbered stones, as text and as SVG.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::RecordedGame;
use tengen::board::{Board, Cell, Move};
use tengen::types::{Color, Point};

/// Each stone with its colour and its number; stones that were set up have no number. A pass counts
/// as a move.
fn stones(game: &RecordedGame) -> HashMap<Point, (Color, Option<usize>)> {
    let set_up = game.start.stones().iter();
    let mut stones: HashMap<_, _> = set_up.map(|s| (s.point, (s.color, None))).collect();
    for (number, Move { color, point }) in (1..).zip(&game.moves) {
        if let Some(p) = point {
            stones.insert(*p, (*color, Some(number)));
        }
    }
    stones
}

/// The board with `X` and a number for each black stone, `O` for each white one.
pub fn text(game: &RecordedGame) -> String {
    let stones = stones(game);
    let digits = game.moves.len().max(1).to_string().len();
    let cell = digits + 2;
    let (width, height) = (game.start.width(), game.start.height());
    let mut text = format!("{}\n", game.title());
    for y in 0..height {
        let _ = write!(text, "{:>2}", height - y);
        for x in 0..width {
            let p = Point::new(x, y);
            let symbol = match stones.get(&p) {
                Some((color, number)) => {
                    let letter = match color {
                        Color::Black => 'X',
                        Color::White => 'O',
                    };
                    let number = number.map(|n| n.to_string()).unwrap_or_default();
                    format!("{letter}{number}")
                }
                None if game.start.cell(p) == Cell::Blocked => "#".to_string(),
                None => ".".to_string(),
            };
            let _ = write!(text, "{symbol:>cell$}");
        }
        text.push('\n');
    }
    text.push_str("  ");
    for x in 0..width {
        let _ = write!(text, "{:>cell$}", (b'a' + x) as char);
    }
    let _ = writeln!(text, "\n{}", game.labels().join(" "));
    text
}

/// Distance between two lines of the drawing, in its units.
const STEP: u32 = 32;

/// The board as a drawing for browsers and documents.
pub fn svg(game: &RecordedGame) -> String {
    let (columns, rows) = (
        u32::from(game.start.width()),
        u32::from(game.start.height()),
    );
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
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" font-size=\"15\" fill=\"#503810\">{}</text>",
        (left + right) / 2,
        STEP * 3 / 4,
        escape(&game.title())
    );
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
    for p in star_points(&game.start) {
        let (x, y) = at(p);
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"#503810\"/>"
        );
    }
    for p in game.start.points() {
        if game.start.cell(p) == Cell::Blocked {
            let (x, y) = at(p);
            let (x, y) = (x - STEP / 2, y - STEP / 2);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{STEP}\" height=\"{STEP}\" fill=\"#503810\"/>"
            );
        }
    }
    let mut stones: Vec<_> = stones(game).into_iter().collect();
    stones.sort_by_key(|(p, (_, number))| (*number, p.y(), p.x()));
    let last = stones.last().and_then(|(_, (_, number))| *number);
    for (p, (color, number)) in stones {
        let (x, y) = at(p);
        let (fill, ink) = match color {
            Color::Black => ("#101010", "#ffffff"),
            Color::White => ("#ffffff", "#101010"),
        };
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{fill}\" stroke=\"#101010\"/>"
        );
        let Some(number) = number else { continue };
        // The last stone's number has a colour of its own.
        let ink = if Some(number) == last { "#d02020" } else { ink };
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{}\" font-size=\"13\" fill=\"{ink}\">{number}</text>",
            y + 5
        );
    }
    text.push_str("</svg>\n");
    text
}

/// The dots of a drawn board: the middle of a board with odd sides, and a point near each corner of
/// a larger board.
pub fn star_points(board: &Board) -> Vec<Point> {
    let (width, height) = (board.width(), board.height());
    let mut points = Vec::new();
    let short = width.min(height);
    if short >= 9 {
        let inset = if short >= 13 { 3 } else { 2 };
        for y in [inset, height - 1 - inset] {
            points.extend([inset, width - 1 - inset].map(|x| Point::new(x, y)));
        }
    }
    if width % 2 == 1 && height % 2 == 1 {
        points.push(Point::new(width / 2, height / 2));
    }
    points
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::board::Board;

    fn game() -> RecordedGame {
        let mut game = RecordedGame::from_position(Board::new(6, 5).unwrap());
        game.black = "A & B".to_string();
        game.white = "<C>".to_string();
        game.result = "black wins".to_string();
        let mut board = game.start.clone();
        let places = [Some((2, 2)), None, Some((0, 4)), Some((5, 0))];
        for (i, place) in places.into_iter().enumerate() {
            game.add(&mut board, Color::BOTH[i % 2], place).unwrap();
        }
        game
    }

    /// The same game with stones and a block that were set up.
    fn set_up() -> RecordedGame {
        let mut game = game();
        game.start.put(Point::new(1, 0), Color::White);
        game.start.put(Point::new(1, 1), Color::Black);
        game.start.block(Point::new(4, 4));
        game
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
    fn stones_that_were_set_up_have_no_number() {
        let text = text(&set_up());
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[1], " 5  .  O  .  .  . O4");
        assert_eq!(rows[2], " 4  .  X  .  .  .  .");
        assert_eq!(rows[5], " 1 X3  .  .  .  #  .");
        let svg = svg(&set_up());
        assert_eq!(svg.matches("<circle").count(), 5);
        assert_eq!(svg.matches("font-size=\"13\"").count(), 3);
        assert_eq!(svg.matches("<rect").count(), 2);
    }

    #[test]
    fn boards_have_the_usual_dots() {
        let labels = |width, height| -> Vec<String> {
            let board = Board::new(width, height).unwrap();
            let points = star_points(&board).into_iter();
            points.map(|p| p.label(board.height())).collect()
        };
        assert_eq!(labels(15, 15), ["d12", "l12", "d4", "l4", "h8"]);
        assert_eq!(labels(20, 20), ["d17", "q17", "d4", "q4"]);
        assert_eq!(labels(6, 5), [""; 0]);
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
