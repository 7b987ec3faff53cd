//! The review of a game as a task of the engine.

use std::fmt;

use super::reply::{Reply, TaskListener};
use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::review::{Game, Limits, review};

/// A game to review, and who hears of each move.
#[derive(Clone)]
pub struct ReviewTask {
    /// The game.
    pub game: Game,
    /// Limits of each search.
    pub limits: Limits,
    /// Receives the message about each move and then that about the whole game.
    pub listener: TaskListener,
}

impl ReviewTask {
    /// Reviews the game, on the engine's thread.
    pub fn run(&self, engine: &mut Engine, control: &MoveControl) {
        let say = |json| (self.listener)(Reply::Message(format!("REVIEW {json}")));
        let found = review(
            engine,
            &self.game,
            &self.limits,
            control,
            &mut |judgement| {
                say(judgement.json());
            },
        );
        say(found.summary.json());
    }
}

impl fmt::Debug for ReviewTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ReviewTask {{ {} moves, {:?} }}",
            self.game.len(),
            self.limits
        )
    }
}
