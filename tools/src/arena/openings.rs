//! Files of openings.
//!
//! One opening a line; empty lines and comments, from `#` to the line's end, are ignored. Three
//! forms are read:
//!
//! - ours, moves separated by blanks, labels counted from the bottom left: `h8 i9 h7`;
//! - `pos` of c-gomoku-cli and Yixin-Board, without blanks, rows counted from the top: `h8i7h9`;
//! - `offset` of Gomocup, columns and rows from the centre: `0,0, 1,-1, 0,1`.

use std::str::FromStr;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use tengen::board::Board;
use tengen::rules::{Rule, check_opening_moves};
use tengen::types::Symmetry;
use tengen::types::{ParsePointError, Point};

/// The notation of the moves in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// `h8 i9 h7`
    Moves,
    /// `h8i7h9`
    Pos,
    /// `0,0, 1,-1, 0,1`
    Offset,
}

impl FromStr for BookFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<BookFormat, String> {
        match text {
            "moves" => Ok(BookFormat::Moves),
            "pos" => Ok(BookFormat::Pos),
            "offset" => Ok(BookFormat::Offset),
            _ => Err(format!(
                "unknown form of openings '{text}' (moves, pos, offset)"
            )),
        }
    }
}

impl BookFormat {
    /// Detects the form of a file: commas mean offsets, several labels without a
    /// blank between them `pos`, anything else moves.
    pub fn detect(text: &str) -> BookFormat {
        let mut lines = content_lines(text).map(|(_, line)| line);
        if lines.clone().any(|line| line.contains(',')) {
            return BookFormat::Offset;
        }
        let labels = |word: &str| word.chars().filter(|c| c.is_ascii_alphabetic()).count();
        if lines.any(|line| line.split_whitespace().any(|word| labels(word) > 1)) {
            return BookFormat::Pos;
        }
        BookFormat::Moves
    }
}

/// The reason for which a file of openings was refused, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OpeningError {
    /// Line in the file, from 1.
    pub line: usize,
    /// The problem there.
    pub problem: String,
}

fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    text.lines().enumerate().filter_map(|(i, line)| {
        let line = line.split('#').next().unwrap_or("").trim();
        (!line.is_empty()).then_some((i + 1, line))
    })
}

/// Reads a file's text for games under `rule` on a board of `width` x `height`; `format` is
/// [detected](BookFormat::detect) if not given.
///
/// # Errors
/// At the first line whose moves are illegal or end the game.
pub fn parse(
    text: &str,
    format: Option<BookFormat>,
    rule: Rule,
    empty: &Board,
) -> Result<Vec<Vec<Point>>, OpeningError> {
    let format = format.unwrap_or_else(|| BookFormat::detect(text));
    content_lines(text)
        .map(|(line, content)| {
            let error = |problem: String| OpeningError { line, problem };
            let points = match format {
                BookFormat::Moves => parse_labels(content, empty, false),
                BookFormat::Pos => parse_labels(content, empty, true),
                BookFormat::Offset => parse_offsets(content, empty),
            }
            .map_err(error)?;
            check_opening_moves(&points, rule, empty).map_err(error)?;
            Ok(points)
        })
        .collect()
}

/// Labels with or without blanks; with `top_down` rows count from the top.
fn parse_labels(text: &str, board: &Board, top_down: bool) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    for word in text.split_whitespace() {
        let mut starts: Vec<usize> = word
            .char_indices()
            .filter(|(i, c)| *i == 0 || !c.is_ascii_digit())
            .map(|(i, _)| i)
            .collect();
        starts.push(word.len());
        for ends in starts.windows(2) {
            let p = Point::from_label(&word[ends[0]..ends[1]], board.width(), board.height())
                .map_err(|e| e.to_string())?;
            points.push(if top_down {
                Point::new(p.x(), board.height() - 1 - p.y())
            } else {
                p
            });
        }
    }
    Ok(points)
}

fn parse_offsets(text: &str, board: &Board) -> Result<Vec<Point>, String> {
    let numbers = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse::<i32>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| format!("'{text}' is not a list of offsets such as 0,0, 1,-1"))?;
    if numbers.is_empty() {
        return Err(format!("'{text}' has no move"));
    }
    if numbers.len() % 2 != 0 {
        return Err("the last offset has no partner".to_string());
    }
    let centre = Point::centre(board.width(), board.height());
    numbers
        .chunks(2)
        .map(|pair| {
            let (x, y) = (
                pair[0].saturating_add(centre.x().into()),
                pair[1].saturating_add(centre.y().into()),
            );
            board
                .point(x, y)
                .ok_or_else(|| ParsePointError(format!("{},{}", pair[0], pair[1])).to_string())
        })
        .collect()
}

/// The order in which openings are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookOrder {
    /// As in the file.
    Sequential,
    /// Shuffled by the match's seed; no opening returns before all were used.
    Random,
}

/// Openings of a match. The opening of a pair of games depends on the pair's number and the seed
/// alone.
#[derive(Clone, Debug)]
pub struct Book {
    openings: Vec<Vec<Point>>,
    empty: Board,
    order: BookOrder,
    symmetries: bool,
    seed: u64,
    /// The pair that [`Book::get`] calls 0.
    first: u64,
}

/// An opening as a game begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookOpening {
    /// Its place in the file, from 0.
    pub index: usize,
    /// The symmetry applied to the opening.
    pub symmetry: Symmetry,
    /// The moves, turned.
    pub moves: Vec<Point>,
}

impl Book {
    /// A book; without openings every game begins on the empty board. With `symmetries` each pair
    /// of games turns its opening at random.
    pub fn new(
        openings: Vec<Vec<Point>>,
        empty: Board,
        order: BookOrder,
        symmetries: bool,
        seed: u64,
    ) -> Book {
        Book {
            openings,
            empty,
            order,
            symmetries,
            seed,
            first: 0,
        }
    }

    /// The same book from pair number `first` on: that pair is pair 0 of the returned book.
    #[must_use]
    pub fn starting_at(self, first: u64) -> Book {
        Book { first, ..self }
    }

    /// Number of openings.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// True without openings.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// The opening of pair number `pair`.
    pub fn get(&self, pair: u64) -> Option<BookOpening> {
        if self.openings.is_empty() {
            return None;
        }
        let pair = self.first + pair;
        let n = self.openings.len() as u64;
        let (lap, place) = (pair / n, (pair % n) as usize);
        let index = match self.order {
            BookOrder::Sequential => place,
            BookOrder::Random => {
                let mut indices: Vec<usize> = (0..self.openings.len()).collect();
                indices.shuffle(&mut self.random(lap, 1));
                indices[place]
            }
        };
        let (width, height) = (self.empty.width(), self.empty.height());
        let number = if self.symmetries {
            self.random(pair, 2)
                .random_range(0..Symmetry::count(width, height))
        } else {
            0
        };
        let symmetry = Symmetry::new(number);
        Some(BookOpening {
            index,
            symmetry,
            moves: self.openings[index]
                .iter()
                .map(|&p| symmetry.map(p, width, height))
                .collect(),
        })
    }

    /// A random generator for one purpose; its numbers do not depend on the use of the others.
    fn random(&self, number: u64, purpose: u64) -> StdRng {
        let mut seed = [0; 32];
        for (bytes, part) in seed.chunks_mut(8).zip([self.seed, number, purpose, 0]) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        StdRng::from_seed(seed)
    }
}

/// Writes openings as `moves`, the form for other programs and people.
pub fn to_text(openings: &[Vec<Point>], height: u8) -> String {
    let mut text = String::new();
    for opening in openings {
        let labels: Vec<String> = opening.iter().map(|p| p.label(height)).collect();
        text.push_str(&labels.join(" "));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        Board::new(15, 15).unwrap()
    }

    fn read(text: &str) -> Result<Vec<Vec<Point>>, OpeningError> {
        parse(text, None, Rule::Renju, &board())
    }

    #[test]
    fn the_three_forms_say_the_same() {
        let ours = read("# a comment\n\nh8 i9 h7  # Kansei's cousin\n").unwrap();
        assert_eq!(ours, read("h8i7h9").unwrap());
        assert_eq!(ours, read("0,0, 1,-1, 0,1").unwrap());
        assert_eq!(
            ours,
            parse(&to_text(&ours, 15), None, Rule::Renju, &board()).unwrap()
        );
        let single = parse("h1", Some(BookFormat::Pos), Rule::Renju, &board()).unwrap();
        assert_eq!(single, [[Point::new(7, 0)]]);
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, line, part) in [
            ("h8 i9\nh8 h8", 2, "h8 is played twice"),
            ("h8 z9", 1, "'z9'"),
            ("h8 é9", 1, "é9"),
            ("0,0, 9,9", 1, "9,9"),
            ("0,0, 9", 1, "partner"),
            ("0,0, x,y", 1, "offsets"),
            ("0,0\n,", 2, "no move"),
            ("f8 a1 g8 c1 h10 e1 h9 g1 h8", 1, "h8 is forbidden"),
            ("h8 a1 h9 c1 h10 e1 h11 g1 h12", 1, "h12 already wins"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.problem.contains(part), "{text}: {}", error.problem);
        }
    }

    #[test]
    fn a_book_deals_every_opening_once_a_lap_and_the_same_again() {
        let openings = read("h8\nh9\nh10\nh11").unwrap();
        let book = Book::new(openings, board(), BookOrder::Random, true, 5);
        for lap in 0..3 {
            let mut dealt: Vec<usize> = (0..4)
                .map(|i| book.get(lap * 4 + i).unwrap().index)
                .collect();
            dealt.sort_unstable();
            assert_eq!(dealt, [0, 1, 2, 3]);
        }
        let again = book.clone();
        assert_eq!(book.get(9), again.get(9));
        assert_eq!(book.get(9), again.starting_at(7).get(2));
        let symmetries: std::collections::HashSet<String> = (0..64)
            .map(|i| format!("{:?}", book.get(i).unwrap().symmetry))
            .collect();
        assert_eq!(symmetries.len(), 8);
        assert_eq!(
            Book::new(Vec::new(), board(), BookOrder::Random, true, 5).get(3),
            None
        );
    }
}
