//! Plain positions: `id | rule | size | moves | source`.

use super::fields::{columns, empty_board, rule};
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
pub(super) fn parse(text: &str) -> Result<PositionCase, String> {
    let found: Vec<&str> = text.split('|').map(str::trim).collect();
    let [id, rule_name, size, moves, source] = columns(&found, "id, rule, size, moves, source")?;
    let mut board = empty_board(size)?;
    parse_moves(&mut board, moves).map_err(|error| error.to_string())?;
    Ok(PositionCase {
        id: id.to_string(),
        rule: rule(rule_name)?,
        board,
        source: source.to_string(),
    })
}
