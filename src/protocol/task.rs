//! The tasks of a session for the engine.

use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::decision::Decision;
use super::exclusions::Exclusions;
use super::opening::OpeningTask;
use super::reply::Reply;
use super::{balance, opening};
use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::engine::strength::Strength;
use crate::search::{SearchInfo, SearchRequest};
use crate::time::random_seed;

/// Work of a host for the engine, other than a search for a move.
pub trait HostedTask: Send + Sync {
    /// Does the work on the engine's thread, in the position of `request`. All results go to `say`;
    /// the session adds an `OK`.
    fn run(
        &self,
        engine: &mut Engine,
        request: &SearchRequest,
        control: &MoveControl,
        say: &dyn Fn(Reply),
    );

    /// True if the limits of a search hold for each part of the task, such as each position of a
    /// review, and not for the whole task.
    fn is_limited_by_part(&self) -> bool {
        false
    }

    /// True if the engine searches with its transposition table.
    fn needs_table(&self) -> bool {
        true
    }
}

/// A wanted decision.
#[derive(Clone)]
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
        /// The excluded second moves.
        exclusions: Box<Exclusions>,
    },
    /// A step of an opening.
    Opening {
        /// The step.
        opening: Box<OpeningTask>,
        /// Seed of the random choices; `None` for a different one each time.
        seed: Option<u64>,
    },
    /// Work of the host; it says its results itself.
    Hosted(Arc<dyn HostedTask>),
}

impl Task {
    /// True if the limits of a search hold for each part of the task, such as each position of a
    /// review, and not for the whole task.
    pub fn is_limited_by_part(&self) -> bool {
        matches!(self, Task::Hosted(task) if task.is_limited_by_part())
    }

    /// True if the engine searches with its transposition table.
    pub fn needs_table(&self) -> bool {
        !matches!(self, Task::Hosted(task) if !task.needs_table())
    }
}

/// Decides `task` in the position of `request`. Work of the host says its results by `say`.
pub fn decide(
    engine: &mut Engine,
    task: &Task,
    request: &SearchRequest,
    control: &MoveControl,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
    say: &dyn Fn(Reply),
) -> Decision {
    match task {
        Task::Best => Decision::from(engine.go(request, control.whole(), report)),
        Task::Weakened(strength) => {
            Decision::from(engine.go_as(*strength, request, control.whole(), report))
        }
        Task::Balance {
            moves: 2,
            bias,
            exclusions,
        } => balance::balance_two(engine, request, exclusions, *bias, control, report),
        Task::Balance { bias, .. } => {
            balance::balance_one(engine, request, *bias, control.whole(), report)
        }
        Task::Opening { opening, seed } => {
            // Every step has its own random numbers, so no step repeats the last one's.
            let step = request.board.stones().len() as u64;
            let mut rng = match seed {
                Some(seed) => StdRng::seed_from_u64(seed.rotate_left(8) ^ step),
                None => StdRng::seed_from_u64(random_seed()),
            };
            opening::decide(engine, opening, request, control, &mut rng, report)
        }
        Task::Hosted(task) => {
            task.run(engine, request, control, say);
            Decision::default()
        }
    }
}
