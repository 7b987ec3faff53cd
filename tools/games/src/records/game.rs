//! A recorded game, and the reasons why there is none.

use std::fmt::Display;
use std::io;

use serde_json::{Value, json};

use super::rule_names::rule_named;
use crate::renlib::LibError;
use crate::sgf::{self, Node, Tree, Writer};
use tengen::board::{Board, Cell, Move, SizeError};
use tengen::openings::NamedOpening;
use tengen::rules::Rule;
use tengen::streams::on_one_line;
use tengen::types::{Color, Point};

/// The word for a pass in a text of moves.
pub(super) const PASS: &str = "pass";
/// The word for an exchange of colours.
pub(super) const SWAP: &str = "swap";

/// A fault with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// The problem there.
    pub problem: String,
}

/// The reason why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// A fault that a larger board does not have; holds the side of that board.
    #[error("{0}; --size {1} reads it")]
    Larger(Box<RecordError>, u32),
    /// Bytes of a program or of another kind of file; holds that kind.
    #[error("this is {0}, no record of a game")]
    Foreign(&'static str),
    /// A compressed file that cannot be unpacked.
    #[error(
        "the file compressed by gzip is damaged, or too much is in it (256 MiB, for the page 32)"
    )]
    Gzip,
    /// A file that cannot be read.
    #[error("{0}")]
    Io(String),
    /// A text that is too large; holds the most bytes.
    #[error("the text has more than {0} bytes")]
    TooLarge(usize),
    /// A library of RenLib that is too large; holds the most moves.
    #[error("the library has more than {0} moves (each text counts as 4)")]
    LargeLibrary(usize),
    /// A damaged library of RenLib.
    #[error(transparent)]
    Lib(#[from] LibError),
    /// A fault of an XML file, and where it stands, in bytes.
    #[error("no XML that can be read, at byte {0}: {1}")]
    Xml(u64, String),
    /// An XML file without games.
    #[error("this is an XML file like RenjuNet's, without a game")]
    NoGames,
    /// No charset of that name.
    #[error("unknown charset '{0}'")]
    Charset(String),
    /// A text that was taken for moves, for lack of anything else.
    #[error("this is no record of a game: {0}")]
    NoRecord(String),
    /// A text outside Smart Game Format, or a value in it.
    #[error(transparent)]
    Sgf(#[from] sgf::ReadError),
    /// A record of another game; holds its name and its signs.
    #[error("this is a record of {0}, not of Gomoku or Renju; --any-game reads it all the same")]
    OtherGame(String),
    /// A wrong first line of a `.psq` file.
    #[error("the first line is not 'Piskvorky WIDTHxHEIGHT, ...'")]
    PsqHead,
    /// The journal of a match is no record of one game.
    #[error(
        "a match's journal, not a game: 'match report' reads it, and 'show', 'analyze', 'solve' and \
         'review' read its games"
    )]
    Journal,
    /// Results of a match without its moves.
    #[error("a PGN that has results and no moves of Gomoku, as programs for ratings read it")]
    NoMoves,
    /// A board on which the engine does not play.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A malformed diagram.
    #[error("row {row} of the diagram: {reason}")]
    Diagram {
        /// Row of the diagram, from 1 at the top.
        row: usize,
        /// The reason.
        reason: String,
    },
    /// A malformed text of moves; holds the fault.
    #[error("{0}")]
    Moves(String),
    /// A fault in one line.
    #[error(transparent)]
    Line(#[from] LineError),
    /// An impossible move.
    #[error("move {number} {reason}")]
    Move {
        /// The number of the move, from 1; a pass counts.
        number: usize,
        /// The reason, as the end of a sentence.
        reason: String,
    },
    /// A move of a `.psq` file after a line without one.
    #[error("line {line} is a move, but line {before} before it is none: '{text}'")]
    PsqMove {
        /// The move's line, from 1.
        line: usize,
        /// The line without a move, from 1.
        before: usize,
        /// The text of the line without a move.
        text: String,
    },
    /// Unexpected lines after the moves of a `.psq` file.
    #[error(
        "line {line}: expected a move, the names of both players or a last number, found '{text}'"
    )]
    PsqEnd {
        /// The first of these lines, from 1.
        line: usize,
        /// The text of that line.
        text: String,
    },
}

impl From<io::Error> for RecordError {
    fn from(error: io::Error) -> RecordError {
        RecordError::Io(error.to_string())
    }
}

/// A recorded game: a tree of moves with all that a record says of them, and its main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// Player of the black stones; may be empty.
    pub black: String,
    /// Player of the white stones; may be empty.
    pub white: String,
    /// Name of the rule in the record; may be empty.
    pub rule: String,
    /// The result; may be empty.
    pub result: String,
    /// The position before the first move: an empty board, or a set-up position. The stones of a
    /// set-up are in no order.
    pub start: Board,
    /// Moves of the main line to free points of the board. Sides usually take turns, but need not.
    pub moves: Vec<Move>,
    /// The stone of `start` that was put last, where the record marks one.
    pub marked: Option<Point>,
    /// Places in `moves`, from 0, at which the players exchange colours; these moves are passes.
    pub swaps: Vec<usize>,
    /// All nodes from the root on, with their comments, labels, set-ups and other properties as in
    /// SGF. Every move in it is possible.
    pub tree: Tree,
    /// The last node of the main line.
    pub(super) last: usize,
}

impl RecordedGame {
    /// A game without moves or names that begins at `start`.
    pub fn from_position(start: Board) -> RecordedGame {
        let mut tree = Tree::default();
        tree.node_mut(Tree::ROOT).properties = Writer::position_properties(&start);
        RecordedGame::of_tree(start, tree)
    }

    /// The game of `tree`, whose main line begins at `start`. The moves are still to be filled in.
    pub(super) fn of_tree(start: Board, tree: Tree) -> RecordedGame {
        RecordedGame {
            black: String::new(),
            white: String::new(),
            rule: String::new(),
            result: String::new(),
            start,
            moves: Vec::new(),
            marked: None,
            swaps: Vec::new(),
            last: tree.main_line().last().unwrap_or(Tree::ROOT),
            tree,
        }
    }

    /// Adds a move to a free point, or a pass, at the end of the main line.
    pub fn play(&mut self, made: Move) {
        self.moves.push(made);
        self.last = self.tree.add(self.last, Some(made));
    }

    /// The position after the first `count` moves; after all moves if there are fewer.
    pub fn position(&self, count: usize) -> Board {
        let mut board = self.start.clone();
        for &made in self.moves.iter().take(count) {
            board.make(made);
        }
        board
    }

    /// The position after all moves.
    pub fn end(&self) -> Board {
        self.position(self.moves.len())
    }

    /// The root.
    pub(super) fn root(&mut self) -> &mut Node {
        self.tree.node_mut(Tree::ROOT)
    }

    /// The last node of the main line.
    pub(super) fn last_node(&mut self) -> &mut Node {
        self.tree.node_mut(self.last)
    }

    /// Adds a move of `color` to `x`, `y` (from 0 at the top left; `None` is a pass). `board` is
    /// the position after the moves so far.
    ///
    /// # Errors
    /// When the point is off the board or taken.
    pub(super) fn add(
        &mut self,
        board: &mut Board,
        color: Color,
        place: Option<(i32, i32)>,
    ) -> Result<(), RecordError> {
        let number = self.moves.len() + 1;
        let fault = |reason: &str| RecordError::Move {
            number,
            reason: reason.to_string(),
        };
        let point = match place {
            None => None,
            Some((x, y)) => {
                let p = board.point(x, y);
                let p = p.ok_or_else(|| fault("is off the board"))?;
                if !board.is_empty(p) {
                    return Err(fault("is on a taken point"));
                }
                Some(p)
            }
        };
        let made = Move { color, point };
        board.make(made);
        self.play(made);
        Ok(())
    }

    /// The last stone. Stones of a set-up have no order: of these only a marked stone counts.
    pub fn last_stone(&self) -> Option<Point> {
        let stones = self.moves.iter().rev().filter_map(|made| made.point);
        stones.chain(self.marked).next()
    }

    /// The side that makes the first move.
    pub fn first(&self) -> Color {
        self.start.side_to_move()
    }

    /// The moves as words: labels such as `h8`, `pass` and `swap`, by turns from
    /// [`first`](RecordedGame::first) on. Where a side moves twice, the other passes in between.
    pub fn labels(&self) -> Vec<String> {
        let mut labels = Vec::new();
        let mut turn = self.first();
        for (index, made) in self.moves.iter().enumerate() {
            if made.color != turn {
                labels.push(PASS.to_string());
            }
            labels.push(match made.point {
                Some(p) => p.label(self.start.height()),
                None if self.swaps.contains(&index) => SWAP.to_string(),
                None => PASS.to_string(),
            });
            turn = !made.color;
        }
        labels
    }

    /// The rule named by the record, if the engine knows it.
    pub fn known_rule(&self) -> Option<Rule> {
        rule_named(&self.rule)
    }

    /// The facts of the game on one line; line ends in the record's texts are escaped.
    pub fn title(&self) -> String {
        let mut parts = Vec::new();
        if !self.black.is_empty() || !self.white.is_empty() {
            parts.push(format!("{} - {}", self.black, self.white));
        }
        if !self.rule.is_empty() {
            parts.push(self.rule.clone());
        }
        parts.push(format!("{}x{}", self.start.width(), self.start.height()));
        let opening = NamedOpening::of(&self.position(3));
        parts.extend(opening.map(|opening| opening.to_string()));
        if !self.result.is_empty() {
            parts.push(self.result.clone());
        }
        on_one_line(&parts.join(", "))
    }

    /// The game as a value of JSON; docs/analysis.md describes its fields.
    pub fn json(&self) -> Value {
        let (board, height) = (&self.start, self.start.height());
        let set_up = |cell: Cell| -> Vec<String> {
            let found = board.points().filter(|&p| board.cell(p) == cell);
            found.map(|p| p.label(height)).collect()
        };
        let rule = self.known_rule();
        json!({
            "width": board.width(),
            "height": height,
            "rule": rule.unwrap_or_default().name(),
            "rule_stated": rule.is_some(),
            "black": self.black,
            "white": self.white,
            "result": self.result,
            "setup": {
                "black": set_up(Cell::Black),
                "white": set_up(Cell::White),
                "blocked": set_up(Cell::Blocked),
            },
            "first": self.first().to_string(),
            "moves": self.labels(),
        })
    }

    /// The nodes of the moves in the tree.
    pub fn places(&self) -> Vec<usize> {
        let mut places = Vec::new();
        for place in self.tree.main_line() {
            let node = self.tree.node(place);
            if sgf::SET_UP.iter().any(|name| node.find(name).is_some()) {
                places.clear();
            }
            places.extend(node.made.map(|_| place));
        }
        places.truncate(self.moves.len());
        places
    }

    /// The names, result, start and moves alone.
    pub fn bare(&self) -> RecordedGame {
        let mut bare = RecordedGame {
            black: self.black.clone(),
            white: self.white.clone(),
            rule: self.rule.clone(),
            result: self.result.clone(),
            ..RecordedGame::from_position(self.start.clone())
        };
        self.moves.iter().for_each(|&made| bare.play(made));
        bare
    }

    /// The whole game as SGF, with `rule` as the name of its rule.
    pub fn sgf(&self, rule: impl Display) -> String {
        let mut writer = Writer::new(self.start.width(), self.start.height(), rule);
        let facts = [
            ("PB", &self.black),
            ("PW", &self.white),
            ("RE", &self.result),
        ];
        for (name, value) in facts {
            if !value.is_empty() {
                writer.property(name, value);
            }
        }
        let root = self.tree.node(Tree::ROOT).properties.iter();
        writer.properties(root.filter(|p| !OF_THE_GAME.contains(&&*p.name)));
        writer.replies(&self.tree);
        writer.finish()
    }
}

/// Properties of a root that are written from the game.
const OF_THE_GAME: [&str; 9] = ["FF", "GM", "CA", "AP", "SZ", "RU", "PB", "PW", "RE"];
