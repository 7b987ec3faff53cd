//! `TENGENREVIEW`: the moves of a whole game judged by search.

use std::sync::Arc;

use super::Session;
use super::thinking::RunningSearch;
use crate::board::{Board, Move};
use crate::engine::move_control::MoveControl;
use crate::protocol::progress::Progress;
use crate::protocol::review_arguments::{ReviewOptions, set_up_field};
use crate::protocol::review_task::ReviewTask;
use crate::protocol::settings::{DEFAULT_TURN_MS, Detail};
use crate::protocol::setup::locate;
use crate::protocol::task::Task;
use crate::protocol::text::{BoardEntry, Coord};
use crate::review::{Game, Limits};
use crate::search::{SearchRequest, TimeSettings};
use crate::time::Instant;
use crate::types::Color;

/// A pass among the moves.
const PASS: Coord = Coord { x: -1, y: -1 };

impl Session {
    /// `TENGENREVIEW`: judges the moves of `entries`; those with a field are set up before them.
    pub(super) fn review(&mut self, options: ReviewOptions, entries: &[BoardEntry]) {
        if self.is_leaving {
            return;
        }
        let Some(game) = self.game_of(options, entries) else {
            return self.error("a move of the game is off the board or on a taken point");
        };
        if game.is_empty() {
            return self.error("no moves to review");
        }
        let task = ReviewTask {
            limits: self.review_limits(),
            listener: self.task_listener(),
            game,
        };
        let request = SearchRequest::new(self.board().cleared(), self.settings.rule());
        self.begin(RunningSearch {
            control: Arc::new(MoveControl::new(Instant::now(), &TimeSettings::default())),
            task: Task::Review(Box::new(task)),
            is_silent: false,
            ponders: false,
            progress: Progress::new(Detail::default(), self.labels(&request.board)),
            request: Arc::new(request),
        });
    }

    /// The game on a board of the session's size; `None` if a stone cannot be put where it should be.
    fn game_of(&self, options: ReviewOptions, entries: &[BoardEntry]) -> Option<Game> {
        let mut board = self.board().cleared();
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
        let rule = self.settings.rule();
        Some(Game::new(rule, board, moves, options.first_judged))
    }

    fn review_limits(&self) -> Limits {
        let limits = Limits {
            time_ms: self.settings.time().turn_ms,
            depth: self.settings.max_depth(),
            nodes: self.settings.max_nodes(),
        };
        match limits == Limits::default() {
            true => Limits {
                time_ms: Some(DEFAULT_TURN_MS),
                ..limits
            },
            false => limits,
        }
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
