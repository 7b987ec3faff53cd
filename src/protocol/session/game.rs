//! Commands of a game: positions, moves, and requests to move.

use super::Session;
use crate::board::Board;
use crate::protocol::arguments::BoardSize;
use crate::protocol::exclusions::Exclusions;
use crate::protocol::opening::{OpeningRequest, OpeningTask};
use crate::protocol::reply::Reply;
use crate::protocol::setup::{locate, position, without_stone};
use crate::protocol::task::Task;
use crate::protocol::text::{BoardEntry, Coord};
use crate::types::{MAX_SIDE, MIN_SIDE, Point};

impl Session {
    /// `START`, `RECTSTART`: a new game on an empty board.
    pub(super) fn start(&mut self, size: BoardSize) {
        // What is no number of columns or rows is none that a board has.
        let side = |n: i64| u32::try_from(n).unwrap_or(0);
        match Board::new(side(size.width), side(size.height)) {
            Ok(board) => {
                self.new_game(board);
                self.send(Reply::Ok);
            }
            Err(_) => {
                let asked = size.asked;
                // Piskvork offers its user a board of 20x20 where the text has that number.
                let why = format!(
                    "unsupported size {asked}, use {MIN_SIDE} to {MAX_SIDE} (e.g. 15 or 20)"
                );
                self.send(Reply::Error(why.into()));
            }
        }
    }

    /// `RESTART`: a new game on a board of the same size.
    pub(super) fn restart(&mut self) {
        self.new_game(self.board().cleared());
        self.send(Reply::Ok);
    }

    /// Resets everything that belongs to one game; settings and the engine's memory stay. Blocked
    /// cells stay too while the board has the same size: Yixin-Board sends `START` before every
    /// search, and removes its blocks itself.
    fn new_game(&mut self, board: Board) {
        let same_size =
            |old: &Board| (old.width(), old.height()) == (board.width(), board.height());
        if !self.board.as_ref().is_some_and(same_size) {
            self.exclusions = Exclusions::default();
        }
        self.board = Some(board);
        self.settings.new_game();
    }

    /// `BEGIN`: make the first move.
    pub(super) fn begin_game(&mut self) {
        self.board = Some(self.board().cleared());
        self.think(Task::Best);
    }

    /// `TURN x,y`: the opponent moved; move.
    pub(super) fn turn(&mut self, at: Coord) {
        if self.put(at).is_some() {
            self.think(Task::Best);
        }
    }

    /// `PLAY x,y`: put the engine's own stone there.
    pub(super) fn play(&mut self, at: Coord) {
        if let Some(p) = self.put(at) {
            self.send(Reply::Moves(vec![p]));
        }
    }

    /// Puts a stone of the side to move on a cell, or reports why it cannot.
    fn put(&mut self, at: Coord) -> Option<Point> {
        let board = self.board_mut();
        let Some(p) = locate(board, at) else {
            self.error("those coordinates are off the board");
            return None;
        };
        if !board.is_empty(p) {
            self.error("that cell is taken");
            return None;
        }
        board.play(p);
        Some(p)
    }

    /// `TAKEBACK x,y`: remove that stone.
    pub(super) fn take_back(&mut self, at: Coord) {
        let board = self.board();
        match locate(board, at).and_then(|p| without_stone(board, p)) {
            Some(next) => {
                self.board = Some(next);
                self.send(Reply::Ok);
            }
            None => self.error("no stone to take back there"),
        }
    }

    /// `YXBOARD`: a position.
    pub(super) fn set_position(&mut self, entries: &[BoardEntry]) {
        let engine = self.settings.engine_color();
        self.board = Some(position(self.board(), entries, engine));
    }

    /// `BOARD`: a position, and the request to move in it.
    pub(super) fn move_on_board(&mut self, entries: &[BoardEntry]) {
        self.set_position(entries);
        self.think(Task::Best);
    }

    /// `YXNBEST k`, `YXSEARCHDEFEND`: analysis of the best `lines` moves.
    pub(super) fn search_best(&mut self, lines: usize) {
        self.analyze(lines);
    }

    /// `YXBALANCEONE b`: the move after which the value is closest to `bias`.
    pub(super) fn balance_one(&mut self, bias: i32) {
        self.balance(1, bias);
    }

    /// `YXBALANCETWO b`: the two moves after which the value is closest to `bias`.
    pub(super) fn balance_two(&mut self, bias: i32) {
        if self.board().empty_count() == 1 {
            return self.error("only one cell is free");
        }
        self.balance(2, bias);
    }

    fn balance(&mut self, moves: usize, bias: i32) {
        let exclusions = Box::new(self.exclusions.clone());
        self.think(Task::Balance {
            moves,
            bias,
            exclusions,
        });
    }

    /// `SWAP2BOARD`, `RIFSTEP2` and the like: the next step of an opening, in which `entries` are
    /// the stones and the fifth stones offered.
    pub fn opening_step(&mut self, request: OpeningRequest, entries: &[BoardEntry]) {
        let points: Result<Vec<Point>, String> = entries
            .iter()
            .map(|entry| {
                let Coord { x, y } = entry.at;
                locate(self.board(), entry.at).ok_or(format!("{x},{y} is off the board"))
            })
            .collect();
        match points {
            Ok(points) => self.take_opening_step(request, &points),
            Err(why) => self.send(Reply::Error(why.into())),
        }
    }

    /// `YXSWAP2STEP1` and the like: the same with the stones of the session's board.
    pub fn opening_step_on_board(&mut self, request: OpeningRequest) {
        let stones = self.board().stones().iter().map(|stone| stone.point);
        let points: Vec<Point> = stones.filter(|_| !request.begins()).collect();
        self.take_opening_step(request, &points);
    }

    fn take_opening_step(&mut self, request: OpeningRequest, points: &[Point]) {
        match request.phase(&self.board().cleared(), points) {
            Ok(phase) => {
                self.board = Some(phase.board().clone());
                let task = Task::Opening {
                    opening: Box::new(OpeningTask::new(request, phase)),
                    seed: self.settings.seed(),
                };
                self.think(task);
            }
            Err(why) => self.send(Reply::Error(why.into())),
        }
    }
}
