//! What a session asks the engine to decide, and how the engine does it.

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::decision::Decision;
use super::exclusions::Exclusions;
use super::opening::OpeningTask;
use super::{balance, opening};
use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::engine::strength::Strength;
use crate::search::{SearchInfo, SearchRequest};
use crate::time::random_seed;

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
        /// What the second move must not be.
        exclusions: Box<Exclusions>,
    },
    /// A step of an opening.
    Opening {
        /// The step.
        opening: Box<OpeningTask>,
        /// Seed of the random choices; `None` for a different one each time.
        seed: Option<u64>,
    },
    /// The review of a game, which says its results itself.
    #[cfg(feature = "review")]
    Review(Box<super::review_task::ReviewTask>),
    /// A win by force and its proof, which are said by the task itself.
    #[cfg(feature = "review")]
    Solve(super::solve_task::SolveTask),
}

impl Task {
    /// Whether the limits of a search hold for each part of the task by itself, such as each position
    /// of a review, and not for the task as a whole.
    pub fn is_limited_by_part(&self) -> bool {
        match self {
            #[cfg(feature = "review")]
            Task::Review(_) => true,
            _ => false,
        }
    }

    /// Whether the task prints its results itself, and only `OK` follows.
    pub fn says_its_results(&self) -> bool {
        match self {
            #[cfg(feature = "review")]
            Task::Review(_) | Task::Solve(_) => true,
            _ => false,
        }
    }

    /// Whether the engine searches with its transposition table.
    pub fn needs_table(&self) -> bool {
        match self {
            #[cfg(feature = "review")]
            Task::Solve(_) => false,
            _ => true,
        }
    }
}

/// Decides `task` in the position of `request`.
pub fn decide(
    engine: &mut Engine,
    task: &Task,
    request: &SearchRequest,
    control: &MoveControl,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Decision {
    match task {
        Task::Best => {
            let outcome = engine.go(request, control.whole(), report);
            Decision {
                points: outcome.best.into_iter().collect(),
                lines: outcome.lines,
                ..Decision::default()
            }
        }
        Task::Weakened(strength) => {
            let outcome = engine.go_as(*strength, request, control.whole(), report);
            Decision {
                points: outcome.best.into_iter().collect(),
                lines: outcome.lines,
                ..Decision::default()
            }
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
            // Every step has random numbers of its own, so that none repeats those of the last one.
            let step = request.board.stones().len() as u64;
            let mut rng = match seed {
                Some(seed) => StdRng::seed_from_u64(seed.rotate_left(8) ^ step),
                None => StdRng::seed_from_u64(random_seed()),
            };
            opening::decide(engine, opening, request, control, &mut rng, report)
        }
        #[cfg(feature = "review")]
        Task::Review(review) => {
            review.run(engine, control);
            Decision::default()
        }
        #[cfg(feature = "review")]
        Task::Solve(solve) => {
            solve.run(engine, request, control);
            Decision::default()
        }
    }
}
