use super::{Rule, foul, wins_at};
use crate::board::Board;
use crate::types::Point;

/// Checks that a game by `rule` on the board `empty` may begin with these moves.
///
/// # Errors
/// With the first move that is illegal or already wins, or when no cell is left free.
pub fn check_opening_moves(points: &[Point], rule: Rule, empty: &Board) -> Result<(), String> {
    let mut board = empty.clone();
    for &p in points {
        let label = p.label(board.height());
        if !board.is_empty(p) {
            return Err(format!("{label} is played twice"));
        }
        if rule.restricts(board.side_to_move()) && foul(&board, p).is_some() {
            return Err(format!("{label} is forbidden"));
        }
        board.play(p);
        if wins_at(&board, rule, p) {
            return Err(format!("{label} already wins"));
        }
    }
    if board.empty_count() == 0 {
        return Err("the board is full".to_string());
    }
    Ok(())
}
