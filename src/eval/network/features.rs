//! Inputs of the network: each cell's line windows, numbered densely.
//!
//! A window is the cell and the five cells on either side of it along one direction. Each side is
//! an *arm*, read from the cell outwards up to the first cell that is blocked or off the board. A
//! window and its mirror image have the same number.
//!
//! Source of the idea (features by line windows): J. Jin, Q. Duan, Y. Hang, "Rapfi: Distilling
//! Efficient Neural Network for the Game of Gomoku" (2025).

use super::windows;
use crate::board::WINDOW_RADIUS;
use crate::types::Color;

/// Number of different arms: every content of 0 to 5 cells.
const ARMS: usize = 364;
/// Number of unordered pairs of arms.
const PAIRS: usize = ARMS * (ARMS + 1) / 2;
/// Number of different windows: a pair of arms and what stands on the cell between.
pub const WINDOWS: usize = 3 * PAIRS;

/// Contents of the cells of an arm in a line's key.
const ARM_CODES: usize = 1 << (2 * WINDOW_RADIUS);
const ARM_MASK: u64 = ARM_CODES as u64 - 1;

/// Code of a cell that is blocked or off the board.
const BLOCKED: usize = 3;

/// Arm numbers by an arm's bits in a line's key. The nearest cell of an arm back is the highest,
/// that of an arm ahead the lowest.
struct Arms {
    back: [u16; ARM_CODES],
    ahead: [u16; ARM_CODES],
}

static ARM_NUMBERS: Arms = arms();

const fn arms() -> Arms {
    let mut arms = Arms {
        back: [0; ARM_CODES],
        ahead: [0; ARM_CODES],
    };
    let mut bits = 0;
    while bits < ARM_CODES {
        let mut ahead = [0; WINDOW_RADIUS];
        let mut back = [0; WINDOW_RADIUS];
        let mut i = 0;
        while i < WINDOW_RADIUS {
            ahead[i] = bits >> (2 * i) & 3;
            back[WINDOW_RADIUS - 1 - i] = ahead[i];
            i += 1;
        }
        arms.ahead[bits] = arm(ahead);
        arms.back[bits] = arm(back);
        bits += 1;
    }
    arms
}

/// Number of the arm with these codes, nearest first: the number of all shorter arms plus the codes
/// up to the board's end as a number in base 3, the nearest the lowest digit. The number is a sum
/// over the cells, and what a stone adds depends on its distance alone.
const fn arm(codes: [usize; WINDOW_RADIUS]) -> u16 {
    let (mut number, mut power, mut i) = (0, 1, 0);
    while i < WINDOW_RADIUS && codes[i] != BLOCKED {
        number += (1 + codes[i]) * power;
        power *= 3;
        i += 1;
    }
    number as u16
}

/// Number, below [`WINDOWS`], of a window as [`Lines::window`](crate::board::Lines::window) cuts it
/// out around an unblocked cell, seen by `view`.
pub fn window_number(window: u64, view: Color) -> u32 {
    const LOW: u64 = 0x5555_5555_5555_5555;
    match view {
        Color::Black => number(window),
        // Black's and White's codes are each other's with their two bits exchanged.
        Color::White => number((window & LOW) << 1 | window >> 1 & LOW),
    }
}

/// Number of the window in the lowest 22 bits of `bits`, two bits a cell (see
/// [`Lines::window`](crate::board::Lines::window)), own stones in Black's place; the cell in the
/// middle is not blocked.
pub(super) fn number(bits: u64) -> u32 {
    windows::number(window_parts(bits))
}

/// The [`parts`](windows::parts) of such a window.
pub(super) fn window_parts(bits: u64) -> u32 {
    const CENTRE: u32 = 2 * WINDOW_RADIUS as u32;
    let back = ARM_NUMBERS.back[(bits & ARM_MASK) as usize];
    let ahead = ARM_NUMBERS.ahead[(bits >> (CENTRE + 2) & ARM_MASK) as usize];
    windows::parts(back.into(), ahead.into(), (bits >> CENTRE & 3) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Cell, Direction};
    use crate::random_boards::RandomBoards;
    use crate::types::Point;

    /// The definition, word by word, from the cells of a board.
    fn slow_number(board: &Board, view: Color, p: Point, direction: Direction) -> u32 {
        let digit = |cell: Cell| match cell.color() {
            _ if cell == Cell::Blocked => None,
            None => Some(0),
            Some(color) => Some(if color == view { 1 } else { 2 }),
        };
        let arm = |sign: i32| {
            let digits: Vec<u32> = (1..=5)
                .map_while(|steps| {
                    let q = board.step(p, direction, sign * steps)?;
                    digit(board.cell(q))
                })
                .collect();
            let shorter: u32 = (0..digits.len()).map(|i| 3u32.pow(i as u32)).sum();
            let content = (0..digits.len()).map(|i| digits[i] * 3u32.pow(i as u32));
            shorter + content.sum::<u32>()
        };
        let (a, b) = (arm(-1), arm(1));
        let pair = a.max(b) * (a.max(b) + 1) / 2 + a.min(b);
        pair * 3 + digit(board.cell(p)).unwrap()
    }

    #[test]
    fn numbers_follow_the_definition() {
        assert_eq!(WINDOWS, 199_290);
        for board in RandomBoards::new(11).take(60) {
            for p in board.points().filter(|&p| board.cell(p) != Cell::Blocked) {
                for (view, direction) in Color::BOTH
                    .into_iter()
                    .flat_map(|view| Direction::ALL.map(|direction| (view, direction)))
                {
                    let mut lines = board.lines().clone();
                    if view == Color::White {
                        for stone in board.stones() {
                            lines.toggle(stone.point, Cell::Blocked);
                        }
                    }
                    let found = number(lines.window(direction, p));
                    let window = board.lines().window(direction, p);
                    assert_eq!(window_number(window, view), found);
                    assert_eq!(
                        found,
                        slow_number(&board, view, p, direction),
                        "{p}\n{board}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_number_stands_for_a_window_and_its_mirror_image() {
        let mut seen = vec![false; WINDOWS];
        for bits in 0..1 << 22 {
            let cell = |i: u32| bits >> (2 * i) & 3;
            if cell(5) == 3 {
                continue;
            }
            let mirrored = (0..11).fold(0, |sum, i| sum | cell(i) << (2 * (10 - i)));
            let window = number(bits);
            assert_eq!(window, number(mirrored));
            seen[window as usize] = true;
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
