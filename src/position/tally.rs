use super::CellState;
use crate::patterns::{CellInfo, Class, CLASSES};
use crate::types::{Color, PerColor, Point, PointSet};

/// What all free cells of a position come to together: sets and numbers by class, and sums of
/// values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Free cells of each class; [`Class::Quiet`], which most are, is not kept.
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

    /// Counts a cell that stays free in its new classes instead of its old ones. Values are not
    /// looked at: see [`add_values`](Tally::add_values).
    #[inline]
    pub(super) fn replace(&mut self, p: Point, old: &CellState, new: &CellState) {
        for color in Color::BOTH {
            let (was, is) = (old.infos[color], new.infos[color]);
            if was.differs(is) {
                self.move_over(p, color, was, is);
            }
        }
    }

    /// Kept out of line: most changes of a cell leave its class as it was.
    #[inline(never)]
    fn move_over(&mut self, p: Point, color: Color, was: CellInfo, is: CellInfo) {
        self.count_out(p, color, was);
        self.count_in(p, color, is);
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

    fn count_in(&mut self, p: Point, color: Color, info: CellInfo) {
        let class = info.class();
        if class != Class::Quiet {
            self.counts[color][class.index()] += 1;
            self.sets[color][class.index()].insert(p);
        }
        if info.is_suspect() {
            self.suspects.insert(p);
        }
    }

    fn count_out(&mut self, p: Point, color: Color, info: CellInfo) {
        let class = info.class();
        if class != Class::Quiet {
            self.counts[color][class.index()] -= 1;
            self.sets[color][class.index()].remove(p);
        }
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
