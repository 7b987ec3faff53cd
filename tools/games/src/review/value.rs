//! The value of a position or move, with the line that shows it.

use tengen::board::Board;
use tengen::search::{SearchResult, win_rate};
use tengen::types::{Point, Score, ScoreKind};

/// The value of a position or move by a search or by the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// For one side, which depends on the place.
    pub score: Score,
    /// Expected points of that side (win 1, draw 1/2), 0 to 1.
    pub win_rate: f64,
    /// Moves of both sides in turn.
    pub line: Vec<Point>,
    /// Completed depth in plies; 0 by the rules.
    pub depth: u32,
}

impl Value {
    /// By the rules: nothing follows.
    pub(super) fn ended(score: Score) -> Value {
        Value {
            score,
            win_rate: win_rate(score),
            line: Vec::new(),
            depth: 0,
        }
    }

    /// For the side to move on `board`, by a search. `None` where a limit ended it before its first
    /// iteration: then not all moves were looked at, and only a win is sure.
    pub(super) fn of(result: &SearchResult, board: &Board) -> Option<Value> {
        if result.needs_no_search {
            // No stone stands yet, or every point is forbidden and any move loses.
            let score = match board.stones().is_empty() {
                true => Score::DRAW,
                false => Score::loss_in(1),
            };
            let line = result.best.into_iter().collect();
            return Some(Value {
                line,
                ..Value::ended(score)
            });
        }
        let is_sure = |score: Score| result.completed_depth > 0 || score.is_win();
        let info = result.lines.first().filter(|info| is_sure(info.score))?;
        Some(Value {
            score: info.score,
            win_rate: info.win_rate,
            line: info.pv.clone(),
            depth: info.depth,
        })
    }

    /// The same without a line.
    pub(super) fn without_line(self) -> Value {
        Value {
            line: Vec::new(),
            ..self
        }
    }

    /// The same for the other side, a ply earlier: before the move that leads to this position.
    pub(super) fn of_opponent_before(self) -> Value {
        let score = match self.score.kind() {
            ScoreKind::Value(_) => -self.score,
            ScoreKind::Win(plies) => Score::loss_in(plies as usize + 1),
            ScoreKind::Loss(plies) => Score::win_in(plies as usize + 1),
        };
        Value {
            score,
            win_rate: 1.0 - self.win_rate,
            ..self
        }
    }

    /// The same with a line that begins with `first`; without a line after a pass, which none can show.
    pub(super) fn led_by(self, first: Option<Point>) -> Value {
        let line = first.map_or_else(Vec::new, |first| [&[first], &self.line[..]].concat());
        Value { line, ..self }
    }

    /// True if a win is proved.
    pub fn is_win(&self) -> bool {
        self.score.is_win()
    }
}
