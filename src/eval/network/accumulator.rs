//! The sums behind the network's evaluation, updated lazily.
//!
//! A move itself costs nothing. Each colour's sums remember which stones they contain. When a value
//! is asked for, stones that are no longer on the board are taken out and new ones are put in, all
//! but the last: most positions are asked for nothing but their value, and for that the sums with
//! the last stone are computed beside the others. Then an exchange of the two puts the stone in, or
//! takes it out later. A search asks for the two colours' views in turn, and usually only one or
//! two stones have changed since it asked for the same view; moves that were played and undone in
//! between cost nothing.
//!
//! Source of the idea to delay updates until a value is asked for: Rapfi's evaluator.

use super::Network;
use super::features::window_parts;
use super::head::{Head, HeadWork};
use super::layout::{ACTIVE, BLOCK, CELLS, Lanes, REGIONS, Row, Sums};
use super::rule_net::RuleNet;
use super::simd::Simd;
use super::windows::{Changes, PLACES, Span, number, place};
use crate::board::{Board, Cell, Direction, Stone, WINDOW_RADIUS};
use crate::types::{Color, MAX_CELLS, PerColor, Point};

/// Evaluates the positions of one search by a network.
#[derive(Clone)]
pub struct Accumulator<'n> {
    board: Geometry,
    /// Cells that are not blocked.
    area: u32,
    views: PerColor<View<'n>>,
    work: Box<Work>,
}

impl<'n> Accumulator<'n> {
    /// Sums for `board` and the positions after further moves of either side.
    pub fn new(network: &'n Network, board: &Board, simd: Simd) -> Accumulator<'n> {
        let free = board.points().filter(|&p| board.cell(p) != Cell::Blocked);
        let geometry = Geometry::new(board);
        Accumulator {
            // At least 1, so that the evaluation of a board without free cells does not divide by
            // zero.
            area: free.count().max(1) as u32,
            views: PerColor(
                Color::BOTH
                    .map(|color| View::new(network.rule_net(color), board, &geometry, color)),
            ),
            board: geometry,
            work: Box::new(Work {
                simd,
                head: bytemuck::Zeroable::zeroed(),
                changes: Changes::NONE,
                prefetched: None,
            }),
        }
    }

    /// Value of `board` for its side to move in units of [`LOGIT`](crate::eval::LOGIT), where the
    /// classical evaluation says `classical`.
    pub fn value(&mut self, board: &Board, classical: i32) -> i32 {
        let view = &mut self.views[board.side_to_move()];
        let path = view.path(board);
        let kept = view.common(path);
        let work = &mut *self.work;
        // The last stone, if it is new, is only tried, not put in.
        let (last, others) = match path.split_last() {
            Some((&last, rest)) if kept < path.len() => (Some(last), rest),
            _ => (None, path),
        };
        view.catch_up(&self.board, others, kept, work);
        if let Some(stone) = last {
            view.compute(&self.board, stone, work);
        }
        let at = view.stones.len();
        let pools = view.sums.iter().map(|block| match last {
            Some(_) => &block.steps[at].pools,
            None => &block.pools,
        });
        let head = &view.net.head;
        head.value(work.simd, &mut work.head, pools, self.area, classical)
    }

    /// Prefetches what the value of `board` after a move to `p` needs: its rows lie all over the
    /// table. Does nothing where more than one stone would have to be updated, because the value
    /// may never be asked for.
    pub fn prefetch_child(&mut self, board: &Board, p: Point) {
        let stone = Stone {
            point: p,
            color: board.side_to_move(),
        };
        let view = &mut self.views[!stone.color];
        if view.next == Some(stone) || view.stones != view.path(board) {
            return;
        }
        let work = &mut *self.work;
        view.find(&self.board, stone, work);
        view.prefetch_rows(work);
        work.prefetched = Some((view.color, stone));
    }

    /// Policy logits of the moves of `board`'s side to move to `points`.
    pub fn policy(
        &mut self,
        board: &Board,
        points: impl Iterator<Item = Point>,
    ) -> PolicyLogits<'_> {
        let view = &mut self.views[board.side_to_move()];
        let path = view.path(board);
        view.catch_up(&self.board, path, view.common(path), &mut self.work);
        view.wanted.clear();
        let width = self.board.width;
        view.wanted.extend(points.map(|p| cell(width, p) as u16));
        view.logits.resize(view.wanted.len(), 0);
        let head = &view.net.head;
        let (work, out) = (&mut *self.work, &mut view.logits);
        head.policy(
            work.simd,
            &mut work.head,
            &view.sums,
            self.area,
            &view.wanted,
            out,
        );
        PolicyLogits {
            logits: &view.logits,
            head,
        }
    }
}

/// The network's part of the policy logits of some moves.
pub struct PolicyLogits<'a> {
    logits: &'a [i32],
    head: &'a Head,
}

impl PolicyLogits<'_> {
    /// Logit of the move to point number `index` in units of
    /// [`POLICY_LOGIT`](crate::eval::POLICY_LOGIT), where its classical logit is `classical`.
    #[inline]
    pub fn logit(&self, index: usize, classical: i32) -> i32 {
        self.head.classical_policy(classical) + self.logits[index]
    }
}

#[cfg(test)]
impl Accumulator<'_> {
    /// True if the sums of `side`'s view are equal.
    pub(super) fn equals(&self, other: &Accumulator, side: Color) -> bool {
        let (a, b) = (&self.views[side], &other.views[side]);
        let mut blocks = a.sums.iter().zip(&b.sums);
        a.parts == b.parts && blocks.all(|(a, b)| a.cells == b.cells && a.pools == b.pools)
    }

    /// Sums of the rows of the cell at `p`, seen by `board`'s side to move.
    pub(super) fn sums_at(&self, board: &Board, p: Point) -> Vec<i16> {
        let view = &self.views[board.side_to_move()];
        let cell = cell(self.board.width, p);
        let blocks = view.sums.iter();
        blocks.flat_map(|block| block.cells[cell].0).collect()
    }
}

/// Number of the cell at `p` of a board with `width` columns: row by row without gaps, which uses
/// the cache better than [`Point::index`].
#[inline]
fn cell(width: u8, p: Point) -> usize {
    usize::from(p.y()) * usize::from(width) + usize::from(p.x())
}

/// Facts of a board's shape and blocked cells.
#[derive(Clone)]
struct Geometry {
    width: u8,
    /// For each cell and direction the windows that hold the cell.
    spans: Box<[[Span; 4]; CELLS]>,
}

impl Geometry {
    fn new(board: &Board) -> Geometry {
        let mut spans: Box<[[Span; 4]; CELLS]> = bytemuck::zeroed_box();
        for p in board.points().filter(|&p| board.cell(p) != Cell::Blocked) {
            let own = cell(board.width(), p);
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                let step = dy as isize * isize::from(board.width()) + dx as isize;
                let [before, after] = board.lines().around(direction, p).arms();
                spans[own][direction.index()] = Span {
                    place: (window_place(board, direction, p) - before) as u16,
                    cell: (own as isize - before as isize * step) as u16,
                    step: step as i16,
                    before: before as u8,
                    len: (before + 1 + after) as u8,
                };
            }
        }
        Geometry {
            width: board.width(),
            spans,
        }
    }
}

/// The [`place`] of the window of the cell at `p`.
fn window_place(board: &Board, direction: Direction, p: Point) -> usize {
    let centre = board.lines().around(direction, p).centre as usize;
    place(
        direction.index(),
        direction.line(p),
        centre / 2 - WINDOW_RADIUS,
    )
}

/// Intermediate results.
#[derive(Clone)]
struct Work {
    simd: Simd,
    head: HeadWork,
    /// The windows that the last stone changed.
    changes: Changes,
    /// View and stone of the prefetched changes, if a move was prefetched.
    prefetched: Option<(Color, Stone)>,
}

/// The board as one colour sees it.
#[derive(Clone)]
struct View<'n> {
    net: &'n RuleNet,
    color: Color,
    /// Number of stones of the board that the view began with.
    start: usize,
    /// Stones put into the sums since.
    stones: Vec<Stone>,
    /// The stone whose sums the step after them has, if it has any.
    next: Option<Stone>,
    /// The windows of the board with these stones, own stones in Black's place.
    parts: Box<[u32; PLACES]>,
    /// Its sums, by block of channels.
    sums: Vec<Sums>,
    // Buffers, kept so that they are not allocated again.
    wanted: Vec<u16>,
    logits: Vec<i32>,
}

impl<'n> View<'n> {
    fn new(net: &'n RuleNet, board: &Board, geometry: &Geometry, color: Color) -> View<'n> {
        let mut lines = board.lines().clone();
        if color == Color::White {
            for stone in board.stones() {
                // Flipping both bits turns one colour into the other.
                lines.toggle(stone.point, Cell::Blocked);
            }
        }
        let mut parts: Box<[u32; PLACES]> = bytemuck::zeroed_box();
        for p in board.points().filter(|&p| board.cell(p) != Cell::Blocked) {
            let spans = &geometry.spans[cell(geometry.width, p)];
            for (direction, span) in Direction::ALL.into_iter().zip(spans) {
                parts[span.own_place()] = window_parts(lines.window(direction, p));
            }
        }
        let first_sums = |rows: &Vec<Row>| first_sums(rows, board, geometry, &parts);
        let sums = net.rows.iter().map(first_sums).collect();
        View {
            net,
            color,
            start: board.stones().len(),
            stones: Vec::with_capacity(MAX_CELLS),
            next: None,
            parts,
            sums,
            wanted: Vec::with_capacity(MAX_CELLS),
            logits: Vec::with_capacity(MAX_CELLS),
        }
    }

    /// The stones of `board` that were played since the view began.
    fn path<'b>(&self, board: &'b Board) -> &'b [Stone] {
        debug_assert!(board.stones().len() >= self.start);
        board.stones().get(self.start..).unwrap_or_default()
    }

    /// Number of the first stones of `path` that are in the sums.
    fn common(&self, path: &[Stone]) -> usize {
        let both = self.stones.iter().zip(path);
        both.take_while(|(known, stone)| known == stone).count()
    }

    /// Updates the sums to the board with the stones of `path`; the first `kept` are in them
    /// already.
    fn catch_up(&mut self, geometry: &Geometry, path: &[Stone], kept: usize, work: &mut Work) {
        while self.stones.len() > kept {
            let stone = self.stones.pop().expect("more stones than those kept");
            self.exchange(geometry, stone, -1, work);
            self.next = Some(stone);
        }
        for &stone in path.get(kept..).unwrap_or_default() {
            self.compute(geometry, stone, work);
            self.exchange(geometry, stone, 1, work);
            self.stones.push(stone);
            self.next = None;
        }
    }

    /// Computes the sums with `stone` into the next step, unless they are there.
    fn compute(&mut self, geometry: &Geometry, stone: Stone, work: &mut Work) {
        if self.next == Some(stone) {
            return;
        }
        if work.prefetched != Some((self.color, stone)) {
            self.find(geometry, stone, work);
            self.prefetch_rows(work);
        }
        let at = self.stones.len();
        for (rows, sums) in self.net.rows.iter().zip(&mut self.sums) {
            if sums.steps.len() == at {
                sums.steps.push(bytemuck::Zeroable::zeroed());
            }
            work.simd.update(rows, &work.changes, sums, at);
        }
        self.next = Some(stone);
    }

    /// Puts `stone`, whose sums the next step has, into the sums (`sign` 1), or takes it out (-1).
    fn exchange(&mut self, geometry: &Geometry, stone: Stone, sign: i32, work: &mut Work) {
        let (spans, code) = (self.spans(geometry, stone), self.code(stone));
        let (sums, at) = (&mut self.sums, self.stones.len());
        let parts = &mut self.parts;
        work.simd.exchange(sums, at, parts, spans, sign * code);
        // They were found among other stones.
        work.prefetched = None;
    }

    /// Finds the windows that change when `stone` is put in.
    fn find(&mut self, geometry: &Geometry, stone: Stone, work: &mut Work) {
        let (spans, code) = (self.spans(geometry, stone), self.code(stone));
        work.simd.find(&mut work.changes, &self.parts, spans, code);
        work.prefetched = None;
    }

    /// The windows that hold `stone`.
    fn spans<'g>(&self, geometry: &'g Geometry, stone: Stone) -> &'g [Span; 4] {
        &geometry.spans[cell(geometry.width, stone.point) % CELLS]
    }

    /// Code of `stone` on its cell: 1 for an own stone, 2 for an opponent's.
    fn code(&self, stone: Stone) -> i32 {
        if stone.color == self.color { 1 } else { 2 }
    }

    /// Prefetches the rows of the windows that changed.
    fn prefetch_rows(&self, work: &Work) {
        for rows in &self.net.rows {
            work.changes.prefetch(rows);
        }
    }
}

/// The sums of the block of channels that has these `rows`, for a board with the windows `parts`.
fn first_sums(rows: &[Row], board: &Board, geometry: &Geometry, parts: &[u32; PLACES]) -> Sums {
    let (width, height) = (board.width(), board.height());
    let third = |at: u8, length: u8| 3 * usize::from(at) / usize::from(length);
    let mut sums = Sums {
        cells: bytemuck::zeroed_box(),
        regions: bytemuck::zeroed_box(),
        pools: bytemuck::Zeroable::zeroed(),
        steps: Vec::new(),
    };
    for p in board.points() {
        let cell = cell(geometry.width, p);
        let region = 3 * third(p.y(), height) + third(p.x(), width);
        debug_assert!(region < REGIONS);
        sums.regions[cell] = region as u8;
        if board.cell(p) == Cell::Blocked {
            continue;
        }
        // Zipped, not indexed: so the loops are vectorized.
        let mut sum = [0; BLOCK];
        for span in &geometry.spans[cell] {
            let row = &rows[number(parts[span.own_place()]) as usize];
            for (sum, &part) in sum.iter_mut().zip(&row.0) {
                *sum += i16::from(part);
            }
        }
        sums.cells[cell] = Lanes(sum);
        for (pool, &sum) in sums.pools[region].0.iter_mut().zip(&sum) {
            *pool += sum.clamp(0, ACTIVE);
        }
    }
    sums
}
