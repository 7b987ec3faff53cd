//! Games of the engine against itself, to test the balance of a position.

use tengen::board::Board;
use tengen::engine::opening::evaluator::OpeningEvaluator;
use tengen::rules::{foul, wins_at};
use tengen::types::{Color, Point};

/// Number of games, and the fewest points that each side must score in them.
const GAMES: u64 = 6;
const MIN_POINTS: f64 = 2.0;
/// Divisor of the nodes for each move of the first game.
const MOVE_PART: u64 = 40;
/// From this value on a game counts as won.
const WON: i32 = 400;

/// True if each side scores [`MIN_POINTS`] in games from `board`. Each game has a different number
/// of nodes for each move, from a 40th of `nodes` upwards.
pub fn is_balanced_in_games(evaluator: &mut OpeningEvaluator, board: &Board, nodes: u64) -> bool {
    let mut black = 0.0;
    for played in 0..GAMES {
        let white = played as f64 - black;
        let left = (GAMES - played) as f64;
        if black + left < MIN_POINTS || white + left < MIN_POINTS {
            return false;
        }
        let move_nodes = nodes / MOVE_PART * (GAMES + played) / GAMES;
        black += points_of_black(evaluator.cleared(), board, move_nodes);
    }
    (MIN_POINTS..=GAMES as f64 - MIN_POINTS).contains(&black)
}

/// Black's points in one game.
fn points_of_black(evaluator: &mut OpeningEvaluator, board: &Board, nodes: u64) -> f64 {
    let rule = evaluator.rule();
    let mut board = board.clone();
    loop {
        let side = board.side_to_move();
        let points = |winner: Color| if winner == Color::Black { 1.0 } else { 0.0 };
        let is_foul = |p: Point| rule.restricts(side) && foul(&board, p).is_some();
        match evaluator.best_move(&board, nodes) {
            Some((_, value)) if value >= WON => return points(side),
            Some((_, value)) if value <= -WON => return points(!side),
            // Black has no other move left.
            Some((p, _)) if is_foul(p) => return points(!side),
            Some((p, _)) => {
                board.play(p);
                if wins_at(&board, rule, p) {
                    return points(side);
                }
            }
            None => return 0.5,
        }
    }
}
