//! Wins by force: searches for continuous fours (VCF) and threats (VCT), and their proofs.

mod build;
mod defence;
mod expansion;
mod fours;
mod helper_pool;
mod proof;
mod proof_numbers;
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
pub use proof::{Fault, Proof, ProofError, Step, StepId};
pub use shared_search::{VctMemory, VctResult};
pub use vcf::{SolveLimits, Vcf, VcfResult};
pub use vct::Vct;
