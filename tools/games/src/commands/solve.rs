//! `TENGENSOLVE`: a win of the side to move by force.

use std::sync::Arc;

use tengen::engine::move_control::MoveControl;
use tengen::protocol::{Answer, Request, Session};
use tengen::rules::winner;
use tengen::search::SearchRequest;

use super::solve_task::{SolveTask, solve_means};

/// `TENGENSOLVE`: looks for a win by the named means in the position on the board.
pub fn solve(session: &mut Session, request: &Request) -> Answer {
    let means = solve_means(&request.text)?;
    let (board, settings) = (session.current_board(), session.settings());
    if winner(board, settings.rule()).is_some() {
        return Err("the game is over".into());
    }
    if board.empty_count() == 0 {
        return Err("the board is full".into());
    }
    if !session.has_engine_thread() {
        return Err("the system gives no thread for the search".into());
    }
    let search = SearchRequest::new(board.clone(), settings.rule());
    let control = MoveControl::new(session.asked_at(), &settings.time());
    control.set_bounds(None, settings.max_nodes());
    session.begin_hosted(Arc::new(SolveTask { means }), search, control);
    Ok(())
}
