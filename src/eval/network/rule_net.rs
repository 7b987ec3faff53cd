use super::features::WINDOWS;
use super::head::Head;
use super::layout::{BLOCK, Row, Widths};

/// The tables and layers for one rule; renju has one for each colour.
#[derive(Debug)]
pub(super) struct RuleNet {
    /// Row of each window, added to its cell, by block of channels and window number.
    pub rows: Vec<Vec<Row>>,
    pub head: Head,
}

impl RuleNet {
    /// Most bytes of a network of these widths: rows rounded up to large pages, and layers.
    pub fn bytes(widths: Widths) -> u64 {
        let rows = (WINDOWS * size_of::<Row>()).next_multiple_of(2 << 20);
        (widths.channels / BLOCK * rows + Head::bytes(widths)) as u64
    }
}
