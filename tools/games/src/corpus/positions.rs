//! Plain positions: `id | rule | size | moves | source`.

use super::LineError;
use super::fields::empty_board;
use tengen::board::{Board, parse_moves};
use tengen::rules::Rule;

/// A position given by its moves, without a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCase {
    /// Name of the position.
    pub id: String,
    /// Rule set.
    pub rule: Rule,
    /// The stones in the order of play; Black began.
    pub board: Board,
    /// Source of the position.
    pub source: String,
}

/// Reads a line of five columns.
pub(super) fn parse(text: &str) -> Result<PositionCase, LineError> {
    let columns: Vec<&str> = text.split('|').map(str::trim).collect();
    let [id, rule, size, moves, source] = columns[..] else {
        return Err(LineError::Columns {
            expected: 5,
            names: "id, rule, size, moves, source",
            found: columns.len(),
        });
    };
    let mut board = empty_board(size)?;
    parse_moves(&mut board, moves)?;
    Ok(PositionCase {
        id: id.to_string(),
        rule: rule.parse()?,
        board,
        source: source.to_string(),
    })
}
