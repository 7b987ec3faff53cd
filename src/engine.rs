//! The engine as the rest of the program sees it: settings in, moves out.

use crate::rules::{forbidden_points, wins_at};
use crate::search::{Control, Outcome, Report, Request};
use crate::types::{Point, Score};

/// Resources that a user grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Limit of the whole process in bytes.
    pub max_memory: u64,
    /// Wish for the size of the transposition table in KiB; cut to what `max_memory` allows.
    pub hash_kib: Option<u64>,
}

impl Default for Options {
    /// One thread and Gomocup's 350 MiB.
    fn default() -> Options {
        Options {
            threads: 1,
            max_memory: 350 << 20,
            hash_kib: None,
        }
    }
}

/// A search engine with its memory between moves.
pub struct Engine {
    options: Options,
}

impl Engine {
    /// An engine that allocates nothing large before its first search.
    pub fn new(options: Options) -> Engine {
        Engine { options }
    }

    /// What was granted.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes what is granted; takes effect with the next search.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Forgets everything learned in earlier searches.
    pub fn clear_hash(&mut self) {}

    /// Part of the transposition table in use, 0 to 1.
    pub fn hash_usage(&self) -> f64 {
        0.0
    }

    /// Thinks until a limit of `request` or `control` is reached, calling `report` after each
    /// completed iteration (and for each line of a multi-PV search), and returns the move.
    pub fn go(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Outcome {
        let board = &request.board;
        let side = board.side_to_move();
        let forbidden = forbidden_points(board, request.rule, side);
        let wins = |p: &Point, color| {
            let mut next = board.clone();
            next.put(*p, color);
            wins_at(&next, request.rule, *p)
        };
        let mut moves: Vec<Point> = board
            .empty_points()
            .filter(|p| !forbidden.contains(p))
            .collect();
        moves.sort_by_key(|p| {
            let (dx, dy) = (
                2 * i32::from(p.x()) + 1 - i32::from(board.width()),
                2 * i32::from(p.y()) + 1 - i32::from(board.height()),
            );
            (!wins(p, side), !wins(p, !side), dx * dx + dy * dy, *p)
        });
        let best = moves
            .first()
            .copied()
            .or_else(|| board.empty_points().next());
        let lines = best
            .map(|p| Report {
                rank: 0,
                lines: 1,
                depth: 1,
                seldepth: 1,
                score: Score::DRAW,
                win_rate: 0.5,
                nodes: 1,
                elapsed: control.elapsed(),
                pv: vec![p],
            })
            .into_iter()
            .collect::<Vec<_>>();
        lines.iter().for_each(report);
        Outcome {
            best,
            lines,
            nodes: 1,
            elapsed: control.elapsed(),
        }
    }
}
