//! Wins by force: threat-space search.

mod fours;
mod vcf;

#[cfg(test)]
mod tests;

pub use vcf::{Vcf, VcfResult};
