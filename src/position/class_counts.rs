use super::CellState;
use crate::patterns::{CLASSES, CellInfo, Class};
use crate::types::{Color, PerColor, Point, PointSet};

/// Length of the arrays by class: a power of two, so that a remainder replaces a bounds check.
const ROOM: usize = CLASSES.next_power_of_two();

/// The free cells of a position by class, as sets and counts, and the sums of their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ClassCounts {
    /// Free cells of each class.
    sets: PerColor<[PointSet; ROOM]>,
    counts: PerColor<[u16; ROOM]>,
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

    /// Moves a cell that stays free from its old to its new class for `color`. Does not change the
    /// sums of values: see [`add_values`](ClassCounts::add_values).
    #[inline]
    pub(super) fn change(&mut self, p: Point, color: Color, old: CellInfo, new: CellInfo) {
        self.count_out(p, color, old);
        self.count_in(p, color, new);
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

    #[inline]
    fn count_in(&mut self, p: Point, color: Color, info: CellInfo) {
        let class = info.class_index() % ROOM;
        self.counts[color][class] += 1;
        self.sets[color][class].insert(p);
        if info.is_suspect() {
            self.suspects.insert(p);
        }
    }

    #[inline]
    fn count_out(&mut self, p: Point, color: Color, info: CellInfo) {
        let class = info.class_index() % ROOM;
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
