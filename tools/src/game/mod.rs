//! One game between players of any kind: the clock of each, and the referee who knows the rules.

pub mod clock;
pub mod referee;
