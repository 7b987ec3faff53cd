//! Commands that need a board: setting positions up, and asking for moves in them.

use std::time::Instant;

use super::Session;
use crate::board::Board;
use crate::protocol::command::{Block, Command, Entry};
use crate::protocol::exclusions::Exclusions;
use crate::protocol::opening::{Ask, Opening};
use crate::protocol::reply::Reply;
use crate::protocol::setup::{cleared, in_turn, locate, position, without_stone};
use crate::protocol::task::Task;
use crate::protocol::text::Coord;
use crate::rules::forbidden_points;
use crate::types::Point;

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
                self.think(Task::Best, 1, at);
            }
            Command::Turn(coord) => {
                if self.put(board, coord).is_some() {
                    self.think(Task::Best, 1, at);
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
                self.think(Task::Best, 1, at);
            }
            Command::Block(Block::Position, entries) => {
                self.board = Some(position(&board, &entries));
            }
            Command::Block(Block::Opening(ask), entries) => {
                let points: Result<Vec<Point>, String> = entries
                    .iter()
                    .map(|entry| {
                        let Coord { x, y } = entry.at;
                        locate(&board, entry.at).ok_or(format!("{x},{y} is off the board"))
                    })
                    .collect();
                self.opening(&board, ask, points, at);
            }
            Command::Opening(ask) => {
                let stones = board.stones().iter().map(|stone| stone.point);
                let begins = ask.begins();
                let points = stones.filter(|_| !begins).collect();
                self.opening(&board, ask, Ok(points), at);
            }
            Command::Block(Block::Exclude, entries) => {
                for p in entries.iter().filter_map(|e| locate(&board, e.at)) {
                    self.exclusions.block(p);
                }
            }
            Command::Block(Block::Allow, entries) => {
                for p in entries.iter().filter_map(|e| locate(&board, e.at)) {
                    self.exclusions.allow(p);
                }
            }
            Command::Block(Block::ExcludeAfter, entries) => {
                if let Some((before, p)) = last_move(&board, &entries) {
                    self.exclusions.block_after(&before, p);
                }
            }
            Command::Block(Block::AllowAfter, entries) => {
                if let Some((before, p)) = last_move(&board, &entries) {
                    self.exclusions.allow_after(&before, p);
                }
            }
            Command::BlockReset => self.exclusions.allow_all(),
            Command::BlockPathReset => self.exclusions.allow_all_after(),
            Command::Forbid {
                at,
                side,
                is_forbidden,
            } => match locate(&board, at) {
                Some(p) => self.exclusions.forbid(side, p, is_forbidden),
                None => self.error("those coordinates are off the board"),
            },
            Command::NBest(count) => {
                let lines = count.unwrap_or(usize::MAX);
                self.think(Task::Best, lines, at);
            }
            Command::Balance { moves, bias } => {
                self.think(Task::Balance { moves, bias }, 1, at);
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

    /// Everything that belongs to a game begins afresh; settings and the engine's memory stay. So do
    /// blocked cells as long as the board has the same size: Yixin-Board sends `START` before every
    /// search, and takes its blocks back itself.
    fn new_game(&mut self, board: Board) {
        let same_size =
            |old: &Board| (old.width(), old.height()) == (board.width(), board.height());
        if !self.board.as_ref().is_some_and(same_size) {
            self.exclusions = Exclusions::default();
        }
        self.board = Some(board);
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

    /// Takes the step of an opening that `ask` wants, or says why the rule does not allow what
    /// came before it.
    fn opening(
        &mut self,
        board: &Board,
        ask: Ask,
        points: Result<Vec<Point>, String>,
        at: Instant,
    ) {
        match points.and_then(|points| ask.phase(&cleared(board), &points)) {
            Ok(phase) => {
                self.board = Some(phase.board().clone());
                let task = Task::Opening {
                    opening: Box::new(Opening::new(ask, phase)),
                    seed: self.settings.seed(),
                };
                self.think(task, 1, at);
            }
            Err(why) => self.send(Reply::Error(why.into())),
        }
    }
}

/// The position before the last of these moves, and that move.
fn last_move(board: &Board, entries: &[Entry]) -> Option<(Board, Point)> {
    let (last, before) = entries.split_last()?;
    let before = in_turn(board, before);
    let p = locate(&before, last.at).filter(|&p| before.is_empty(p))?;
    Some((before, p))
}
