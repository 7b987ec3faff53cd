//! Commands about handicaps, and about games as files.
//!
//! Source: Specification of the Go Text Protocol, version 2, draft 2, sections 4.1.1 and 6.3.3.
//! `printsgf` is GNU Go's and KataGo's.

use std::io::Write as _;
use std::path::Path;

use super::Session;
use crate::gtp::game::Game;
use crate::gtp::reply::Answer;
use crate::gtp::vertex::{column_note, parse_vertex, vertex_of};
use tengen::board::Board;
use tengen::files::{read_regular_file, write_file};
use tengen::streams::on_one_line;
use tengen::types::{Color, Point};
use tengen_games::records::{self, ReadOptions};

type Outcome = Result<Answer, String>;

/// The least number of handicap stones.
const LEAST_STONES: usize = 2;

impl Session {
    /// `fixed_handicap`: Black's stones on the usual points of Go. White moves next.
    pub(super) fn fixed_handicap(&mut self, arguments: &[String]) -> Outcome {
        let wanted = self.handicap(arguments)?;
        let points = handicap_points(self.game.board(), wanted);
        self.put_handicap(&points.ok_or("invalid number of stones")?)
    }

    /// `place_free_handicap`: the same where the engine may choose the points, and put fewer
    /// stones.
    pub(super) fn place_free_handicap(&mut self, arguments: &[String]) -> Outcome {
        let wanted = self.handicap(arguments)?;
        let board = self.game.board();
        let numbers = (LEAST_STONES..=wanted.min(9)).rev();
        let points = numbers
            .filter_map(|number| handicap_points(board, number))
            .next();
        self.put_handicap(&points.ok_or("invalid number of stones")?)
    }

    /// `set_free_handicap`: Black's stones on these points. White moves next.
    pub(super) fn set_free_handicap(&mut self, arguments: &[String]) -> Outcome {
        let board = self.game.board();
        if !self.game.is_empty() {
            return Err("board not empty".to_string());
        }
        let mut points = Vec::new();
        for text in arguments {
            match parse_vertex(text, board) {
                Some(Some(p)) if !points.contains(&p) => points.push(p),
                _ => return Err(format!("bad vertex list{}", column_note(text))),
            }
        }
        if points.len() < LEAST_STONES || points.len() >= board.empty_count() {
            return Err("bad vertex list".to_string());
        }
        self.put_handicap(&points)?;
        Ok(Answer::NOTHING)
    }

    /// The number of handicap stones wanted on the empty board.
    fn handicap(&self, arguments: &[String]) -> Result<usize, String> {
        let number = arguments.first().and_then(|word| word.parse().ok());
        let number = number.ok_or("syntax error: no number")?;
        match self.game.is_empty() {
            true => Ok(number),
            false => Err("board not empty".to_string()),
        }
    }

    /// Begins a game with Black's stones on these points; answers with them.
    fn put_handicap(&mut self, points: &[Point]) -> Outcome {
        self.game.clear();
        for &p in points {
            self.game.set_up(Color::Black, p);
        }
        self.game.set_turn(Color::White);
        let height = self.game.board().height();
        let vertices: Vec<String> = points.iter().map(|&p| vertex_of(p, height)).collect();
        Ok(vertices.join(" ").into())
    }

    /// `loadsgf`: the game of a file, or its position before the move of a number.
    pub(super) fn loadsgf(&mut self, arguments: &[String]) -> Outcome {
        let (words, number) = match arguments {
            [words @ .., last] if !words.is_empty() && last.parse::<usize>().is_ok() => {
                (words, last.parse().ok())
            }
            words => (words, None),
        };
        if words.is_empty() {
            return Err("syntax error: no file".to_string());
        }
        let name = words.join(" ");
        let failed = |why: String| format!("cannot load file: {}", on_one_line(&why));
        let bytes = read_regular_file(Path::new(&name)).map_err(|e| failed(e.to_string()))?;
        let options = ReadOptions::new(&name, &self.setup.board);
        let read = records::read(&bytes[..], &options).map_err(|e| failed(e.to_string()))?;
        let mut record = read.games.into_iter().next();
        let record = record
            .as_mut()
            .ok_or_else(|| failed("no game".to_string()))?;
        if let Some(number) = number {
            record.moves.truncate(usize::saturating_sub(number, 1));
        }
        self.rule = record.known_rule().unwrap_or(self.rule);
        self.game = Game::of_record(record);
        self.clocks.new_game();
        Ok(Answer::NOTHING)
    }

    /// `printsgf`: the game as SGF, printed or written to a file. Existing files are replaced if
    /// this program wrote them.
    pub(super) fn printsgf(&mut self, arguments: &[String]) -> Outcome {
        let text = self.game.record().sgf(self.rule);
        match arguments.join(" ").as_str() {
            "" | "-" => Ok(text.trim_end().into()),
            name => write_file(Path::new(name), is_ours, |file| {
                file.write_all(text.as_bytes())
            })
            .map(|()| Answer::NOTHING)
            .map_err(|error| format!("cannot write file: {}", on_one_line(&error.to_string()))),
        }
    }
}

/// True for a game written by this program.
fn is_ours(head: &[u8]) -> bool {
    head.starts_with(b"(;") && head.windows(9).any(|part| part == b"AP[Tengen")
}

/// The points of a number of fixed handicap stones; `None` where the board has no such points.
///
/// Sides from 13 have them on the fourth line, from 7 on the third. From five stones on the sides
/// must be odd and at least 9, because such stones stand in the middle.
fn handicap_points(board: &Board, number: usize) -> Option<Vec<Point>> {
    let (width, height) = (board.width(), board.height());
    let smallest = width.min(height);
    let has_middle = width % 2 == 1 && height % 2 == 1 && smallest >= 9;
    let most = if has_middle { 9 } else { 4 };
    if smallest < 7 || !(LEAST_STONES..=most).contains(&number) {
        return None;
    }
    let line = if smallest >= 13 { 3 } else { 2 };
    let (left, right, top, bottom) = (line, width - 1 - line, line, height - 1 - line);
    let (x, y) = (width / 2, height / 2);
    let corners = [(left, bottom), (right, top), (left, top), (right, bottom)];
    let sides = [(left, y), (right, y), (x, bottom), (x, top)];
    let mut points: Vec<(u8, u8)> = match number {
        ..=4 => corners[..number].to_vec(),
        _ => [&corners[..], &sides[..(number - 4) / 2 * 2]].concat(),
    };
    if number >= 5 && number % 2 == 1 {
        points.push((x, y));
    }
    Some(points.into_iter().map(|(x, y)| Point::new(x, y)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicap_stones_stand_on_different_points() {
        for (width, height) in [(15, 15), (7, 7), (9, 9), (20, 20), (19, 13), (20, 15)] {
            let board = Board::new(width, height).unwrap();
            let most = (2..=10)
                .filter(|&n| handicap_points(&board, n).is_some())
                .max();
            let has_nine = width % 2 == 1 && height % 2 == 1 && width > 7;
            assert_eq!(most, Some(if has_nine { 9 } else { 4 }));
            for number in 2..=most.unwrap() {
                let mut points = handicap_points(&board, number).unwrap();
                points.sort_by_key(|p| p.index());
                points.dedup();
                assert_eq!(points.len(), number);
            }
        }
        assert_eq!(handicap_points(&Board::new(6, 6).unwrap(), 2), None);
        assert_eq!(handicap_points(&Board::new(15, 15).unwrap(), 1), None);
    }
}
