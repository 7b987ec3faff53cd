//! Events of the root moves of a running search.

use std::fmt;

use crate::types::Point;

/// One root move begins or ends within an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootMoveEvent {
    /// The search of this move begins.
    Begin(Point),
    /// The search of this move ends for this iteration.
    Done {
        /// The move.
        point: Point,
        /// Whether it is proved to lose.
        lost: bool,
    },
}

/// Callback of the main search thread for each [`RootMoveEvent`]; it must return soon.
pub struct SearchObserver(Box<dyn Fn(RootMoveEvent) + Send + Sync>);

impl SearchObserver {
    /// Passes every event to `listener`.
    pub fn new(listener: impl Fn(RootMoveEvent) + Send + Sync + 'static) -> SearchObserver {
        SearchObserver(Box::new(listener))
    }

    pub(super) fn notify(&self, event: RootMoveEvent) {
        (self.0)(event);
    }
}

impl fmt::Debug for SearchObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SearchObserver")
    }
}
