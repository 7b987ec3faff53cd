//! Positions described by commands, and blocked cells.

use tengen::board::{Board, Cell as Stone};
use tengen::types::{Color, Point};

use crate::command::{Cell, Command, Entry};

/// Cells that the engine must not play.
#[derive(Default)]
pub struct Blocks {
    cells: Vec<Point>,
    of_side: Vec<(Color, Point)>,
    after: Vec<(Board, Point)>,
}

impl Blocks {
    /// The blocked cells of a position.
    pub fn at(&self, board: &Board) -> Vec<Point> {
        let side = board.side_to_move();
        let of_side = self.of_side.iter().filter(|cell| cell.0 == side);
        let after = self.after.iter().filter(|path| is_same(&path.0, board));
        let cells = self.cells.iter().copied();
        cells
            .chain(of_side.map(|cell| cell.1))
            .chain(after.map(|path| path.1))
            .collect()
    }

    /// Blocks cells or frees them. Returns false for a command without sense.
    pub fn change(&mut self, command: &Command, board: &Board) -> bool {
        match command {
            Command::Block(is_blocked, entries) => {
                let cells = entries.iter().filter_map(Entry::cell);
                for p in cells.filter_map(|cell| point(board, cell)) {
                    self.cells.retain(|&q| q != p);
                    self.cells.extend(is_blocked.then_some(p));
                }
            }
            Command::BlockReset => self.cells.clear(),
            Command::BlockPath(is_blocked, entries) => {
                // Junk does not count, so it is not the last cell.
                let cells: Vec<Entry> = entries
                    .iter()
                    .filter(|e| e.cell().is_some())
                    .cloned()
                    .collect();
                let Some((last, before)) = cells.split_last() else {
                    return true;
                };
                let before = in_turn(board, before);
                if let Some(p) = last.cell().and_then(|cell| free_point(&before, cell)) {
                    self.after
                        .retain(|path| !(is_same(&path.0, &before) && path.1 == p));
                    self.after.extend(is_blocked.then_some((before, p)));
                }
            }
            Command::BlockPathReset => self.after.clear(),
            &Command::Forbid(add, Cell::At(x, y), side) => {
                let Some(p) = point(board, (x, y)) else {
                    return false;
                };
                let side = if side == 0 {
                    Color::Black
                } else {
                    Color::White
                };
                self.of_side.retain(|&cell| cell != (side, p));
                self.of_side.extend(add.then_some((side, p)));
            }
            _ => unreachable!("{command:?} is obeyed elsewhere"),
        }
        true
    }
}

/// True if two positions are the same, in any order of their stones.
fn is_same(a: &Board, b: &Board) -> bool {
    a.to_string() == b.to_string() && a.side_to_move() == b.side_to_move()
}

/// The cell, if it lies on the board.
pub fn point(board: &Board, (x, y): (i64, i64)) -> Option<Point> {
    board.point(i32::try_from(x).ok()?, i32::try_from(y).ok()?)
}

/// The cell, if it is free.
pub fn free_point(board: &Board, cell: (i64, i64)) -> Option<Point> {
    point(board, cell).filter(|&p| board.is_empty(p))
}

/// An empty board of the same size.
pub fn empty_like(board: &Board) -> Board {
    Board::new(board.width().into(), board.height().into()).expect("the size of a board")
}

/// The position of a `BOARD`; the engine is to move.
pub fn position(board: &Board, entries: &[Entry]) -> Board {
    let mut next = empty_like(board);
    let mut stones: Vec<(Point, bool)> = Vec::new();
    for entry in entries {
        let &Entry::Field(x, y, field @ 1..=3) = entry else {
            continue;
        };
        let is_new = |p: &Point| stones.iter().all(|stone| stone.0 != *p);
        match free_point(&next, (x, y)).filter(is_new) {
            Some(p) if field == 3 => next.block(p),
            Some(p) => stones.push((p, field == 1)),
            None => {}
        }
    }
    let own = stones.iter().filter(|stone| stone.1).count();
    let engine_is_black = match stones.len() - own {
        others if own == others => true,
        others if own + 1 == others => false,
        _ => stones[0].1,
    };
    let engine = if engine_is_black {
        Color::Black
    } else {
        Color::White
    };
    for (p, is_own) in stones {
        next.put(p, if is_own { engine } else { !engine });
    }
    next.set_side_to_move(engine);
    next
}

/// The position without a stone. The counts tell the side to move if they fit a game; otherwise the
/// stone's owner may put another one.
pub fn without(board: &Board, p: Point) -> Option<Board> {
    let owner = board.cell(p).color()?;
    let mut next = empty_like(board);
    for blocked in board.points().filter(|&q| board.cell(q) == Stone::Blocked) {
        next.block(blocked);
    }
    for stone in board.stones().iter().filter(|stone| stone.point != p) {
        next.put(stone.point, stone.color);
    }
    let count = |color| next.stones().iter().filter(|s| s.color == color).count();
    let side = match count(Color::Black).checked_sub(count(Color::White)) {
        Some(0) => Color::Black,
        Some(1) => Color::White,
        _ => owner,
    };
    next.set_side_to_move(side);
    Some(next)
}

/// The possible moves in turn from the empty board.
fn in_turn(board: &Board, entries: &[Entry]) -> Board {
    let mut next = empty_like(board);
    for cell in entries.iter().filter_map(Entry::cell) {
        if let Some(p) = free_point(&next, cell) {
            next.play(p);
        }
    }
    next
}
