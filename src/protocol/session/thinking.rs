//! Searches of a session: how one begins, and how its result is told.

use std::sync::Arc;
use std::time::Instant;

use super::Session;
use crate::engine::background::spawn;
use crate::engine::reins::Reins;
use crate::protocol::opening::{settle, words};
use crate::protocol::progress::Progress;
use crate::protocol::reply::{realtime_refresh, Reply};
use crate::protocol::safety::play_legally;
use crate::protocol::thinker::{decide, Decision, Task};
use crate::rules::Rule;
use crate::search::Request;
use crate::types::PointSet;

/// A running search.
pub(super) struct Search {
    pub(super) reins: Arc<Reins>,
    task: Task,
    rule: Rule,
    pub(super) progress: Progress,
}

impl Session {
    /// Starts a search of the current position.
    pub(super) fn think(&mut self, task: Task, lines: usize, at: Instant) {
        let (Some(board), Some(mut engine)) = (self.board.clone(), self.engine.take()) else {
            return log::error!("a search was asked for while one runs");
        };
        if board.empty_count() == 0 {
            self.engine = Some(engine);
            return self.error("the board is full");
        }
        let rule = self.settings.rule();
        if engine.options() != self.settings.options() {
            engine.set_options(self.settings.options());
        }
        if engine.params() != self.settings.params() {
            engine.set_params(self.settings.params().clone());
        }
        if engine.evaluation() != self.settings.evaluation() {
            engine.set_evaluation(self.settings.evaluation().clone());
        }
        let playable = PointSet::from_iter(board.empty_points()).difference(&self.excluded);
        let request = Request {
            max_depth: self.settings.max_depth(),
            max_nodes: self.settings.max_nodes(),
            multi_pv: lines.clamp(1, board.empty_count()),
            // With every cell excluded the wish cannot be granted.
            excluded: if playable.is_empty() {
                PointSet::EMPTY
            } else {
                self.excluded
            },
            ..Request::new(board.clone(), rule)
        };
        let detail = self.settings.detail();
        if detail.realtime {
            self.send(realtime_refresh());
        }
        let reins = Arc::new(Reins::new(at, &self.settings.time()));
        self.search = Some(Search {
            reins: Arc::clone(&reins),
            task: task.clone(),
            rule,
            progress: Progress::new(detail, board.height()),
        });
        spawn(engine, self.events.clone(), move |engine, report| {
            decide(engine, &task, &request, &reins, report)
        });
    }

    /// A search came to its end: tell its result.
    pub(super) fn finish(&mut self, mut search: Search, decision: Option<Decision>) {
        let Some(mut board) = self.board.clone() else {
            return;
        };
        let decision = decision.unwrap_or_default();
        let last_words = search.progress.finish(&decision.lines);
        self.send_all(last_words);
        let proposed = &decision.points;
        let count = match search.task {
            Task::Opening { opening, .. } => {
                let settled = settle(&opening, &decision.choices);
                let mut board = settled.phase.board().clone();
                let count = usize::from(settled.moves_on);
                let moves = play_legally(&mut board, search.rule, &self.excluded, proposed, count);
                let replies = words(&opening, &settled, &moves);
                if !opening.is_yixin() {
                    self.settings.moved(search.reins.elapsed());
                    self.board = Some(board);
                }
                return self.send_all(replies);
            }
            Task::Balance { moves, .. } => moves,
            Task::Best => 1,
        };
        let moves = play_legally(&mut board, search.rule, &self.excluded, proposed, count);
        self.settings.moved(search.reins.elapsed());
        self.board = Some(board);
        self.send(Reply::Moves(moves));
    }
}
