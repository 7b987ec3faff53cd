use crate::sgf;
use tengen::board::{Board, Move, ParseDiagramError, ParseMovesError, SizeError};
use tengen::openings::NamedOpening;
use tengen::rules::Rule;
use tengen::streams::on_one_line;
use tengen::types::Color;

/// A fault of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A text outside Smart Game Format, or a record of another game.
    #[error(transparent)]
    Sgf(#[from] sgf::ReadError),
    /// A wrong first line of a `.psq` file.
    #[error("the first line is not 'Piskvorky WIDTHxHEIGHT, ...'")]
    PsqHead,
    /// The journal of a match is no record of one game.
    #[error(
        "a match's journal, not a game: 'match report' reads it, and 'show', 'analyze', 'solve' and \
         'review' read its games if its name ends in .jsonl"
    )]
    Journal,
    /// A board on which the engine does not play.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A malformed diagram.
    #[error(transparent)]
    Diagram(#[from] ParseDiagramError),
    /// A malformed text of moves.
    #[error(transparent)]
    Moves(#[from] ParseMovesError),
    /// An impossible move.
    #[error("move {number} {reason}")]
    Move {
        /// The number of the move, from 1; a pass counts.
        number: usize,
        /// The reason, as the end of a sentence.
        reason: &'static str,
    },
    /// A side to move that is neither Black nor White; holds the value.
    #[error("PL[{0}]: expected B or W, whose turn it is")]
    SideToMove(String),
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
    /// A stone that cannot be set up.
    #[error("{property}[{value}]: a stone is set up off the board or on a taken point")]
    SetUp {
        /// The property, such as `AB`.
        property: String,
        /// The value of the property.
        value: String,
    },
}

/// A recorded game along its main line.
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
    /// The position before the first move: an empty board, or a set-up position.
    pub start: Board,
    /// Moves to free points of the board. Sides usually take turns, but need not.
    pub moves: Vec<Move>,
}

impl RecordedGame {
    /// A game without moves or names that begins at `start`.
    pub fn from_position(start: Board) -> RecordedGame {
        RecordedGame {
            black: String::new(),
            white: String::new(),
            rule: String::new(),
            result: String::new(),
            start,
            moves: Vec::new(),
        }
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
        let point = match place {
            None => None,
            Some((x, y)) => {
                let reason = "is off the board";
                let p = board.point(x, y);
                let p = p.ok_or(RecordError::Move { number, reason })?;
                if !board.is_empty(p) {
                    let reason = "is on a taken point";
                    return Err(RecordError::Move { number, reason });
                }
                board.put(p, color);
                Some(p)
            }
        };
        self.moves.push(Move { color, point });
        Ok(())
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
}

/// A rule by its name here or in other programs, in any letter case. A longer text with the word
/// `renju` or `caro` will do.
pub fn rule_named(text: &str) -> Option<Rule> {
    let text = text.trim().to_lowercase();
    let has_word = |(word, _): &(&str, Rule)| text.contains(word);
    let longer = [("renju", Rule::Renju), ("caro", Rule::Caro)];
    let by_word = || longer.into_iter().find(has_word).map(|(_, rule)| rule);
    text.parse().ok().or_else(by_word)
}
