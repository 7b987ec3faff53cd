//! Black's forbidden points, written like the definition rather than fast.
//! Source: Renju International Federation, rules of play, 3, 9.2 and 9.3.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::run;
use crate::board::{Board, Cell, Direction};
use crate::types::{Color, Point};

/// The ways in which a move is forbidden; at least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foul {
    /// Makes a row of six or more.
    pub overline: bool,
    /// Makes two fours at once, on two lines or on one.
    pub double_four: bool,
    /// Makes two threes at once, each of which can become a straight four.
    pub double_three: bool,
}

impl Foul {
    /// True if every kind in `other` is among these.
    pub fn includes(self, other: Foul) -> bool {
        (self.overline || !other.overline)
            && (self.double_four || !other.double_four)
            && (self.double_three || !other.double_three)
    }
}

/// `6`, `44`, `33`, joined by `+`.
impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.overline, "6"),
            (self.double_four, "44"),
            (self.double_three, "33"),
        ];
        let names: Vec<&str> = kinds.iter().filter(|k| k.0).map(|k| k.1).collect();
        f.pad(&names.join("+"))
    }
}

impl FromStr for Foul {
    type Err = ();

    /// Reads what `Display` writes, the kinds in any order. Fails at any other text.
    fn from_str(text: &str) -> Result<Foul, ()> {
        let mut foul = Foul::default();
        for kind in text.split('+') {
            match kind {
                "6" => foul.overline = true,
                "44" => foul.double_four = true,
                "33" => foul.double_three = true,
                _ => return Err(()),
            }
        }
        Ok(foul)
    }
}

/// The ways in which the free cell `p` is forbidden for Black, or `None` if `p` is allowed. A move
/// that makes exactly five is always allowed.
pub fn foul(board: &Board, p: Point) -> Option<Foul> {
    // Two threes need two stones each beside the new one, two fours on one line X.X*X.X or more,
    // and an overline five: no foul has fewer than four stones on its lines within four cells.
    if black_stones_near(board, p, 4) < 4 {
        return None;
    }
    foul_without_quick_check(board, p)
}

/// As [`foul`], without its quick check.
pub(super) fn foul_without_quick_check(board: &Board, p: Point) -> Option<Foul> {
    with_stone(&mut board.clone(), p, |board| foul_of(board, p))
}

/// Number of black stones at most `reach` steps from `p` on the four lines through it.
fn black_stones_near(board: &Board, p: Point, reach: i32) -> usize {
    let cells = Direction::ALL
        .into_iter()
        .flat_map(|direction| (-reach..=reach).map(move |steps| (direction, steps)));
    cells
        .filter_map(|(direction, steps)| board.step(p, direction, steps))
        .filter(|&q| board.cell(q) == Cell::Black)
        .count()
}

/// The result of `judge` on the board with a black stone on the free cell `p`.
fn with_stone<T>(board: &mut Board, p: Point, judge: impl FnOnce(&mut Board) -> T) -> T {
    let side = board.side_to_move();
    board.put(p, Color::Black);
    let verdict = judge(board);
    board.undo();
    board.set_side_to_move(side);
    verdict
}

/// As [`foul`], on the board where Black's stone already stands on `p`.
fn foul_of(board: &mut Board, p: Point) -> Option<Foul> {
    if makes_five(board, p) {
        return None;
    }
    let overline = Direction::ALL
        .into_iter()
        .any(|direction| run(board, p, direction).0 >= 6);
    let mut fours_made = 0;
    let mut threes_made = 0;
    for direction in Direction::ALL {
        fours_made += fours(board, p, direction);
        threes_made += usize::from(is_real_three(board, p, direction));
    }
    let foul = Foul {
        overline,
        double_four: fours_made >= 2,
        double_three: threes_made >= 2,
    };
    (foul != Foul::default()).then_some(foul)
}

/// True if the stone on `p` stands in a row of exactly five.
fn makes_five(board: &Board, p: Point) -> bool {
    Direction::ALL
        .into_iter()
        .any(|direction| run(board, p, direction).0 == 5)
}

/// Number of free cells on the line through `p` that make exactly five with the stone on `p`.
fn completions(board: &mut Board, p: Point, direction: Direction) -> usize {
    near(board, p, direction, 4)
        .into_iter()
        .filter(|&e| with_stone(board, e, |next| run(next, p, direction).0 == 5))
        .count()
}

/// Fours through the stone on `p` along `direction`: 0, 1 or 2. A straight four, which has two
/// completions but consists of the same four stones, is one.
fn fours(board: &mut Board, p: Point, direction: Direction) -> usize {
    if is_straight_four(board, p, direction) {
        1
    } else {
        completions(board, p, direction)
    }
}

/// True if the unbroken row through `p` has four stones and makes exactly five at both ends.
fn is_straight_four(board: &mut Board, p: Point, direction: Direction) -> bool {
    run(board, p, direction).0 == 4 && completions(board, p, direction) == 2
}

/// True if the stone on `p` is part of a three along `direction` that an allowed move makes a
/// straight four, judged on the board after the stone on `p` (9.3).
fn is_real_three(board: &mut Board, p: Point, direction: Direction) -> bool {
    near(board, p, direction, 3).into_iter().any(|e| {
        with_stone(board, e, |next| {
            in_one_run(next, p, e, direction)
                    && is_straight_four(next, e, direction)
                    // By the definition of a three the straight four comes without a five.
                    && !makes_five(next, e)
                    && foul_of(next, e).is_none()
        })
    })
}

/// The free cells at most `reach` steps from `p` along `direction`.
fn near(board: &Board, p: Point, direction: Direction, reach: i32) -> ArrayVec<Point, 8> {
    (-reach..=reach)
        .filter_map(|steps| board.step(p, direction, steps))
        .filter(|&e| board.is_empty(e))
        .collect()
}

/// True if black stones stand on every cell from `a` to `b`, which lie on one line.
fn in_one_run(board: &Board, a: Point, b: Point, direction: Direction) -> bool {
    [-1, 1].into_iter().any(|sign| {
        (0..5)
            .map_while(|steps| board.step(a, direction, sign * steps))
            .take_while(|&q| board.cell(q) == Cell::Black)
            .any(|q| q == b)
    })
}
