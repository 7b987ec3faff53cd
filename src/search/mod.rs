//! Alpha-beta search with iterative deepening.
//!
//! [`SearchThread::deepen`] is the entry. It calls the recursive `node`, whose numbered steps take
//! moves from `picker` and scores from `tt` and `evaluator`.

mod control;
mod deepen;
mod evaluator;
mod history;
mod lines;
mod node;
mod params;
mod picker;
mod request;
mod root_moves;
mod thread;
mod time_manager;
mod tt;

#[cfg(test)]
mod tests;

pub use control::{RootMoveEvent, SearchControl, SearchObserver};
pub use evaluator::Evaluator;
pub use params::{Param, ParamChanges, Params};
pub use picker::{NodeThreat, moves_to_search};
pub use request::{SearchInfo, SearchRequest, SearchResult, win_rate};
pub use root_moves::{RootMove, last_resort, root_moves};
pub use thread::{SearchThread, SharedState, ThreadData};
pub use time_manager::TimeSettings;
pub use tt::{Bound, Tt, TtEntry};
