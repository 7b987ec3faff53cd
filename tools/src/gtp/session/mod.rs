//! The session with a controller: the game, and the effect of each command on it.
//!
//! One thread owns the [`Session`], takes every event, changes every state and writes every answer,
//! so answers come in the order of their commands. A command during a search waits for the end of
//! the search, but stops an analysis.

mod game_commands;
mod gogui;
mod record_commands;
mod search_commands;
mod table;
mod thinking;

#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::clock::Clocks;
use super::game::Game;
use super::input::{Input, Request};
use super::reply::{Answer, failure, success};
use tengen::board::Board;
use tengen::engine::background::{EngineEvent, EngineThread};
use tengen::engine::strength::Strength;
use tengen::engine::{Engine, GameKind};
use tengen::rules::Rule;
use tengen::search::{SearchInfo, SearchResult};
use tengen::streams::console::{Arrival, Speaker};
use tengen::streams::{MAX_LINE, TextWriter, eprint_line};
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
    /// The end of the input follows the lines read so far, and nobody waits for earlier searches.
    EndIsRead,
    /// The controller interrupts the search.
    Interrupt,
    /// A candidate after a completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The search ended with this result; `None` when it broke down.
    Finished(Option<SearchResult>),
}

impl From<EngineEvent<SearchResult>> for Event {
    fn from(event: EngineEvent<SearchResult>) -> Event {
        match event {
            EngineEvent::SearchInfo(info) => Event::SearchInfo(info),
            EngineEvent::Finished(result) => Event::Finished(result),
        }
    }
}

/// The engine is prepared for its next search when no command comes for this long.
const QUIET: Duration = Duration::from_millis(2);

/// One session, from the first command to `quit`.
pub struct Session {
    output: TextWriter,
    events: Sender<Event>,
    setup: Setup,
    rule: Rule,
    game: Game,
    clocks: Clocks,
    engine: EngineThread,
    search: Option<RunningSearch>,
    /// True if the blank line at the end of an analysis is still to be printed.
    is_analysis_open: bool,
    /// A line that waits for the end of the search.
    waiting: Option<Arrival<Input>>,
    /// The time at which the present command was read, or could be carried out. The time of a move
    /// counts from there.
    asked_at: Instant,
    /// The id of the present command.
    id: String,
    /// True if the end stands behind the lines that were read.
    has_end: bool,
    /// True if nothing is searched any more.
    is_leaving: bool,
    is_over: bool,
    /// True if a command came since the engine was prepared for its next search.
    is_unprepared: bool,
    /// Texts about missing resources of the engine, each said once.
    warnings: Vec<String>,
}

impl Session {
    /// A session whose answers go to `sink`. Searches send their events to `events`.
    pub fn new(
        engine: Engine,
        setup: Setup,
        sink: impl Write + 'static,
        events: Sender<Event>,
    ) -> Session {
        Session {
            output: TextWriter::new(sink),
            events,
            rule: setup.rule,
            game: Game::new(setup.board.clone()),
            setup,
            clocks: Clocks::default(),
            engine: EngineThread::start(engine),
            search: None,
            is_analysis_open: false,
            waiting: None,
            asked_at: Instant::now(),
            id: String::new(),
            has_end: false,
            is_leaving: false,
            is_over: false,
            is_unprepared: true,
            warnings: Vec::new(),
        }
    }

    /// True if the engine should be prepared when no command comes for a moment.
    fn wants_preparation(&self) -> bool {
        self.is_unprepared && self.search.is_none()
    }

    /// Prepares the engine for its next search, so that the preparation costs no time of a move.
    fn prepare(&mut self) {
        self.is_unprepared = false;
        let game = self.game_kind();
        if let Some(engine) = self.engine.idle() {
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

    /// Prints the due line of the running analysis.
    fn tick(&mut self) {
        let feed = self.search.as_mut().and_then(|search| search.feed.as_mut());
        if let Some(line) = feed.and_then(|feed| feed.due(Instant::now())) {
            self.output.write(&line);
        }
    }

    /// A line came in: deals with the line, or keeps the line until the running search ends.
    fn arrive(&mut self, arrival: Arrival<Input>) {
        let Some(search) = &self.search else {
            return self.deal_with(arrival.command, arrival.at);
        };
        let is_analysis = search.is_analysis();
        if is_analysis {
            search.stop();
        }
        // A line without a command has a meaning only after a command that may begin an analysis.
        let is_blank = matches!(arrival.command, Input::Interrupt | Input::Blank);
        if !is_blank || is_analysis {
            self.waiting = Some(arrival);
            self.leave_if_wanted();
        }
    }

    /// Ends the searches where a line waits and the end stands behind it.
    fn leave_if_wanted(&mut self) {
        if self.has_end && self.waiting.is_some() {
            self.is_leaving = true;
            self.stop();
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

    /// Warns on standard error of a part that the engine lacks, each text once.
    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            eprint_line(&text);
            self.warnings.push(text);
        }
    }
}

impl Speaker for Session {
    type Command = Input;
    type Event = Event;

    fn takes_commands(&self) -> bool {
        self.waiting.is_none()
    }

    fn command(&mut self, arrival: Arrival<Input>) {
        // Lines after the end still hold the process; nothing is left to say.
        if !self.is_over() {
            self.arrive(arrival);
        }
    }

    fn commands_are_over(&mut self) {}

    fn event(&mut self, event: Event) {
        match event {
            Event::EndIsRead => {
                self.has_end = true;
                self.leave_if_wanted();
            }
            Event::Interrupt => self.stop(),
            Event::SearchInfo(info) => {
                let feed = self.search.as_mut().and_then(|search| search.feed.as_mut());
                if let Some(feed) = feed {
                    feed.take(info);
                    self.tick();
                }
            }
            Event::Finished(result) => {
                self.finish(result);
                if let Some(arrival) = self.waiting.take() {
                    // The time of a move does not count the search before.
                    self.deal_with(arrival.command, Instant::now());
                }
            }
        }
    }

    fn pause_after(&self) -> Option<Duration> {
        if self.wants_preparation() {
            return Some(QUIET);
        }
        let due_at = self.search.as_ref()?.feed.as_ref()?.due_at()?;
        Some(due_at.saturating_duration_since(Instant::now()))
    }

    fn pause(&mut self) {
        match self.wants_preparation() {
            true => self.prepare(),
            false => self.tick(),
        }
    }

    fn cannot_read(&mut self, error: io::Error) {
        eprint_line(format_args!("no thread to read commands: {error}"));
    }

    fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    fn is_over(&self) -> bool {
        self.is_over || self.output.is_closed()
    }

    fn owes_answer(&self) -> bool {
        let is_move = self.search.as_ref().is_some_and(|s| !s.is_analysis());
        is_move || self.waiting.is_some()
    }
}
