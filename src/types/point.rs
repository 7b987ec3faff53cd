use std::fmt;

/// Shortest side of a board that the engine plays on.
pub const MIN_SIDE: u8 = 5;
/// Longest side of a board that the engine plays on.
pub const MAX_SIDE: u8 = 22;
/// Cells of the largest board.
pub const MAX_CELLS: usize = MAX_SIDE as usize * MAX_SIDE as usize;
/// Distance in [`Point`] index between a cell and the one below it. A power of two, so that
/// coordinates come out of an index by shift and mask.
pub const STRIDE: usize = 32;
/// Length of an array indexed by [`Point::index`].
pub const POINTS: usize = MAX_SIDE as usize * STRIDE;

/// A cell: `y * STRIDE + x`, with x the column and y the row, both from 0 at the top left.
///
/// The index does not depend on the board's size, so tables indexed by a point serve every board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, bytemuck::Zeroable)]
pub struct Point(u16);

impl Point {
    /// The cell in column `x` and row `y`; both must be below [`MAX_SIDE`].
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        debug_assert!(x < MAX_SIDE && y < MAX_SIDE);
        Point(y as u16 * STRIDE as u16 + x as u16)
    }

    /// The cell with this [`index`](Point::index); `index` must be below [`POINTS`].
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        debug_assert!(index < POINTS);
        Point(index as u16)
    }

    /// The cell whose [`index`](Point::index) is greater by `delta`; it must exist.
    #[inline]
    pub const fn step(self, delta: isize) -> Point {
        Point::from_index((self.0 as isize + delta) as usize)
    }

    /// Column, from 0 at the left.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0 % STRIDE as u16) as u8
    }

    /// Row, from 0 at the top.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0 / STRIDE as u16) as u8
    }

    /// The cell that rules and managers call the centre of a board: on a side of even length the
    /// one after the middle.
    pub const fn centre(width: u8, height: u8) -> Point {
        Point::new(width / 2, height / 2)
    }

    /// Position in arrays of length [`POINTS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Label on a board of `height` rows: letter for the column, number counted from the
    /// bottom row, so `a1` is the bottom left and the centre of 15x15 is `h8`.
    pub fn label(self, height: u8) -> String {
        format!("{}{}", (b'a' + self.x()) as char, height - self.y())
    }

    /// Reads a [`label`](Point::label), in any letter case, on a board of `width` x `height`.
    ///
    /// # Errors
    /// When the text is not a letter and a number, or names a cell off the board.
    pub fn from_label(text: &str, width: u8, height: u8) -> Result<Point, ParsePointError> {
        let error = || ParsePointError(text.to_string());
        let mut chars = text.chars();
        let letter = chars.next().ok_or_else(error)?.to_ascii_lowercase();
        if !letter.is_ascii_lowercase() || !chars.as_str().bytes().all(|b| b.is_ascii_digit()) {
            return Err(error());
        }
        let x = letter as u8 - b'a';
        let row: u8 = chars.as_str().parse().map_err(|_| error())?;
        if x >= width || row == 0 || row > height {
            return Err(error());
        }
        Ok(Point::new(x, height - row))
    }
}

/// The wire form `x,y` of the Gomocup protocol.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

/// A text that is not a cell of the board; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a point of this board (expected a letter and a number, such as h8)")]
pub struct ParsePointError(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_count_from_the_bottom_left() {
        assert_eq!(Point::new(7, 7).label(15), "h8");
        assert_eq!(Point::from_label("A1", 15, 15), Ok(Point::new(0, 14)));
        assert_eq!(Point::from_label("t15", 20, 15), Ok(Point::new(19, 0)));
        for bad in ["", "8h", "h", "h0", "h16", "p1", "h-1", "h+1", "hh", "h999"] {
            assert!(Point::from_label(bad, 15, 15).is_err(), "{bad}");
        }
    }
}
