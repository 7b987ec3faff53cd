use bytemuck::Zeroable;

use super::CellState;
use crate::patterns::{CLASSES, CellInfo, Class};
use crate::types::{Color, PerColor, Point, PointSet};

/// A free cell on its way from its classes to others.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct Move {
    point: Point,
    was: PerColor<CellInfo>,
    is: PerColor<CellInfo>,
}

impl Move {
    #[inline]
    pub(super) fn new(point: Point, was: PerColor<CellInfo>, is: PerColor<CellInfo>) -> Move {
        Move { point, was, is }
    }

    /// Whether the cell's class differs for either colour.
    #[inline]
    pub(super) fn is_one(&self) -> bool {
        // Both are always looked at: rather that than a branch.
        self.was[Color::Black].differs(self.is[Color::Black])
            | self.was[Color::White].differs(self.is[Color::White])
    }
}

/// What all free cells of a position come to together: sets and numbers by class, and sums of
/// values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Free cells of each class.
    sets: PerColor<[PointSet; CLASSES]>,
    counts: PerColor<[u16; CLASSES]>,
    /// Free cells that only the exact test can clear for Black (renju).
    suspects: PointSet,
    /// Sums of the cells' values for each side when it is to move.
    values: PerColor<i32>,
}

impl Tally {
    /// Counts a free cell in.
    pub(super) fn enter(&mut self, p: Point, state: &CellState) {
        for color in Color::BOTH {
            self.values[color] += i32::from(state.values[color]);
            self.count_in(p, color, state.infos[color]);
        }
    }

    /// Counts a cell out.
    pub(super) fn leave(&mut self, p: Point, state: &CellState) {
        for color in Color::BOTH {
            self.values[color] -= i32::from(state.values[color]);
            self.count_out(p, color, state.infos[color]);
        }
    }

    /// Counts cells that stay free in their new classes instead of their old ones. Values are not
    /// looked at: see [`add_values`](Tally::add_values).
    pub(super) fn carry_out(&mut self, moves: &[Move]) {
        for &Move { point, was, is } in moves {
            // Both colours, though mostly only one of them has another class: see below.
            for color in Color::BOTH {
                self.count_out(point, color, was[color]);
                self.count_in(point, color, is[color]);
            }
        }
    }

    /// Adds to the sums of values.
    #[inline]
    pub(super) fn add_values(&mut self, change: PerColor<i32>) {
        for color in Color::BOTH {
            self.values[color] += change[color];
        }
    }

    /// The sums of values.
    #[inline]
    pub(super) fn values(&self) -> PerColor<i32> {
        self.values
    }

    /// Goes back to earlier sums of values.
    #[inline]
    pub(super) fn set_values(&mut self, values: PerColor<i32>) {
        self.values = values;
    }

    // Quiet cells are counted like others: it costs less than the wrong guesses of a branch.

    fn count_in(&mut self, p: Point, color: Color, info: CellInfo) {
        let class = info.class().index();
        self.counts[color][class] += 1;
        self.sets[color][class].insert(p);
        if info.is_suspect() {
            self.suspects.insert(p);
        }
    }

    fn count_out(&mut self, p: Point, color: Color, info: CellInfo) {
        let class = info.class().index();
        self.counts[color][class] -= 1;
        self.sets[color][class].remove(p);
        if info.is_suspect() {
            self.suspects.remove(p);
        }
    }

    /// Number of free cells on which `color` would make `class`, which is not [`Class::Quiet`].
    #[inline]
    pub(super) fn count(&self, color: Color, class: Class) -> usize {
        debug_assert!(class != Class::Quiet);
        usize::from(self.counts[color][class.index()])
    }

    /// Free cells on which `color` would make `class`, which is not [`Class::Quiet`].
    #[inline]
    pub(super) fn set(&self, color: Color, class: Class) -> &PointSet {
        debug_assert!(class != Class::Quiet);
        &self.sets[color][class.index()]
    }

    /// Free cells that only the exact test can clear for Black.
    #[inline]
    pub(super) fn suspects(&self) -> &PointSet {
        &self.suspects
    }
}
