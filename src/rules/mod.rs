//! The rules of the game: who wins, and what Black may not play in renju.
//!
//! This module is the readable reference. The search uses the tables of `patterns`, and tests
//! compare the two.

#[doc(hidden)]
mod renju;
mod start;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Cell, Direction};
use crate::types::{Color, Point};

pub use renju::{Foul, foul};
pub use start::check_opening_moves;

/// A rule set. Rules of openings (swap2 and so on) are not part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    #[default]
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// Black: exactly five wins; overlines, double-fours and double-threes are forbidden.
    /// White: five or more win.
    Renju,
    /// Six or more win; exactly five wins unless an opponent's stone stands at both ends.
    Caro,
    /// Exactly five wins unless an opponent's stone stands at both ends.
    CaroExact,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] = [
        Rule::Freestyle,
        Rule::Standard,
        Rule::Renju,
        Rule::Caro,
        Rule::CaroExact,
    ];

    /// Number of `INFO rule` in the Gomocup protocol.
    pub const fn info_code(self) -> u32 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::CaroExact => 9,
        }
    }

    /// Lower-case name, as `FromStr` reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroExact => "caro9",
        }
    }

    /// 0 to 4, the place in [`Rule::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 2,
            Rule::Caro => 3,
            Rule::CaroExact => 4,
        }
    }

    /// True if `color` has forbidden points.
    #[inline]
    pub fn restricts(self, color: Color) -> bool {
        self == Rule::Renju && color == Color::Black
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not a rule's; holds the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule '{0}' (freestyle, standard, renju, caro, caro9)")]
pub struct ParseRuleError(pub String);

impl FromStr for Rule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Rule, ParseRuleError> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseRuleError(text.to_string()))
    }
}

/// Number of stones of the colour of `p`'s stone in an unbroken run through `p` along `direction`,
/// and what stands just before and just behind the run.
fn run(board: &Board, p: Point, direction: Direction) -> (usize, Cell, Cell) {
    let own = board.cell(p);
    let (dx, dy) = direction.delta();
    let walk = |sign: i32| {
        let mut steps = 1;
        loop {
            let cell = board.cell_at(
                i32::from(p.x()) + dx * sign * steps,
                i32::from(p.y()) + dy * sign * steps,
            );
            if cell != own {
                return (steps as usize - 1, cell);
            }
            steps += 1;
        }
    };
    let (before, cell_before) = walk(-1);
    let (behind, cell_behind) = walk(1);
    (before + 1 + behind, cell_before, cell_behind)
}

/// True if the stone on `p` completes a row that wins for its owner.
///
/// # Panics
/// When there is no stone on `p`.
pub fn wins_at(board: &Board, rule: Rule, p: Point) -> bool {
    let color = board.cell(p).color().expect("a stone on the point");
    Direction::ALL.into_iter().any(|direction| {
        let (length, before, behind) = run(board, p, direction);
        let blocked = before == (!color).into() && behind == (!color).into();
        match rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju if color == Color::Black => length == 5,
            Rule::Renju => length >= 5,
            Rule::Caro => length >= 6 || (length == 5 && !blocked),
            Rule::CaroExact => length == 5 && !blocked,
        }
    })
}

/// The side that has a winning row on the board.
pub fn winner(board: &Board, rule: Rule) -> Option<Color> {
    board
        .stones()
        .iter()
        .find(|stone| wins_at(board, rule, stone.point))
        .map(|stone| stone.color)
}

/// The free points where a stone of `color` completes a winning row, row by row.
pub fn winning_points(board: &Board, rule: Rule, color: Color) -> Vec<Point> {
    let mut next = board.clone();
    board
        .empty_points()
        .filter(|&p| {
            next.put(p, color);
            let wins = wins_at(&next, rule, p);
            next.undo();
            wins
        })
        .collect()
}

/// True if after `line`, played in turn, the side to move has no five against it but may play none
/// of the free points: it has to lose by a foul.
pub fn ends_by_foul(board: &Board, rule: Rule, line: &[Point]) -> bool {
    let mut end = board.clone();
    line.iter().for_each(|&p| end.play(p));
    let side = end.side_to_move();
    let is_won = line.last().is_some_and(|&p| wins_at(&end, rule, p));
    let forbidden = forbidden_points(&end, rule, side).len();
    !is_won && forbidden > 0 && forbidden == end.empty_count()
}

/// The points that `color` may not play, row by row. Empty unless `rule`
/// restricts `color`.
pub fn forbidden_points(board: &Board, rule: Rule, color: Color) -> Vec<Point> {
    if !rule.restricts(color) {
        return Vec::new();
    }
    board
        .empty_points()
        .filter(|&p| foul(board, p).is_some())
        .collect()
}
