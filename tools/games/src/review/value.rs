//! The value of a position or move, with its line.

use tengen::board::Board;
use tengen::search::{SearchResult, win_rate};
use tengen::types::{Point, Score, ScoreKind};

/// The value of a position or move by a search or by the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The value for one side; the place of use names the side.
    pub score: Score,
    /// Expected points of that side (win 1, draw 1/2), 0 to 1.
    pub win_rate: f64,
    /// Moves of both sides in turn.
    pub line: Vec<Point>,
    /// Completed depth in plies; 0 by the rules.
    pub depth: u32,
}

impl Value {
    /// The value of an ended game by the rules, without a line.
    pub(super) fn ended(score: Score) -> Value {
        Value {
            score,
            win_rate: win_rate(score),
            line: Vec::new(),
            depth: 0,
        }
    }

    /// The value for the side to move on `board`, by a search. `None` if a limit ended the search
    /// before its first iteration: then some moves were not looked at, and only a win is sure.
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

    /// The same value without a line.
    pub(super) fn without_line(self) -> Value {
        Value {
            line: Vec::new(),
            ..self
        }
    }

    /// The same value for the other side, a ply earlier: before the move that leads to this
    /// position.
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

    /// The same value with `first` before its line. Without a line after a pass, because a line
    /// cannot show a pass.
    pub(super) fn led_by(self, first: Option<Point>) -> Value {
        let line = first.map_or_else(Vec::new, |first| [&[first], &self.line[..]].concat());
        Value { line, ..self }
    }

    /// True if a win is proved.
    pub fn is_win(&self) -> bool {
        self.score.is_win()
    }
}
