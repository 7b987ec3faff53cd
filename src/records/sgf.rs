//! Games in Smart Game Format.

use std::fmt::Display;

use super::{RecordError, RecordedGame};
use crate::board::{Board, Cell};
use crate::sgf::{self, Property, SgfGame, Writer, cells};
use crate::types::Color;

/// Reads the games of an SGF text, each along its main line.
///
/// # Errors
/// With what is wrong; a record of Go is refused.
pub fn read(text: &str) -> Result<Vec<RecordedGame>, RecordError> {
    sgf::games(text)?.iter().map(game).collect()
}

/// A game. A position that is set up after moves begins the game anew: what stood before belongs to
/// it.
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

/// The beginning of a record: the root with names, result and set-up. `rule` stands for the rule.
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

/// The board of a game, with nothing on it.
///
/// # Errors
/// When the game is another one, or its board is not supported.
pub fn empty_board(record: &SgfGame) -> Result<Board, RecordError> {
    record.check_kind()?;
    let (width, height) = record.size()?;
    Ok(Board::new(width, height)?)
}

/// Changes `board` by the properties of a node that set up a position: `AB` and `AW` put stones,
/// `AE` takes them away, `XB`, which is our own, blocks cells, and `PL` says whose turn it is: by
/// default that of the side with fewer stones, of Black where both have as many. Returns whether
/// there were such properties.
///
/// # Errors
/// When a value is no point, or a point is off the board or taken.
pub fn set_up(board: &mut Board, node: &[Property]) -> Result<bool, RecordError> {
    let mut changes = node
        .iter()
        .filter(|p| matches!(p.name.as_str(), "AB" | "AW" | "AE" | "XB"))
        .peekable();
    let has_changes = changes.peek().is_some();
    for property in changes {
        let cell = match property.name.as_str() {
            "AB" => Cell::Black,
            "AW" => Cell::White,
            "XB" => Cell::Blocked,
            _ => Cell::Empty,
        };
        for value in &property.values {
            for p in cells(value)? {
                let is_on_board = board.contains(p.x().into(), p.y().into());
                if !is_on_board || (cell != Cell::Empty && !board.is_empty(p)) {
                    return Err(RecordError::SetUp {
                        property: property.name.clone(),
                        value: value.clone(),
                    });
                }
                match cell.color() {
                    Some(color) => board.put(p, color),
                    None if cell == Cell::Blocked => board.block(p),
                    None => *board = board.without(p),
                }
            }
        }
    }
    if has_changes {
        board.set_side_to_move(board.side_with_fewer_stones());
    }
    let turn = node.iter().find(|p| p.name == "PL");
    if let Some(turn) = turn {
        board.set_side_to_move(match turn.value() {
            "W" | "w" | "white" => Color::White,
            _ => Color::Black,
        });
    }
    Ok(has_changes || turn.is_some())
}
