//! The lines allowed during a search, and the moves allowed as its answer.

use tengen::board::Board;
use tengen::rules::{Rule, forbidden_points};
use tengen::types::Point;

use crate::conversation::{Trouble, wrong};

/// The lines wanted by a manager besides the ordinary messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct News {
    /// `MESSAGE REALTIME …`.
    pub realtime: bool,
    /// `INFO …`.
    pub details: bool,
}

/// A search without its answer yet.
pub struct Asked {
    board: Board,
    rule: Rule,
    /// Cells forbidden to the first move.
    blocked: Vec<Point>,
    wanted: Wanted,
    news: News,
}

/// The answer to a search.
pub enum Wanted {
    /// That many moves.
    Moves(usize),
    /// `OK`, after messages of these kinds; the board stays.
    Ok(&'static [&'static str]),
}

impl Asked {
    pub fn new(board: Board, rule: Rule, blocked: Vec<Point>, wanted: Wanted, news: News) -> Asked {
        Asked {
            board,
            rule,
            blocked,
            wanted,
            news,
        }
    }

    /// True if a line among the answers of other commands is the answer of this search.
    pub fn is_answer(&self, line: &str) -> bool {
        match self.wanted {
            Wanted::Moves(_) => line.starts_with(|c: char| c.is_ascii_digit()),
            Wanted::Ok(_) => line == "OK",
        }
    }

    /// True if a line is news of the search wanted by this manager.
    pub fn takes_as_news(&self, line: &str) -> Result<bool, Trouble> {
        if let Wanted::Ok(kinds) = self.wanted {
            let kind = |message: &str| {
                message
                    .split(' ')
                    .next()
                    .is_some_and(|kind| kinds.contains(&kind))
            };
            return Ok(line.strip_prefix("MESSAGE ").is_some_and(kind));
        }
        let is_wanted = if line.starts_with("INFO ") {
            self.news.details
        } else if line.starts_with("MESSAGE REALTIME ") {
            self.news.realtime
        } else {
            return Ok(line.starts_with("MESSAGE depth "));
        };
        if !is_wanted {
            return wrong(format!("nobody asked for {line:?}"));
        }
        Ok(true)
    }

    /// The position after the moves of the answer, if they are allowed.
    pub fn after(self, line: &str) -> Result<Board, Trouble> {
        let count = match self.wanted {
            Wanted::Ok(_) if line == "OK" => return Ok(self.board),
            Wanted::Ok(_) => return wrong(format!("expected OK, got {line:?}")),
            Wanted::Moves(count) => count,
        };
        let Some(cells) = cells(line) else {
            return wrong(format!("expected a move, got {line:?}"));
        };
        if cells.len() != count {
            return wrong(format!("expected {count} moves, got {line:?}"));
        }
        let mut board = self.board;
        let mut blocked = self.blocked;
        for (x, y) in cells {
            let Some(p) = board.point(x, y).filter(|&p| board.is_empty(p)) else {
                return wrong(format!("{x},{y} is not free"));
            };
            let may_play = playable(&board, self.rule, &blocked);
            if !may_play.contains(&p) {
                return wrong(format!(
                    "{x},{y} must not be played by {} in {}\n{board}",
                    board.side_to_move(),
                    self.rule
                ));
            }
            board.play(p);
            // Blocks hold only for the searched position.
            blocked.clear();
        }
        Ok(board)
    }
}

/// The cells allowed to the side to move: a forbidden one only if no other is free, and a blocked
/// one only if all others are blocked or forbidden.
fn playable(board: &Board, rule: Rule, blocked: &[Point]) -> Vec<Point> {
    let forbidden = forbidden_points(board, rule, board.side_to_move());
    let free: Vec<Point> = board.empty_points().collect();
    let legal: Vec<Point> = free
        .iter()
        .copied()
        .filter(|p| !forbidden.contains(p))
        .collect();
    let open: Vec<Point> = legal
        .iter()
        .copied()
        .filter(|p| !blocked.contains(p))
        .collect();
    [open, legal, free]
        .into_iter()
        .find(|cells| !cells.is_empty())
        .unwrap_or_default()
}

/// Cells `x,y` with single blanks between them, and nothing else.
pub fn cells(line: &str) -> Option<Vec<(i32, i32)>> {
    let number = |text: &str| {
        let is_plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        if is_plain { text.parse().ok() } else { None }
    };
    let cell = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some((number(x)?, number(y)?))
    };
    line.split(' ').map(cell).collect()
}
