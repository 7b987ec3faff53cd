//! The conversation with a manager: what state the game is in, and what each command does to it.
//!
//! There is no board before a good `START`; with one, the session is idle or a search runs. One
//! thread, the one that owns the [`Session`], takes every event, changes every state and writes
//! every line, so that answers come out in the order of their commands.

mod game;
mod thinking;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::mpsc::Sender;
use std::sync::Arc;
use std::time::Instant;

use super::command::{Block, Command};
use super::io::Output;
use super::reply::Reply;
use super::settings::{Settings, MAX_HASH_LOG_KIB, MAX_THREADS};
use super::thinker::Event;
use crate::board::Board;
use crate::engine::{Engine, Options};
use crate::types::PointSet;
use thinking::Search;

/// A command and when its line was read.
type Input = (Command, Instant);

/// One conversation, from the first command to `END`.
pub struct Session {
    output: Output,
    events: Sender<Event>,
    settings: Settings,
    /// `None` before the first good `START`.
    board: Option<Board>,
    /// Cells that the engine shall not play (`YXBLOCK`).
    excluded: PointSet,
    /// Whether a GUI introduced itself by `YXSHOWINFO`.
    has_gui: bool,
    /// `None` while it is lent to a search.
    engine: Option<Box<Engine>>,
    search: Option<Search>,
    /// Commands that wait for the end of the search that they stopped.
    waiting: VecDeque<Input>,
    /// Part of the hash table that was in use when the engine was last at home.
    hash_usage: f64,
}

impl Session {
    /// A conversation whose replies go to `sink`. Searches send their events to `events`, and the
    /// owner of its other end passes them on to [`handle`](Session::handle).
    pub fn new(sink: impl Write + 'static, events: Sender<Event>) -> Session {
        Session {
            output: Output::new(sink),
            events,
            settings: Settings::default(),
            board: None,
            excluded: PointSet::EMPTY,
            has_gui: false,
            engine: Some(Box::new(Engine::new(Options::default()))),
            search: None,
            waiting: VecDeque::new(),
            hash_usage: 0.0,
        }
    }

    /// Takes one event. Breaks when the conversation is over.
    pub fn handle(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Input {
                command: Command::End,
                ..
            } => return ControlFlow::Break(()),
            Event::Input { command, at } => self.input(command, at),
            Event::Report(report) => {
                if let Some(search) = &mut self.search {
                    let replies = search.progress.report(&report, Instant::now());
                    self.send_all(replies);
                }
            }
            Event::Finished {
                mut engine,
                decision,
            } => {
                self.hash_usage = engine.table().map_or(0.0, |t| t.usage());
                if let Some(why) = engine.take_complaint() {
                    self.complain(&why);
                }
                self.engine = Some(engine);
                if let Some(search) = self.search.take() {
                    self.finish(search, decision);
                }
                for (command, at) in std::mem::take(&mut self.waiting) {
                    self.input(command, at);
                }
            }
        }
        if self.output.is_closed() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// A command came in: do it, or have it wait for the end of the running search.
    fn input(&mut self, command: Command, at: Instant) {
        if command.is_yixin() {
            self.settings.set_yixin();
        }
        let Some(search) = &self.search else {
            return self.execute(command, at);
        };
        if !self.waiting.is_empty() {
            self.waiting.push_back((command, at));
        } else if command == Command::Stop {
            search.reins.stop();
        } else if let Command::Info { key, value } = command {
            let reins = Arc::clone(&search.reins);
            if self.set(&key, &value) {
                reins.set_time(&self.settings.time());
            }
        } else if command.leaves_search_alone() {
            self.execute(command, at);
        } else {
            search.reins.stop();
            self.waiting.push_back((command, at));
        }
    }

    /// Does what `command` says. Only commands that leave a search alone come here during one.
    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            Command::Start { width, height } => self.start(width, height),
            Command::Info { key, value } => {
                self.set(&key, &value);
            }
            Command::About => self.send(Reply::About),
            Command::ShowInfo => self.show_info(),
            Command::ShowHashUsage => {
                let usage = self
                    .engine
                    .as_ref()
                    .map(|engine| engine.table().map_or(0.0, |t| t.usage()));
                let percent = 100.0 * usage.unwrap_or(self.hash_usage);
                self.message(format!("Transposition table full: {percent:.1}%"));
            }
            Command::HashClear => {
                if let Some(engine) = &mut self.engine {
                    engine.clear_hash();
                }
            }
            Command::HashFile => {
                self.message("This engine neither writes nor reads hash tables as files");
            }
            Command::TraceBoard => self.trace_board(),
            Command::Block(Block::QueryDatabase, _) => {
                // No database: a GUI shall take its marks away.
                self.message("DATABASE REFRESH");
                self.message("DATABASE DONE");
            }
            Command::Malformed(why) => self.send(Reply::Error(why.into())),
            Command::Unknown(word) => {
                if !self.has_gui {
                    self.send(Reply::Unknown(word));
                }
            }
            Command::Block(Block::Ignored, _) | Command::Ignored | Command::Stop | Command::End => {
            }
            Command::Restart
            | Command::Begin
            | Command::Turn(_)
            | Command::TakeBack(_)
            | Command::Play(_)
            | Command::Block(..)
            | Command::NBest(_)
            | Command::Balance { .. }
            | Command::Opening(_)
            | Command::BlockReset
            | Command::ShowForbid => match self.board.clone() {
                Some(board) => self.execute_on(board, command, at),
                None if command == Command::ShowForbid => self.send(Reply::Forbid(Vec::new())),
                None => self.error("no game, send START first"),
            },
        }
    }

    /// Takes over a setting. Returns whether the time limits may have changed.
    fn set(&mut self, key: &str, value: &str) -> bool {
        if key == "evaluator" {
            if let Err(error) = self.settings.set_evaluator(value) {
                self.complain(&error.to_string());
            }
        }
        self.settings.apply(key, value)
    }

    /// Says why the network that was asked for is not used.
    fn complain(&mut self, why: &str) {
        // What the system says of a file may be in any language.
        let why = why.replace(|c: char| !(' '..='~').contains(&c), "?");
        self.message(format!(
            "evaluator: {why}; the classical evaluation goes on"
        ));
    }

    fn show_info(&mut self) {
        self.has_gui = true;
        self.message(concat!("Tengen ", env!("CARGO_PKG_VERSION")));
        self.message(format!("INFO MAX_THREAD_NUM {MAX_THREADS}"));
        self.message(format!("INFO MAX_HASH_SIZE {MAX_HASH_LOG_KIB}"));
    }

    fn trace_board(&mut self) {
        let Some(board) = self.board.clone() else {
            return self.message("There is no board");
        };
        for line in board.to_string().lines() {
            self.message(format!("|{line}"));
        }
        let rule = self.settings.rule();
        self.message(format!("{} to move, {rule}", board.side_to_move()));
    }

    fn send(&mut self, reply: Reply) {
        self.output.send(&reply);
    }

    fn send_all(&mut self, replies: Vec<Reply>) {
        for reply in &replies {
            self.output.send(reply);
        }
    }

    fn message(&mut self, text: impl Into<String>) {
        self.send(Reply::Message(text.into()));
    }

    fn error(&mut self, why: &'static str) {
        self.send(Reply::Error(why.into()));
    }
}
