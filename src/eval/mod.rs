//! The value of a position and the policy of its moves: the classical evaluation and the network.

mod classical;
pub mod network;
mod weights_file;

pub use classical::{LOGIT, PAIRS, POLICY_LOGIT, SideWeights, THREAT_KEYS, Weights};
pub use network::simd::Simd;
pub use weights_file::{WeightsError, decode, embedded, encode, verify};
