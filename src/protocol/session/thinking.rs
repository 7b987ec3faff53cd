//! Searches of a session: their start and the report of their result.

use std::sync::Arc;

use super::Session;
use super::command::{Answer, Event};
use crate::board::Board;
use crate::engine::move_control::MoveControl;
use crate::engine::safety::{play_legally, playable_cells};
use crate::engine::strength::Strength;
use crate::protocol::decision::Decision;
use crate::protocol::opening::{replies, take_step};
use crate::protocol::progress::Progress;
use crate::protocol::reply::{Labels, Reply, realtime_refresh};
use crate::protocol::settings::Detail;
use crate::protocol::setup;
use crate::protocol::task::{HostedTask, Task, decide};
use crate::rules::wins_at;
use crate::search::{SearchObserver, SearchRequest, TimeSettings};
use crate::time::Instant;
use crate::types::PointSet;

/// A running search.
pub(super) struct RunningSearch {
    pub(super) control: Arc<MoveControl>,
    pub(super) task: Task,
    /// The position and the excluded moves.
    pub(super) request: Arc<SearchRequest>,
    /// True if nobody waits for the result: the engine ponders.
    pub(super) is_silent: bool,
    /// True if the engine ponders afterwards.
    pub(super) ponders: bool,
    pub(super) progress: Progress,
}

impl RunningSearch {
    /// True if only a stop or a solved position ends it.
    pub(super) fn never_ends(&self) -> bool {
        self.is_silent || !(self.task.is_limited_by_part() || self.control.whole().is_limited())
    }

    /// True if new limits act on the search. Pondering has no limits, and those of a review hold
    /// for each position.
    pub(super) fn takes_limits(&self) -> bool {
        !self.is_silent && !self.task.is_limited_by_part()
    }
}

impl Session {
    /// Starts a task in the current position.
    pub(super) fn think(&mut self, task: Task) -> Answer {
        self.begin_task(task, 1, false)
    }

    /// Starts a search of the current position for `lines` principal variations.
    pub(super) fn analyze(&mut self, lines: usize) -> Answer {
        self.begin_task(Task::Best, lines, true)
    }

    fn begin_task(&mut self, task: Task, lines: usize, is_analysis: bool) -> Answer {
        if self.is_leaving {
            return Ok(());
        }
        if self.current_board().empty_count() == 0 {
            return Err("the board is full".into());
        }
        self.with_store(|store, session| store.prepare(session));
        let strength = self.settings.strength();
        let is_turn = matches!(task, Task::Best) && !is_analysis;
        let task = if is_turn && strength != Strength::FULL {
            Task::Weakened(strength)
        } else {
            task
        };
        let detail = self.settings.detail();
        let mut control = MoveControl::new(self.asked_at, &self.settings.time());
        control.set_bounds(self.settings.max_depth(), self.settings.max_nodes());
        let request = self.request(lines);
        // Without a limit a move is searched until a stop, except the first one.
        let never_ends = !control.whole().is_limited() && !request.board.stones().is_empty();
        let request = SearchRequest {
            is_analysis: is_analysis || never_ends,
            ..request
        };
        if detail.realtime {
            self.send(realtime_refresh());
            let events = self.events.clone();
            control = control.observed_by(SearchObserver::new(move |news| {
                // Fails only when the session is over.
                let _ = events.send(Event::Root(news));
            }));
        }
        self.begin(RunningSearch {
            control: Arc::new(control),
            // A weakened player would find better moves in a table filled by pondering.
            ponders: is_turn && matches!(task, Task::Best) && self.settings.is_pondering(),
            task,
            is_silent: false,
            progress: Progress::new(detail, self.labels(&request.board)),
            request: Arc::new(request),
        });
        Ok(())
    }

    /// Starts a task of the host in the position of `request`, within the limits of `control`.
    pub fn begin_hosted(
        &mut self,
        task: Arc<dyn HostedTask>,
        request: SearchRequest,
        control: MoveControl,
    ) {
        if self.is_leaving {
            return;
        }
        self.begin(RunningSearch {
            control: Arc::new(control),
            task: Task::Hosted(task),
            is_silent: false,
            ponders: false,
            progress: Progress::new(Detail::default(), self.labels(&request.board)),
            request: Arc::new(request),
        });
    }

    /// The search of the current position, without the moves excluded by the manager. Moves that
    /// the store avoids are left out too if others are left.
    fn request(&self, lines: usize) -> SearchRequest {
        let board = self.current_board();
        let rule = self.settings.rule();
        let asked = self.exclusions.at(board, rule);
        let avoided = match &self.store {
            Some(store) => store.avoided(&self.settings, board, rule),
            None => PointSet::EMPTY,
        };
        let both = asked.union(&avoided);
        let leaves_some =
            avoided.is_empty() || !playable_cells(board, rule).difference(&both).is_empty();
        let excluded = if leaves_some { both } else { asked };
        let mut request = SearchRequest {
            multi_pv: lines.clamp(1, board.empty_count()),
            excluded,
            ..SearchRequest::new(board.clone(), rule)
        };
        if let Some(caution) = self.settings.caution() {
            setup::apply_caution_factor(caution, &mut request);
        }
        request
    }

    /// Names of cells as the manager's users see them. Only Yixin-Board sends `YXSHOWINFO`, and
    /// only Yixin-Board sends rows before columns.
    pub(super) fn labels(&self, board: &Board) -> Labels {
        Labels {
            width: board.width(),
            height: board.height(),
            transposed: self.has_gui,
            rows_from_top: self.settings.counts_rows_from_top(),
        }
    }

    pub(super) fn begin(&mut self, search: RunningSearch) {
        match search.task.needs_table() {
            true => self.prepare(),
            false => self.configure(),
        }
        let task = search.task.clone();
        let request = Arc::clone(&search.request);
        let control = Arc::clone(&search.control);
        if !self.engine.is_there() {
            let depth = self.engine.depth(self.settings.max_depth());
            control.set_bounds(depth, self.settings.max_nodes());
            self.warn("the system gives no thread for the search: small searches only".into());
        }
        self.search = Some(search);
        let events = self.events.clone();
        let send = move |event| {
            // Fails only when the session is over.
            let _ = events.send(event);
        };
        let say = send.clone();
        self.engine.begin(
            move |event| send(event.into()),
            move |engine, report| {
                let say = |reply| say(Event::Said(reply));
                decide(engine, &task, &request, &control, report, &say)
            },
        );
    }

    /// Prints a reply of the running task itself.
    pub(super) fn pass_on(&mut self, reply: Reply) {
        if self.search.as_ref().is_some_and(|search| !search.is_silent) {
            self.send(reply);
        }
    }

    /// Searches the current position in the opponent's time; the results stay in the table.
    fn ponder(&mut self) {
        let board = self.current_board();
        let rule = self.settings.rule();
        if !self.engine.is_there() {
            return;
        }
        let is_over = board.last().is_some_and(|s| wins_at(board, rule, s.point));
        if is_over || board.empty_count() == 0 {
            return;
        }
        let request = SearchRequest::new(board.clone(), rule);
        self.begin(RunningSearch {
            control: Arc::new(MoveControl::new(Instant::now(), &TimeSettings::default())),
            task: Task::Best,
            is_silent: true,
            ponders: false,
            progress: Progress::new(self.settings.detail(), self.labels(&request.board)),
            request: Arc::new(request),
        });
    }

    /// Stops useless pondering: about another position than the current one, under another rule, or
    /// not wanted. An empty board does not count as another position: its moves may follow.
    pub(super) fn stop_useless_pondering(&mut self) {
        let search = self.search.as_ref().filter(|search| search.is_silent);
        let (Some(search), Some(board)) = (search, &self.board) else {
            return;
        };
        let searched = &search.request.board;
        let is_reset = board.stones().is_empty()
            && (board.width(), board.height()) == (searched.width(), searched.height());
        let is_elsewhere = board.hash() != searched.hash() && !is_reset;
        let is_other_rule = search.request.rule != self.settings.rule();
        if is_elsewhere || is_other_rule || !self.settings.is_pondering() {
            search.control.stop();
        }
    }

    /// A search ended: answers with its result.
    pub(super) fn finish(&mut self, mut search: RunningSearch, decision: Option<Decision>) {
        if search.is_silent {
            return;
        }
        if decision.is_none() && matches!(search.task, Task::Hosted(_)) {
            return self.error("the search broke down");
        }
        let decision = decision.unwrap_or_default();
        let last_lines = search.progress.finish(&decision.lines);
        self.send_all(last_lines);
        let request = &*search.request;
        if let (Task::Best | Task::Weakened(_), Some(line)) = (&search.task, decision.lines.first())
        {
            self.last_value = Some((request.board.clone(), line.score));
        }
        let (rule, excluded, proposed) = (request.rule, &request.excluded, &decision.points);
        let count = match &search.task {
            Task::Opening { opening, .. } => {
                let step = take_step(opening, &decision.choices);
                let mut board = step.phase.board().clone();
                let count = usize::from(step.moves_on);
                let moves = play_legally(&mut board, rule, excluded, proposed, count);
                if !opening.is_yixin() {
                    self.settings.moved(search.control.elapsed());
                    self.board = Some(board);
                }
                return self.send_all(replies(opening, &step, &moves));
            }
            Task::Balance { moves, .. } => *moves,
            Task::Hosted(_) => return self.send(Reply::Ok),
            Task::Best | Task::Weakened(_) => 1,
        };
        let moves = play_legally(self.current_board_mut(), rule, excluded, proposed, count);
        self.settings.moved(search.control.elapsed());
        // The manager may end the session after the move, so the work on files is noted before it.
        let is_kept = self.store.as_ref().is_some_and(|store| store.is_open());
        let _work = is_kept.then(|| self.begin_file_work());
        self.send(Reply::Moves(moves));
        if let Task::Best = search.task {
            // After the move, because a slow disk would use up its time.
            self.with_store(|store, session| {
                store.remember(session, &request.board, rule, &decision.lines);
            });
        }
        if search.ponders && self.waiting.is_none() {
            self.ponder();
        }
    }
}
