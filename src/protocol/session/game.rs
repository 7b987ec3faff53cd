//! Commands that need a board: setting positions up, and asking for moves in them.

use std::time::Instant;

use super::thinking::Answer;
use super::Session;
use crate::board::Board;
use crate::protocol::command::{Block, Command, Entry, Swap2Step};
use crate::protocol::reply::Reply;
use crate::protocol::setup::{cleared, in_turn, locate, position, without_stone};
use crate::protocol::text::Coord;
use crate::protocol::thinker::Task;
use crate::rules::forbidden_points;
use crate::types::{Point, PointSet};

impl Session {
    /// Does what a command says that needs a board.
    pub(super) fn execute_on(&mut self, board: Board, command: Command, at: Instant) {
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

    pub(super) fn start(&mut self, width: i64, height: i64) {
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
}
