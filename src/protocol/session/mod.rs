//! The conversation with a manager: what state the game is in, and what each command does to it.
//!
//! There is no board before a good `START`; with one, the session is idle or a search runs. One
//! thread, the one that owns the [`Session`], takes every event, changes every state and writes
//! every line, so that answers come out in the order of their commands.

mod database;
mod game;
mod hash;
mod thinking;
mod words;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::command::{Block, Command, FileWord};
use super::event::Event;
use super::exclusions::Exclusions;
use super::io::Output;
use super::reply::Reply;
use super::settings::Settings;
use crate::board::Board;
use crate::engine::{Engine, Options, Origin};
use crate::search::Tt;
use crate::types::Score;
use database::Desk;
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
    /// Moves that the engine shall not play.
    exclusions: Exclusions,
    /// Whether a GUI introduced itself by `YXSHOWINFO`.
    has_gui: bool,
    /// `None` while it is lent to a search.
    engine: Option<Box<Engine>>,
    search: Option<Search>,
    /// Commands that wait for the end of the search that they stopped.
    waiting: VecDeque<Input>,
    /// The transposition table and what it belongs to, once there is one.
    table: Option<(Arc<Tt>, Origin)>,
    desk: Desk,
    /// What the last search thought of the engine's side.
    last_value: Option<Score>,
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
            exclusions: Exclusions::default(),
            has_gui: false,
            engine: Some(Box::new(Engine::new(Options::default()))),
            search: None,
            waiting: VecDeque::new(),
            table: None,
            desk: Desk::default(),
            last_value: None,
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
            Event::Finished {
                mut engine,
                decision,
            } => {
                if let Some(why) = engine.take_network_error() {
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
            search.control.stop();
        } else if let Command::Info { key, value } = command {
            // Pondering has no limits of its own.
            let (control, is_limited) = (Arc::clone(&search.control), !search.is_silent);
            if self.set(&key, &value) && is_limited {
                control.set_time(&self.settings.time());
                let (depth, nodes) = (self.settings.max_depth(), self.settings.max_nodes());
                control.set_bounds(depth, nodes);
            }
        } else if command.leaves_search_alone() {
            self.execute(command, at);
        } else if search.is_silent && command.leaves_engine_alone() {
            // A GUI shows the position again, its forbidden points and so on: no reason to stop
            // pondering, unless it turns to another position.
            self.execute(command, at);
            self.stop_pondering_elsewhere();
        } else {
            search.control.stop();
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
            Command::ShowHashUsage => self.show_hash_usage(),
            Command::HashClear => self.clear_hash(),
            Command::File(word, path) => match word {
                FileWord::HashDump => self.dump_hash(&path),
                FileWord::HashLoad => self.load_hash(&path),
                FileWord::Database(word) => self.database_file(word, &path),
            },
            Command::SaveDatabase => self.save_database(),
            Command::CheckDatabase => self.check_database(),
            Command::Draw => self.answer_draw(),
            Command::Resign => self.message("RESIGN ACCEPT"),
            Command::Evaluate => self.tell_evaluation(),
            Command::TraceBoard => self.trace_board(),
            Command::Block(Block::Database(block), entries) => {
                self.database_block(block, &entries);
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
            | Command::BlockPathReset
            | Command::Forbid { .. }
            | Command::ShowForbid => match self.board.clone() {
                Some(board) => self.execute_on(board, command, at),
                None if command == Command::ShowForbid => self.send(Reply::Forbid(Vec::new())),
                None => self.error("no game, send START first"),
            },
        }
    }

    /// Takes over a setting. Returns whether the time limits may have changed.
    fn set(&mut self, key: &str, value: &str) -> bool {
        if key == "evaluator"
            && let Err(error) = self.settings.set_evaluator(value)
        {
            self.complain(&error.to_string());
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
