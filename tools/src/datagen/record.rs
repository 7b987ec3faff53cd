//! The binary form of a training record (a game or a branch), little endian:
//!
//! | bytes | field |
//! |---|---|
//! | 1 | board size S |
//! | 1 | rule: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 caro9 |
//! | 1 | number of opening stones (the first plies) |
//! | 1 | result: 0 draw, 1 Black won, 2 White won, 3 unknown: a branch, not a game |
//! | 2 | n, number of plies |
//! | 2n | moves, `y * S + x`, Black first, alternating |
//! | n | value of the position before the move for its side to move, times 127; -128 = none |
//!
//! A file has such records in zstd frames; see [`data_file`](super::data_file).

use std::io::{self, Read, Write};

use super::Kind;
use tengen::rules::Rule;
use tengen::types::{Color, MAX_SIDE, MIN_SIDE, Point, PointSet};

const HEADER: usize = 6;
/// Stored where the position was not searched.
const NO_VALUE: i8 = -128;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Nobody won.
    Draw,
    /// This side won.
    Win(Color),
    /// The record is a branch of a search.
    Unknown,
}

/// A finished game, or a branch of one of its searches, with the search's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingRecord {
    /// Columns and rows of the board.
    pub size: u8,
    /// Rule of the game.
    pub rule: Rule,
    /// Number of random moves at the beginning.
    pub opening: u8,
    /// The result of the game.
    pub result: GameResult,
    /// The moves, Black first.
    pub moves: Vec<Point>,
    /// For each move the value of the position before it for its side to move, from -127 (lost) to
    /// 127 (won); `None` where nothing was searched (opening, forced replies).
    pub values: Vec<Option<i8>>,
}

impl TrainingRecord {
    /// Rule and board.
    pub fn kind(&self) -> Kind {
        Kind {
            rule: self.rule,
            size: self.size,
        }
    }

    /// True if the record is a game, not a branch.
    pub fn is_game(&self) -> bool {
        self.result != GameResult::Unknown
    }

    /// Number of positions with a search's value.
    pub fn labels(&self) -> u64 {
        self.values.iter().flatten().count() as u64
    }

    /// Reads the next record; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the stream fails or ends inside a record, or the record is invalid.
    pub fn read(stream: &mut impl Read) -> io::Result<Option<TrainingRecord>> {
        let mut header = [0; HEADER];
        if stream.read(&mut header[..1])? == 0 {
            return Ok(None);
        }
        stream.read_exact(&mut header[1..])?;
        let [size, rule, opening, result, low, high] = header;
        if !(MIN_SIDE..=MAX_SIDE).contains(&size) {
            return Err(invalid(format!("unsupported board size {size}")));
        }
        let known = Rule::ALL.get(usize::from(rule)).copied();
        let rule = known.ok_or_else(|| invalid(format!("unknown rule number {rule}")))?;
        let result = match result {
            0 => GameResult::Draw,
            1 => GameResult::Win(Color::Black),
            2 => GameResult::Win(Color::White),
            3 => GameResult::Unknown,
            other => return Err(invalid(format!("unknown result {other}"))),
        };
        let plies = u16::from_le_bytes([low, high]);
        if u16::from(opening) > plies {
            let text = format!("{opening} opening stones in a game of {plies} plies");
            return Err(invalid(text));
        }
        let mut body = vec![0; 3 * usize::from(plies)];
        stream.read_exact(&mut body)?;
        let (moves, values) = body.split_at(2 * usize::from(plies));
        let moves = read_moves(moves, size)?;
        Ok(Some(TrainingRecord {
            size,
            rule,
            opening,
            result,
            moves,
            values: values
                .iter()
                .map(|&value| Some(value as i8).filter(|&v| v != NO_VALUE))
                .collect(),
        }))
    }

    /// Writes the record.
    ///
    /// # Errors
    /// When the stream fails.
    ///
    /// # Panics
    /// When there are not as many values as moves.
    pub fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        assert_eq!(self.moves.len(), self.values.len());
        let result = match self.result {
            GameResult::Draw => 0,
            GameResult::Win(color) => color.index() as u8 + 1,
            GameResult::Unknown => 3,
        };
        let mut bytes = vec![self.size, self.rule.index() as u8, self.opening, result];
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        for &p in &self.moves {
            let cell = u16::from(p.y()) * u16::from(self.size) + u16::from(p.x());
            bytes.extend(cell.to_le_bytes());
        }
        bytes.extend(self.values.iter().map(|v| v.unwrap_or(NO_VALUE) as u8));
        stream.write_all(&bytes)
    }
}

/// The error of a record that no game can have.
fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// `win_rate`, 0 to 1, in the units of a record, -127 to 127.
pub(super) fn quantised_win_rate(win_rate: f64) -> i8 {
    ((2.0 * win_rate - 1.0) * 127.0).round() as i8
}

/// The moves in `bytes`, each checked to be to a free cell.
fn read_moves(bytes: &[u8], size: u8) -> io::Result<Vec<Point>> {
    let mut occupied = PointSet::EMPTY;
    bytes
        .chunks_exact(2)
        .enumerate()
        .map(|(ply, bytes)| {
            let cell = u16::from_le_bytes([bytes[0], bytes[1]]);
            let side = u16::from(size);
            let fault = || {
                let place = format!("move {ply} goes to cell {cell}");
                invalid(format!("{place}, which is off the board or occupied"))
            };
            let p = (cell < side * side)
                .then(|| Point::new((cell % side) as u8, (cell / side) as u8))
                .filter(|&p| !occupied.contains(p))
                .ok_or_else(fault)?;
            occupied.insert(p);
            Ok(p)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> TrainingRecord {
        TrainingRecord {
            size: 20,
            rule: Rule::Renju,
            opening: 1,
            result: GameResult::Win(Color::White),
            moves: vec![Point::new(9, 9), Point::new(19, 0), Point::new(0, 19)],
            values: vec![None, Some(127), Some(-127)],
        }
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let second = TrainingRecord {
            size: 15,
            rule: Rule::Freestyle,
            opening: 0,
            result: GameResult::Draw,
            moves: vec![Point::new(14, 14)],
            values: vec![Some(0)],
        };
        let line = TrainingRecord {
            result: GameResult::Unknown,
            ..second.clone()
        };
        assert!(!line.is_game() && game().is_game());
        let mut bytes = Vec::new();
        game().write(&mut bytes).unwrap();
        second.write(&mut bytes).unwrap();
        line.write(&mut bytes).unwrap();
        // The layout that other programs read: cells by rows, values after the moves.
        assert_eq!(bytes[..6], [20, 2, 1, 2, 3, 0]);
        assert_eq!(bytes[6..12], [189, 0, 19, 0, 124, 1]);
        assert_eq!(bytes[12..15], [0x80, 127, 0x81]);
        let mut stream = &bytes[..];
        assert_eq!(TrainingRecord::read(&mut stream).unwrap(), Some(game()));
        assert_eq!(TrainingRecord::read(&mut stream).unwrap(), Some(second));
        assert_eq!(TrainingRecord::read(&mut stream).unwrap(), Some(line));
        assert_eq!(TrainingRecord::read(&mut stream).unwrap(), None);
    }

    #[test]
    fn damaged_records_are_refused() {
        let mut bytes = Vec::new();
        game().write(&mut bytes).unwrap();
        let read_with = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            TrainingRecord::read(&mut &bytes[..])
                .unwrap_err()
                .to_string()
        };
        let end = "failed to fill whole buffer";
        // A second stone on the first one's cell, and a cell beyond the board, come last.
        for (at, byte, why) in [
            (0, 4, "unsupported board size 4"),
            (1, 5, "unknown rule number 5"),
            (2, 4, "4 opening stones in a game of 3 plies"),
            (3, 4, "unknown result 4"),
            (4, 4, end),
            (
                8,
                189,
                "move 1 goes to cell 189, which is off the board or occupied",
            ),
            (
                9,
                2,
                "move 1 goes to cell 531, which is off the board or occupied",
            ),
        ] {
            assert_eq!(read_with(at, byte), why);
        }
        for length in 1..bytes.len() {
            let cut = TrainingRecord::read(&mut &bytes[..length]);
            assert_eq!(cut.unwrap_err().to_string(), end);
        }
    }
}
