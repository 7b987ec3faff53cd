//! What a position is worth.

mod classical;
mod weights_file;

pub use classical::{embedded, SideWeights, Weights, LOGIT, MOVE_LOGIT, PAIRS, THREAT_KEYS};
pub use weights_file::{decode, encode, verify, WeightsError};
