//! The reviewed game.

use super::value::Value;
use tengen::board::{Board, Move};
use tengen::engine::GameKind;
use tengen::rules::{Rule, foul, winner, wins_at};
use tengen::types::Score;

/// A game up to its end by the rules, or to the last known move.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The rule.
    pub rule: Rule,
    /// The position before the first move.
    start: Board,
    /// The moves; sides usually take turns, but need not.
    pub(super) moves: Vec<Move>,
    /// Number of the first judged move, from 1.
    first_judged: usize,
}

impl Game {
    /// The game of `moves` from `start`, each to a free point. The game ends with the first move
    /// that wins, is forbidden, or fills the board. Later moves are dropped, and all moves if
    /// somebody has won at `start`. Moves before `first_judged`, from 1, belong to the opening.
    pub fn new(rule: Rule, start: Board, moves: Vec<Move>, first_judged: usize) -> Game {
        let is_over = winner(&start, rule).is_some();
        let mut game = Game {
            rule,
            start,
            moves: if is_over { Vec::new() } else { moves },
            first_judged,
        };
        let mut before = game.position(0);
        let over = (0..game.moves.len()).find(|&index| {
            let mut after = before.clone();
            game.make(index, &mut after);
            let before = std::mem::replace(&mut before, after.clone());
            game.ending(index, &before, &after).is_some()
        });
        if let Some(last) = over {
            game.moves.truncate(last + 1);
        }
        game
    }

    /// The number of reviewed moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// True if there is nothing to review.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// True if the move `index`, from 0, belongs to the opening.
    pub(super) fn is_opening(&self, index: usize) -> bool {
        index + 1 < self.first_judged
    }

    /// The rule and size.
    pub(super) fn kind(&self) -> GameKind {
        GameKind {
            rule: self.rule,
            width: self.start.width(),
            height: self.start.height(),
        }
    }

    /// The position before the move `index`, or after the last one.
    pub(super) fn position(&self, index: usize) -> Board {
        let mut board = self.start.clone();
        if let Some(first) = self.moves.first() {
            board.set_side_to_move(first.color);
        }
        (0..index).for_each(|index| self.make(index, &mut board));
        board
    }

    /// Makes the move `index` on the position before it, and gives the turn to the side of the next
    /// move.
    fn make(&self, index: usize, board: &mut Board) {
        board.make(self.moves[index]);
        if let Some(next) = self.moves.get(index + 1) {
            board.set_side_to_move(next.color);
        }
    }

    /// Value of the move `index` between these positions for its side; `None` if the move does not
    /// end the game.
    pub(super) fn ending(&self, index: usize, before: &Board, after: &Board) -> Option<Value> {
        let Move { color, point } = self.moves[index];
        let p = point?;
        let score = if wins_at(after, self.rule, p) {
            Score::win_in(1)
        } else if self.rule.restricts(color) && foul(before, p).is_some() {
            Score::loss_in(1)
        } else if after.empty_count() == 0 {
            Score::DRAW
        } else {
            return None;
        };
        Some(Value::ended(score))
    }
}
