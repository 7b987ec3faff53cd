//! The position that search plays on: a board and what a stone on each free cell would make for
//! both colours, updated by each move and restored exactly by undo.

mod class_counts;
mod defence;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use crate::board::{Board, Direction};
use crate::eval::Weights;
use crate::patterns::{CellInfo, Class, Shapes, Tables, is_forbidden};
use crate::rules::Rule;
use crate::types::{Color, MAX_SIDE, POINTS, PerColor, Point, PointSet, Score};
use bytemuck::Zeroable;

use class_counts::{ClassChange, ClassCounts};

/// Shapes of both colours on a cell and all that follows from them. With the cell's own
/// point these are 16 bytes, copied by one load and one store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable)]
struct CellState {
    point: Point,
    /// Black's four shapes in the low half, White's in the high half.
    shapes: u32,
    infos: PerColor<CellInfo>,
    /// Value for each side when it is to move.
    values: PerColor<i16>,
}

impl CellState {
    #[inline]
    fn new(weights: &Weights, point: Point, shapes: u32, infos: PerColor<CellInfo>) -> CellState {
        let PerColor([black, white]) = infos;
        CellState {
            point,
            shapes,
            infos,
            values: weights.cell(black.combo(), white.combo()),
        }
    }
}

/// Length of the array of cells: a power of two, so that a remainder replaces a bounds check.
const CELLS: usize = POINTS.next_power_of_two();

/// Most cells that one move can change: four lines of ten.
const MOVE_CHANGES: usize = 40;

/// The changes of all moves of a line, the last move's on top. The stack has room for a move to
/// each free cell: pushing needs no growth, and its memory is touched only as far as it is used.
#[derive(Clone)]
struct ChangeStack<T> {
    changes: Box<[T]>,
    len: usize,
}

impl<T: Zeroable> ChangeStack<T> {
    fn new(free: &PointSet) -> ChangeStack<T> {
        ChangeStack {
            changes: bytemuck::zeroed_slice_box(free.len() * MOVE_CHANGES + ROOM),
            len: 0,
        }
    }

    /// The room above, for the changes of a move. [`push`](ChangeStack::push) them afterwards.
    #[inline]
    fn room(&mut self) -> BranchlessVec<'_, T> {
        let room = self.changes[self.len..].first_chunk_mut();
        BranchlessVec::new(room.expect("room for every move"))
    }

    /// Takes the first `count` changes of the room above.
    #[inline]
    fn push(&mut self, count: usize) {
        self.len += count;
    }

    /// Takes the last `count` changes off.
    #[inline]
    fn pop(&mut self, count: usize) -> &[T] {
        let top = self.len;
        self.len -= count;
        &self.changes[self.len..top]
    }
}

/// Length of the lists that follow: more than [`MOVE_CHANGES`], and a power of two.
const ROOM: usize = 64;
const _: () = assert!(MOVE_CHANGES < ROOM);

/// A list in preallocated room whose items are pushed without a branch.
///
/// Where a condition is hard to predict, each item is written, and the length grows by whether it
/// holds: there is no branch to mispredict.
struct BranchlessVec<'a, T> {
    room: &'a mut [T; ROOM],
    len: usize,
}

impl<'a, T> BranchlessVec<'a, T> {
    /// An empty list for at most [`ROOM`] items.
    #[inline]
    fn new(room: &'a mut [T; ROOM]) -> BranchlessVec<'a, T> {
        BranchlessVec { room, len: 0 }
    }

    #[inline]
    fn push_if(&mut self, item: T, condition: bool) {
        // A remainder replaces a bounds check.
        self.room[self.len % ROOM] = item;
        self.len += usize::from(condition);
    }

    #[inline]
    fn as_slice(&self) -> &[T] {
        &self.room[..self.len]
    }
}

/// Intermediate results of one move.
#[derive(Clone, Zeroable)]
struct Work {
    /// Cells whose shapes change, by index, and their new shapes.
    shapes: [(u16, u32); ROOM],
    /// The classes and combinations of these shapes, and their place in the table of values.
    infos: [(PerColor<CellInfo>, u32); ROOM],
}

/// State before a move, besides stones and cells.
#[derive(Clone, Debug)]
struct Undo {
    /// Numbers of cells and of classes that the move changed.
    changes: usize,
    class_changes: usize,
    candidates: PointSet,
    /// Sums of the cells' values before the move.
    values: PerColor<i32>,
}

/// See the [module](self).
#[derive(Clone)]
pub struct Position {
    board: Board,
    tables: &'static Tables,
    weights: &'static Weights,
    cells: Box<[CellState; CELLS]>,
    classes: Box<ClassCounts>,
    /// Free cells.
    free: PointSet,
    /// Free cells near a stone.
    candidates: PointSet,
    rule_key: u64,
    /// Cells before they changed.
    changes: ChangeStack<CellState>,
    class_changes: ChangeStack<ClassChange>,
    undos: Vec<Undo>,
    work: Box<Work>,
}

impl Position {
    /// The position on `board` under `rule`.
    pub fn new(board: &Board, rule: Rule) -> Position {
        let tables = Tables::get(rule);
        let weights = Weights::get(rule);
        let mut cells: Box<[CellState; CELLS]> = bytemuck::zeroed_box();
        let mut classes = Box::<ClassCounts>::default();
        for p in board.empty_points() {
            let shapes = Direction::ALL.into_iter().fold(0, |shapes, direction| {
                let pair = tables.line(board.lines().window(direction, p));
                shapes | spread(pair, direction)
            });
            let state = CellState::new(weights, p, shapes, infos(tables, shapes));
            cells[p.index()] = state;
            classes.add(p, &state);
        }
        let free: PointSet = board.empty_points().collect();
        let candidates = board
            .stones()
            .iter()
            .fold(PointSet::EMPTY, |set, stone| with_near(&set, stone.point));
        Position {
            board: board.clone(),
            tables,
            weights,
            cells,
            classes,
            candidates: candidates.intersection(&free),
            changes: ChangeStack::new(&free),
            class_changes: ChangeStack::new(&free),
            free,
            // A random-looking key for each rule.
            rule_key: (rule.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93),
            undos: Vec::with_capacity(POINTS),
            work: bytemuck::zeroed_box(),
        }
    }

    /// Puts a stone of the side to move on the free cell `p`. Does not check whether that is
    /// allowed.
    pub fn play(&mut self, p: Point) {
        let (candidates, values) = (self.candidates, self.classes.values());
        self.classes.remove(p, &self.cells[p.index()]);
        self.board.play(p);
        self.free.remove(p);
        self.candidates = with_near(&self.candidates, p).intersection(&self.free);
        let mut shapes = BranchlessVec::new(&mut self.work.shapes);
        // Written out so that each direction is compiled with its own constants.
        find_changes::<0>(&self.board, self.tables, &self.cells, p, &mut shapes);
        find_changes::<1>(&self.board, self.tables, &self.cells, p, &mut shapes);
        find_changes::<2>(&self.board, self.tables, &self.cells, p, &mut shapes);
        find_changes::<3>(&self.board, self.tables, &self.cells, p, &mut shapes);
        let shapes = shapes.as_slice();
        // Each cell needs a look-up in several large tables. All cells in one table first: the
        // processor then has more loads under way at once.
        for (&(_, shapes), room) in shapes.iter().zip(&mut self.work.infos) {
            let infos = infos(self.tables, shapes);
            let PerColor([black, white]) = infos;
            let place = Weights::place(black.combo(), white.combo());
            *room = (infos, place as u32);
            self.weights.prefetch_cell(place);
        }
        let mut class_changes = self.class_changes.room();
        let mut change = PerColor([0; 2]);
        let olds = self.changes.room().room.iter_mut();
        for ((&(index, shapes), &(infos, place)), room) in
            shapes.iter().zip(&self.work.infos).zip(olds)
        {
            let cell = &mut self.cells[usize::from(index) % CELLS];
            *room = *cell;
            let values = self.weights.cell_at(place as usize);
            for color in Color::BOTH {
                change[color] += i32::from(values[color]) - i32::from(cell.values[color]);
            }
            let class_change = ClassChange::new(cell.point, cell.infos, infos);
            class_changes.push_if(class_change, class_change.is_change());
            (cell.shapes, cell.infos, cell.values) = (shapes, infos, values);
        }
        self.classes.add_values(change);
        self.classes.apply(class_changes.as_slice());
        let undo = Undo {
            changes: shapes.len(),
            class_changes: class_changes.len,
            candidates,
            values,
        };
        self.changes.push(undo.changes);
        self.class_changes.push(undo.class_changes);
        self.undos.push(undo);
    }

    /// Takes the last stone back.
    ///
    /// # Panics
    /// When no stone was [played](Position::play) since [`Position::new`].
    pub fn undo(&mut self) {
        let undo = self.undos.pop().expect("a move to take back");
        // No cell changes twice in one move, so the order does not matter.
        for old in self.changes.pop(undo.changes) {
            self.cells[old.point.index() % CELLS] = *old;
        }
        self.classes
            .take_back(self.class_changes.pop(undo.class_changes));
        let p = self.board.undo().point;
        self.classes.add(p, &self.cells[p.index()]);
        self.classes.set_values(undo.values);
        self.free.insert(p);
        self.candidates = undo.candidates;
    }

    /// Gives the turn to the other side without a stone; a second call takes it back.
    pub fn pass(&mut self) {
        self.board.set_side_to_move(!self.board.side_to_move());
    }

    /// The tables of the rule.
    #[inline]
    pub fn tables(&self) -> &'static Tables {
        self.tables
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.tables.rule
    }

    /// Side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Zobrist key of the position and the rule.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.hash() ^ self.rule_key
    }

    /// The [`key`](Position::key) after `p` is played.
    #[inline]
    pub fn key_after(&self, p: Point) -> u64 {
        self.board.hash_after(p) ^ self.rule_key
    }

    /// True if `p` is free.
    #[inline]
    pub fn is_empty(&self, p: Point) -> bool {
        self.board.is_empty(p)
    }

    /// Threat that `color` would make on the free cell `p`.
    #[inline]
    pub fn class(&self, color: Color, p: Point) -> Class {
        self.cells[p.index()].infos[color].class()
    }

    /// Shapes that `color` would make on the free cell `p`, direction by direction.
    #[inline]
    pub fn shapes(&self, color: Color, p: Point) -> Shapes {
        Shapes((self.cells[p.index()].shapes >> (16 * color.index())) as u16)
    }

    /// Number of the combination of `color`'s shapes on the free cell `p`.
    #[inline]
    pub fn combo(&self, color: Color, p: Point) -> u8 {
        self.cells[p.index()].infos[color].combo()
    }

    /// Number of free cells on which `color` would make `class` (not [`Class::Quiet`]).
    #[inline]
    pub fn count(&self, color: Color, class: Class) -> usize {
        self.classes.count(color, class)
    }

    /// Free cells on which `color` would make `class` (not [`Class::Quiet`]).
    #[inline]
    pub fn set(&self, color: Color, class: Class) -> &PointSet {
        self.classes.set(color, class)
    }

    /// The free cells on which `color` makes a four and no five, except surely forbidden ones.
    pub fn four_cells(&self, color: Color) -> PointSet {
        let none = PointSet::EMPTY;
        let sets = Class::FOURS.map(|class| self.set(color, class));
        sets.into_iter().fold(none, |cells, set| cells.union(set))
    }

    /// True if `color` may not play the free cell `p`.
    #[inline]
    pub fn is_forbidden(&self, color: Color, p: Point) -> bool {
        if color == Color::White {
            return false;
        }
        let info = self.cells[p.index()].infos[Color::Black];
        info.class() == Class::Forbidden
            || (info.is_suspect() && is_forbidden(self.board.lines(), self.tables, p))
    }

    /// True if the four lines of the free cell `p` do not tell whether `color` may play there.
    #[inline]
    pub fn is_suspect(&self, color: Color, p: Point) -> bool {
        color == Color::Black && self.cells[p.index()].infos[color].is_suspect()
    }

    /// The free cells that `color` may not play.
    pub fn forbidden_set(&self, color: Color) -> PointSet {
        if !self.rule().restricts(color) {
            return PointSet::EMPTY;
        }
        let mut set = *self.set(Color::Black, Class::Forbidden);
        for p in self.classes.suspects() {
            if is_forbidden(self.board.lines(), self.tables, p) {
                set.insert(p);
            }
        }
        set
    }

    /// Free cells near the stones: the moves searched in a quiet position. Empty on an empty board.
    #[inline]
    pub fn candidates(&self) -> PointSet {
        self.candidates
    }

    /// All free cells.
    pub fn free_set(&self) -> PointSet {
        self.free
    }

    /// The classical evaluation for the side to move.
    #[inline]
    pub fn evaluate(&self) -> Score {
        let side = self.side_to_move();
        let threats = self.weights.threat(side, self.threat_key());
        Score::value(self.classes.values()[side] + i32::from(threats))
    }

    /// The kinds of threats on the board, one bit each, the side to move's first: a number below
    /// [`crate::eval::THREAT_KEYS`].
    pub fn threat_key(&self) -> usize {
        let side = self.side_to_move();
        let has = |color, classes: &[Class]| {
            usize::from(classes.iter().any(|&class| self.count(color, class) > 0))
        };
        let kinds = |color| {
            has(color, &[Class::FourThree])
                | has(color, &[Class::Four, Class::FourPlus]) << 1
                | has(color, &[Class::DoubleThree, Class::ThreePlus]) << 2
                | has(color, &[Class::OpenThree]) << 3
        };
        kinds(side) | kinds(!side) << 4 | has(!side, &[Class::StraightFour]) << 8
    }

    /// Classical policy logit of the side to move's move to the free cell `p`, in units of
    /// [`POLICY_LOGIT`](crate::eval::POLICY_LOGIT).
    #[inline]
    pub fn policy(&self, p: Point) -> i32 {
        let side = self.side_to_move();
        let infos = &self.cells[p.index()].infos;
        self.weights
            .policy(side, infos[side].combo(), infos[!side].combo())
    }
}

/// Classes and combinations of both colours' shapes on a cell.
#[inline]
fn infos(tables: &Tables, shapes: u32) -> PerColor<CellInfo> {
    PerColor([
        tables.cell(Color::Black, Shapes(shapes as u16)),
        tables.cell(Color::White, Shapes((shapes >> 16) as u16)),
    ])
}

/// Adds to `shapes` the free cells near `p` whose shapes along direction number `D` differ from
/// those in `cells`.
#[inline]
fn find_changes<const D: usize>(
    board: &Board,
    tables: &Tables,
    cells: &[CellState; CELLS],
    p: Point,
    shapes: &mut BranchlessVec<(u16, u32)>,
) {
    let direction = Direction::ALL[D];
    let around = board.lines().around(direction, p);
    let mut free = around.free(tables.radius);
    // The cell that has bit 0 of the line's key; most lie off the board.
    let origin = p.index() as isize - (around.centre / 2) as isize * direction.index_delta();
    while free != 0 {
        let bit = free.trailing_zeros();
        free &= free - 1;
        let pair = tables.line_around(around.line, bit);
        let index = origin + (bit / 2) as isize * direction.index_delta();
        let old = cells[index as usize % CELLS].shapes;
        let new = old & !spread(0xff, direction) | spread(pair, direction);
        shapes.push_if((index as u16, new), new != old);
    }
}

/// The two shapes of a line-table entry at their place among a cell's eight.
#[inline]
fn spread(pair: u8, direction: Direction) -> u32 {
    // One product puts the two nibbles at their places.
    let shift = 4 * direction.index();
    (u32::from(pair) * (0x1001 << shift)) & (0xf_000f << shift)
}

/// True if a cell `dx`, `dy` away is near: in a square of two steps, or within three steps along
/// the eight lines. Farther cells make no three or four with it, except split ones whose cells are
/// near other stones of the row too.
const fn is_near(dx: i32, dy: i32) -> bool {
    let (ax, ay) = (dx.abs(), dy.abs());
    (ax <= 2 && ay <= 2) || ((ax == 0 || ay == 0 || ax == ay) && ax <= 3 && ay <= 3)
}

/// The near cells of every point on the largest board.
fn near_cells() -> &'static [PointSet; POINTS] {
    static TABLE: OnceLock<Box<[PointSet; POINTS]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Box::new([PointSet::EMPTY; POINTS]);
        let side = i32::from(MAX_SIDE);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let near = &mut table[Point::new(x as u8, y as u8).index()];
            for (dx, dy) in (-3..=3).flat_map(|dy| (-3..=3).map(move |dx| (dx, dy))) {
                let (qx, qy) = (x + dx, y + dy);
                if is_near(dx, dy) && (0..side).contains(&qx) && (0..side).contains(&qy) {
                    near.insert(Point::new(qx as u8, qy as u8));
                }
            }
        }
        table
    })
}

/// `cells` and all cells near `p`, some of them perhaps off a smaller board or taken.
#[inline]
fn with_near(cells: &PointSet, p: Point) -> PointSet {
    cells.union(&near_cells()[p.index()])
}
