//! The searches of a review.

use super::class::{MoveClass, is_blamed};
use super::game::Game;
use super::judgement::Judgement;
use super::summary::Summary;
use super::value::Value;
use tengen::board::Board;
use tengen::engine::Engine;
use tengen::engine::move_control::MoveControl;
use tengen::rules::Rule;
use tengen::search::SearchRequest;
use tengen::time::Instant;
use tengen::types::{Color, Point, Score};

/// Limits of the search of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Longest time in ms.
    pub time_ms: Option<u64>,
    /// Deepest iteration in plies.
    pub depth: Option<u32>,
    /// Nodes after which the search ends.
    pub nodes: Option<u64>,
}

/// The result of a review.
#[derive(Clone, Debug)]
pub struct Review {
    /// The judgements in the order of the game; without the first moves if the review was stopped.
    pub judgements: Vec<Judgement>,
    /// The judgement of the whole game.
    pub summary: Summary,
}

impl Review {
    /// At most `most` mistakes and blunders, the costliest first.
    pub fn worst_moves(&self, most: usize) -> Vec<&Judgement> {
        let is_bad = |j: &&Judgement| matches!(j.class, MoveClass::Mistake | MoveClass::Blunder);
        let mut worst: Vec<&Judgement> = self.judgements.iter().filter(is_bad).collect();
        // A stable sort: of equal losses the first one in the game stands first.
        worst.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
        worst.truncate(most);
        worst
    }
}

/// Judges the moves of `game` from the last to the first, and calls `on_move` for each. A stop of
/// `control` ends the review early. Returns the results up to then.
pub fn review(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    control: &MoveControl,
    on_move: &mut dyn FnMut(&Judgement),
) -> Review {
    let start = Instant::now();
    // Before the first search, because its limit may be shorter than the preparation.
    engine.prepare_until(game.kind(), &|| control.whole().is_stopped());
    let mut reviewer = Reviewer {
        engine,
        rule: game.rule,
        limits,
        control,
        nodes: 0,
    };
    let mut judgements = Vec::new();
    // The side of the next move and the value before it.
    let mut next = None;
    for index in (0..game.moves.len()).rev() {
        let judged = reviewer.value_after(game, index, next.take());
        let judged = judged.and_then(|value| reviewer.judge(game, index, value));
        let Ok((judgement, before)) = judged else {
            break;
        };
        next = Some((judgement.made.color, before));
        on_move(&judgement);
        judgements.push(judgement);
    }
    judgements.reverse();
    Review {
        summary: Summary::new(game, &judgements, reviewer.nodes, start.elapsed()),
        judgements,
    }
}

/// The review was stopped.
struct Stopped;

/// A value; `None` if a limit ended its search too early.
type Known = Option<Value>;

/// The searches of a review.
struct Reviewer<'a> {
    engine: &'a mut Engine,
    rule: Rule,
    limits: &'a Limits,
    control: &'a MoveControl,
    nodes: u64,
}

impl Reviewer<'_> {
    /// Value after the move `index` for the side of the move. `next` is the side of the next move
    /// and the value before it; without `next` the position is searched.
    fn value_after(
        &mut self,
        game: &Game,
        index: usize,
        next: Option<(Color, Known)>,
    ) -> Result<Known, Stopped> {
        let made = game.moves[index];
        let board = game.position(index + 1);
        if let Some(ending) = game.ending(index, &game.position(index), &board) {
            return Ok(Some(ending));
        }
        let (side, value) = match next {
            Some(next) => next,
            None => (board.side_to_move(), self.search(&board)?),
        };
        Ok(match side == made.color {
            true => value,
            false => value.map(Value::of_opponent_before),
        })
    }

    /// Judges the move `index`; `value` is its side's value after it. Returns the judgement, and
    /// the side's value before the move.
    fn judge(
        &mut self,
        game: &Game,
        index: usize,
        value: Known,
    ) -> Result<(Judgement, Known), Stopped> {
        let before = game.position(index);
        if before.stones().is_empty() {
            let class = match value {
                Some(_) => MoveClass::Opening,
                None => MoveClass::Unknown,
            };
            return Ok((not_compared(game, index, value.clone(), class), value));
        }
        let found = self.search(&before)?;
        let compared = match (&found, &value) {
            (Some(found), Some(value)) => {
                self.compare(game, index, found.clone(), value.clone())?
            }
            _ => None,
        };
        Ok(match compared {
            Some(judgement) => {
                let best_value = judgement.best_value.clone();
                (judgement, Some(best_value))
            }
            None => {
                let depth = found.as_ref().map_or(0, |found| found.depth);
                // The line before the move does not follow the move.
                let known = value.or_else(|| found.clone().map(Value::without_line));
                let judgement = not_compared(game, index, known, MoveClass::Unknown);
                (Judgement { depth, ..judgement }, found)
            }
        })
    }

    /// Judges the move `index`, of this `value`, by comparison with `found`, the result of a search
    /// of the position before. `None` when the better move could not be confirmed.
    fn compare(
        &mut self,
        game: &Game,
        index: usize,
        found: Value,
        value: Value,
    ) -> Result<Option<Judgement>, Stopped> {
        let made = game.moves[index];
        let before = game.position(index);
        let mut judgement = Judgement {
            number: index + 1,
            made,
            best: made.point,
            best_value: value.clone().led_by(made.point),
            depth: found.depth,
            class: MoveClass::Best,
            height: before.height(),
            value,
        };
        let best = found.line.first().copied();
        if best.is_some() && best != made.point && is_better(&found, &judgement.value) {
            let found = match is_blamed(&found, &judgement.value) && !found.is_win() {
                true => self.confirm(&before, best, found)?,
                false => Some(found),
            };
            let Some(found) = found else {
                return Ok(None);
            };
            if is_better(&found, &judgement.value) {
                judgement.best = best;
                judgement.best_value = found;
            }
        } else if best == made.point {
            // Both searches judged this line; the later search looked no less far.
            judgement.best_value.line = found.line;
        }
        judgement.class = match game.is_opening(index) {
            true => MoveClass::Opening,
            false if judgement.best == made.point => MoveClass::Best,
            false => MoveClass::of(&judgement.best_value, &judgement.value),
        };
        Ok(Some(judgement))
    }

    /// Value of `best` by a search of the position after it. If the move fills the board, `found`,
    /// the value of the search before it.
    fn confirm(
        &mut self,
        before: &Board,
        best: Option<Point>,
        found: Value,
    ) -> Result<Known, Stopped> {
        let mut board = before.clone();
        board.play(best.expect("checked by the caller"));
        if board.empty_count() == 0 {
            return Ok(Some(found));
        }
        let depth = found.depth;
        let after = self.search(&board)?;
        Ok(after.map(|value| Value {
            depth,
            ..value.of_opponent_before().led_by(best)
        }))
    }

    /// Value of a position for its side to move.
    fn search(&mut self, board: &Board) -> Result<Known, Stopped> {
        let request = SearchRequest {
            max_depth: self.limits.depth,
            max_nodes: self.limits.nodes,
            is_analysis: true,
            ..SearchRequest::new(board.clone(), self.rule)
        };
        let control = self.control.step(self.limits.time_ms.unwrap_or(u64::MAX));
        let result = self.engine.go(&request, &control, &mut |_| {});
        self.nodes += result.nodes;
        if self.control.whole().is_stopped() {
            return Err(Stopped);
        }
        Ok(Value::of(&result, board))
    }
}

/// A judgement of the move `index` without a comparison, for a class of moves that are not judged.
/// Without a `value`, a draw's is used.
fn not_compared(game: &Game, index: usize, value: Known, class: MoveClass) -> Judgement {
    let value = value.unwrap_or(Value::ended(Score::DRAW));
    Judgement {
        number: index + 1,
        made: game.moves[index],
        best: None,
        best_value: value.clone().without_line(),
        depth: 0,
        class,
        height: game.position(index).height(),
        value,
    }
}

/// True if a value is better than another. Of two proved wins the shorter one is better, of two
/// losses the longer one.
fn is_better(value: &Value, other: &Value) -> bool {
    (value.win_rate, value.score) > (other.win_rate, other.score)
}
