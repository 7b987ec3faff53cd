//! The session with a manager: the state of the game, and the effect of each command on it.
//!
//! There is no board before a good `START`; with one, the session is idle or a search runs. One
//! thread owns the [`Session`]. It takes every event, changes every state and writes every line, so
//! that answers come out in the order of their commands.

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
use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::exclusions::Exclusions;
use super::reply::Output;
use super::reply::Reply;
use super::settings::NO_FILES;
use super::settings::Settings;
use super::text::setting;
use super::text::{plain, shown};
use crate::board::Board;
use crate::engine::background::EngineThread;
use crate::engine::{Engine, Evaluation, NetworkFault, Options, Origin};
use crate::search::Tt;
use crate::streams::Source;
use crate::streams::{Backlog, Ticket};
use crate::time::Instant;
use crate::types::Score;
use thinking::RunningSearch;

pub use command::Event;
pub use command::{Answer, CommandSpec, Dialect, DuringSearch, Form, Handler, Needs, Request};
pub use command_table::Commands;
pub use host::{Host, PositionStore};

/// One session, from the first command to `END`.
pub struct Session {
    /// The speaker of the commands.
    source: Source,
    /// True if all of a file of commands was read.
    is_file_over: bool,
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
    /// `None` while the engine is lent to a search.
    engine: Option<Box<Engine>>,
    engine_thread: EngineThread,
    search: Option<RunningSearch>,
    /// The time at which the line of the present command was read, or was taken from a file. The
    /// time for a move counts from there.
    asked_at: Instant,
    /// Commands waiting for the end of a stopped search, each with the time at which its line was
    /// read.
    waiting: VecDeque<(Request, Instant)>,
    /// The transposition table and its origin, once there is one.
    table: Option<(Arc<Tt>, Origin)>,
    /// The store of positions; `None` also while a method of the store has the session.
    store: Option<Box<dyn PositionStore>>,
    /// The position of the last search for a move, and its value for the engine's side.
    last_value: Option<(Board, Score)>,
    /// The commands that were read and are not carried out yet, including the waiting ones.
    backlog: Arc<Backlog>,
    /// True after `END`, or if nobody listens any more: only changes of files are still done.
    is_leaving: bool,
    /// Texts about missing resources of the engine, each said once.
    warnings: Vec<String>,
    /// True if a command came since the engine was prepared for its next search.
    is_unprepared: bool,
}

impl Session {
    /// A session with `source` whose replies go to `sink`. Its searches run on `engine_thread` and
    /// send their events to `events`. The owner of the channel's other end passes these events on
    /// to [`handle`](Session::handle), together with the commands of `backlog`.
    pub fn new(
        host: Host,
        source: Source,
        sink: impl Write + 'static,
        engine_thread: EngineThread,
        events: Sender<Event>,
        backlog: Arc<Backlog>,
    ) -> Session {
        let mut settings = Settings::default();
        if let Some(bounds) = &host.confinement {
            settings.confine(bounds.threads, bounds.memory);
        }
        let mut engine = Engine::new(Options::default());
        engine.search_on_calling_thread();
        Session {
            source,
            is_file_over: false,
            output: Output::new(sink),
            events,
            settings,
            board: None,
            exclusions: Exclusions::default(),
            has_gui: false,
            is_confined: host.confinement.is_some(),
            engine: Some(Box::new(engine)),
            engine_thread,
            search: None,
            asked_at: Instant::now(),
            waiting: VecDeque::new(),
            table: None,
            store: host.store,
            last_value: None,
            backlog,
            is_leaving: false,
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

    /// Takes one event. Breaks when the session is over.
    pub fn handle(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Input { request, .. } if request.ends_session() => self.leave(),
            Event::Input { request, at } => self.input(request, at),
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
            Event::Finished {
                mut engine,
                decision,
            } => {
                if let Some(fault) = engine.take_network_fault() {
                    self.warn(self.evaluator_warning(&fault));
                }
                for shortage in engine.take_shortages() {
                    self.warn(shortage.to_string());
                }
                if self.table.is_some() {
                    // Only now is it known if the table belongs to a network.
                    self.table = engine.table();
                }
                self.engine = Some(engine);
                if let Some(search) = self.search.take() {
                    self.finish(search, decision);
                }
                self.take_waiting();
            }
            Event::FileOver => self.is_file_over = true,
        }
        if self.is_file_over {
            self.finish_file();
        }
        if self.output.is_closed() {
            self.leave();
        }
        if self.is_over() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// A search is over: takes the waiting commands, up to the first that has to wait for the next
    /// search.
    fn take_waiting(&mut self) {
        while !self.is_over()
            && let Some((request, _)) = self.waiting.front()
            && !self.must_wait(request)
            && let Some((request, at)) = self.waiting.pop_front()
        {
            self.execute(&request, at);
        }
    }

    /// All of the file was read. The session is over after the last answer; an endless search is
    /// stopped.
    fn finish_file(&mut self) {
        match &self.search {
            None => self.leave(),
            Some(search) if search.never_ends() => search.control.stop(),
            Some(_) => {}
        }
    }

    /// From now on no answer of a search is wanted, and no later command.
    fn leave(&mut self) {
        self.is_leaving = true;
        self.backlog.close();
        self.stop();
        if let Some(search) = &mut self.search {
            search.is_silent = true;
        }
    }

    /// True if nothing is left to do.
    fn is_over(&self) -> bool {
        self.is_leaving && !self.backlog.has_file_work()
    }

    /// A command came in: carries it out, or keeps it until the running search ends.
    fn input(&mut self, request: Request, at: Instant) {
        if request.spec().dialect == Dialect::Yixin {
            self.settings.set_yixin();
        }
        if !self.waiting.is_empty() || self.must_wait(&request) {
            return self.waiting.push_back((request, at));
        }
        self.execute(&request, at);
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
        self.engine_thread.is_there()
    }

    /// Notes work on files that no command asked for. The process does not leave before the ticket
    /// is dropped.
    pub fn begin_file_work(&self) -> Ticket {
        self.backlog.begin_file_work()
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

    /// True if the engine is lent to a search.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// `STOP`: a running search answers now.
    pub fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }

    /// `STOP` as a command.
    fn stop_search(&mut self, _: &Request) -> Answer {
        self.stop();
        Ok(())
    }

    /// The session is over: closes the store. The next opening of an unclosed file checks it for
    /// damage.
    pub fn close(&mut self) {
        let _ticket = self.begin_file_work();
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

/// True if a setting names a file or a folder.
fn names_file(key: &str, value: &str) -> bool {
    match key {
        "folder" => true,
        "evaluator" => !Evaluation::is_built_in(value.trim()),
        _ => false,
    }
}
