//! Stones on a board: play and undo, line bitboards, hash key, text forms. Independent of the rule.

mod lines;
mod text;
mod zobrist;

#[cfg(test)]
mod tests;

use crate::types::{Color, MAX_SIDE, MIN_SIDE, Point, Symmetry};

#[cfg(test)]
pub(crate) use tests::after;

pub use lines::{Around, Direction, LINES, Lines, WINDOW_RADIUS};
pub use text::{ParseMovesError, parse_moves, parse_size, size_text};
pub use zobrist::stone as stone_key;

/// Content of a cell. The numbers are the two-bit codes of the line bitboards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    /// Free.
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// Blocked by the manager, or off the board.
    Blocked = 3,
}

impl Cell {
    /// The stone's colour, if there is a stone.
    #[inline]
    pub fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Blocked => None,
        }
    }

    #[inline]
    const fn from_code(code: u64) -> Cell {
        match code & 3 {
            0 => Cell::Empty,
            1 => Cell::Black,
            2 => Cell::White,
            _ => Cell::Blocked,
        }
    }
}

impl From<Color> for Cell {
    #[inline]
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

/// A stone and who put it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Its point.
    pub point: Point,
    /// Colour.
    pub color: Color,
}

/// A move of a recorded game. Sides usually take turns, but need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Colour.
    pub color: Color,
    /// The point; `None` is a pass.
    pub point: Option<Point>,
}

impl From<Stone> for Move {
    fn from(stone: Stone) -> Move {
        Move {
            color: stone.color,
            point: Some(stone.point),
        }
    }
}

/// An unsupported board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported size {width}x{height}, use 5..22 (e.g. 15 or 20)")]
pub struct SizeError {
    /// Columns asked for.
    pub width: u32,
    /// Rows asked for.
    pub height: u32,
}

/// A board of 5 to 22 columns and rows with its stones, in the order in which they were put.
///
/// Colours need not alternate and counts need not balance: managers send such positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    width: u8,
    height: u8,
    side_to_move: Color,
    lines: Lines,
    hash: u64,
    empty_count: u16,
    stones: Vec<Stone>,
}

impl Board {
    /// An empty board, Black to move.
    ///
    /// # Errors
    /// When a side is shorter than [`MIN_SIDE`] or longer than [`MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Result<Board, SizeError> {
        let range = u32::from(MIN_SIDE)..=u32::from(MAX_SIDE);
        if !range.contains(&width) || !range.contains(&height) {
            return Err(SizeError { width, height });
        }
        let (width, height) = (width as u8, height as u8);
        Ok(Board {
            width,
            height,
            side_to_move: Color::Black,
            lines: Lines::new(width, height),
            hash: zobrist::size(width, height),
            empty_count: u16::from(width) * u16::from(height),
            stones: Vec::with_capacity(usize::from(width) * usize::from(height)),
        })
    }

    /// The empty board of the same size, without blocked cells, Black to move.
    pub fn cleared(&self) -> Board {
        Board::new(self.width.into(), self.height.into()).expect("the size of a board")
    }

    /// The same position without the stone or the block on `p`, the same side to move.
    pub fn without(&self, p: Point) -> Board {
        let mut next = self.cleared();
        for q in self.points().filter(|&q| q != p) {
            if self.cell(q) == Cell::Blocked {
                next.block(q);
            }
        }
        for stone in self.stones.iter().filter(|stone| stone.point != p) {
            next.put(stone.point, stone.color);
        }
        next.set_side_to_move(self.side_to_move);
        next
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The side with fewer stones, Black where both have as many: the side to move in a position
    /// that names none.
    pub fn side_with_fewer_stones(&self) -> Color {
        let is_black = |stone: &&Stone| stone.color == Color::Black;
        let black = self.stones.iter().filter(is_black).count();
        match black > self.stones.len() - black {
            true => Color::White,
            false => Color::Black,
        }
    }

    /// Number of cells without stone or block.
    #[inline]
    pub fn empty_count(&self) -> usize {
        usize::from(self.empty_count)
    }

    /// All stones, first put first.
    #[inline]
    pub fn stones(&self) -> &[Stone] {
        &self.stones
    }

    /// The points of a colour's stones, first put first.
    pub fn stones_of(&self, color: Color) -> impl Iterator<Item = Point> {
        let own = self.stones.iter().filter(move |s| s.color == color);
        own.map(|s| s.point)
    }

    /// The stone put last.
    #[inline]
    pub fn last(&self) -> Option<Stone> {
        self.stones.last().copied()
    }

    /// The line bitboards.
    #[inline]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Zobrist key of stones, blocked cells, size and side to move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The key of the position after `p` is played by the side to move.
    #[inline]
    pub fn hash_after(&self, p: Point) -> u64 {
        self.hash ^ zobrist::stone(self.side_to_move, p) ^ zobrist::SIDE
    }

    /// True if `x`, `y` lies on the board.
    #[inline]
    pub fn contains(&self, x: i32, y: i32) -> bool {
        (0..i32::from(self.width)).contains(&x) && (0..i32::from(self.height)).contains(&y)
    }

    /// The point at `x`, `y`, if that lies on the board.
    #[inline]
    pub fn point(&self, x: i32, y: i32) -> Option<Point> {
        self.contains(x, y).then(|| Point::new(x as u8, y as u8))
    }

    /// The cell `steps` away from `p` along `direction`, if it lies on the board.
    #[inline]
    pub fn step(&self, p: Point, direction: Direction, steps: i32) -> Option<Point> {
        let (dx, dy) = direction.delta();
        self.point(i32::from(p.x()) + dx * steps, i32::from(p.y()) + dy * steps)
    }

    /// Content of the cell `p`, which must lie on the board.
    #[inline]
    pub fn cell(&self, p: Point) -> Cell {
        self.lines.cell(p)
    }

    /// Content of the cell at `x`, `y`; [`Cell::Blocked`] off the board.
    #[inline]
    pub fn cell_at(&self, x: i32, y: i32) -> Cell {
        self.point(x, y).map_or(Cell::Blocked, |p| self.cell(p))
    }

    /// True if `p` is free.
    #[inline]
    pub fn is_empty(&self, p: Point) -> bool {
        self.cell(p) == Cell::Empty
    }

    /// Every cell of the board, row by row.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Point::new(x, y)))
    }

    /// Every free cell, row by row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|&p| self.is_empty(p))
    }

    /// Puts a stone of the side to move on the free cell `p` and passes the turn.
    #[inline]
    pub fn play(&mut self, p: Point) {
        debug_assert!(self.is_empty(p), "{p} is taken");
        let color = self.side_to_move;
        self.lines.toggle(p, color.into());
        self.hash ^= zobrist::stone(color, p) ^ zobrist::SIDE;
        self.side_to_move = !color;
        self.empty_count -= 1;
        self.stones.push(Stone { point: p, color });
    }

    /// Takes the last stone back; its colour is to move again.
    ///
    /// # Panics
    /// When there is no stone.
    #[inline]
    pub fn undo(&mut self) -> Stone {
        let stone = self.stones.pop().expect("a stone to take back");
        self.lines.toggle(stone.point, stone.color.into());
        self.hash ^= zobrist::stone(stone.color, stone.point);
        self.set_side_to_move(stone.color);
        self.empty_count += 1;
        stone
    }

    /// Gives the turn to `color`.
    #[inline]
    pub fn set_side_to_move(&mut self, color: Color) {
        if self.side_to_move != color {
            self.hash ^= zobrist::SIDE;
            self.side_to_move = color;
        }
    }

    /// Puts a stone of `color` on the free cell `p`; afterwards it is the other side's turn.
    pub fn put(&mut self, p: Point, color: Color) {
        self.set_side_to_move(color);
        self.play(p);
    }

    /// Makes a move to a free cell, or a pass; afterwards it is the other side's turn.
    pub fn make(&mut self, made: Move) {
        match made.point {
            Some(p) => self.put(p, made.color),
            None => self.set_side_to_move(!made.color),
        }
    }

    /// The board turned by `map`, its stones in the same order. A rectangle on its side has its
    /// columns as rows.
    pub fn turned(&self, map: Symmetry) -> Board {
        let (width, height) = (self.width(), self.height());
        let (right, bottom) = map.turn((width.into(), height.into()));
        let mut turned =
            Board::new(right.unsigned_abs(), bottom.unsigned_abs()).expect("the sides of a board");
        for p in self.points().filter(|&p| self.cell(p) == Cell::Blocked) {
            turned.block(map.map(p, width, height));
        }
        for stone in self.stones() {
            turned.put(map.map(stone.point, width, height), stone.color);
        }
        turned.set_side_to_move(self.side_to_move());
        turned
    }

    /// Blocks the free cell `p`, which then ends lines like the edge of the board.
    pub fn block(&mut self, p: Point) {
        debug_assert!(self.is_empty(p), "{p} is taken");
        self.lines.toggle(p, Cell::Blocked);
        self.hash ^= zobrist::blocked(p);
        self.empty_count -= 1;
    }
}
