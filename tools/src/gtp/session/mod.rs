//! The session with a controller: the game, and the effect of each command on it.
//!
//! One thread owns the [`Session`]. It takes every event, changes every state and writes every
//! answer, so that answers come out in the order of their commands. A command during a search waits
//! for its end; it stops an analysis.

mod game_commands;
mod gogui;
mod search_commands;
mod table;
mod thinking;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::clock::Clocks;
use super::game::Game;
use super::input::{Arrival, Input, Request};
use super::reply::{Answer, failure, success};
use tengen::board::Board;
use tengen::engine::background::{EngineEvent, EngineThread};
use tengen::engine::strength::Strength;
use tengen::engine::{Engine, GameKind};
use tengen::rules::Rule;
use tengen::search::{SearchInfo, SearchResult};
use tengen::streams::{Backlog, MAX_LINE, TextWriter, eprint_line};
use thinking::RunningSearch;

pub use table::names as command_words;

/// The start of a session; commands may change the rule and the size.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Rule of the game.
    pub rule: Rule,
    /// The empty board.
    pub board: Board,
    /// Most time for a move.
    pub turn: Option<Duration>,
    /// Deepest iteration of a move in plies.
    pub depth: Option<u32>,
    /// Nodes of a move.
    pub nodes: Option<u64>,
    /// Playing strength of `genmove`.
    pub strength: Strength,
}

/// An event for a session.
pub enum Event {
    /// A line of the controller.
    Input(Arrival),
    /// A candidate after a completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The search ended.
    Finished {
        /// The lent engine.
        engine: Box<Engine>,
        /// The result; `None` when the search broke down.
        result: Option<SearchResult>,
    },
}

impl From<Arrival> for Event {
    fn from(arrival: Arrival) -> Event {
        Event::Input(arrival)
    }
}

impl From<EngineEvent<SearchResult>> for Event {
    fn from(event: EngineEvent<SearchResult>) -> Event {
        match event {
            EngineEvent::SearchInfo(info) => Event::SearchInfo(info),
            EngineEvent::Finished { engine, answer } => Event::Finished {
                engine,
                result: answer,
            },
        }
    }
}

/// One session, from the first command to `quit`.
pub struct Session {
    output: TextWriter,
    events: Sender<Event>,
    setup: Setup,
    rule: Rule,
    game: Game,
    clocks: Clocks,
    /// `None` while the engine is lent to a search.
    engine: Option<Box<Engine>>,
    engine_thread: EngineThread,
    search: Option<RunningSearch>,
    /// True while a search runs, for the thread that ends the process.
    is_searching: Arc<AtomicBool>,
    /// True if the blank line at the end of an analysis is still to be printed.
    is_analysis_open: bool,
    /// Lines that wait for the end of the search.
    waiting: VecDeque<Arrival>,
    /// The time at which the present command was read, or could be carried out. The time of a move
    /// counts from there.
    asked_at: Instant,
    /// The id of the present command.
    id: String,
    /// The lines that were read and are not dealt with yet.
    backlog: Arc<Backlog>,
    /// True if searches are finished after the last line was read.
    is_patient: bool,
    /// True if the last line was read: nothing is searched any more.
    is_leaving: bool,
    is_over: bool,
    /// True if a command came since the engine was prepared for its next search.
    is_unprepared: bool,
    /// Texts about missing resources of the engine, each said once.
    warnings: Vec<String>,
}

impl Session {
    /// A session whose answers go to `sink`. Searches send their events to `events`. The owner of
    /// the channel's other end passes these events on to [`handle`](Session::handle), together with
    /// the lines of `backlog`. A patient session carries out everything before the end of the
    /// input.
    pub fn new(
        engine: Engine,
        setup: Setup,
        sink: impl Write + 'static,
        events: Sender<Event>,
        backlog: Arc<Backlog>,
        is_patient: bool,
    ) -> Session {
        // The thread starts first: a large table could take the room for its stack.
        let engine_thread = EngineThread::start();
        let mut engine = Box::new(engine);
        engine.search_on_calling_thread();
        Session {
            output: TextWriter::new(sink),
            events,
            rule: setup.rule,
            game: Game::new(setup.board.clone()),
            setup,
            clocks: Clocks::default(),
            engine: Some(engine),
            engine_thread,
            search: None,
            is_searching: Arc::default(),
            is_analysis_open: false,
            waiting: VecDeque::new(),
            asked_at: Instant::now(),
            id: String::new(),
            backlog,
            is_patient,
            is_leaving: false,
            is_over: false,
            is_unprepared: true,
            warnings: Vec::new(),
        }
    }

    /// A flag for another thread, true while a search runs.
    pub fn search_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_searching)
    }

    /// True if the engine is lent to a search.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Stops the running search.
    pub fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// True if the engine should be [prepared](Session::rest) when no command comes for a moment.
    pub fn wants_rest(&self) -> bool {
        self.is_unprepared && self.search.is_none()
    }

    /// No command came for a moment: prepares the engine for its next search, so that the
    /// preparation costs no time of a move.
    pub fn rest(&mut self) {
        self.is_unprepared = false;
        let game = self.game_kind();
        if let Some(engine) = &mut self.engine {
            engine.prepare(game);
        }
    }

    fn game_kind(&self) -> GameKind {
        let board = self.game.board();
        GameKind {
            rule: self.rule,
            width: board.width(),
            height: board.height(),
        }
    }

    /// The time at which a line of the running analysis is due; [`tick`](Session::tick) prints the
    /// line.
    pub fn due_at(&self) -> Option<Instant> {
        self.search.as_ref()?.feed.as_ref()?.due_at()
    }

    /// Prints the due line of the running analysis.
    pub fn tick(&mut self) {
        let feed = self.search.as_mut().and_then(|search| search.feed.as_mut());
        if let Some(line) = feed.and_then(|feed| feed.due(Instant::now())) {
            self.output.write(&line);
        }
    }

    /// Takes one event. Breaks when the session is over.
    pub fn handle(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Input(arrival) => self.arrive(arrival),
            Event::SearchInfo(info) => {
                let feed = self.search.as_mut().and_then(|search| search.feed.as_mut());
                if let Some(feed) = feed {
                    feed.take(info);
                    self.tick();
                }
            }
            Event::Finished { engine, result } => self.finish(engine, result),
        }
        if self.output.is_closed() {
            self.is_over = true;
        }
        if self.is_over {
            self.backlog.close();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// A line came in: deals with it, or keeps it until the running search ends.
    fn arrive(&mut self, arrival: Arrival) {
        let is_last = arrival.input.ends_session();
        self.is_leaving |= is_last && !self.is_patient;
        let Some(search) = &self.search else {
            return self.deal_with(arrival.input, arrival.at);
        };
        let is_analysis = search.is_analysis();
        if is_analysis || self.is_leaving || arrival.input == Input::Interrupt {
            search.stop();
        }
        // A line without a command has a meaning only after a command that may begin an analysis.
        let is_blank = matches!(arrival.input, Input::Interrupt | Input::Blank);
        if !is_blank || is_analysis || !self.waiting.is_empty() {
            self.waiting.push_back(arrival);
        }
    }

    /// Deals with a line while no search runs. The time of a move counts from `at`.
    fn deal_with(&mut self, input: Input, at: Instant) {
        self.close_analysis();
        match input {
            Input::Command(request) => {
                self.asked_at = at;
                self.is_unprepared = true;
                self.execute(request);
            }
            Input::TooLong => {
                let why = format!("line longer than {MAX_LINE} bytes");
                self.output.write(&failure("", &why));
            }
            Input::Blank | Input::Interrupt => {}
            Input::End => self.is_over = true,
        }
    }

    /// Deals with the waiting lines, up to the next search.
    fn deal_with_waiting(&mut self) {
        while self.search.is_none() && !self.is_over && !self.output.is_closed() {
            match self.waiting.pop_front() {
                Some(arrival) => self.deal_with(arrival.input, Instant::now()),
                None => break,
            }
        }
    }

    fn execute(&mut self, request: Request) {
        self.id = request.id;
        let answer = match table::find(&request.name) {
            Some(command) => (command.handler)(self, &request.arguments),
            None => Err("unknown command".to_string()),
        };
        match answer {
            Ok(Answer::Text(text)) => self.output.write(&success(&self.id, &text)),
            Ok(Answer::Later) => {}
            Err(why) => self.output.write(&failure(&self.id, &why)),
        }
    }

    /// Ends an analysis stopped by a line.
    fn close_analysis(&mut self) {
        if std::mem::take(&mut self.is_analysis_open) {
            self.output.write("\n");
        }
    }

    /// Tells on standard error what the engine lacks, each text once.
    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            eprint_line(&text);
            self.warnings.push(text);
        }
    }

    fn set_searching(&self, is_searching: bool) {
        self.is_searching.store(is_searching, Ordering::Relaxed);
    }
}
