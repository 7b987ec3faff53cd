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

/// Whether `a` and `b` are played with the same networks.
pub fn same_network(a: Rule, b: Rule) -> bool {
    rule_nets(a) == rule_nets(b)
}

/// Numbers in a file of the networks for `rule`: one for both colours, or Black's and White's.
///
/// Caro has none of its own: it takes those whose rows of six count as they do there, as with the
/// classical evaluation, and plays well by them (docs/strength.md).
pub(super) fn rule_nets(rule: Rule) -> &'static [u32] {
    match rule {
        Rule::Freestyle | Rule::Caro => &[0],
        Rule::Standard | Rule::CaroExact => &[1],
        Rule::Renju => &[2, 3],
    }
}
