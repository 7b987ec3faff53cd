//! Decisions of the engine for a session.

use crate::openings::Choice;
use crate::search::{SearchInfo, SearchResult};
use crate::types::Point;

/// The engine's answer to one [`Task`](super::task::Task).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Decisions in an opening, in order.
    pub choices: Vec<Choice>,
    /// The ordinary moves, in order.
    pub points: Vec<Point>,
    /// The last report of each principal variation.
    pub lines: Vec<SearchInfo>,
}

impl From<SearchResult> for Decision {
    /// The best move.
    fn from(result: SearchResult) -> Decision {
        Decision {
            points: result.best.into_iter().collect(),
            lines: result.lines,
            ..Decision::default()
        }
    }
}
