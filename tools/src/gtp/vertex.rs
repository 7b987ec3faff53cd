//! Vertices and colours of the Go Text Protocol: letters without I, rows from the bottom.

use tengen::board::Board;
use tengen::types::{Color, Point};

/// Reads a vertex of `board`, in any letter case; `Some(None)` is a pass.
pub fn parse_vertex(text: &str, board: &Board) -> Option<Option<Point>> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(None);
    }
    let (letter, number) = text.split_at_checked(1)?;
    let letter = letter.as_bytes()[0].to_ascii_uppercase();
    let x = match letter {
        b'A'..=b'H' => letter - b'A',
        b'J'..=b'Z' => letter - b'A' - 1,
        _ => return None,
    };
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let row: u8 = number.parse().ok()?;
    let is_on_board = x < board.width() && (1..=board.height()).contains(&row);
    is_on_board.then(|| Some(Point::new(x, board.height() - row)))
}

/// The end of the refusal of a point in the column that the protocol leaves out; else empty.
pub fn column_note(text: &str) -> &'static str {
    let mut letters = text.chars();
    let is_letter = letters.next().is_some_and(|c| c.eq_ignore_ascii_case(&'i'));
    let is_point = is_letter && text.len() > 1 && letters.all(|c| c.is_ascii_digit());
    match is_point {
        true => ": this protocol has no column I, J follows H",
        false => "",
    }
}

/// The letter of a column, counted from 0.
pub fn column_letter(x: u8) -> char {
    char::from(b'A' + x + u8::from(x >= b'I' - b'A'))
}

/// The vertex of a point on a board of `height` rows.
pub fn vertex_of(p: Point, height: u8) -> String {
    format!("{}{}", column_letter(p.x()), height - p.y())
}

/// Reads a colour: `b`, `black`, `w` or `white`, in any letter case.
pub fn parse_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letter_i_is_left_out() {
        let board = Board::new(22, 22).unwrap();
        let point = |text: &str| parse_vertex(text, &board);
        assert_eq!(point("h22"), Some(Some(Point::new(7, 0))));
        assert_eq!(point("J1"), Some(Some(Point::new(8, 21))));
        assert_eq!(point("w1"), Some(Some(Point::new(21, 21))));
        assert_eq!(point("Pass"), Some(None));
        for bad in [
            "", "i5", "x1", "a0", "a23", "a", "5", "a+1", "a1b", "é1", "a256",
        ] {
            assert_eq!(point(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_point_comes_back() {
        for (width, height) in [(5, 5), (15, 15), (22, 9)] {
            let board = Board::new(width, height).unwrap();
            for p in board.points() {
                let text = vertex_of(p, board.height());
                assert_eq!(parse_vertex(&text, &board), Some(Some(p)));
            }
        }
    }
}
