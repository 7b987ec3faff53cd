//! Equivalence of fifth stones by rotations and reflections of the four stones before them.

use crate::board::{Board, Stone};
use crate::types::{Point, Symmetry};

/// A rotation or reflection of the plane, followed by a shift.
#[derive(Clone, Copy)]
struct Motion {
    turn: Symmetry,
    shift: (i32, i32),
}

impl Motion {
    fn map(self, p: Point) -> (i32, i32) {
        let (x, y) = self.turn.turn(coordinates(p));
        (x + self.shift.0, y + self.shift.1)
    }
}

fn coordinates(p: Point) -> (i32, i32) {
    (i32::from(p.x()), i32::from(p.y()))
}

/// The motions, except for the identity, that map the stones onto themselves, colour by colour.
/// They need not keep the board's centre: two stones are symmetric about their own middle.
fn motions(board: &Board) -> Vec<Motion> {
    let stones = board.stones();
    let Some(first) = stones.first() else {
        return Vec::new();
    };
    let stands = |at: (i32, i32), stone: &Stone| board.cell_at(at.0, at.1) == stone.color.into();
    let mut found = Vec::new();
    for turn in (1..8).map(Symmetry::new) {
        let (x, y) = turn.turn(coordinates(first.point));
        for image in stones.iter().filter(|other| other.color == first.color) {
            let (to_x, to_y) = coordinates(image.point);
            let motion = Motion {
                turn,
                shift: (to_x - x, to_y - y),
            };
            if stones.iter().all(|s| stands(motion.map(s.point), s)) {
                found.push(motion);
            }
        }
    }
    found
}

/// True if stones of one colour on the free points `a` and `b` give the same position but for its
/// place on the board.
///
/// With two stones of each colour, this is so exactly if a rotation or reflection that maps the
/// stones onto themselves takes `a` to `b`: two white stones leave only reflections and half
/// turns, and what takes two black stones and `a` to these and `b` must then take `a` to `b`.
pub fn are_equivalent(board: &Board, a: Point, b: Point) -> bool {
    a == b || motions(board).iter().any(|m| m.map(a) == coordinates(b))
}

/// The first point, row by row, of each class of equivalent free points: all fifth stones that can
/// be offered together.
pub fn unequal_points(board: &Board) -> Vec<Point> {
    unequal_among(board, board.empty_points())
}

/// The first of each class of equivalent points among these free ones.
pub fn unequal_among(board: &Board, points: impl Iterator<Item = Point>) -> Vec<Point> {
    let motions = motions(board);
    let mut kept: Vec<Point> = Vec::new();
    for p in points {
        let images: Vec<(i32, i32)> = motions.iter().map(|m| m.map(p)).collect();
        if !kept.iter().any(|&k| images.contains(&coordinates(k))) {
            kept.push(p);
        }
    }
    kept
}

/// A number of fifth stones, no two of them equivalent, that exists after any four stones on a
/// board of `cells` cells. A position with two stones of each colour has at most four symmetries,
/// all of them their own inverses.
pub(super) fn surely_unequal(cells: usize) -> u8 {
    u8::try_from(cells.saturating_sub(4) / 4).unwrap_or(u8::MAX)
}
