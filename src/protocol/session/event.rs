//! What a session waits for.

use crate::time::Instant;

use super::command::Request;
use crate::engine::Engine;
use crate::engine::background::EngineEvent;
use crate::protocol::decision::Decision;
use crate::protocol::reply::Reply;
use crate::search::{RootMoveEvent, SearchInfo};

/// What the session waits for.
pub enum Event {
    /// A request of the manager.
    Input {
        /// The request.
        request: Request,
        /// When its line was read.
        at: Instant,
    },
    /// All of a file was read: what its commands asked for is finished.
    FileOver,
    /// A completed depth of the running search.
    SearchInfo(SearchInfo),
    /// The running search begins or ends a move at its root.
    Root(RootMoveEvent),
    /// What the running task says itself.
    Said(Reply),
    /// The search ended.
    Finished {
        /// The engine that was lent.
        engine: Box<Engine>,
        /// What was decided; `None` when the search broke down.
        decision: Option<Decision>,
    },
}

impl From<EngineEvent<Decision>> for Event {
    fn from(event: EngineEvent<Decision>) -> Event {
        match event {
            EngineEvent::SearchInfo(info) => Event::SearchInfo(info),
            EngineEvent::Finished { engine, answer } => Event::Finished {
                engine,
                decision: answer,
            },
        }
    }
}
