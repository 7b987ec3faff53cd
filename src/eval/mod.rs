//! What a position is worth.

mod classical;
pub mod network;
mod simd;
mod weights_file;

pub use classical::{embedded, SideWeights, Weights, LOGIT, MOVE_LOGIT, PAIRS, THREAT_KEYS};
pub use simd::Simd;
pub use weights_file::{decode, encode, verify, WeightsError};
