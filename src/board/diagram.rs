use super::{Board, Cell, SizeError};
use crate::types::Point;

/// Why a diagram cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseDiagramError {
    /// A character that does not stand for a cell.
    #[error(
        "row {row} of the diagram: '{symbol}' is no cell (X black, O white, # blocked, . free)"
    )]
    Symbol {
        /// Row of the diagram, from 1 at the top.
        row: usize,
        /// The character.
        symbol: char,
    },
    /// A row that is longer or shorter than the first.
    #[error("row {row} of the diagram has {found} cells, the first has {expected}")]
    Width {
        /// Row of the diagram, from 1 at the top.
        row: usize,
        /// Cells in the first row.
        expected: usize,
        /// Cells in this row.
        found: usize,
    },
    /// A size that the engine does not play on.
    #[error(transparent)]
    Size(#[from] SizeError),
}

/// Reads a diagram as `Board`'s `Display` writes it: `X` black, `O` white, `#` blocked, anything
/// that marks a free cell (`.`, `!` or a digit) free. Row numbers and the line of letters are
/// optional, a number with a space behind it; text after the letters is ignored. A stone in brackets, `[X]`, is the last move; other
/// stones have no order. The side with fewer stones is to move, Black if both have as many.
///
/// # Errors
/// When a character does not stand for a cell, rows differ in length, or the size is unsupported.
pub fn parse_diagram(text: &str) -> Result<Board, ParseDiagramError> {
    let rows: Vec<Vec<(char, bool)>> = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with('a'))
        .map(row_cells)
        .filter(|row| !row.is_empty())
        .collect();
    let width = rows.first().map_or(0, Vec::len);
    let mut board = Board::new(width as u32, rows.len() as u32)?;
    let mut last = None;
    for (y, row) in rows.iter().enumerate() {
        if row.len() != width {
            return Err(ParseDiagramError::Width {
                row: y + 1,
                expected: width,
                found: row.len(),
            });
        }
        for (x, &(symbol, marked)) in row.iter().enumerate() {
            let p = Point::new(x as u8, y as u8);
            let cell = match symbol {
                'X' => Cell::Black,
                'O' => Cell::White,
                '#' => Cell::Blocked,
                '.' | '!' | '0'..='9' => continue,
                _ => return Err(ParseDiagramError::Symbol { row: y + 1, symbol }),
            };
            match cell.color() {
                Some(color) => {
                    // Only the last of several stones in brackets is the last move.
                    let now = match marked {
                        true => last.replace((p, color)),
                        false => Some((p, color)),
                    };
                    now.inspect(|&(p, color)| board.put(p, color));
                }
                None => board.block(p),
            }
        }
    }
    if let Some((p, color)) = last {
        board.put(p, color);
    }
    board.set_side_to_move(board.side_with_fewer_stones());
    Ok(board)
}

/// The symbols of a line without its number, and whether each stands in brackets.
fn row_cells(line: &str) -> Vec<(char, bool)> {
    let line = line.trim();
    let cells = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = cells.starts_with(char::is_whitespace);
    let mut marked = false;
    let mut row = Vec::new();
    for symbol in if is_numbered { cells } else { line }.chars() {
        match symbol {
            '[' => marked = true,
            ']' => marked = false,
            _ if symbol.is_whitespace() => {}
            _ => row.push((symbol, marked)),
        }
    }
    row
}
