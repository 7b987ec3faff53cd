//! Rotations and reflections of a board.

use super::Point;

/// One of the eight symmetries of a square; a rectangle has only the first four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Number of symmetries of a board of that shape.
    pub const fn count(width: u8, height: u8) -> u8 {
        if width == height { 8 } else { 4 }
    }

    /// The map with this number, below [`Symmetry::count`]; 0 moves nothing. Bit 0 mirrors left
    /// and right, bit 1 top and bottom, bit 2 swaps columns and rows afterwards.
    pub const fn new(number: u8) -> Symmetry {
        debug_assert!(number < 8);
        Symmetry(number)
    }

    /// Its number, as for [`new`](Symmetry::new).
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The map that leads back.
    pub const fn inverse(self) -> Symmetry {
        match self.0 & 4 {
            0 => self,
            // After the swap the two mirrors have changed places.
            _ => Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1),
        }
    }

    /// The image of a vector.
    pub const fn turn(self, (dx, dy): (i32, i32)) -> (i32, i32) {
        let dx = if self.0 & 1 == 0 { dx } else { -dx };
        let dy = if self.0 & 2 == 0 { dy } else { -dy };
        if self.0 & 4 == 0 { (dx, dy) } else { (dy, dx) }
    }

    /// The image of `p` on a board of `width` x `height`.
    pub const fn map(self, p: Point, width: u8, height: u8) -> Point {
        let x = if self.0 & 1 == 0 {
            p.x()
        } else {
            width - 1 - p.x()
        };
        let y = if self.0 & 2 == 0 {
            p.y()
        } else {
            height - 1 - p.y()
        };
        if self.0 & 4 == 0 {
            Point::new(x, y)
        } else {
            Point::new(y, x)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_is_different_and_stays_on_the_board() {
        for (width, height) in [(15, 15), (20, 12)] {
            let mut images = Vec::new();
            for number in 0..Symmetry::count(width, height) {
                let image = [(1, 2), (3, 5)]
                    .map(|(x, y)| Symmetry::new(number).map(Point::new(x, y), width, height));
                assert!(image.iter().all(|p| p.x() < width && p.y() < height));
                assert!(!images.contains(&image));
                images.push(image);
                let back = Symmetry::new(number).inverse();
                let back = image.map(|p| back.map(p, width, height));
                assert_eq!(back, [Point::new(1, 2), Point::new(3, 5)]);
            }
        }
    }
}
