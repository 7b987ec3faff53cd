//! Questions that a GUI's user asks in words, and their answers.

use super::Session;
use crate::position::Position;
use crate::protocol::settings::{MAX_HASH_LOG_KIB, MAX_THREADS};
use crate::types::Score;

/// Cells of a board that are still free, in percent, up to which a draw is near.
const NEARLY_FULL: usize = 15;

impl Session {
    pub(super) fn show_info(&mut self) {
        self.has_gui = true;
        self.message(concat!("Tengen ", env!("CARGO_PKG_VERSION")));
        self.message(format!("INFO MAX_THREAD_NUM {MAX_THREADS}"));
        self.message(format!("INFO MAX_HASH_SIZE {MAX_HASH_LOG_KIB}"));
    }

    pub(super) fn trace_board(&mut self) {
        let Some(board) = self.board.clone() else {
            return self.message("There is no board");
        };
        for line in board.to_string().lines() {
            self.message(format!("|{line}"));
        }
        let rule = self.settings.rule();
        self.message(format!("{} to move, {rule}", board.side_to_move()));
    }

    /// `YXDRAW`: a draw is taken from whoever stands better than the engine, and where the board is
    /// nearly full and nobody does.
    pub(super) fn answer_draw(&mut self) {
        let is_late = self.board.as_ref().is_some_and(|board| {
            let cells = usize::from(board.width()) * usize::from(board.height());
            board.empty_count() * 100 <= cells * NEARLY_FULL
        });
        let takes = match self.last_value {
            Some(value) => value < Score::DRAW || (is_late && value == Score::DRAW),
            None => is_late,
        };
        self.message(if takes { "DRAW ACCEPT" } else { "DRAW REJECT" });
    }

    /// `YXPRINTFEATURE`: the evaluation without search, for the side to move.
    pub(super) fn tell_evaluation(&mut self) {
        // The evaluator may have been changed since the last search.
        if self.search.is_none() {
            self.prepare();
        }
        let Some(board) = &self.board else {
            return self.message("There is no board");
        };
        let rule = self.settings.rule();
        let value = match &mut self.engine {
            Some(engine) => engine.evaluate(board, rule),
            // Lent to a search.
            None => Position::new(board, rule).evaluate(),
        };
        let side = board.side_to_move();
        self.message(format!("Static evaluation {value} for {side}"));
    }
}
