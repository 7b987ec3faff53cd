//! The forbidden-move test of the search, by table look-ups. `rules::renju` is the slow reference.

use super::{Shape, Tables};
use crate::board::{Cell, Direction, Lines};
use crate::types::{Color, Point};

/// True if Black may not play the free cell `p` under renju.
///
/// The tables tell overlines, fours and fives. Only where two lines look like open threes, the
/// stone is put and each three is checked: an allowed move must make it a straight four (RIF 9.3).
/// The test of that move is recursive.
pub fn is_forbidden(lines: &Lines, tables: &Tables, p: Point) -> bool {
    match triage(lines, tables, p) {
        Triage::Allowed => false,
        Triage::Forbidden => true,
        Triage::Threes => two_real_threes(&mut lines.clone(), tables, p),
    }
}

enum Triage {
    Allowed,
    Forbidden,
    /// Two lines or more look like open threes.
    Threes,
}

fn shape(lines: &Lines, tables: &Tables, direction: Direction, p: Point) -> Shape {
    tables.shape(lines.window(direction, p), Color::Black)
}

/// The answer of the tables alone.
fn triage(lines: &Lines, tables: &Tables, p: Point) -> Triage {
    let mut fours = 0;
    let mut threes = 0;
    let mut overline = false;
    for direction in Direction::ALL {
        match shape(lines, tables, direction, p) {
            Shape::Five => return Triage::Allowed,
            Shape::Overline => overline = true,
            Shape::StraightFour | Shape::Four => fours += 1,
            Shape::LineDoubleFour => fours += 2,
            Shape::WideThree | Shape::OpenThree => threes += 1,
            _ => {}
        }
    }
    if overline || fours >= 2 {
        Triage::Forbidden
    } else if threes >= 2 {
        Triage::Threes
    } else {
        Triage::Allowed
    }
}

/// True if a black stone on `p` makes two real threes; leaves `lines` unchanged.
fn two_real_threes(lines: &mut Lines, tables: &Tables, p: Point) -> bool {
    let three_lines = Direction::ALL
        .into_iter()
        .filter(|&direction| shape(lines, tables, direction, p).is_open_three())
        .fold(0u8, |mask, direction| mask | 1 << direction.index());
    lines.toggle(p, Cell::Black);
    let real = Direction::ALL
        .into_iter()
        .filter(|direction| three_lines >> direction.index() & 1 != 0)
        .filter(|&direction| is_real_three(lines, tables, p, direction))
        .take(2)
        .count();
    lines.toggle(p, Cell::Black);
    real == 2
}

/// True if the black stone on `p` has a three along `direction` that an allowed move makes a
/// straight four.
fn is_real_three(lines: &mut Lines, tables: &Tables, p: Point, direction: Direction) -> bool {
    let around = lines.around(direction, p);
    [-1, 1].into_iter().any(|sign: i32| {
        // A straight four through p has no gap, so the only candidate is the first cell after p's
        // row, if it is free.
        let behind = (1..=3)
            .map(|steps| sign * steps)
            .find(|&steps| around.cell(steps) != Cell::Black);
        let Some(steps) = behind.filter(|&steps| around.cell(steps) == Cell::Empty) else {
            return false;
        };
        let e = p.step(direction.index_delta() * steps as isize);
        shape(lines, tables, direction, e) == Shape::StraightFour
            && !Direction::ALL
                .into_iter()
                .any(|other| shape(lines, tables, other, e) == Shape::Five)
            && match triage(lines, tables, e) {
                Triage::Allowed => true,
                Triage::Forbidden => false,
                Triage::Threes => !two_real_threes(lines, tables, e),
            }
    })
}
