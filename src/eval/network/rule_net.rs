use super::features::WINDOWS;
use super::head::Head;
use super::layout::Row;
use crate::rules::Rule;

/// The tables and layers for one rule; renju has one for each colour.
#[derive(Debug)]
pub(super) struct RuleNet {
    /// What each window adds to its cell, by window number.
    pub rows: Vec<Row>,
    pub head: Head,
}

/// Bytes of a [`RuleNet`]: rows rounded up to a large page, and layers.
pub(super) const RULE_NET_BYTES: u64 =
    (WINDOWS * size_of::<Row>()).next_multiple_of(2 << 20) as u64 + (128 << 10);

/// Numbers in a file of the networks for `rule`, one for both colours or Black's and White's: the
/// rule's own, and those for files that lack them.
///
/// A file without networks for caro plays it by those whose rows of six count as they do there, as
/// the classical evaluation does.
pub(super) fn rule_nets(rule: Rule) -> (&'static [u32], &'static [u32]) {
    match rule {
        Rule::Freestyle => (&[0], &[0]),
        Rule::Standard => (&[1], &[1]),
        Rule::Renju => (&[2, 3], &[2, 3]),
        Rule::Caro => (&[4], &[0]),
        Rule::CaroExact => (&[5], &[1]),
    }
}
