//! How records number the cells of a board.

use tengen::types::Point;

/// The number of a cell in files: `y * size + x`.
pub(super) fn cell_of(p: Point, size: u8) -> u16 {
    u16::from(p.y()) * u16::from(size) + u16::from(p.x())
}

/// The point with this number; `None` if it is off the board.
pub(super) fn point_of(cell: u16, size: u8) -> Option<Point> {
    let side = u16::from(size);
    (cell < side * side).then(|| Point::new((cell % side) as u8, (cell / side) as u8))
}
