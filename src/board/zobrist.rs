//! Random keys that never change, so node counts are the same on every machine.

use crate::types::{Color, POINTS, Point};

/// Step `i` of SplitMix64 from a fixed seed.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
const fn random(i: u64) -> u64 {
    let z = 0x7465_6e67_656e_2026_u64.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn table(from: u64) -> [u64; POINTS] {
    let mut keys = [0; POINTS];
    let mut i = 0;
    while i < POINTS {
        keys[i] = random(from + i as u64);
        i += 1;
    }
    keys
}

static STONES: [[u64; POINTS]; 2] = [table(1_000), table(2_000)];
static BLOCKED: [u64; POINTS] = table(3_000);

/// Key of White's turn.
pub(super) const SIDE: u64 = random(1);

/// Key of a stone: the change of [`hash`](super::Board::hash) by putting the stone, besides the
/// turn.
#[inline]
pub fn stone(color: Color, p: Point) -> u64 {
    STONES[color.index()][p.index()]
}

/// Key of a blocked cell.
pub(super) fn blocked(p: Point) -> u64 {
    BLOCKED[p.index()]
}

/// Key of an empty board.
pub(super) fn size(width: u8, height: u8) -> u64 {
    random(10_000 + u64::from(width) * 100 + u64::from(height))
}
