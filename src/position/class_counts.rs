use bytemuck::Zeroable;

use super::CellState;
use crate::patterns::{CLASSES, CellInfo, Class};
use crate::types::{Color, PerColor, Point, PointSet};

/// The old and the new classes of a free cell.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(super) struct ClassChange {
    point: Point,
    was: PerColor<CellInfo>,
    is: PerColor<CellInfo>,
}

impl ClassChange {
    #[inline]
    pub(super) fn new(
        point: Point,
        was: PerColor<CellInfo>,
        is: PerColor<CellInfo>,
    ) -> ClassChange {
        ClassChange { point, was, is }
    }

    /// True if the cell's class differs for either colour.
    #[inline]
    pub(super) fn is_change(&self) -> bool {
        // No short circuit, which would be a branch.
        self.was[Color::Black].differs(self.is[Color::Black])
            | self.was[Color::White].differs(self.is[Color::White])
    }
}

/// The free cells of a position by class, as sets and counts, and the sums of their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClassCounts {
    /// Free cells of each class.
    sets: PerColor<[PointSet; CLASSES]>,
    counts: PerColor<[u16; CLASSES]>,
    /// Free cells that only the exact test can clear for Black (renju).
    suspects: PointSet,
    /// Sums of the cells' values for each side when it is to move.
    values: PerColor<i32>,
}

impl ClassCounts {
    /// Adds a free cell.
    pub(super) fn add(&mut self, p: Point, state: &CellState) {
        for color in Color::BOTH {
            self.values[color] += i32::from(state.values[color]);
            self.count_in(p, color, state.infos[color]);
        }
    }

    pub(super) fn remove(&mut self, p: Point, state: &CellState) {
        for color in Color::BOTH {
            self.values[color] -= i32::from(state.values[color]);
            self.count_out(p, color, state.infos[color]);
        }
    }

    /// Moves cells that stay free from their old to their new classes. Does not change the sums of
    /// values: see [`add_values`](ClassCounts::add_values).
    pub(super) fn apply(&mut self, changes: &[ClassChange]) {
        for &ClassChange { point, was, is } in changes {
            // Both colours, though usually only one of them has another class: see below.
            for color in Color::BOTH {
                self.count_out(point, color, was[color]);
                self.count_in(point, color, is[color]);
            }
        }
    }

    /// Takes back what [`apply`](ClassCounts::apply) did.
    pub(super) fn take_back(&mut self, changes: &[ClassChange]) {
        for &ClassChange { point, was, is } in changes {
            for color in Color::BOTH {
                self.count_out(point, color, is[color]);
                self.count_in(point, color, was[color]);
            }
        }
    }

    #[inline]
    pub(super) fn add_values(&mut self, change: PerColor<i32>) {
        for color in Color::BOTH {
            self.values[color] += change[color];
        }
    }

    #[inline]
    pub(super) fn values(&self) -> PerColor<i32> {
        self.values
    }

    /// Restores earlier sums of values.
    #[inline]
    pub(super) fn set_values(&mut self, values: PerColor<i32>) {
        self.values = values;
    }

    // Quiet cells are counted like others: a branch, often mispredicted, would cost more.

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

    /// Number of free cells on which `color` would make `class` (not [`Class::Quiet`]).
    #[inline]
    pub(super) fn count(&self, color: Color, class: Class) -> usize {
        debug_assert!(class != Class::Quiet);
        usize::from(self.counts[color][class.index()])
    }

    /// Free cells on which `color` would make `class` (not [`Class::Quiet`]).
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
