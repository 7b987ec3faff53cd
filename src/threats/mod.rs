//! Wins by force: threat-space search.

mod build;
mod crew;
mod defence;
mod expansion;
mod fours;
mod paths;
mod proof;
mod proof_numbers;
mod tally;
mod vcf;
mod vct;

#[cfg(test)]
mod crew_tests;
#[cfg(test)]
mod tests;

pub use crew::{Crew, Member};
pub use defence::Defences;
pub use proof::{Fault, Proof, ProofError, Step, StepId};
pub use vcf::{Vcf, VcfResult};
pub use vct::{Vct, VctLimits, VctMemory, VctResult};
