//! Wins by force: threat-space search.

mod build;
mod defence;
mod fours;
mod proof;
mod proof_numbers;
mod vcf;
mod vct;

#[cfg(test)]
mod tests;

pub use defence::Defences;
pub use proof::{Fault, Proof, ProofError, Step, StepId};
pub use vcf::{Vcf, VcfResult};
pub use vct::{Vct, VctLimits, VctResult};
