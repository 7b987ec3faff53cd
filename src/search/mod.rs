//! Alpha-beta search: limits, clock, deepening.

mod clock;
mod evaluator;
mod forced;
mod history;
mod moves;
mod params;
mod picker;
mod prune;
mod pvs;
mod report;
mod tt;
mod watch;
mod worker;

#[cfg(test)]
mod tests;

pub use clock::{Control, TimeSettings};
pub use evaluator::Evaluator;
pub use params::{Param, ParamChanges, Params};
pub use picker::{Need, needed_cells};
pub use report::{Outcome, Report, Request};
pub use tt::{Bound, Entry, Tt};
pub use watch::{RootNews, Watcher};
pub use worker::{Memory, RootMove, Shared, Worker, win_rate};
