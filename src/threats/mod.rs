//! Wins by force: threat-space search.

mod vcf;

pub use vcf::{Vcf, VcfResult};
