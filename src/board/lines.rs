use super::Cell;
use crate::types::{MAX_SIDE, Point, STRIDE};

/// Cells that a window shows on each side of its centre.
pub const WINDOW_RADIUS: usize = 5;

/// The four directions in which stones line up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, x growing.
    Horizontal = 0,
    /// Along a column, y growing.
    Vertical = 1,
    /// x and y growing.
    Diagonal = 2,
    /// x growing, y falling.
    AntiDiagonal = 3,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] = [
        Direction::Horizontal,
        Direction::Vertical,
        Direction::Diagonal,
        Direction::AntiDiagonal,
    ];

    /// 0 to 3, the place in [`Direction::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Change of x and y in one step.
    #[inline]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Diagonal => (1, 1),
            Direction::AntiDiagonal => (1, -1),
        }
    }

    /// Change of [`Point::index`] in one step.
    #[inline]
    pub const fn index_delta(self) -> isize {
        let (dx, dy) = self.delta();
        dy as isize * STRIDE as isize + dx as isize
    }

    /// Number, below [`LINES`], of the line of this direction that runs through `p`.
    #[inline]
    pub const fn line(self, p: Point) -> usize {
        self.locate(p).0
    }

    /// Number of this direction's line through `p`, and the bit of the line's key at which the
    /// window around `p` begins.
    #[inline]
    const fn locate(self, p: Point) -> (usize, u32) {
        let (x, y) = (p.x() as usize, p.y() as usize);
        match self {
            Direction::Horizontal => (y, 2 * x as u32),
            Direction::Vertical => (x, 2 * y as u32),
            Direction::Diagonal => (x + MAX_SIDE as usize - 1 - y, 2 * x as u32),
            Direction::AntiDiagonal => (x + y, 2 * x as u32),
        }
    }
}

/// Most lines that a direction has.
pub const LINES: usize = 2 * MAX_SIDE as usize - 1;

/// Line bitboards: for every line of every direction one word with two bits a cell (the codes of
/// [`Cell`]), the longest line of 22 cells and five blocked cells beyond each end filling 64 bits.
///
/// With one word a line, the window around any cell is one shift away. Source: Rapfi's `bitKey`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines([[u64; LINES]; 4]);

impl Lines {
    pub(super) fn new(width: u8, height: u8) -> Lines {
        let mut lines = Lines([[u64::MAX; LINES]; 4]);
        for y in 0..height {
            for x in 0..width {
                lines.toggle(Point::new(x, y), Cell::Blocked);
            }
        }
        lines
    }

    /// Turns the cell `p` from empty to `cell` or from `cell` to empty.
    #[inline]
    pub fn toggle(&mut self, p: Point, cell: Cell) {
        for direction in Direction::ALL {
            let (line, shift) = direction.locate(p);
            self.0[direction.index()][line] ^= (cell as u64) << (shift + 2 * WINDOW_RADIUS as u32);
        }
    }

    /// Content of the cell `p`.
    #[inline]
    pub fn cell(&self, p: Point) -> Cell {
        let (line, shift) = Direction::Horizontal.locate(p);
        Cell::from_code(self.0[0][line] >> (shift + 2 * WINDOW_RADIUS as u32))
    }

    /// The 11 cells around and including `p` along `direction`, two bits each, the cell five
    /// steps back in the lowest two bits and `p` itself in bits 10 and 11. Bits above 21 are
    /// whatever the line holds further on.
    #[inline]
    pub fn window(&self, direction: Direction, p: Point) -> u64 {
        let (line, shift) = direction.locate(p);
        self.0[direction.index()][line] >> shift
    }

    /// The whole line through `p` along `direction`.
    #[inline]
    pub fn around(&self, direction: Direction, p: Point) -> Around {
        let (line, shift) = direction.locate(p);
        Around {
            line: self.0[direction.index()][line],
            centre: shift + 2 * WINDOW_RADIUS as u32,
        }
    }
}

/// Every second bit: one for each cell of a line.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// A whole line of the board and where on it a point lies.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Two bits a cell.
    pub line: u64,
    /// Lowest bit of the point's own cell.
    pub centre: u32,
}

impl Around {
    /// Content of the cell `steps` (-5 to 5) from the point.
    #[inline]
    pub fn cell(&self, steps: i32) -> Cell {
        Cell::from_code(self.line >> (self.centre as i32 + 2 * steps))
    }

    /// The free cells at most `radius` (1 to 5) steps from the point, each by its cell's lower bit.
    #[inline]
    pub fn free(&self, radius: usize) -> u64 {
        !(self.line | self.line >> 1) & EVEN & self.near(radius)
    }

    /// The bits of the cells at most `radius` (1 to 5) steps from the point.
    #[inline]
    pub fn near(&self, radius: usize) -> u64 {
        let width = 2 * (2 * radius as u32 + 1);
        ((1u64 << width) - 1) << (self.centre - 2 * radius as u32)
    }

    /// Numbers of cells, 0 to [`WINDOW_RADIUS`], back and ahead of the point up to the first
    /// blocked cell or the board's edge.
    #[inline]
    pub fn arms(&self) -> [usize; 2] {
        const CELLS: u32 = WINDOW_RADIUS as u32;
        let blocked = self.line & self.line >> 1 & EVEN;
        // The cell five steps back is the lowest of the window, the one five steps ahead the
        // highest.
        let window = blocked >> (self.centre - 2 * CELLS);
        let back = (window << (u64::BITS - 2 * CELLS)).leading_zeros() / 2;
        let ahead = (window >> (2 * CELLS + 2)).trailing_zeros() / 2;
        [back, ahead].map(|cells| cells.min(CELLS) as usize)
    }
}
