//! `TENGENREVIEW`: a whole game with each move judged by search.

use std::sync::Arc;

use tengen::board::{Board, Move};
use tengen::engine::move_control::MoveControl;
use tengen::protocol::settings::{DEFAULT_TURN_MS, Settings};
use tengen::protocol::setup::locate;
use tengen::protocol::text::{BoardEntry, Coord};
use tengen::protocol::{Answer, Request, Session};
use tengen::search::{SearchRequest, TimeSettings};
use tengen::time::Instant;
use tengen::types::Color;

use super::review_arguments::{ReviewOptions, review_options, set_up_field};
use super::review_task::ReviewTask;
use crate::review::{Game, Limits};

/// A pass among the moves.
const PASS: Coord = Coord { x: -1, y: -1 };

/// `TENGENREVIEW`: judges the moves of the block. Cells with a field are set up before the moves.
pub fn review(session: &mut Session, request: &Request) -> Answer {
    let (options, _) = review_options(&request.text);
    let empty = session.current_board().cleared();
    let settings = session.settings();
    let (start, moves) = game_of(&empty, options, &request.cells)
        .ok_or("a move of the game is off the board or on a taken point")?;
    let game = Game::new(settings.rule(), start, moves, options.first_judged);
    if game.is_empty() {
        return Err("no moves to review".into());
    }
    let limits = limits(settings);
    let search = SearchRequest::new(empty, settings.rule());
    let control = MoveControl::new(Instant::now(), &TimeSettings::default());
    session.begin_hosted(Arc::new(ReviewTask { game, limits }), search, control);
    Ok(())
}

/// The start of the game on a board of the size of `empty`, and the moves; `None` if a stone or a
/// move does not fit the board.
fn game_of(
    empty: &Board,
    options: ReviewOptions,
    entries: &[BoardEntry],
) -> Option<(Board, Vec<Move>)> {
    let mut board = empty.clone();
    let (set_up, moves): (Vec<&BoardEntry>, Vec<&BoardEntry>) = entries
        .iter()
        .partition(|entry| set_up_field(entry).is_some());
    for entry in set_up {
        let p = locate(&board, entry.at).filter(|&p| board.is_empty(p))?;
        match set_up_field(entry)? {
            1 => board.put(p, Color::Black),
            2 => board.put(p, Color::White),
            _ => board.block(p),
        }
    }
    board.set_side_to_move(options.first);
    let moves = moves_on(&board, options.first, &moves)?;
    Some((board, moves))
}

/// The limits of each position's search: those of the session, or else its default time.
fn limits(settings: &Settings) -> Limits {
    let limits = Limits {
        time_ms: settings.time().turn_ms,
        depth: settings.max_depth(),
        nodes: settings.max_nodes(),
    };
    match limits == Limits::default() {
        true => Limits {
            time_ms: Some(DEFAULT_TURN_MS),
            ..limits
        },
        false => limits,
    }
}

/// The moves in turn; `None` if one is off the board or on a taken point.
fn moves_on(start: &Board, first: Color, entries: &[&BoardEntry]) -> Option<Vec<Move>> {
    let mut board = start.clone();
    let mut color = first;
    let mut moves = Vec::new();
    for entry in entries {
        let point = match entry.at {
            PASS => None,
            at => Some(locate(&board, at).filter(|&p| board.is_empty(p))?),
        };
        let made = Move { color, point };
        board.make(made);
        moves.push(made);
        color = !color;
    }
    Some(moves)
}
