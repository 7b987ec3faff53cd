//! Piskvork's own format: a head line; `x,y,ms` for each move, counted from 1 at the top left; in
//! records of tournaments the names of both players; and a number for the end of the game. The
//! number does not tell the winner: 0 means a proper end, 15 a loss by time. Versions before 8.3
//! leave it out.
//! Source: Piskvork 9.0, `savePsq` and `openPsq` in game.cpp.

use super::{RecordError, RecordedGame};
use tengen::board::{Board, parse_size};
use tengen::types::Color;

/// The first word of a file.
pub const HEAD: &str = "Piskvorky ";

/// Reads a `.psq` file. Blank lines do not count. The result of the game stays empty.
///
/// # Errors
/// With the fault.
pub fn read(text: &str) -> Result<RecordedGame, RecordError> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let head = lines
        .next()
        .and_then(|(_, line)| line.strip_prefix(HEAD))
        .ok_or(RecordError::PsqHead)?;
    let size = head
        .split(',')
        .next()
        .and_then(|size| parse_size(size.trim()));
    let (width, height) = size.ok_or(RecordError::PsqHead)?;
    let mut board = Board::new(width, height)?;
    let mut game = RecordedGame::from_position(board.clone());
    let mut rest = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        match place(line) {
            Some(place) if rest.is_empty() => {
                let color = Color::BOTH[game.moves.len() % 2];
                game.add(&mut board, color, Some(place))?;
            }
            _ => rest.push((number, line)),
        }
    }
    let names = names(&rest)?;
    // The names are in the order of the table; the second player may have begun.
    let is_second_first = head.split(',').nth(2).is_some_and(|who| who.trim() == "1");
    [game.black, game.white] = match (names, is_second_first) {
        ([first, second], false) => [first, second],
        ([first, second], true) => [second, first],
    }
    .map(str::to_string);
    Ok(game)
}

/// The place of a move, from 0; `None` for a line without a move.
fn place(line: &str) -> Option<(i32, i32)> {
    let mut numbers = line.split(',').map(|word| word.trim().parse::<i32>());
    let (x, y) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some((x.saturating_sub(1), y.saturating_sub(1)))
}

/// The names among the lines after the moves; empty without any.
fn names<'a>(rest: &[(usize, &'a str)]) -> Result<[&'a str; 2], RecordError> {
    let Some(&(before, text)) = rest.first() else {
        return Ok(["", ""]);
    };
    if let Some(&(line, _)) = rest.iter().find(|(_, line)| place(line).is_some()) {
        let text = text.to_string();
        return Err(RecordError::PsqMove { line, before, text });
    }
    let is_number = |line: &str| line.parse::<i32>().is_ok();
    let is_cut_move = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
    match *rest {
        [(_, end)] if is_number(end) || !is_cut_move(end) => Ok(["", ""]),
        [(_, first), (_, second)] if !is_number(second) => Ok([first, second]),
        [(_, first), (_, second), _] => Ok([first, second]),
        _ => Err(RecordError::PsqEnd {
            line: before,
            text: text.to_string(),
        }),
    }
}
