//! The sums behind the network's evaluation, kept up to date lazily.
//!
//! A move costs nothing here. Each colour's sums remember the stones that they stand for; when a
//! value is asked for, the stones that are on the board no more are taken back from a journal, and
//! the new ones are put in. A search asks by turns for either colour's view, and mostly one or two
//! stones have changed since it asked for the same one; what was played and taken back in the
//! meantime costs nothing at all.
//!
//! Source of the idea to put updates off until a value is asked for: Rapfi's evaluator.

use super::features::number;
use super::head::{Head, REGIONS};
use super::{Network, Set};
use crate::board::{Board, Cell, Direction, Lines, Stone, WINDOW_RADIUS};
use crate::eval::simd::{prefetch, Change, Simd, Sums, ACTIVE, CELLS, CHANNELS};
use crate::types::{Color, PerColor, Point, MAX_SIDE};

/// Most cells of a board.
const MAX_CELLS: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// Every second bit: one for each cell of a line's key.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The eleven cells of a window.
const WINDOW: u64 = (1 << (2 * (2 * WINDOW_RADIUS + 1))) - 1;

/// Bits of a key between a window's first cell and its middle.
const MARGIN: u32 = 2 * WINDOW_RADIUS as u32;

/// What evaluates the positions of one search by a network.
#[derive(Clone)]
pub struct Accumulator<'n> {
    simd: Simd,
    /// Cells that are not blocked.
    area: u32,
    views: PerColor<View<'n>>,
}

impl<'n> Accumulator<'n> {
    /// Sums for `board` and for what becomes of it by moves of either side.
    pub fn new(network: &'n Network, board: &Board, simd: Simd) -> Accumulator<'n> {
        let free = board.points().filter(|&p| board.cell(p) != Cell::Blocked);
        Accumulator {
            simd,
            // A board without any cell has no value, but its evaluation shall not divide by zero.
            area: free.count().max(1) as u32,
            views: PerColor(Color::BOTH.map(|color| View::new(network.set(color), board, color))),
        }
    }

    /// Value of `board` for its side to move in units of [`LOGIT`](crate::eval::LOGIT), where the
    /// classical evaluation says `classical`.
    pub fn value(&mut self, board: &Board, classical: i32) -> i32 {
        let view = &mut self.views[board.side_to_move()];
        view.catch_up(board, self.simd);
        view.set
            .head
            .value(self.simd, &view.sums, self.area, classical)
    }

    /// Promise of the moves of `board`'s side to move to `points`, as far as the network says it.
    pub fn promise(&mut self, board: &Board, points: impl Iterator<Item = Point>) -> Promise<'_> {
        let view = &mut self.views[board.side_to_move()];
        view.catch_up(board, self.simd);
        view.wanted.clear();
        let width = view.width;
        view.wanted.extend(points.map(|p| cell(width, p) as u16));
        view.promises.resize(view.wanted.len(), 0);
        let head = &view.set.head;
        head.promise(self.simd, &view.sums, &view.wanted, &mut view.promises);
        Promise {
            network: &view.promises,
            head,
        }
    }
}

/// What a network says of moves.
pub struct Promise<'a> {
    network: &'a [i32],
    head: &'a Head,
}

impl Promise<'_> {
    /// Promise of the move to point number `index` in units of
    /// [`MOVE_LOGIT`](crate::eval::MOVE_LOGIT), where the classical evaluation says `classical`.
    #[inline]
    pub fn with(&self, index: usize, classical: i32) -> i32 {
        self.head.classical_promise(classical) + self.network[index]
    }
}

#[cfg(test)]
impl Accumulator<'_> {
    /// Whether the sums of `side`'s view are equal.
    pub(super) fn equals(&self, other: &Accumulator, side: Color) -> bool {
        let (a, b) = (&self.views[side], &other.views[side]);
        (&a.lines, &a.windows, &a.sums.cells) == (&b.lines, &b.windows, &b.sums.cells)
            && (0..REGIONS).all(|region| a.sums.pool(region) == b.sums.pool(region))
    }

    /// Sums of the rows of the cell at `p`, seen by `board`'s side to move.
    pub(super) fn sums_at(&self, board: &Board, p: Point) -> [i16; CHANNELS] {
        let view = &self.views[board.side_to_move()];
        view.sums.cells[cell(view.width, p)].0
    }
}

/// Number of the cell at `p` of a board with `width` columns: row by row without gaps, which is
/// kinder to the cache than [`Point::index`].
#[inline]
fn cell(width: u8, p: Point) -> usize {
    usize::from(p.y()) * usize::from(width) + usize::from(p.x())
}

/// A stone that was put into a view's sums.
#[derive(Clone, Copy)]
struct Step {
    stone: Stone,
    /// Length of the journal before it.
    journal: usize,
}

/// The board as one colour sees it.
#[derive(Clone)]
struct View<'n> {
    set: &'n Set,
    color: Color,
    width: u8,
    /// The board that the sums stand for, own stones in Black's place.
    lines: Lines,
    /// Stones of the board that the view began with.
    start: usize,
    /// Stones put in since.
    steps: Vec<Step>,
    /// What they changed.
    journal: Vec<Change>,
    /// Numbers of the windows: of each cell four, by direction.
    windows: Box<[u32; 4 * CELLS]>,
    sums: Sums,
    // What follows is kept for its memory.
    wanted: Vec<u16>,
    promises: Vec<i32>,
}

impl<'n> View<'n> {
    fn new(set: &'n Set, board: &Board, color: Color) -> View<'n> {
        let (width, height) = (board.width(), board.height());
        let third = |at: u8, length: u8| 3 * usize::from(at) / usize::from(length);
        let mut lines = board.lines().clone();
        if color == Color::White {
            for stone in board.stones() {
                // Both bits turned, one colour becomes the other.
                lines.toggle(stone.point, Cell::Blocked);
            }
        }
        let mut windows: Box<[u32; 4 * CELLS]> = bytemuck::zeroed_box();
        let mut sums = Sums {
            cells: bytemuck::zeroed_box(),
            regions: bytemuck::zeroed_box(),
            pools: bytemuck::zeroed_box(),
        };
        for p in board.points() {
            let cell = cell(width, p);
            let region = 3 * third(p.y(), height) + third(p.x(), width);
            debug_assert!(region < REGIONS);
            sums.regions[cell] = region as u8;
            if board.cell(p) == Cell::Blocked {
                continue;
            }
            for direction in Direction::ALL {
                let window = number(lines.window(direction, p));
                windows[4 * cell + direction.index()] = window;
                let row = &set.rows[window as usize];
                for k in 0..CHANNELS {
                    sums.cells[cell].0[k] += i16::from(row.0[k]);
                }
            }
            for k in 0..CHANNELS {
                sums.pools[0][region].0[k] += sums.cells[cell].0[k].clamp(0, ACTIVE);
            }
        }
        View {
            set,
            color,
            width,
            lines,
            start: board.stones().len(),
            steps: Vec::with_capacity(MAX_CELLS),
            journal: Vec::with_capacity(4 * MAX_CELLS),
            windows,
            sums,
            wanted: Vec::with_capacity(MAX_CELLS),
            promises: Vec::with_capacity(MAX_CELLS),
        }
    }

    /// Makes the sums those of `board`.
    fn catch_up(&mut self, board: &Board, simd: Simd) {
        let path = board.stones().get(self.start..).unwrap_or_default();
        debug_assert_eq!(board.stones().len(), self.start + path.len());
        let known = self.steps.iter().zip(path);
        let kept = known.take_while(|(step, stone)| step.stone == **stone);
        let kept = kept.count();
        if let Some(&Step { journal, .. }) = self.steps.get(kept) {
            for step in self.steps.drain(kept..) {
                self.lines
                    .toggle(step.stone.point, seen_as(self.color, step.stone));
            }
            let changes = &self.journal[journal..];
            // No order is needed for the sums, but a window may have changed twice.
            for change in changes.iter().rev() {
                self.windows[change.slot as usize % (4 * CELLS)] = change.old;
            }
            simd.update::<true>(&self.set.rows, changes, &mut self.sums);
            self.journal.truncate(journal);
        }
        if kept < path.len() {
            let before = self.journal.len();
            for &stone in &path[kept..] {
                self.put(stone);
            }
            let changes = &self.journal[before..];
            simd.update::<false>(&self.set.rows, changes, &mut self.sums);
        }
    }

    /// Puts a stone in, but leaves the sums to be updated by what this adds to the journal.
    fn put(&mut self, stone: Stone) {
        let journal = self.journal.len();
        self.steps.push(Step { stone, journal });
        self.lines.toggle(stone.point, seen_as(self.color, stone));
        // Written out so that each direction is compiled with its own constants.
        self.renumber::<0>(stone.point);
        self.renumber::<1>(stone.point);
        self.renumber::<2>(stone.point);
        self.renumber::<3>(stone.point);
    }

    /// Renumbers the windows along direction number `D` that hold `p`.
    #[inline]
    fn renumber<const D: usize>(&mut self, p: Point) {
        let direction = Direction::ALL[D];
        let (dx, dy) = direction.delta();
        let step = 4 * (dy as isize * self.width as isize + dx as isize);
        let around = self.lines.around(direction, p);
        let line = around.line;
        // The slot of the cell that has bit 0 of the line's key; most lie off the board.
        let origin = (4 * cell(self.width, p) + D) as isize - (around.centre / 2) as isize * step;
        let near = WINDOW << (around.centre - MARGIN);
        let mut cells = near & EVEN & !(line & line >> 1);
        while cells != 0 {
            let bit = cells.trailing_zeros();
            cells &= cells - 1;
            let slot = (origin + (bit / 2) as isize * step) as usize % (4 * CELLS);
            let new = number(line >> (bit - MARGIN));
            prefetch(&self.set.rows, new);
            let old = std::mem::replace(&mut self.windows[slot], new);
            let slot = slot as u32;
            self.journal.push(Change { slot, old, new });
        }
    }
}

/// What a stone is in the lines of a view.
#[inline]
fn seen_as(view: Color, stone: Stone) -> Cell {
    if stone.color == view {
        Cell::Black
    } else {
        Cell::White
    }
}
