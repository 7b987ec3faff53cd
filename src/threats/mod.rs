//! Wins by force: searches for continuous fours (VCF) and threats (VCT), and their proofs.

mod build;
mod defence;
mod expansion;
mod fours;
mod helper_pool;
mod limits;
mod node_summary;
mod paths;
mod proof;
mod proof_numbers;
mod recent;
mod relevant;
mod shared_search;
mod vcf;
mod vct;

#[cfg(test)]
mod caro_tests;
#[cfg(test)]
mod helper_pool_tests;
#[cfg(test)]
mod tests;

pub use defence::Defences;
pub use helper_pool::{HelperGuard, HelperPool};
pub use limits::SolveLimits;
pub use proof::{Fault, Proof, ProofError, Step, StepId};
pub use shared_search::{VctMemory, VctResult};
pub use vcf::{Vcf, VcfResult};
pub use vct::Vct;
