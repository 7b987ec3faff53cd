//! A look over the shoulder of a running search: which root moves it examines.

use std::fmt;

use crate::types::Point;

/// What becomes of one move at the root within an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootNews {
    /// The search turns to this move.
    Begin(Point),
    /// The search has done with this move for the present iteration.
    Done {
        /// The move.
        point: Point,
        /// Whether it is proved to lose.
        lost: bool,
    },
}

/// Called by the first search thread for each [`RootNews`]; must return soon.
pub struct Watcher(Box<dyn Fn(RootNews) + Send + Sync>);

impl Watcher {
    /// Hands all news to `listener`.
    pub fn new(listener: impl Fn(RootNews) + Send + Sync + 'static) -> Watcher {
        Watcher(Box::new(listener))
    }

    pub(super) fn tell(&self, news: RootNews) {
        (self.0)(news);
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}
