//! Alpha-beta search: limits, clock, deepening.

mod clock;
mod evaluator;
mod forced;
mod history;
mod moves;
mod observer;
mod params;
mod picker;
mod prune;
mod pvs;
mod report;
mod tt;
mod worker;

#[cfg(all(test, feature = "tools"))]
mod tests;

pub use clock::{SearchControl, TimeSettings};
pub use evaluator::Evaluator;
pub use observer::{RootMoveEvent, SearchObserver};
pub use params::{Param, ParamChanges, Params};
pub use picker::{Need, needed_cells};
pub use report::{SearchInfo, SearchRequest, SearchResult};
pub use tt::{Bound, Entry, Tt};
pub use worker::{Memory, RootMove, Shared, Worker, win_rate};
