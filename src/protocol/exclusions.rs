//! Moves that a GUI forbids the engine to play.

use crate::board::Board;
use crate::engine::safety::playable_cells;
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet};

/// The moves excluded by `YXBLOCK`, `YXBLOCKPATH` and `YXFORBID`. They hold at the root of a
/// search, not in the positions below.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    /// Excluded for both sides in every position.
    cells: PointSet,
    /// Excluded for one side in every position.
    of_side: [PointSet; 2],
    /// Each move is excluded in the position with its key.
    paths: Vec<(u64, Point)>,
}

impl Exclusions {
    /// `YXBLOCK`.
    pub fn block(&mut self, p: Point) {
        self.cells.insert(p);
    }

    /// `YXBLOCKUNDO`.
    pub fn allow(&mut self, p: Point) {
        self.cells.remove(p);
    }

    /// `YXBLOCKRESET`.
    pub fn allow_all(&mut self) {
        self.cells = PointSet::EMPTY;
    }

    /// `YXBLOCKPATH`: excludes `p` in the position of `board`.
    pub fn block_after(&mut self, board: &Board, p: Point) {
        self.allow_after(board, p);
        self.paths.push((board.hash(), p));
    }

    /// `YXBLOCKPATHUNDO`.
    pub fn allow_after(&mut self, board: &Board, p: Point) {
        self.paths.retain(|path| *path != (board.hash(), p));
    }

    /// `YXBLOCKPATHRESET`.
    pub fn allow_all_after(&mut self) {
        self.paths.clear();
    }

    /// `YXFORBID`: excludes `p` for one side, or allows it again.
    pub fn forbid(&mut self, side: Color, p: Point, is_forbidden: bool) {
        let cells = &mut self.of_side[side.index()];
        if is_forbidden {
            cells.insert(p);
        } else {
            cells.remove(p);
        }
    }

    /// The excluded cells of this position. Empty if they are all the cells playable by `rule`.
    pub fn at(&self, board: &Board, rule: Rule) -> PointSet {
        let mut cells = self
            .cells
            .union(&self.of_side[board.side_to_move().index()]);
        for (_, p) in self.paths.iter().filter(|path| path.0 == board.hash()) {
            cells.insert(*p);
        }
        if cells.is_empty() || playable_cells(board, rule).difference(&cells).is_empty() {
            PointSet::EMPTY
        } else {
            cells
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::after as board;

    #[test]
    fn each_kind_has_its_place() {
        let mut exclusions = Exclusions::default();
        let p = Point::new;
        exclusions.block(p(1, 1));
        exclusions.block_after(&board("h8 i9"), p(2, 2));
        exclusions.forbid(Color::White, p(3, 3), true);
        let at = |exclusions: &Exclusions, moves| -> Vec<Point> {
            exclusions
                .at(&board(moves), Rule::Freestyle)
                .iter()
                .collect()
        };
        assert_eq!(at(&exclusions, ""), [p(1, 1)]);
        assert_eq!(at(&exclusions, "h8"), [p(1, 1), p(3, 3)]);
        assert_eq!(at(&exclusions, "h8 i9"), [p(1, 1), p(2, 2)]);
        exclusions.allow_all();
        exclusions.allow_after(&board("h8 i9"), p(2, 2));
        exclusions.forbid(Color::White, p(3, 3), false);
        for moves in ["", "h8", "h8 i9"] {
            assert!(at(&exclusions, moves).is_empty());
        }
    }

    #[test]
    fn something_can_always_be_played() {
        let mut exclusions = Exclusions::default();
        for p in board("h8").empty_points() {
            exclusions.block(p);
        }
        for rule in Rule::ALL {
            assert!(exclusions.at(&board("h8"), rule).is_empty());
            assert!(!exclusions.at(&board("i9"), rule).is_empty());
        }
        // The only free cell is h8, where Black would make two threes.
        let threes = board("f8 a1 g8 a15 h10 o1 h9 o15");
        exclusions.allow(Point::new(7, 7));
        assert!(!exclusions.at(&threes, Rule::Freestyle).is_empty());
        assert!(exclusions.at(&threes, Rule::Renju).is_empty());
    }
}
