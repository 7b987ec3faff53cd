//! Alpha-beta search with iterative deepening.
//!
//! [`SearchThread::deepen`] is the entry: `deepen` calls the recursive `node`, whose numbered steps
//! call `picker`, `pruning` and, at depth 0, `qsearch`.

mod control;
mod deepen;
mod evaluator;
mod history;
mod node;
mod node_context;
mod observer;
mod params;
mod picker;
mod pruning;
mod qsearch;
mod request;
mod result;
mod root_moves;
mod root_wins;
mod thread;
mod time_manager;
mod tt;

#[cfg(test)]
mod tests;

pub use control::SearchControl;
pub use evaluator::Evaluator;
pub use observer::{RootMoveEvent, SearchObserver};
pub use params::{Param, ParamChanges, Params};
pub use picker::{NodeThreat, moves_to_search};
pub use request::SearchRequest;
pub use result::{SearchInfo, SearchResult, win_rate};
pub use root_moves::{RootMove, last_resort, root_moves};
pub use thread::{SearchThread, SharedState, ThreadData};
pub use time_manager::TimeSettings;
pub use tt::{Bound, Tt, TtEntry};
