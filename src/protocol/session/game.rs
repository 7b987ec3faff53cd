//! Commands of a game: positions, moves, and requests to move.

use super::Session;
use super::command::{Answer, Form, Request};
use crate::board::Board;
use crate::openings::wire::StonesFrom;
use crate::protocol::exclusions::Exclusions;
use crate::protocol::opening::{OpeningTask, leading_number};
use crate::protocol::reply::Reply;
use crate::protocol::setup::{locate, position, without_stone};
use crate::protocol::task::Task;
use crate::protocol::text::Coord;
use crate::protocol::text::{BoardSize, bias, board_size, cell, move_count, rectangle};
use crate::types::{MAX_SIDE, MIN_SIDE, Point};

impl Session {
    /// `START`: a new game on an empty board.
    pub(super) fn start(&mut self, request: &Request) -> Answer {
        self.start_on(board_size(&request.text)?)
    }

    /// `RECTSTART`: the same on a rectangle.
    pub(super) fn start_rectangle(&mut self, request: &Request) -> Answer {
        self.start_on(rectangle(&request.text)?)
    }

    fn start_on(&mut self, size: BoardSize) -> Answer {
        // A number outside `u32` counts as 0, a size that no board has.
        let side = |n: i64| u32::try_from(n).unwrap_or(0);
        let board = Board::new(side(size.width), side(size.height)).map_err(|_| {
            let asked = size.asked;
            // Piskvork offers its user a board of 20x20 if the text has that number.
            format!("unsupported size {asked}, use {MIN_SIDE} to {MAX_SIDE} (e.g. 15 or 20)")
        })?;
        self.new_game(board);
        self.send(Reply::Ok);
        Ok(())
    }

    /// `RESTART`: a new game on a board of the same size.
    pub(super) fn restart(&mut self, _: &Request) -> Answer {
        self.new_game(self.current_board().cleared());
        self.send(Reply::Ok);
        Ok(())
    }

    /// Resets the state of one game; settings and the engine's memory stay. Blocked cells stay too
    /// while the board has the same size: Yixin-Board sends `START` before every search, and
    /// removes its blocks itself.
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
    pub(super) fn begin_game(&mut self, _: &Request) -> Answer {
        self.board = Some(self.current_board().cleared());
        self.think(Task::Best)
    }

    /// `TURN x,y`: the opponent moved; move.
    pub(super) fn turn(&mut self, request: &Request) -> Answer {
        self.put(cell(&request.text)?)?;
        self.think(Task::Best)
    }

    /// `PLAY x,y`: put the engine's own stone there.
    pub(super) fn play(&mut self, request: &Request) -> Answer {
        let p = self.put(cell(&request.text)?)?;
        self.send(Reply::Moves(vec![p]));
        Ok(())
    }

    /// Puts a stone of the side to move on a cell, or gives the reason why not.
    fn put(&mut self, at: Coord) -> Result<Point, &'static str> {
        let board = self.current_board_mut();
        let p = locate(board, at).ok_or("those coordinates are off the board")?;
        if !board.is_empty(p) {
            return Err("that cell is taken");
        }
        board.play(p);
        Ok(p)
    }

    /// `TAKEBACK x,y`: remove that stone.
    pub(super) fn take_back(&mut self, request: &Request) -> Answer {
        let at = cell(&request.text)?;
        let board = self.current_board();
        let next = locate(board, at).and_then(|p| without_stone(board, p));
        self.board = Some(next.ok_or("no stone to take back there")?);
        self.send(Reply::Ok);
        Ok(())
    }

    /// `YXBOARD`: a position.
    pub(super) fn set_position(&mut self, request: &Request) -> Answer {
        let engine = self.settings.engine_color();
        self.board = Some(position(self.current_board(), &request.cells, engine));
        Ok(())
    }

    /// `BOARD`: a position, and the request to move in it.
    pub(super) fn move_on_board(&mut self, request: &Request) -> Answer {
        self.set_position(request)?;
        self.think(Task::Best)
    }

    /// `YXNBEST k`: analysis of the best `k` moves.
    pub(super) fn search_best(&mut self, request: &Request) -> Answer {
        self.analyze(move_count(&request.text))
    }

    /// `YXSEARCHDEFEND`: analysis of all moves.
    pub(super) fn search_all(&mut self, _: &Request) -> Answer {
        self.analyze(usize::MAX)
    }

    /// `YXBALANCEONE b`: the move after which the value is closest to `b`.
    pub(super) fn balance_one(&mut self, request: &Request) -> Answer {
        self.balance(1, bias(&request.text))
    }

    /// `YXBALANCETWO b`: the two moves after which the value is closest to `b`.
    pub(super) fn balance_two(&mut self, request: &Request) -> Answer {
        if self.current_board().empty_count() == 1 {
            return Err("only one cell is free".into());
        }
        self.balance(2, bias(&request.text))
    }

    fn balance(&mut self, moves: usize, bias: i32) -> Answer {
        let exclusions = Box::new(self.exclusions.clone());
        self.think(Task::Balance {
            moves,
            bias,
            exclusions,
        })
    }

    /// `SWAP2BOARD`, `RIFSTEP2` and the like: the next step of an opening. The cells of the block
    /// are the stones and the offered fifth stones. For `YXSWAP2STEP1` and the like the stones are
    /// those of the session's board.
    pub(super) fn opening_step(&mut self, request: &Request) -> Answer {
        let Form::Opening(command) = request.spec().form else {
            unreachable!("only steps of openings have this handler");
        };
        // Without the skipped stone, the others would have the wrong colours.
        if request.has_skipped {
            return Err("no cell in the opening".into());
        }
        let board = self.current_board();
        let step = command.request(leading_number(&request.text));
        let points: Vec<Point> = match command.stones_from {
            StonesFrom::SessionBoard if step.begins() => Vec::new(),
            StonesFrom::SessionBoard => board.stones().iter().map(|stone| stone.point).collect(),
            _ => {
                let point = |Coord { x, y }| {
                    locate(board, Coord { x, y }).ok_or_else(|| format!("{x},{y} is off the board"))
                };
                let points = request.cells.iter().map(|entry| point(entry.at));
                points.collect::<Result<_, _>>()?
            }
        };
        let phase = step.phase(&board.cleared(), &points)?;
        self.board = Some(phase.board().clone());
        let seed = self.settings.seed();
        let opening = Box::new(OpeningTask::new(step, phase));
        self.think(Task::Opening { opening, seed })
    }
}
