//! The ways to stored positions: empty records, so that walks find the positions beyond.

use super::error::Result;
use super::key::Situation;
use super::record::Record;
use super::store::Writer;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::types::Color;
use tengen_games::convert::alternating_moves;

/// Adds empty records where the way to `board` has none. The order of the stones on `board` is
/// free: Black's and White's are taken in turn, as in a game. Without alternating moves to `board`,
/// as after a handicap, there is no way, and nothing is added.
///
/// # Errors
/// When the store cannot be read or written.
pub fn add_ancestors(writer: &mut Writer, board: &Board, rule: Rule) -> Result<()> {
    let Some(moves) = alternating_moves(board) else {
        return Ok(());
    };
    let mut before = board.clone();
    while before.last().is_some() {
        before.undo();
    }
    before.set_side_to_move(Color::Black);
    for p in moves {
        add_empty(writer, &before, rule)?;
        before.play(p);
    }
    Ok(())
}

/// The same where no way is known: in the order of the stones, as far as a position to which a
/// known one leads by whichever move.
pub(super) fn add_some_way(writer: &mut Writer, board: &Board, rule: Rule) -> Result<()> {
    let mut before = board.clone();
    while before.last().is_some() && !is_reached(writer, &before, rule)? {
        before.undo();
        add_empty(writer, &before, rule)?;
    }
    Ok(())
}

fn add_empty(writer: &mut Writer, board: &Board, rule: Rule) -> Result<()> {
    let situation = Situation::new(board, rule);
    match writer.get(&situation)? {
        Some(_) => Ok(()),
        None => writer.put(&situation, &Record::default()),
    }
}

/// True if a move leads from a known position to `board`.
fn is_reached(writer: &Writer, board: &Board, rule: Rule) -> Result<bool> {
    let mover = !board.side_to_move();
    for stone in board.stones().iter().rev().filter(|s| s.color == mover) {
        let mut before = board.without(stone.point);
        before.set_side_to_move(mover);
        if writer.get(&Situation::new(&before, rule))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
