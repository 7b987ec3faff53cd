//! The windows that a stone changes, by their numbers before and after.
//!
//! A window's number follows from those of its two arms, and an arm's is a sum over its cells (see
//! [`super::features`]), so what a stone adds depends on its distance alone:
//! the windows of a whole line are renumbered side by side.

// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use super::layout::{CELLS, Row};
use crate::board::{LINES, WINDOW_RADIUS};
use crate::memory::prefetch;
use crate::types::MAX_SIDE;

/// Most windows along a line that hold one cell.
const REACH: usize = 2 * WINDOW_RADIUS + 1;

/// Windows that are computed at once: a power of two, at least [`REACH`].
const LANES: usize = 16;

/// Places from the first window of a line to that of the next.
const LINE: usize = (MAX_SIDE as usize).next_power_of_two();

/// Length of an array with a place for every window of a board.
pub const PLACES: usize = 4 * LINES * LINE + LANES;

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
    /// [`place`] of the cell's own window.
    pub fn own_place(&self) -> usize {
        usize::from(self.place) + usize::from(self.before)
    }
}

/// Summands of a stone of code 1 in the [`parts`] of the windows that hold it, from the first
/// possible window to the last; then zeros.
static STEPS: [u32; WINDOW_RADIUS + LANES] = {
    let mut steps = [0; WINDOW_RADIUS + LANES];
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

/// The windows that a stone changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Number of windows of other cells than the stone's own; no two are of the same cell.
    len: usize,
    /// Their cells, and their numbers before and after.
    cells: [u32; Changes::ROOM],
    old: [u32; Changes::ROOM],
    new: [u32; Changes::ROOM],
    /// The stone's own cell, and the numbers of its four windows.
    own: u32,
    own_old: [u32; 4],
    own_new: [u32; 4],
}

impl Changes {
    /// For four lines of windows without the cell's own, and the unused lanes beyond the last.
    const ROOM: usize = 3 * (REACH - 1) + LANES;

    /// No changes.
    pub const NONE: Changes = Changes {
        len: 0,
        cells: [0; Changes::ROOM],
        old: [0; Changes::ROOM],
        new: [0; Changes::ROOM],
        own: 0,
        own_old: [0; 4],
        own_new: [0; 4],
    };

    /// Sets these to the changes of the windows of `spans` when the code on a cell changes by
    /// `code`: 1 for an own stone, 2 for an opponent's, negative for a stone that is taken away.
    /// Updates the windows' `parts` too if `COMMIT`.
    ///
    /// Inlined, so that it is compiled for each kind of processor.
    #[inline(always)]
    pub(super) fn find<const COMMIT: bool>(
        &mut self,
        parts: &mut [u32; PLACES],
        spans: &[Span; 4],
        code: i32,
    ) {
        const FITS: &str = "room for every span";
        let mut len = 0;
        for (direction, span) in spans.iter().enumerate() {
            let before = usize::from(span.before);
            let steps: &[u32; LANES] = STEPS[WINDOW_RADIUS - before..].first_chunk().expect(FITS);
            let parts: &mut [u32; LANES] = parts[usize::from(span.place)..]
                .first_chunk_mut()
                .expect(FITS);
            let cells: &mut [u32; LANES] = self.cells[len..].first_chunk_mut().expect(FITS);
            let old: &mut [u32; LANES] = self.old[len..].first_chunk_mut().expect(FITS);
            let new: &mut [u32; LANES] = self.new[len..].first_chunk_mut().expect(FITS);
            for i in 0..LANES {
                let is_in = (i as u32) < u32::from(span.len);
                let step = if is_in { steps[i] } else { 0 };
                let now = parts[i];
                let then = now.wrapping_add(step.wrapping_mul(code as u32));
                if COMMIT {
                    parts[i] = then;
                }
                old[i] = number(now);
                new[i] = number(then);
                cells[i] =
                    u32::from(span.cell).wrapping_add((i as u32).wrapping_mul(span.step as u32));
            }
            // The stone's own cell is in all four lines: it is stored apart, and the last one takes
            // its place.
            let own = len + before;
            self.own = self.cells[own];
            self.own_old[direction] = self.old[own];
            self.own_new[direction] = self.new[own];
            len += usize::from(span.len) - 1;
            self.cells[own] = self.cells[len];
            self.old[own] = self.old[len];
            self.new[own] = self.new[len];
        }
        self.len = len;
    }

    /// Prefetches the rows of the new windows; those of the old ones were needed before.
    pub fn prefetch(&self, table: &[Row]) {
        for &new in self.new[..self.len].iter().chain(&self.own_new) {
            prefetch(table.as_ptr().wrapping_add(new as usize));
        }
    }

    /// The windows of other cells than the stone's own: cell, below [`CELLS`], and number before
    /// and after.
    #[inline(always)]
    pub(super) fn others(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let numbers = self.old.iter().zip(&self.new);
        let all = self.cells.iter().zip(numbers).take(self.len);
        all.map(|(&cell, (&old, &new))| [cell as usize % CELLS, old as usize, new as usize])
    }

    /// The stone's own cell, below [`CELLS`].
    #[inline(always)]
    pub(super) fn own_cell(&self) -> usize {
        self.own as usize % CELLS
    }

    /// The windows of that cell: number before and after.
    #[inline(always)]
    pub(super) fn own(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let numbers = self.own_old.iter().zip(&self.own_new);
        numbers.map(|(&old, &new)| [old as usize, new as usize])
    }
}
