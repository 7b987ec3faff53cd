//! What a position is worth.

mod classical;
mod embedded;
pub mod network;
mod weights_file;

pub use classical::{LOGIT, MOVE_LOGIT, PAIRS, SideWeights, THREAT_KEYS, Weights};
pub use embedded::embedded;
pub use network::simd::Simd;
pub use weights_file::{WeightsError, decode, encode, verify};
