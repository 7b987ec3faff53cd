//! One game between players of any kind: the clock of each, and the referee.

pub mod clock;
pub mod referee;
