//! Cells near a stone: a square of two steps around it, and three steps along the eight lines.
//! Farther cells make no three or four with it, except split ones whose cells are near other stones
//! of the row too.

use crate::types::{MAX_SIDE, POINTS, Point, PointSet};

/// Whether a cell `dx`, `dy` away is near.
const fn is_near(dx: i32, dy: i32) -> bool {
    let (ax, ay) = (dx.abs(), dy.abs());
    (ax <= 2 && ay <= 2) || ((ax == 0 || ay == 0 || ax == ay) && ax <= 3 && ay <= 3)
}

/// The nearby cells of every point on the largest board.
fn table() -> &'static [PointSet; POINTS] {
    use std::sync::OnceLock;
    static TABLE: OnceLock<Box<[PointSet; POINTS]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Box::new([PointSet::EMPTY; POINTS]);
        let side = i32::from(MAX_SIDE);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let near = &mut table[Point::new(x as u8, y as u8).index()];
            for (dx, dy) in (-3..=3).flat_map(|dy| (-3..=3).map(move |dx| (dx, dy))) {
                let (qx, qy) = (x + dx, y + dy);
                if is_near(dx, dy) && (0..side).contains(&qx) && (0..side).contains(&qy) {
                    near.insert(Point::new(qx as u8, qy as u8));
                }
            }
        }
        table
    })
}

/// `cells` and all cells near `p`, some of them perhaps off a smaller board or taken.
#[inline]
pub(super) fn with(cells: &PointSet, p: Point) -> PointSet {
    cells.union(&table()[p.index()])
}
