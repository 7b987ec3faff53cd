//! Files of openings.
//!
//! One opening a line; empty lines and comments, from `#` to the line's end, are ignored. Lines are
//! read as all texts of moves are, in three forms:
//!
//! - moves, labels counted from the bottom left or the protocol's coordinates: `h8 i9 h7`, `7,7 8,6`;
//! - `pos` of c-gomoku-cli and Yixin-Board, rows counted from the top: `h8i7h9`; no text tells this
//!   form from the first, so it is read only if asked for;
//! - `offset` of Gomocup, columns and rows from the centre: `0,0, 1,-1, 0,1`.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use tengen::board::Board;
use tengen::rules::{Rule, check_opening_moves};
use tengen::types::Point;
use tengen::types::Symmetry;
use tengen_games::records::{LineError, MoveList, Offsets};

/// The notation of the moves in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum BookFormat {
    /// `h8 i9 h7`, or `7,7 8,6 7,8`.
    Moves,
    /// `h8i7h9`, rows counted from the top.
    Pos,
    /// `0,0, 1,-1, 0,1`.
    Offset,
}

/// Reads a file's text for games under `rule` on a board of `width` x `height`. Without `format`
/// labels and coordinates are moves, and numbers with a sign or around 0 are offsets.
///
/// # Errors
/// At the first line whose moves are illegal or end the game.
pub fn parse(
    text: &str,
    format: Option<BookFormat>,
    rule: Rule,
    empty: &Board,
) -> Result<Vec<Vec<Point>>, LineError> {
    let offsets = match format {
        None => Offsets::Detected,
        Some(BookFormat::Offset) => Offsets::Always,
        Some(BookFormat::Moves | BookFormat::Pos) => Offsets::Never,
    };
    let openings = MoveList::of(text, empty, offsets)?.openings()?;
    let turned = |p: Point| match format {
        Some(BookFormat::Pos) => Point::new(p.x(), empty.height() - 1 - p.y()),
        _ => p,
    };
    openings
        .into_iter()
        .map(|(line, points)| {
            let points: Vec<Point> = points.into_iter().map(turned).collect();
            check_opening_moves(&points, rule, empty)
                .map_err(|problem| LineError { line, problem })?;
            Ok(points)
        })
        .collect()
}

/// The order in which openings are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
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

    fn read(text: &str) -> Result<Vec<Vec<Point>>, LineError> {
        parse(text, None, Rule::Renju, &board())
    }

    #[test]
    fn the_three_forms_say_the_same() {
        let ours = read("# a comment\n\nh8 i9 h7  # Kansei's cousin\n").unwrap();
        let pos = parse("h8i7h9", Some(BookFormat::Pos), Rule::Renju, &board());
        assert_eq!(ours, pos.unwrap());
        for text in ["h8i9h7", "h8,i9,h7", "7,7 8,6 7,8", "0,0, 1,-1, 0,1"] {
            assert_eq!(ours, read(text).unwrap(), "{text}");
        }
        // Offsets around 0, and the protocol's coordinates.
        assert_eq!(read("0,0 1,0 2,1").unwrap(), read("h8 i8 j7").unwrap());
        assert_eq!(read("7,7 6,7 5,6").unwrap(), read("h8 g8 f9").unwrap());
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
            ("-1,0, 9,9", 1, "9,9"),
            ("0,0, 9", 1, "'9'"),
            ("0,0, x,y", 1, "'x'"),
            ("h8 i9\nh8 pass", 2, "a pass is no move"),
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
