//! The conversation with a manager: what state the game is in, and what each command does to it.
//!
//! There is no board before a good `START`; with one, the session is idle or a search runs. One
//! thread, the one that owns the [`Session`], takes every event, changes every state and writes
//! every line, so that answers come out in the order of their commands.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::mpsc::Sender;
use std::sync::Arc;
use std::time::Instant;

use super::command::{Block, Command, Entry, Swap2Step};
use super::io::Output;
use super::progress::Progress;
use super::reply::{realtime_refresh, Reply};
use super::safety::play_legally;
use super::settings::{Settings, MAX_HASH_LOG_KIB, MAX_THREADS};
use super::setup::{cleared, in_turn, locate, position, without_stone};
use super::text::Coord;
use super::thinker::{spawn, Decision, Event, Reins, Task};
use crate::board::Board;
use crate::engine::{Engine, Options};
use crate::rules::{forbidden_points, Rule};
use crate::search::Request;
use crate::types::{Point, PointSet};

/// How a decision is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// As the cells of the moves; they stand on the board afterwards.
    Moves,
    /// In the words of `SWAP2BOARD`; moves stand on the board afterwards.
    Swap2,
    /// In Yixin-Board's `MESSAGE SWAP2` lines; the board stays.
    YixinSwap2(Swap2Step),
}

/// A running search.
struct Search {
    reins: Arc<Reins>,
    task: Task,
    answer: Answer,
    rule: Rule,
    progress: Progress,
}

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
            Event::Finished { engine, decision } => {
                self.hash_usage = engine.hash_usage();
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
            if self.settings.apply(&key, &value) {
                search.reins.set_time(&self.settings.time());
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
                self.settings.apply(&key, &value);
            }
            Command::About => self.send(Reply::About),
            Command::ShowInfo => self.show_info(),
            Command::ShowHashUsage => {
                let usage = self.engine.as_ref().map(|engine| engine.hash_usage());
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
            | Command::Swap2(_)
            | Command::BlockReset
            | Command::ShowForbid => match self.board.clone() {
                Some(board) => self.execute_on(board, command, at),
                None if command == Command::ShowForbid => self.send(Reply::Forbid(Vec::new())),
                None => self.error("no game, send START first"),
            },
        }
    }

    /// Does what a command says that needs a board.
    fn execute_on(&mut self, board: Board, command: Command, at: Instant) {
        match command {
            Command::Restart => {
                self.new_game(cleared(&board));
                self.send(Reply::Ok);
            }
            Command::Begin => {
                self.board = Some(cleared(&board));
                self.think(Task::Best, Answer::Moves, 1, at);
            }
            Command::Turn(coord) => {
                if self.put(board, coord).is_some() {
                    self.think(Task::Best, Answer::Moves, 1, at);
                }
            }
            Command::Play(coord) => {
                if let Some(p) = self.put(board, coord) {
                    self.send(Reply::Moves(vec![p]));
                }
            }
            Command::TakeBack(coord) => {
                match locate(&board, coord).and_then(|p| without_stone(&board, p)) {
                    Some(next) => {
                        self.board = Some(next);
                        self.send(Reply::Ok);
                    }
                    None => self.error("no stone to take back there"),
                }
            }
            Command::Block(Block::Board, entries) => {
                self.board = Some(position(&board, &entries));
                self.think(Task::Best, Answer::Moves, 1, at);
            }
            Command::Block(Block::Position, entries) => {
                self.board = Some(position(&board, &entries));
            }
            Command::Block(Block::Swap2Board, entries) => self.swap2(&board, &entries, at),
            Command::Block(Block::Exclude, entries) => {
                for p in entries.iter().filter_map(|e| locate(&board, e.at)) {
                    self.excluded.insert(p);
                }
            }
            Command::Block(Block::Allow, entries) => {
                for p in entries.iter().filter_map(|e| locate(&board, e.at)) {
                    self.excluded.remove(p);
                }
            }
            Command::BlockReset => self.excluded = PointSet::EMPTY,
            Command::NBest(count) => {
                let lines = count.unwrap_or(usize::MAX);
                self.think(Task::Best, Answer::Moves, lines, at);
            }
            Command::Balance { moves, bias } => {
                self.think(Task::Balance { moves, bias }, Answer::Moves, 1, at);
            }
            Command::Swap2(step) => {
                let stones = board.stones().len();
                let task = match (step, stones) {
                    (Swap2Step::Open, _) => {
                        self.board = Some(cleared(&board));
                        Task::OpenSwap2
                    }
                    (Swap2Step::AfterThree, 3) | (Swap2Step::AfterFive, 5) => Task::ChooseSwap2,
                    _ => return self.error("this step of swap2 needs 3 or 5 stones"),
                };
                self.think(task, Answer::YixinSwap2(step), 1, at);
            }
            Command::ShowForbid => {
                let side = board.side_to_move();
                let points = forbidden_points(&board, self.settings.rule(), side);
                self.send(Reply::Forbid(points));
            }
            other => log::error!("no way to do {other:?} on a board"),
        }
    }

    fn start(&mut self, width: i64, height: i64) {
        let side = |n: i64| u32::try_from(n.max(0)).unwrap_or(u32::MAX);
        match Board::new(side(width), side(height)) {
            Ok(board) => {
                self.new_game(board);
                self.send(Reply::Ok);
            }
            Err(error) => self.send(Reply::Error(error.to_string().into())),
        }
    }

    /// Everything that belongs to a game begins afresh; settings and the engine's memory stay.
    fn new_game(&mut self, board: Board) {
        self.board = Some(board);
        self.excluded = PointSet::EMPTY;
        self.settings.new_game();
    }

    /// Puts a stone of the side to move at `coord`, or says why not.
    fn put(&mut self, mut board: Board, coord: Coord) -> Option<Point> {
        match locate(&board, coord) {
            Some(p) if board.is_empty(p) => {
                board.play(p);
                self.board = Some(board);
                Some(p)
            }
            Some(_) => {
                self.error("that cell is taken");
                None
            }
            None => {
                self.error("those coordinates are off the board");
                None
            }
        }
    }

    fn swap2(&mut self, board: &Board, entries: &[Entry], at: Instant) {
        let board = in_turn(board, entries);
        let task = match board.stones().len() {
            0 => Task::OpenSwap2,
            3 | 5 => Task::ChooseSwap2,
            _ => return self.error("SWAP2BOARD needs 0, 3 or 5 stones"),
        };
        self.board = Some(board);
        self.think(task, Answer::Swap2, 1, at);
    }

    /// Starts a search of the current position.
    fn think(&mut self, task: Task, answer: Answer, lines: usize, at: Instant) {
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
            task,
            answer,
            rule,
            progress: Progress::new(detail, board.height()),
        });
        spawn(engine, task, request, reins, self.events.clone());
    }

    /// A search came to its end: tell its result.
    fn finish(&mut self, mut search: Search, decision: Option<Decision>) {
        let Some(mut board) = self.board.clone() else {
            return;
        };
        let decision = decision.unwrap_or_default();
        let last_words = search.progress.finish(&decision.lines);
        self.send_all(last_words);
        let count = match search.task {
            _ if decision.swap => 0,
            Task::OpenSwap2 => 3,
            Task::Balance { moves, .. } => moves,
            Task::Best | Task::ChooseSwap2 => 1,
        };
        let proposed = &decision.points;
        let moves = play_legally(&mut board, search.rule, &self.excluded, proposed, count);
        if let Answer::YixinSwap2(step) = search.answer {
            return self.tell_yixin_swap2(step, decision.swap, &moves);
        }
        self.settings.moved(search.reins.elapsed());
        if decision.swap {
            return self.send(Reply::Swap);
        }
        self.board = Some(board);
        self.send(Reply::Moves(moves));
    }

    fn tell_yixin_swap2(&mut self, step: Swap2Step, swap: bool, moves: &[Point]) {
        let choice = if swap { "YES" } else { "NO" };
        match step {
            Swap2Step::Open => {
                for (i, p) in moves.iter().enumerate() {
                    self.message(format!("SWAP2 MOVE{} {} {}", i + 1, p.x(), p.y()));
                }
            }
            Swap2Step::AfterThree => self.message(format!("SWAP2 SWAP1 {choice}")),
            Swap2Step::AfterFive => self.message(format!("SWAP2 SWAP2 {choice}")),
        }
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
