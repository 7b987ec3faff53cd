//! The review of a game as a task of the engine.

use tengen::engine::Engine;
use tengen::engine::move_control::MoveControl;
use tengen::protocol::HostedTask;
use tengen::protocol::reply::Reply;
use tengen::search::SearchRequest;

use crate::review::{Game, Limits, review};

/// A game to review.
pub struct ReviewTask {
    /// The game.
    pub game: Game,
    /// Limits of each search.
    pub limits: Limits,
}

impl HostedTask for ReviewTask {
    /// Says a message about each move, and then one about the whole game.
    fn run(
        &self,
        engine: &mut Engine,
        _: &SearchRequest,
        control: &MoveControl,
        say: &dyn Fn(Reply),
    ) {
        let say = |json: serde_json::Value| say(Reply::Message(format!("REVIEW {json}")));
        let found = review(
            engine,
            &self.game,
            &self.limits,
            control,
            &mut |judgement| say(judgement.json()),
        );
        say(found.summary.json());
    }

    fn is_limited_by_part(&self) -> bool {
        true
    }
}
