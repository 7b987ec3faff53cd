//! What a session waits for, and how the engine decides what it is asked.

use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::command::Command;
use super::opening::Opening;
use super::{balance, opening};
use crate::engine::Engine;
use crate::engine::background::News;
use crate::engine::move_control::MoveControl;
use crate::engine::strength::Strength;
use crate::openings::Choice;
use crate::search::{RootMoveEvent, SearchInfo, SearchRequest};
use crate::time::random_seed;
use crate::types::Point;

/// What the session waits for.
pub enum Event {
    /// A command, and when its line was read.
    Input {
        /// The command.
        command: Command,
        /// When.
        at: Instant,
    },
    /// News of the running search.
    SearchInfo(SearchInfo),
    /// It turned to another move at the root.
    Root(RootMoveEvent),
    /// The search is over.
    Finished {
        /// The engine that was lent.
        engine: Box<Engine>,
        /// What was decided; `None` when the search broke down.
        decision: Option<Decision>,
    },
}

impl From<News<Decision>> for Event {
    fn from(news: News<Decision>) -> Event {
        match news {
            News::SearchInfo(report) => Event::SearchInfo(report),
            News::Finished { engine, answer } => Event::Finished {
                engine,
                decision: answer,
            },
        }
    }
}

/// What is to be decided.
#[derive(Clone, Debug)]
pub enum Task {
    /// The best move.
    Best,
    /// The move of a weaker player.
    Weakened(Strength),
    /// The move, or the two moves, after which the value is closest to `bias`.
    Balance {
        /// One or two.
        moves: usize,
        /// For the side to move.
        bias: i32,
    },
    /// A step of an opening.
    Opening {
        /// Which.
        opening: Box<Opening>,
        /// Of the lots that are drawn; `None` for true chance.
        seed: Option<u64>,
    },
}

/// A decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// What was chosen in an opening, in order.
    pub choices: Vec<Choice>,
    /// The ordinary moves, in order.
    pub points: Vec<Point>,
    /// The last report of every line searched.
    pub lines: Vec<SearchInfo>,
}

/// Decides `task` in the position of `request`.
pub fn decide(
    engine: &mut Engine,
    task: &Task,
    request: &SearchRequest,
    control: &MoveControl,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Decision {
    match *task {
        Task::Best => {
            let outcome = engine.go(request, control.whole(), report);
            Decision {
                points: outcome.best.into_iter().collect(),
                lines: outcome.lines,
                ..Decision::default()
            }
        }
        Task::Weakened(strength) => {
            let outcome = engine.go_as(strength, request, control.whole(), report);
            Decision {
                points: outcome.best.into_iter().collect(),
                lines: outcome.lines,
                ..Decision::default()
            }
        }
        Task::Balance { moves: 2, bias } => {
            balance::balance_two(engine, request, bias, control, report)
        }
        Task::Balance { bias, .. } => {
            balance::balance_one(engine, request, bias, control.whole(), report)
        }
        Task::Opening { ref opening, seed } => {
            // Every step has its own lots, so that one does not repeat the last one's.
            let step = request.board.stones().len() as u64;
            let mut rng = match seed {
                Some(seed) => StdRng::seed_from_u64(seed.rotate_left(8) ^ step),
                None => StdRng::seed_from_u64(random_seed()),
            };
            opening::decide(engine, opening, request, control, &mut rng, report)
        }
    }
}
