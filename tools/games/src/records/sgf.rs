//! Games in Smart Game Format.

use std::fmt::Display;

use super::{RecordError, RecordedGame};
use crate::sgf::{self, Property, SgfGame, Writer, cells};
use tengen::board::{Board, Cell};
use tengen::types::{Color, POINTS, Point};

/// Reads the games of an SGF text, each along its main line.
///
/// # Errors
/// With the fault; a record of Go is refused.
pub fn read(text: &str) -> Result<Vec<RecordedGame>, RecordError> {
    sgf::games(text)?.iter().map(game).collect()
}

/// A game. A position set up after moves begins the game again, with the stones before it as part
/// of the position.
fn game(record: &SgfGame) -> Result<RecordedGame, RecordError> {
    let of_root = |name| record.of_root(name).unwrap_or_default().to_string();
    let mut board = empty_board(record)?;
    let mut game = RecordedGame::from_position(board.clone());
    game.black = of_root("PB");
    game.white = of_root("PW");
    game.rule = of_root("RU");
    game.result = of_root("RE");
    for node in &record.nodes {
        if set_up(&mut board, node)? {
            game.start = board.clone();
            game.moves.clear();
        }
        for property in node {
            let color = match property.name.as_str() {
                "B" => Color::Black,
                "W" => Color::White,
                _ => continue,
            };
            let place = match property.value().trim() {
                "" => None,
                // A pass in files before FF[4], unless the board has this point.
                "tt" if !board.contains(19, 19) => None,
                text => {
                    let [p] = cells(text)?[..] else {
                        return Err(sgf::ReadError::Point(text.to_string()).into());
                    };
                    Some((p.x().into(), p.y().into()))
                }
            };
            game.add(&mut board, color, place)?;
        }
    }
    Ok(game)
}

/// The start of a record: the root with names, result and set-up position. `rule` is written as the
/// rule.
pub fn begin(game: &RecordedGame, rule: impl Display) -> Writer {
    let mut writer = Writer::new(game.start.width(), game.start.height(), rule);
    for (name, value) in [
        ("PB", &game.black),
        ("PW", &game.white),
        ("RE", &game.result),
    ] {
        if !value.is_empty() {
            writer.property(name, value);
        }
    }
    writer.position(&game.start);
    writer
}

/// A game as SGF text.
pub fn write(game: &RecordedGame, rule: impl Display) -> String {
    let mut writer = begin(game, rule);
    for made in &game.moves {
        writer.turn(made.color, made.point);
    }
    writer.finish()
}

/// The empty board of a game.
///
/// # Errors
/// When the record is of another game, or its board is not supported.
pub fn empty_board(record: &SgfGame) -> Result<Board, RecordError> {
    record.check_kind()?;
    let (width, height) = record.size()?;
    Ok(Board::new(width, height)?)
}

/// Changes `board` by the set-up properties of a node: `AB` and `AW` put stones, `AE` takes them
/// away, `XB` (our own) blocks cells, and `PL` gives the side to move. Without `PL` it is the side
/// with fewer stones, or Black with equal numbers. Returns true if there were such properties.
///
/// # Errors
/// When a value is no point or no side, or a point is off the board or taken.
pub fn set_up(board: &mut Board, node: &[Property]) -> Result<bool, RecordError> {
    let mut changes = node
        .iter()
        .filter(|p| matches!(p.name.as_str(), "AB" | "AW" | "AE" | "XB"))
        .peekable();
    let has_changes = changes.peek().is_some();
    if has_changes {
        let mut grid = Grid::of(board);
        for property in changes {
            grid.change(board, property)?;
        }
        *board = grid.board(board);
        board.set_side_to_move(board.side_with_fewer_stones());
    }
    let turn = node.iter().find(|p| p.name == "PL");
    if let Some(turn) = turn {
        board.set_side_to_move(side(turn.value())?);
    }
    Ok(has_changes || turn.is_some())
}

/// The side named by the first letter of a value of `PL`.
fn side(text: &str) -> Result<Color, RecordError> {
    match text.trim().as_bytes().first() {
        Some(b'B' | b'b') => Ok(Color::Black),
        Some(b'W' | b'w') => Ok(Color::White),
        _ => Err(RecordError::SideToMove(text.to_string())),
    }
}

/// A position being set up, cell by cell: a board would have to be built again for each stone taken
/// away.
struct Grid {
    cells: [Cell; POINTS],
    /// The number of each cell's last change; the stones from before the set-up come first.
    changed: [u64; POINTS],
    /// Number of changes.
    count: u64,
}

impl Grid {
    fn of(board: &Board) -> Grid {
        let mut grid = Grid {
            cells: [Cell::Empty; POINTS],
            changed: [0; POINTS],
            count: 0,
        };
        for p in board.points() {
            grid.cells[p.index()] = board.cell(p);
        }
        for stone in board.stones() {
            grid.set(stone.point, stone.color.into());
        }
        grid
    }

    fn set(&mut self, p: Point, cell: Cell) {
        self.count += 1;
        self.cells[p.index()] = cell;
        self.changed[p.index()] = self.count;
    }

    /// Makes the changes of a property; its points must be on `board`.
    fn change(&mut self, board: &Board, property: &Property) -> Result<(), RecordError> {
        let cell = match property.name.as_str() {
            "AB" => Cell::Black,
            "AW" => Cell::White,
            "XB" => Cell::Blocked,
            _ => Cell::Empty,
        };
        for value in &property.values {
            for p in cells(value)? {
                let is_on_board = board.contains(p.x().into(), p.y().into());
                let is_taken = || self.cells[p.index()] != Cell::Empty;
                if !is_on_board || (cell != Cell::Empty && is_taken()) {
                    return Err(RecordError::SetUp {
                        property: property.name.clone(),
                        value: value.clone(),
                    });
                }
                self.set(p, cell);
            }
        }
        Ok(())
    }

    /// The position on a board of the size of `board`, with its stones in the order of their
    /// changes.
    fn board(&self, board: &Board) -> Board {
        let mut next = board.cleared();
        let mut stones = Vec::new();
        for p in board.points() {
            match self.cells[p.index()] {
                Cell::Black => stones.push((self.changed[p.index()], p, Color::Black)),
                Cell::White => stones.push((self.changed[p.index()], p, Color::White)),
                Cell::Blocked => next.block(p),
                Cell::Empty => {}
            }
        }
        stones.sort_unstable_by_key(|&(changed, ..)| changed);
        for (_, p, color) in stones {
            next.put(p, color);
        }
        next
    }
}
