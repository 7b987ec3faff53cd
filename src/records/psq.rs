//! Piskvork's own format: a head line, `x,y,ms` for each move counted from 1 at the top left, the
//! players' names and how the game ended.
//! Source: Piskvork 9.0, `savePsq` and `openPsq` in game.cpp.

use super::{RecordError, RecordedGame};
use crate::board::{Board, parse_size};
use crate::types::Color;

/// How a file begins.
pub const HEAD: &str = "Piskvorky ";

/// Reads a `.psq` file. The players' names are there only in records of tournaments.
///
/// # Errors
/// With what is wrong.
pub fn read(text: &str) -> Result<RecordedGame, RecordError> {
    let mut lines = text.lines().map(str::trim);
    let head = lines.next().and_then(|line| line.strip_prefix(HEAD));
    let size = head.and_then(|rest| parse_size(rest.split(',').next()?.trim()));
    let (width, height) = size.ok_or(RecordError::PsqHead)?;
    let mut board = Board::new(width, height)?;
    let mut game = RecordedGame::from_position(board.clone());
    let mut rest = Vec::new();
    for line in lines {
        let mut numbers = line.split(',').map(|word| word.trim().parse::<i32>());
        match (numbers.next(), numbers.next()) {
            (Some(Ok(x)), Some(Ok(y))) if rest.is_empty() => {
                let color = Color::BOTH[game.moves.len() % 2];
                let place = (x.saturating_sub(1), y.saturating_sub(1));
                game.add(&mut board, color, Some(place))?;
            }
            _ => rest.push(line),
        }
    }
    if let [black, white, _, ..] = rest[..] {
        game.black = black.to_string();
        game.white = white.to_string();
    }
    Ok(game)
}
