//! Questions of managers and of GUIs' users, and lines that are no command.

use super::Session;
use super::command::{Answer, Request};
use crate::board::{Board, Stone};
use crate::position::Position;
use crate::protocol::reply::Reply;
use crate::protocol::settings::MAX_HASH_LOG_KIB;
use crate::rules::forbidden_points;
use crate::search::Evaluator;
use crate::types::Score;

/// A board counts as nearly full when at most this many percent of its cells are free.
const NEARLY_FULL: usize = 15;

/// True if a game may lead from `earlier` to `board`: all stones of `earlier` are on it.
fn continues(board: &Board, earlier: &Board) -> bool {
    let has = |stone: &Stone| board.cell(stone.point) == stone.color.into();
    (board.width(), board.height()) == (earlier.width(), earlier.height())
        && earlier.stones().iter().all(has)
}

impl Session {
    /// `ABOUT`: the engine's name.
    pub(super) fn show_name(&mut self, _: &Request) -> Answer {
        self.send(Reply::About);
        Ok(())
    }

    /// A line with an unknown first word. GUIs send words of later versions and expect no answer.
    pub(super) fn answer_unknown(&mut self, request: &Request) -> Answer {
        if !self.has_gui {
            self.send(Reply::Unknown(request.text.clone()));
        }
        Ok(())
    }

    /// `YXSHOWINFO`: the engine's limits.
    pub(super) fn show_info(&mut self, _: &Request) -> Answer {
        self.has_gui = true;
        self.message(concat!("Tengen ", env!("CARGO_PKG_VERSION")));
        let threads = self.settings.max_threads();
        self.message(format!("INFO MAX_THREAD_NUM {threads}"));
        self.message(format!("INFO MAX_HASH_SIZE {MAX_HASH_LOG_KIB}"));
        Ok(())
    }

    /// `TRACEBOARD`: the board as text.
    pub(super) fn trace_board(&mut self, _: &Request) -> Answer {
        let Some(board) = self.board.clone() else {
            self.message("There is no board");
            return Ok(());
        };
        for line in board.to_string().lines() {
            self.message(format!("|{line}"));
        }
        let rule = self.settings.rule();
        self.message(format!("{} to move, {rule}", board.side_to_move()));
        Ok(())
    }

    /// `YXDRAW`: a draw is accepted when the opponent stands better, and on a nearly full board when
    /// nobody does.
    pub(super) fn answer_draw(&mut self, _: &Request) -> Answer {
        let is_late = self.board.as_ref().is_some_and(|board| {
            let cells = usize::from(board.width()) * usize::from(board.height());
            board.empty_count() * 100 <= cells * NEARLY_FULL
        });
        // The value of an earlier game says nothing of a new one.
        let known = self.last_value.as_ref().filter(|(searched, _)| {
            let board = self.board.as_ref();
            board.is_some_and(|board| continues(board, searched))
        });
        let accepts = match known {
            Some(&(_, value)) => value < Score::DRAW || (is_late && value == Score::DRAW),
            None => is_late,
        };
        self.message(if accepts {
            "DRAW ACCEPT"
        } else {
            "DRAW REJECT"
        });
        Ok(())
    }

    /// `YXRESIGN`: the opponent gives up.
    pub(super) fn answer_resignation(&mut self, _: &Request) -> Answer {
        self.message("RESIGN ACCEPT");
        Ok(())
    }

    /// `YXSHOWFORBID`: Black's forbidden points; none without a board.
    pub(super) fn show_forbid(&mut self, _: &Request) -> Answer {
        let points = self.board.as_ref().map_or_else(Vec::new, |board| {
            forbidden_points(board, self.settings.rule(), board.side_to_move())
        });
        self.send(Reply::Forbid(points));
        Ok(())
    }

    /// `YXPRINTFEATURE`: the evaluation without search, for the side to move.
    pub(super) fn show_evaluation(&mut self, _: &Request) -> Answer {
        // The evaluator may have been changed since the last search.
        if self.search.is_none() {
            self.prepare();
        }
        let Some(board) = &self.board else {
            self.message("There is no board");
            return Ok(());
        };
        let rule = self.settings.rule();
        let value = match self.engine.idle() {
            Some(engine) => engine.evaluate(board, rule),
            // The engine works.
            None => Evaluator::new(None, board).evaluate(&Position::new(board, rule)),
        };
        let side = board.side_to_move();
        self.message(format!("Static evaluation {value} for {side}"));
        Ok(())
    }
}
