use super::*;
use crate::board::{Board, Direction};
use crate::rules::Rule;
use crate::types::{Color, Point};

/// The shape of `*` for Black on a row of otherwise free cells; `X` black, `O` white, `|` the edge
/// at the left.
fn black_shape(rule: Rule, row: &str) -> Shape {
    let mut board = Board::new(22, 5).unwrap();
    let start = if row.starts_with('|') { 0 } else { 6 };
    let mut centre = None;
    for (i, c) in row.trim_start_matches('|').chars().enumerate() {
        let p = Point::new(start + i as u8, 2);
        match c {
            'X' => board.put(p, Color::Black),
            'O' => board.put(p, Color::White),
            '*' => centre = Some(p),
            _ => {}
        }
    }
    let window = board.lines().window(Direction::Horizontal, centre.unwrap());
    Tables::get(rule).shape(window, Color::Black)
}

#[test]
fn shapes_follow_from_the_rule() {
    use Rule::*;
    use Shape::*;
    for (rule, row, expected) in [
        (Freestyle, "XX*XX", Five),
        (Freestyle, "XXX*XX", Five),
        (Standard, "XXX*XX", Dead),
        (Renju, "XXX*XX", Overline),
        (Caro, "OXX*XXO", Dead),
        (Caro, "|XX*XXO", Five),
        (Caro, "OXXX*XXO", Five),
        (CaroExact, "OXXX*XXO", Dead),
        (Freestyle, ".XX*X.", StraightFour),
        // Beyond an end stands an opponent, so that a reply on the other end stops both fives.
        (Caro, "O.XX*X..", Four),
        (Caro, "|.XX*X..", StraightFour),
        (Caro, "..XX*X..", StraightFour),
        (Caro, "OX.X*X.XO", Four),
        (Caro, ".X.X*X.X.", LineDoubleFour),
        (Freestyle, "OXX*X.", Four),
        (Freestyle, "|XX*X.", Four),
        (Freestyle, "X.X*X.X", LineDoubleFour),
        (Renju, "X.X*X.X", LineDoubleFour),
        (Renju, "XX*X.X.", Four),
        (Renju, "XX.X*.XX", LineDoubleFour),
        (Renju, "XX.XX*.XX", Dead),
        (Renju, "XXX.*.XXX", LineDoubleFour),
        (Renju, "XX.XX*X.XX", Dead),
        (Renju, ".XX*X.X.", Four),
        (Freestyle, "..XX*..", WideThree),
        (Freestyle, "O.XX*..", OpenThree),
        (Freestyle, ".X.X*.", OpenThree),
        (Standard, "O.X*X.O", ClosedThree),
        (Renju, "O.X*X.O", ClosedThree),
        (Freestyle, "O.X*X.O", ClosedThree),
        (Freestyle, "OX*X..", ClosedThree),
        (Freestyle, "OX*X.O", Dead),
        (Freestyle, "...X*...", WideTwo),
        (Freestyle, "OX*...", ClosedTwo),
        (Freestyle, "....*....", OpenOne),
        (Freestyle, "O*....", ClosedOne),
        (Freestyle, "O*...O", Dead),
    ] {
        assert_eq!(black_shape(rule, row), expected, "{rule} {row}");
    }
}
