//! The windows that a stone changes, by their numbers before and after.
//!
//! A window's number follows from those of its two arms, and an arm's is a sum over its cells (see
//! [`super::features`]), so what a stone adds depends on its distance alone:
//! the windows of a whole line are renumbered side by side.

// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use super::layout::{CELLS, MOST_CHANGES, Row, WINDOWS_AT_ONCE};
use crate::board::{LINES, WINDOW_RADIUS};
use crate::memory::prefetch;
use crate::types::MAX_SIDE;

/// Places from the first window of a line to that of the next.
const LINE: usize = (MAX_SIDE as usize).next_power_of_two();

/// Why no span is too long.
const FITS: &str = "room for every span";

/// Length of an array with a place for every window of a board.
pub const PLACES: usize = 4 * LINES * LINE + WINDOWS_AT_ONCE;

/// Bits of an arm's number.
const ARM_BITS: u32 = 9;
const ARM_MASK: u32 = (1 << ARM_BITS) - 1;

/// A window in parts: the numbers of its two arms, back and ahead, and above them what stands on
/// its own cell (0 nothing, 1 an own stone, 2 an opponent's).
#[inline]
pub const fn parts(back: u32, ahead: u32, own: u32) -> u32 {
    back | ahead << ARM_BITS | own << (2 * ARM_BITS)
}

/// The number of the window with these [`parts`].
#[inline(always)]
pub fn number(parts: u32) -> u32 {
    let (back, ahead) = (parts & ARM_MASK, parts >> ARM_BITS & ARM_MASK);
    let (low, high) = (back.min(ahead), back.max(ahead));
    3 * (high * (high + 1) / 2 + low) + (parts >> (2 * ARM_BITS))
}

/// Place, below [`PLACES`], of the window of cell number `at` of line number `line` in direction
/// number `direction`.
pub fn place(direction: usize, line: usize, at: usize) -> usize {
    (direction * LINES + line) * LINE + at
}

/// The windows along one line that hold a cell: those of the cells up to five steps away, as far as
/// nothing blocked lies between.
#[derive(Clone, Copy, Debug, Default, bytemuck::Zeroable)]
pub struct Span {
    /// [`place`] of the first.
    pub place: u16,
    /// Number of the first's cell.
    pub cell: u16,
    /// From one's cell to the next one's.
    pub step: i16,
    /// Number of windows before the cell's own, at most [`WINDOW_RADIUS`].
    pub before: u8,
    /// Number of windows, at most twice that and one.
    pub len: u8,
}

impl Span {
    /// The addends of a stone of code 1 to the [`parts`] of each window; those beyond the last
    /// window mean nothing.
    #[inline(always)]
    fn steps(&self) -> &'static [u32; WINDOWS_AT_ONCE] {
        STEPS[WINDOW_RADIUS - usize::from(self.before)..]
            .first_chunk()
            .expect(FITS)
    }

    /// [`place`] of the cell's own window.
    pub fn own_place(&self) -> usize {
        usize::from(self.place) + usize::from(self.before)
    }
}

/// Summands of a stone of code 1 in the [`parts`] of its windows, from the first possible one to
/// the last; then zeros.
static STEPS: [u32; WINDOW_RADIUS + WINDOWS_AT_ONCE] = {
    let mut steps = [0; WINDOW_RADIUS + WINDOWS_AT_ONCE];
    let (mut distance, mut power) = (1, 1);
    while distance <= WINDOW_RADIUS {
        steps[WINDOW_RADIUS - distance] = parts(0, power, 0);
        steps[WINDOW_RADIUS + distance] = parts(power, 0, 0);
        power *= 3;
        distance += 1;
    }
    steps[WINDOW_RADIUS] = parts(0, 0, 1);
    steps
};

/// All bits for each window of a span, then none: a comparison would become a branch for each.
static IS_IN: [u32; 2 * WINDOWS_AT_ONCE] = {
    let mut is_in = [0; 2 * WINDOWS_AT_ONCE];
    let mut i = 0;
    while i < WINDOWS_AT_ONCE {
        is_in[i] = u32::MAX;
        i += 1;
    }
    is_in
};

/// Adds `code` to that of a cell, in the `parts` of the windows of `spans`: 1 for an own stone, 2
/// for an opponent's, negative for a stone that is taken out.
///
/// Inlined, to be compiled for each kind of processor.
#[inline(always)]
pub fn put(parts: &mut [u32; PLACES], spans: &[Span; 4], code: i32) {
    for span in spans {
        let steps = span.steps();
        let parts: &mut [u32; WINDOWS_AT_ONCE] = parts[usize::from(span.place)..]
            .first_chunk_mut()
            .expect(FITS);
        let is_in: &[u32; WINDOWS_AT_ONCE] = IS_IN[WINDOWS_AT_ONCE - usize::from(span.len)..]
            .first_chunk()
            .expect(FITS);
        for i in 0..WINDOWS_AT_ONCE {
            let step = steps[i] & is_in[i];
            parts[i] = parts[i].wrapping_add(step.wrapping_mul(code as u32));
        }
    }
}

/// The windows that a stone changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Number of windows of other cells than the stone's own; no two are of the same cell.
    pub(super) len: usize,
    /// Their cells, and last the stone's own.
    pub(super) cells: [u32; MOST_CHANGES],
    /// Their numbers before and after.
    old: [u32; MOST_CHANGES],
    new: [u32; MOST_CHANGES],
    /// The numbers of the four windows of the stone's own cell.
    own_old: [u32; 4],
    own_new: [u32; 4],
}

impl Changes {
    /// No changes.
    pub const NONE: Changes = Changes {
        len: 0,
        cells: [0; MOST_CHANGES],
        old: [0; MOST_CHANGES],
        new: [0; MOST_CHANGES],
        own_old: [0; 4],
        own_new: [0; 4],
    };

    /// Sets these to the changes of the windows of `spans` when a stone is put on a free cell:
    /// `code` 1 is an own stone, 2 an opponent's.
    ///
    /// Inlined, to be compiled for each kind of processor.
    #[inline(always)]
    pub(super) fn find(&mut self, parts: &[u32; PLACES], spans: &[Span; 4], code: i32) {
        let mut len = 0;
        for (direction, span) in spans.iter().enumerate() {
            let before = usize::from(span.before);
            let steps = span.steps();
            let parts: &[u32; WINDOWS_AT_ONCE] =
                parts[usize::from(span.place)..].first_chunk().expect(FITS);
            let cells: &mut [u32; WINDOWS_AT_ONCE] =
                self.cells[len..].first_chunk_mut().expect(FITS);
            let old: &mut [u32; WINDOWS_AT_ONCE] = self.old[len..].first_chunk_mut().expect(FITS);
            let new: &mut [u32; WINDOWS_AT_ONCE] = self.new[len..].first_chunk_mut().expect(FITS);
            for i in 0..WINDOWS_AT_ONCE {
                old[i] = number(parts[i]);
                new[i] = number(parts[i] + steps[i].wrapping_mul(code as u32));
                cells[i] =
                    u32::from(span.cell).wrapping_add((i as u32).wrapping_mul(span.step as u32));
            }
            // The stone's own cell is in all four lines: it is stored apart, and the last one takes
            // its place.
            let own = len + before;
            let own_cell = self.cells[own];
            self.own_old[direction] = self.old[own];
            self.own_new[direction] = self.new[own];
            len += usize::from(span.len) - 1;
            self.cells[own] = self.cells[len];
            self.old[own] = self.old[len];
            self.new[own] = self.new[len];
            self.cells[len] = own_cell;
        }
        self.len = len;
    }

    /// Prefetches the rows of the new windows; those of the old ones were needed before.
    pub fn prefetch(&self, table: &[Row]) {
        // `for_each`, not `for`: a chain is two loops then.
        let new = self.new[..self.len].iter().chain(&self.own_new);
        new.for_each(|&new| prefetch(table.as_ptr().wrapping_add(new as usize)));
    }

    /// The windows of other cells than the stone's own: cell, below [`CELLS`], and number before
    /// and after.
    #[inline(always)]
    pub(super) fn others(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let numbers = self.old[..self.len].iter().zip(&self.new);
        let all = self.cells.iter().zip(numbers);
        all.map(|(&cell, (&old, &new))| [cell as usize % CELLS, old as usize, new as usize])
    }

    /// The stone's own cell, below [`CELLS`].
    #[inline(always)]
    pub(super) fn own_cell(&self) -> usize {
        self.cells[self.len] as usize % CELLS
    }

    /// The windows of that cell: number before and after.
    #[inline(always)]
    pub(super) fn own(&self) -> [[usize; 2]; 4] {
        [0, 1, 2, 3].map(|i| [self.own_old[i] as usize, self.own_new[i] as usize])
    }
}
