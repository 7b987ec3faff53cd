//! The position that search plays on: a board together with what every free cell would make for
//! both colours, kept up to date move by move and undone exactly.

mod candidates;
mod defence;

#[cfg(test)]
mod tests;

use crate::board::{Board, Direction, WINDOW_RADIUS};
use crate::eval::Weights;
use crate::patterns::{is_forbidden, CellInfo, Class, Shapes, Tables, CLASSES};
use crate::rules::Rule;
use crate::types::{Color, PerColor, Point, PointSet, Score, POINTS};

/// Shapes of both colours on a cell and all that follows from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CellState {
    /// Black's four shapes in the low half, White's in the high half.
    shapes: u32,
    infos: PerColor<CellInfo>,
    /// Value for each side when it is to move.
    values: PerColor<i16>,
}

/// A cell's state before a move changed it.
#[derive(Clone, Copy, Debug)]
struct Change {
    point: Point,
    old: CellState,
}

/// What a move changed besides stones and cells.
#[derive(Clone, Debug)]
struct Undo {
    /// Length of the list of changes before the move.
    changes: usize,
    candidates: PointSet,
}

/// See the [module](self).
#[derive(Clone)]
pub struct Position {
    board: Board,
    tables: &'static Tables,
    weights: &'static Weights,
    cells: Box<[CellState; POINTS]>,
    /// Free cells of each class; [`Class::Quiet`] is not kept.
    sets: Box<PerColor<[PointSet; CLASSES]>>,
    counts: PerColor<[u16; CLASSES]>,
    /// Free cells that only the exact test can clear for Black (renju).
    suspects: PointSet,
    candidates: PointSet,
    /// Sum of the cells' values for each side when it is to move.
    values: PerColor<i32>,
    rule_key: u64,
    changes: Vec<Change>,
    undos: Vec<Undo>,
}

impl Position {
    /// The position on `board` under `rule`.
    pub fn new(board: &Board, rule: Rule) -> Position {
        let mut position = Position {
            board: board.clone(),
            tables: Tables::get(rule),
            weights: Weights::get(rule),
            cells: Box::new([CellState::default(); POINTS]),
            sets: Box::default(),
            counts: PerColor::default(),
            suspects: PointSet::EMPTY,
            candidates: PointSet::EMPTY,
            values: PerColor::default(),
            // Far from the board's own keys, whatever the rule.
            rule_key: (rule.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93),
            changes: Vec::with_capacity(POINTS * 8),
            undos: Vec::with_capacity(POINTS),
        };
        for p in board.empty_points() {
            let state = position.fresh_state(p);
            position.cells[p.index()] = state;
            position.enter(p, state);
        }
        for stone in board.stones() {
            position.candidates = candidates::with(&position.candidates, stone.point);
        }
        position
    }

    /// The state of a free cell, from nothing but the board.
    fn fresh_state(&self, p: Point) -> CellState {
        let shapes = Direction::ALL.into_iter().fold(0, |shapes, direction| {
            let pair = self.tables.line(self.board.lines().window(direction, p));
            shapes | spread(pair, direction)
        });
        self.state(shapes)
    }

    #[inline]
    fn state(&self, shapes: u32) -> CellState {
        let black = self.tables.cell(Color::Black, Shapes(shapes as u16));
        let white = self
            .tables
            .cell(Color::White, Shapes((shapes >> 16) as u16));
        CellState {
            shapes,
            infos: PerColor([black, white]),
            values: PerColor([
                self.weights.cell(Color::Black, black.combo, white.combo),
                self.weights.cell(Color::White, white.combo, black.combo),
            ]),
        }
    }

    /// Counts a free cell in.
    #[inline]
    fn enter(&mut self, p: Point, state: CellState) {
        for color in Color::BOTH {
            self.values[color] += i32::from(state.values[color]);
            self.count_in(p, color, state.infos[color].class);
        }
        if state.infos[Color::Black].suspect {
            self.suspects.insert(p);
        }
    }

    /// Counts a cell out.
    #[inline]
    fn leave(&mut self, p: Point, state: CellState) {
        for color in Color::BOTH {
            self.values[color] -= i32::from(state.values[color]);
            self.count_out(p, color, state.infos[color].class);
        }
        if state.infos[Color::Black].suspect {
            self.suspects.remove(p);
        }
    }

    #[inline]
    fn count_in(&mut self, p: Point, color: Color, class: Class) {
        if class != Class::Quiet {
            self.counts[color][class.index()] += 1;
            self.sets[color][class.index()].insert(p);
        }
    }

    #[inline]
    fn count_out(&mut self, p: Point, color: Color, class: Class) {
        if class != Class::Quiet {
            self.counts[color][class.index()] -= 1;
            self.sets[color][class.index()].remove(p);
        }
    }

    /// Replaces the state of a cell that stays free.
    #[inline]
    fn replace(&mut self, p: Point, new: CellState) {
        let old = std::mem::replace(&mut self.cells[p.index()], new);
        for color in Color::BOTH {
            self.values[color] += i32::from(new.values[color]) - i32::from(old.values[color]);
            let (was, is) = (old.infos[color].class, new.infos[color].class);
            if was != is {
                self.count_out(p, color, was);
                self.count_in(p, color, is);
            }
        }
        if old.infos[Color::Black].suspect != new.infos[Color::Black].suspect {
            self.suspects.toggle(p);
        }
    }

    /// Puts a stone of the side to move on the free cell `p`. Does not ask whether that is allowed.
    pub fn play(&mut self, p: Point) {
        self.undos.push(Undo {
            changes: self.changes.len(),
            candidates: self.candidates,
        });
        self.leave(p, self.cells[p.index()]);
        self.board.play(p);
        self.candidates = candidates::with(&self.candidates, p);
        for direction in Direction::ALL {
            self.update_line(p, direction);
        }
    }

    /// Brings the free cells near `p` up to date along one direction.
    #[inline]
    fn update_line(&mut self, p: Point, direction: Direction) {
        let around = self.board.lines().around(direction, p);
        let mut free = around.free(self.tables.radius);
        while free != 0 {
            let bit = free.trailing_zeros();
            free &= free - 1;
            let pair = self
                .tables
                .line(around.line >> (bit - 2 * WINDOW_RADIUS as u32));
            let steps = (bit as isize - around.centre as isize) / 2;
            let index = p.index() as isize + steps * direction.index_delta();
            let q = Point::from_index(index as usize);
            let old = self.cells[q.index()];
            let shapes = old.shapes & !spread(0xff, direction) | spread(pair, direction);
            if shapes != old.shapes {
                self.changes.push(Change { point: q, old });
                self.replace(q, self.state(shapes));
            }
        }
    }

    /// Takes the last stone back.
    ///
    /// # Panics
    /// When no stone was [played](Position::play) since [`Position::new`].
    pub fn undo(&mut self) {
        let undo = self.undos.pop().expect("a move to take back");
        while self.changes.len() > undo.changes {
            if let Some(change) = self.changes.pop() {
                self.replace(change.point, change.old);
            }
        }
        let p = self.board.undo().point;
        self.enter(p, self.cells[p.index()]);
        self.candidates = undo.candidates;
    }

    /// Gives the turn to the other side without a stone; a second call takes it back.
    pub fn pass(&mut self) {
        self.board.set_side_to_move(!self.board.side_to_move());
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

    /// Whose turn it is.
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

    /// Whether `p` is free.
    #[inline]
    pub fn is_empty(&self, p: Point) -> bool {
        self.board.is_empty(p)
    }

    /// What `color` would make on the free cell `p`.
    #[inline]
    pub fn class(&self, color: Color, p: Point) -> Class {
        self.cells[p.index()].infos[color].class
    }

    /// What `color` would make on the free cell `p`, direction by direction.
    #[inline]
    pub fn shapes(&self, color: Color, p: Point) -> Shapes {
        Shapes((self.cells[p.index()].shapes >> (16 * color.index())) as u16)
    }

    /// Number of the combination of `color`'s shapes on the free cell `p`.
    #[inline]
    pub fn combo(&self, color: Color, p: Point) -> u16 {
        self.cells[p.index()].infos[color].combo
    }

    /// Number of free cells on which `color` would make `class`, which is not [`Class::Quiet`].
    #[inline]
    pub fn count(&self, color: Color, class: Class) -> usize {
        debug_assert!(class != Class::Quiet);
        usize::from(self.counts[color][class.index()])
    }

    /// Free cells on which `color` would make `class`, which is not [`Class::Quiet`].
    #[inline]
    pub fn set(&self, color: Color, class: Class) -> &PointSet {
        debug_assert!(class != Class::Quiet);
        &self.sets[color][class.index()]
    }

    /// Whether `color` may not play the free cell `p`.
    #[inline]
    pub fn is_forbidden(&self, color: Color, p: Point) -> bool {
        if color == Color::White {
            return false;
        }
        let info = self.cells[p.index()].infos[Color::Black];
        info.class == Class::Forbidden
            || (info.suspect && is_forbidden(&self.board, self.tables, p))
    }

    /// The free cells that `color` may not play.
    pub fn forbidden_set(&self, color: Color) -> PointSet {
        if !self.rule().restricts(color) {
            return PointSet::EMPTY;
        }
        let mut set = *self.set(Color::Black, Class::Forbidden);
        for p in &self.suspects {
            if is_forbidden(&self.board, self.tables, p) {
                set.insert(p);
            }
        }
        set
    }

    /// Free cells near the stones: those worth a thought in a quiet position. Empty on an empty
    /// board.
    #[inline]
    pub fn candidates(&self) -> PointSet {
        self.candidates.intersection(&self.free_set())
    }

    /// All free cells.
    pub fn free_set(&self) -> PointSet {
        self.board.lines().free_set()
    }

    /// The classical evaluation for the side to move.
    #[inline]
    pub fn evaluate(&self) -> Score {
        let side = self.side_to_move();
        let threats = self.weights.threat(side, self.threat_key());
        Score::value(self.values[side] + i32::from(threats))
    }

    /// Which kinds of threats are on the board, one bit each, the side to move's first: a number
    /// below [`crate::eval::THREAT_KEYS`].
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

    /// How promising the free cell `p` looks for the side to move, without search.
    #[inline]
    pub fn order(&self, p: Point) -> i32 {
        let side = self.side_to_move();
        let infos = &self.cells[p.index()].infos;
        self.weights
            .order(side, infos[side].combo, infos[!side].combo)
    }
}

/// The two shapes of a line-table entry at their place among a cell's eight.
#[inline]
fn spread(pair: u8, direction: Direction) -> u32 {
    let pair = u32::from(pair);
    (pair & 15 | (pair & 0xf0) << 12) << (4 * direction.index())
}
