//! Alpha-beta search: limits, clock, deepening.

mod clock;
mod report;

pub use clock::{Control, TimeSettings};
pub use report::{Outcome, Report, Request};
