//! `TENGENSOLVE`: whether the side to move wins by force.

use std::sync::Arc;

use super::Session;
use super::thinking::RunningSearch;
use crate::engine::move_control::MoveControl;
use crate::protocol::progress::Progress;
use crate::protocol::settings::Detail;
use crate::protocol::solve_task::SolveTask;
use crate::protocol::task::Task;
use crate::rules::winner;
use crate::search::SearchRequest;
use crate::solver::Means;

impl Session {
    /// `TENGENSOLVE`: looks for a win by `means` in the position on the board.
    pub(super) fn solve(&mut self, means: Means) {
        if self.is_leaving {
            return;
        }
        let (board, rule) = (self.board(), self.settings.rule());
        if winner(board, rule).is_some() {
            return self.error("the game is over");
        }
        if board.empty_count() == 0 {
            return self.error("the board is full");
        }
        if !self.engine_thread.is_there() {
            return self.error("the system gives no thread for the search");
        }
        let request = SearchRequest::new(board.clone(), rule);
        let control = MoveControl::new(self.asked_at, &self.settings.time());
        control.set_bounds(None, self.settings.max_nodes());
        let task = SolveTask {
            means,
            listener: self.task_listener(),
        };
        self.begin(RunningSearch {
            control: Arc::new(control),
            task: Task::Solve(task),
            is_silent: false,
            ponders: false,
            progress: Progress::new(Detail::default(), self.labels(&request.board)),
            request: Arc::new(request),
        });
    }
}
