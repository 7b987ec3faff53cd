use std::fmt;

use crate::board::Board;
use crate::types::Point;

/// Where a rule allows a stone. Distances from the [centre](Point::centre) are those of a king in
/// chess, so `Within(2)` is the central 5x5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Any free cell.
    Anywhere,
    /// No farther from the centre than this; `Within(0)` is the centre itself.
    Within(u8),
    /// Farther from the centre than this.
    Beyond(u8),
}

impl Area {
    /// True if `p` lies in the area of an otherwise empty board of `board`'s size.
    pub fn contains(self, board: &Board, p: Point) -> bool {
        let centre = Point::centre(board.width(), board.height());
        let distance = p.x().abs_diff(centre.x()).max(p.y().abs_diff(centre.y()));
        match self {
            Area::Anywhere => true,
            Area::Within(radius) => distance <= radius,
            Area::Beyond(radius) => distance > radius,
        }
    }
}

/// As an end of the sentence "the stone must be put …".
impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |radius: u8| 2 * u32::from(radius) + 1;
        match *self {
            Area::Anywhere => write!(f, "on a free point"),
            Area::Within(0) => write!(f, "on the centre"),
            Area::Within(radius) => write!(f, "within the central {0}x{0}", side(radius)),
            Area::Beyond(radius) => write!(f, "outside the central {0}x{0}", side(radius)),
        }
    }
}
