//! What a position is worth.

mod classical;

pub use classical::{Weights, PAIRS, THREAT_KEYS};
