//! Numbers for the line windows that the network's table is indexed by.
//!
//! A window is what stands on the 11 cells within five steps of a cell along a line, its own stones
//! and the opponent's told apart. Each half of it, an arm, is read from the cell outwards; it ends
//! where the board does. A window and its mirror image have the same number.

use tengen::board::{Direction, Lines, WINDOW_RADIUS};
use tengen::types::{Color, Point};

/// Number of arms: 3^5 of full length, 3^4 that are cut after four cells, and so on down to none.
const ARMS: usize = 364;
/// Number of windows.
pub const WINDOWS: usize = ARMS * (ARMS + 1) / 2 * 3;
/// Codes of five cells at two bits each.
const CODES: usize = 1 << (2 * WINDOW_RADIUS);
const CODE: u64 = CODES as u64 - 1;

/// Turns windows of the line bitboards into numbers, for the view of one colour.
pub struct WindowTable {
    /// Arms whose nearest cell is in the lowest bits.
    forward: [u16; CODES],
    /// Arms whose nearest cell is in the highest bits.
    backward: [u16; CODES],
    /// Digit of a cell's code.
    digits: [u32; 4],
}

impl WindowTable {
    /// The table for windows as `view` sees them.
    pub fn new(view: Color) -> WindowTable {
        // Empty, Black, White; nothing asks for the digit of a blocked cell.
        let digits = match view {
            Color::Black => [0, 1, 2, 0],
            Color::White => [0, 2, 1, 0],
        };
        let arm = |cell: &dyn Fn(usize) -> usize| {
            let on_board = (0..WINDOW_RADIUS)
                .take_while(|&step| cell(step) != 3)
                .count();
            // Shorter arms come first.
            let first: u32 = (0..on_board as u32).map(|k| 3u32.pow(k)).sum();
            let digits = (0..on_board).map(|step| digits[cell(step)] * 3u32.pow(step as u32));
            (first + digits.sum::<u32>()) as u16
        };
        WindowTable {
            forward: std::array::from_fn(|code| arm(&|step| code >> (2 * step) & 3)),
            backward: std::array::from_fn(|code| {
                arm(&|step| code >> (2 * (WINDOW_RADIUS - 1 - step)) & 3)
            }),
            digits,
        }
    }

    /// Number, below [`WINDOWS`], of the window around `p`, which is not blocked.
    pub fn number(&self, lines: &Lines, direction: Direction, p: Point) -> u32 {
        let window = lines.window(direction, p);
        let back = self.backward[(window & CODE) as usize];
        let ahead = self.forward[(window >> (2 * WINDOW_RADIUS + 2) & CODE) as usize];
        let (low, high) = (u32::from(back.min(ahead)), u32::from(back.max(ahead)));
        let centre = self.digits[(window >> (2 * WINDOW_RADIUS) & 3) as usize];
        (high * (high + 1) / 2 + low) * 3 + centre
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::board::Board;

    /// The number of the window on a row of 15 cells around the cell `x`, as Black sees it.
    fn number(row: &str, x: u8, view: Color) -> u32 {
        let mut board = Board::new(15, 15).unwrap();
        for (x, stone) in row.chars().enumerate() {
            let p = Point::new(x as u8, 3);
            match stone {
                'X' => board.put(p, Color::Black),
                'O' => board.put(p, Color::White),
                '#' => board.block(p),
                _ => {}
            }
        }
        let table = WindowTable::new(view);
        table.number(board.lines(), Direction::Horizontal, Point::new(x, 3))
    }

    #[test]
    fn numbers_are_those_of_the_definition() {
        // Arms of five empty cells: 1 + 3 + 9 + 27 + 81 = 121 each.
        let empty = (121 * 122 / 2 + 121) * 3;
        assert_eq!(number("...............", 7, Color::Black), empty);
        assert_eq!(number(".......X.......", 7, Color::Black), empty + 1);
        assert_eq!(number(".......X.......", 7, Color::White), empty + 2);
        // An own stone next to the cell, an opponent's two steps further: 121 + 1 + 2 * 9 = 140.
        let one_arm = (140 * 141 / 2 + 121) * 3;
        assert_eq!(number("........X.O....", 7, Color::Black), one_arm);
        // Two cells before the edge, both taken by the opponent: 1 + 3 + 2 + 6 = 12.
        assert_eq!(
            number("OO.............", 2, Color::Black),
            (121 * 122 / 2 + 12) * 3
        );
        // The corner: nothing on one side.
        assert_eq!(
            number("...............", 0, Color::Black),
            121 * 122 / 2 * 3
        );
        assert_eq!(WINDOWS, 199_290);
    }

    #[test]
    fn mirror_images_and_edges_are_alike() {
        for (row, mirrored) in [
            ("X.O.X..........", "..........X.O.X"),
            (".....XX.O......", "......O.XX....."),
        ] {
            for x in 0..15 {
                assert_eq!(
                    number(row, x, Color::White),
                    number(mirrored, 14 - x, Color::White)
                );
            }
        }
        // A blocked cell ends an arm as the edge does, and hides what is behind it.
        assert_eq!(
            number(".#X............", 2, Color::Black),
            number("X..............", 0, Color::Black)
        );
        // Six steps away is out of sight.
        assert_eq!(
            number(".X.............", 7, Color::Black),
            number("...............", 7, Color::Black)
        );
    }
}
