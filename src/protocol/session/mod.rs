//! The session with a manager: the state of the game, and the effect of each command on it.
//!
//! There is no board before a good `START`; with one, the session is idle or a search runs. One
//! thread owns the [`Session`]: it takes every event, changes every state and writes every line, so
//! answers come out in the order of their commands.

mod command;
mod command_table;
mod exclusion;
mod game;
mod hash;
mod host;
mod inquiries;
mod thinking;

#[cfg(test)]
mod tests;

use std::any::Any;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::decision::Decision;
use super::exclusions::Exclusions;
use super::reply::{Output, Reply};
use super::settings::{NO_FILES, Settings};
use super::text::{plain, setting, shown};
use crate::board::Board;
use crate::engine::background::EngineThread;
use crate::engine::{Evaluation, NetworkFault, Origin};
use crate::search::Tt;
use crate::streams::Source;
use crate::streams::console::{Arrival, LastWork, Speaker, WorkToken};
use crate::time::{Duration, Instant};
use crate::types::Score;
use thinking::RunningSearch;

pub use command::{
    Answer, CommandSpec, Dialect, DuringSearch, Event, Form, Handler, Needs, Request,
};
pub use command_table::Commands;
pub use host::{Host, PositionStore};

/// The engine is prepared for its next search when no command comes for this long. The commands of
/// a new game come all at once, and each may change the preparation.
const QUIET: Duration = Duration::from_millis(2);

/// One session, from the first command to `END`.
pub struct Session {
    /// The speaker of the commands.
    source: Source,
    /// True if no command follows: all of a file of commands was read.
    is_input_over: bool,
    output: Output,
    events: Sender<Event>,
    settings: Settings,
    /// `None` before the first good `START`.
    board: Option<Board>,
    /// Moves that the engine must not play.
    exclusions: Exclusions,
    /// True after `YXSHOWINFO`, which only GUIs send.
    has_gui: bool,
    /// True if no file may be reached; see [`Confinement`](super::settings::Confinement).
    is_confined: bool,
    engine: EngineThread,
    search: Option<RunningSearch>,
    /// The time at which the line of the present command was read, or was taken from a file. The
    /// time for a move counts from there.
    asked_at: Instant,
    /// A command that waits for the end of a search, often of a stopped one.
    waiting: Option<Arrival<Request>>,
    /// The transposition table and its origin, once there is one.
    table: Option<(Arc<Tt>, Origin)>,
    /// The store of positions; `None` also while a method of the store has the session.
    store: Option<Box<dyn PositionStore>>,
    /// The position of the last search for a move, and its value for the engine's side.
    last_value: Option<(Board, Score)>,
    /// The work on files that the end of the process waits for.
    file_work: LastWork,
    /// True if an `END` stands behind the commands that were read.
    has_end: bool,
    /// True after `END`, or if nobody listens any more: only changes of files are still done.
    is_leaving: bool,
    /// True if an answer was owed when the session was left.
    left_unanswered: bool,
    /// Texts about missing resources of the engine, each said once.
    warnings: Vec<String>,
    /// True if a command came since the engine was prepared for its next search.
    is_unprepared: bool,
}

impl Session {
    /// A session with `source` whose replies go to `sink`. Searches of `engine` send their events
    /// to `events`. The end of the process waits for `file_work`.
    pub fn new(
        host: Host,
        source: Source,
        sink: impl Write + 'static,
        engine: EngineThread,
        events: Sender<Event>,
        file_work: LastWork,
    ) -> Session {
        let mut settings = Settings::default();
        if let Some(bounds) = &host.confinement {
            settings.confine(bounds.threads, bounds.memory);
        }
        Session {
            source,
            is_input_over: false,
            output: Output::new(sink),
            events,
            settings,
            board: None,
            exclusions: Exclusions::default(),
            has_gui: false,
            is_confined: host.confinement.is_some(),
            engine,
            search: None,
            asked_at: Instant::now(),
            waiting: None,
            table: None,
            store: host.store,
            last_value: None,
            file_work,
            has_end: false,
            is_leaving: false,
            left_unanswered: false,
            warnings: Vec::new(),
            is_unprepared: false,
        }
    }

    /// The evaluation of searches from the next one on.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.settings.set_evaluation(evaluation);
    }

    /// True if the engine should be [prepared](Session::rest) when no command comes for a moment.
    /// This holds until the first search; its table stays as long as possible.
    pub fn wants_rest(&self) -> bool {
        self.is_unprepared && self.search.is_none() && self.table.is_none()
    }

    /// No command came for a moment: prepares the engine for its first search and lets the store
    /// open its file, so that neither costs time of a move.
    pub fn rest(&mut self) {
        self.is_unprepared = false;
        self.with_store(|store, session| store.prepare(session));
        self.prepare();
        // The table holds nothing to show yet, and may be replaced.
        self.table = None;
    }

    /// The engine's search is over: answers, and takes the waiting command.
    fn search_ended(&mut self, decision: Option<Decision>) {
        if let Some(engine) = self.engine.idle() {
            let (fault, shortages) = (engine.take_network_fault(), engine.take_shortages());
            if self.table.is_some() {
                // Only now is it known if the table belongs to a network.
                self.table = engine.table();
            }
            if let Some(fault) = fault {
                self.warn(self.evaluator_warning(&fault));
            }
            for shortage in shortages {
                self.warn(shortage.to_string());
            }
        }
        if let Some(search) = self.search.take() {
            self.finish(search, decision);
        }
        // After the end only work on files follows.
        let is_wanted = !self.is_leaving || self.file_work.is_pending();
        if let Some(arrival) = self.waiting.take().filter(|_| is_wanted) {
            self.input(arrival);
        }
    }

    /// Ends the session after the last answer to a file, whose endless search is stopped, where an
    /// `END` stands behind a command that waits, and where nobody listens any more.
    fn end_if_done(&mut self) {
        let is_file_over = self.is_input_over && self.waiting.is_none();
        match &self.search {
            Some(search) if is_file_over && search.never_ends() => search.control.stop(),
            None if is_file_over => self.leave(),
            _ if self.has_end && self.waiting.is_some() => self.leave(),
            _ if self.output.is_closed() => self.leave(),
            _ => {}
        }
    }

    /// From now on no answer of a search is wanted, and no later command.
    fn leave(&mut self) {
        self.left_unanswered = self.owes_answer();
        self.is_leaving = true;
        self.stop();
        if let Some(search) = &mut self.search {
            search.is_silent = true;
        }
    }

    /// Carries out a command, or keeps it until the running search ends.
    fn input(&mut self, arrival: Arrival<Request>) {
        if arrival.command.spec().dialect == Dialect::Yixin {
            self.settings.set_yixin();
        }
        match self.must_wait(&arrival.command) {
            true => self.waiting = Some(arrival),
            false => self.execute(&arrival.command, arrival.at),
        }
    }

    /// True if a command has to wait for the end of the running search. Stops a search in the
    /// command's way.
    fn must_wait(&self, request: &Request) -> bool {
        let Some(search) = &self.search else {
            return false;
        };
        if self.source == Source::File && !search.is_silent {
            if search.never_ends() {
                search.control.stop();
            }
            return true;
        }
        if search.is_silent && search.control.whole().is_stopped() {
            // The pondering belongs to another position, maybe to another game.
            return true;
        }
        match request.spec().during_search {
            DuringSearch::Ok => false,
            // A GUI shows the position again, with its forbidden points and so on.
            DuringSearch::OkInPondering if search.is_silent => false,
            DuringSearch::OkInPondering | DuringSearch::StopsIt | DuringSearch::EndsSession => {
                search.control.stop();
                true
            }
        }
    }

    /// Calls the handler of a command. During a search only the commands allowed then come here.
    fn execute(&mut self, request: &Request, at: Instant) {
        self.asked_at = match self.source {
            Source::Manager => at,
            // A whole file is read at once, and its searches run one after the other.
            Source::File => Instant::now(),
        };
        self.is_unprepared = true;
        let spec = request.spec();
        let answer = if self.is_confined && spec.reaches_files() {
            Err(NO_FILES.into())
        } else if spec.needs == Needs::Board && self.board.is_none() {
            Err("no game, send START first".into())
        } else {
            (spec.handler)(self, request)
        };
        if let Err(why) = answer {
            self.send(Reply::Error(why));
        }
        self.stop_useless_pondering();
    }

    /// The board of the game; `None` before the first good `START`.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// True if the session has bounds.
    pub fn is_confined(&self) -> bool {
        self.is_confined
    }

    /// The time at which the line of the present command was read; the time for a move counts from
    /// there.
    pub fn asked_at(&self) -> Instant {
        self.asked_at
    }

    /// True if searches have a thread of their own.
    pub fn has_engine_thread(&self) -> bool {
        self.engine.is_there()
    }

    /// Notes work on files that no command asked for. The process does not leave before the token
    /// is dropped.
    pub fn begin_file_work(&self) -> WorkToken {
        self.file_work.begin()
    }

    /// The board of the game.
    ///
    /// # Panics
    /// Without a board. Handlers whose row needs a board may call this.
    pub fn current_board(&self) -> &Board {
        self.board.as_ref().expect("checked before the handler")
    }

    /// The board of the game, to be changed.
    fn current_board_mut(&mut self) -> &mut Board {
        self.board.as_mut().expect("checked before the handler")
    }

    /// `STOP` as a command.
    fn stop_search(&mut self, _: &Request) -> Answer {
        self.stop();
        Ok(())
    }

    /// The session is over: closes the store. The next opening of an unclosed file checks it for
    /// damage.
    pub fn close(&mut self) {
        let _work = self.begin_file_work();
        self.with_store(|store, _| store.close());
    }

    /// Lets the store work with the session; `None` without a store.
    fn with_store<R>(
        &mut self,
        work: impl FnOnce(&mut dyn PositionStore, &mut Session) -> R,
    ) -> Option<R> {
        let mut store = self.store.take()?;
        let result = work(&mut *store, self);
        self.store = Some(store);
        Some(result)
    }

    /// Lets the store, a `T`, work with the session: for the handlers of the host's words.
    ///
    /// # Panics
    /// When the host gave no such store.
    pub fn with_store_of<T: PositionStore, R>(
        &mut self,
        work: impl FnOnce(&mut T, &mut Session) -> R,
    ) -> R {
        let result = self.with_store(|store, session| {
            let store = (store as &mut dyn Any).downcast_mut();
            work(store.expect("the host's own store"), session)
        });
        result.expect("a host with words for a store has one")
    }

    /// `INFO`: changes a setting; new limits also hold for a running search.
    fn apply_setting(&mut self, request: &Request) -> Answer {
        let setting = setting(&request.text);
        let limits_changed = self.set(&setting.key, &setting.value);
        if !self.is_confined {
            self.with_store(|store, session| store.follow_setting(session, &setting.key));
        }
        let search = self.search.as_ref().filter(|search| search.takes_limits());
        if let Some(search) = search.filter(|_| limits_changed) {
            let (depth, nodes) = (self.settings.max_depth(), self.settings.max_nodes());
            search.control.set_time(&self.settings.time());
            search.control.set_bounds(depth, nodes);
        }
        Ok(())
    }

    /// Changes a setting. Returns true if limits of time, depth or nodes may have changed.
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        if self.is_confined && names_file(key, value) {
            self.error(NO_FILES);
            return false;
        }
        if key == "evaluator"
            && let Err(fault) = self.settings.set_evaluator(value)
        {
            self.message(self.evaluator_warning(&fault));
        }
        self.settings.apply(key, value)
    }

    /// Tells what the engine lacks, unless it was told before.
    pub fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.message(text.clone());
            self.warnings.push(text);
        }
    }

    /// Prints a reply.
    pub fn send(&mut self, reply: Reply) {
        self.output.send(&reply);
    }

    fn send_all(&mut self, replies: Vec<Reply>) {
        for reply in &replies {
            self.output.send(reply);
        }
    }

    /// Prints a message for people.
    pub fn message(&mut self, text: impl Into<String>) {
        self.send(Reply::Message(text.into()));
    }

    /// Prints the reason why something cannot be done.
    pub fn error(&mut self, why: &'static str) {
        self.send(Reply::Error(why.into()));
    }

    /// The warning that the wanted network is not used, with the reason.
    fn evaluator_warning(&self, fault: &NetworkFault) -> String {
        let why = match self.settings.evaluator_name() {
            "" => fault.to_string(),
            name => format!("{}: {fault}", shown(Path::new(name))),
        };
        plain(&format!("evaluator: {why}"))
    }
}

impl Speaker for Session {
    type Command = Request;
    type Event = Event;

    fn takes_commands(&self) -> bool {
        self.waiting.is_none()
    }

    fn command(&mut self, arrival: Arrival<Request>) {
        match arrival.command.ends_session() {
            true => self.leave(),
            false => self.input(arrival),
        }
        self.end_if_done();
    }

    fn commands_are_over(&mut self) {
        self.is_input_over = true;
        self.end_if_done();
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::EndIsRead => self.has_end = true,
            Event::SearchInfo(report) => {
                if let Some(search) = self.search.as_mut().filter(|s| !s.is_silent) {
                    let replies = search.progress.report(&report, Instant::now());
                    self.send_all(replies);
                }
            }
            Event::Root(news) => {
                if let Some(search) = self.search.as_mut().filter(|s| !s.is_silent) {
                    let replies = search.progress.root_news(news, Instant::now());
                    self.send_all(replies);
                }
            }
            Event::Said(reply) => self.pass_on(reply),
            Event::Finished(decision) => self.search_ended(decision),
        }
        self.end_if_done();
    }

    fn pause_after(&self) -> Option<Duration> {
        self.wants_rest().then_some(QUIET)
    }

    fn pause(&mut self) {
        if self.wants_rest() {
            self.rest();
        }
    }

    fn cannot_read(&mut self, error: io::Error) {
        log::error!("no thread to read commands: {error}");
        self.error("the system gives no thread to read commands");
    }

    fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// `STOP`: a running search answers now.
    fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }

    fn is_over(&self) -> bool {
        self.is_leaving
    }

    fn owes_answer(&self) -> bool {
        let is_heard = self.search.as_ref().is_some_and(|search| !search.is_silent);
        let waiting = self.waiting.as_ref().map(|arrival| arrival.command.spec());
        // Work on files is done, and answered, after the end too.
        let is_waited_for = waiting.is_some_and(|spec| !spec.outlives_end);
        self.left_unanswered || is_heard || is_waited_for
    }
}

/// True if a setting names a file or a folder.
fn names_file(key: &str, value: &str) -> bool {
    match key {
        "folder" => true,
        "evaluator" => !Evaluation::is_built_in(value.trim()),
        _ => false,
    }
}
