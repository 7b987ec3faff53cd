//! Searches of a session: how one begins, and how its result is told.

use std::sync::Arc;
use std::time::Instant;

use super::Session;
use crate::board::Board;
use crate::engine::background::spawn;
use crate::engine::move_control::MoveControl;
use crate::engine::strength::Strength;
use crate::protocol::decision::Decision;
use crate::protocol::event::Event;
use crate::protocol::opening::{settle, words};
use crate::protocol::progress::Progress;
use crate::protocol::reply::{Labels, Reply, realtime_refresh};
use crate::protocol::safety::play_legally;
use crate::protocol::setup;
use crate::protocol::task::{Task, decide};
use crate::rules::{Rule, wins_at};
use crate::search::{SearchObserver, SearchRequest, TimeSettings};
use crate::types::PointSet;

/// A running search.
pub(super) struct Search {
    pub(super) control: Arc<MoveControl>,
    task: Task,
    rule: Rule,
    /// What is searched.
    board: Board,
    /// Moves that shall not be played.
    excluded: PointSet,
    /// Whether nobody waits for the result: the engine ponders.
    pub(super) is_silent: bool,
    /// Whether to ponder afterwards.
    ponders: bool,
    pub(super) progress: Progress,
}

impl Session {
    /// Starts a search of the current position.
    pub(super) fn think(&mut self, task: Task, lines: usize, at: Instant) {
        let Some(board) = self.board.clone() else {
            return log::error!("a search was asked for without a board");
        };
        if board.empty_count() == 0 {
            return self.error("the board is full");
        }
        let rule = self.settings.rule();
        let strength = self.settings.strength();
        let is_turn = matches!(task, Task::Best) && lines == 1;
        let task = if is_turn && strength != Strength::FULL {
            Task::Weakened(strength)
        } else {
            task
        };
        let asked = self.exclusions.at(&board);
        let playable = PointSet::from_iter(board.empty_points()).difference(&asked);
        let avoided = self.avoided(&board, rule);
        let excluded = if playable.difference(&avoided).is_empty() {
            asked
        } else {
            asked.union(&avoided)
        };
        let mut request = SearchRequest {
            multi_pv: lines.clamp(1, board.empty_count()),
            excluded,
            ..SearchRequest::new(board.clone(), rule)
        };
        if let Some(caution) = self.settings.caution() {
            setup::look_as_wide_as(caution, &mut request);
        }
        let detail = self.settings.detail();
        let mut control = MoveControl::new(at, &self.settings.time());
        control.set_bounds(self.settings.max_depth(), self.settings.max_nodes());
        if detail.realtime {
            self.send(realtime_refresh());
            let events = self.events.clone();
            control = control.observed_by(SearchObserver::new(move |news| {
                // Fails only when the session is over.
                let _ = events.send(Event::Root(news));
            }));
        }
        let search = Search {
            control: Arc::new(control),
            ponders: matches!(task, Task::Best) && is_turn && self.settings.is_pondering(),
            task,
            is_silent: false,
            rule,
            excluded,
            progress: Progress::new(detail, self.labels(&board)),
            board,
        };
        self.begin(search, request);
    }

    /// Names of cells as the manager's people see them: only Yixin-Board introduces itself, and only
    /// it sends rows before columns.
    fn labels(&self, board: &Board) -> Labels {
        Labels {
            width: board.width(),
            height: board.height(),
            transposed: self.has_gui,
        }
    }

    /// Lends the engine to a search.
    fn begin(&mut self, search: Search, request: SearchRequest) {
        self.prepare();
        let Some(engine) = self.engine.take() else {
            return log::error!("a search was asked for while one runs");
        };
        let task = search.task.clone();
        let control = Arc::clone(&search.control);
        self.search = Some(search);
        spawn(engine, self.events.clone(), move |engine, report| {
            decide(engine, &task, &request, &control, report)
        });
    }

    /// Thinks in the opponent's time about his position: what is found stays in the table.
    fn ponder(&mut self) {
        let Some(board) = self.board.clone() else {
            return;
        };
        let rule = self.settings.rule();
        let is_over = board.last().is_some_and(|s| wins_at(&board, rule, s.point));
        if is_over || board.empty_count() == 0 {
            return;
        }
        let request = SearchRequest::new(board.clone(), rule);
        let search = Search {
            control: Arc::new(MoveControl::new(Instant::now(), &TimeSettings::default())),
            task: Task::Best,
            is_silent: true,
            rule,
            excluded: PointSet::EMPTY,
            ponders: false,
            progress: Progress::new(self.settings.detail(), self.labels(&board)),
            board,
        };
        self.begin(search, request);
    }

    /// Stops pondering about another position than the present one. An empty board may be the
    /// beginning of a position that is still to come.
    pub(super) fn stop_pondering_elsewhere(&mut self) {
        let (Some(search), Some(board)) = (&self.search, &self.board) else {
            return;
        };
        let is_begun = board.stones().is_empty()
            && (board.width(), board.height()) == (search.board.width(), search.board.height());
        if board.hash() != search.board.hash() && !is_begun {
            search.control.stop();
        }
    }

    /// A search ended: answer with its result.
    pub(super) fn finish(&mut self, mut search: Search, decision: Option<Decision>) {
        if search.is_silent {
            return;
        }
        let Some(mut board) = self.board.clone() else {
            return;
        };
        let decision = decision.unwrap_or_default();
        let last_words = search.progress.finish(&decision.lines);
        self.send_all(last_words);
        if let (Task::Best, Some(line)) = (&search.task, decision.lines.first()) {
            self.last_value = Some(line.score);
            self.remember(&search.board, search.rule, &decision.lines);
        }
        let proposed = &decision.points;
        let excluded = &search.excluded;
        let count = match search.task {
            Task::Opening { opening, .. } => {
                let settled = settle(&opening, &decision.choices);
                let mut board = settled.phase.board().clone();
                let count = usize::from(settled.moves_on);
                let moves = play_legally(&mut board, search.rule, excluded, proposed, count);
                let replies = words(&opening, &settled, &moves);
                if !opening.is_yixin() {
                    self.settings.moved(search.control.elapsed());
                    self.board = Some(board);
                }
                return self.send_all(replies);
            }
            Task::Balance { moves, .. } => moves,
            Task::Best | Task::Weakened(_) => 1,
        };
        let moves = play_legally(&mut board, search.rule, excluded, proposed, count);
        self.settings.moved(search.control.elapsed());
        self.board = Some(board);
        self.send(Reply::Moves(moves));
        if search.ponders && self.waiting.is_empty() {
            self.ponder();
        }
    }
}
