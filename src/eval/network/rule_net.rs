use super::features::WINDOWS;
use super::head::Head;
use super::layout::Row;

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
