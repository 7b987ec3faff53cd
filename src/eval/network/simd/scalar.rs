// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use super::{SHARES, means};
use crate::eval::network::layout::{
    ACTIVE, BLOCK, CELLS, Lanes, POOLS, PairWeights, Pools, REGIONS, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span};

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl Scalar {
    /// See [`Simd::find`](super::Simd::find).
    pub fn find<const COMMIT: bool>(
        self,
        changes: &mut Changes,
        parts: &mut [u32; PLACES],
        spans: &[Span; 4],
        code: i32,
    ) {
        changes.find::<COMMIT>(parts, spans, code);
    }

    /// See [`Simd::update`](super::Simd::update).
    pub fn update<const COMMIT: bool>(self, table: &[Row], changes: &Changes, sums: &mut Sums) {
        let mut shares = [[[0; BLOCK]; SHARES]; REGIONS];
        for (i, [cell, old, new]) in changes.others().enumerate() {
            let change = difference(&table[old], &table[new]);
            let share = &mut shares[sums.region(cell)][i % SHARES];
            add::<COMMIT>(change, &mut sums.cells[cell], share);
        }
        let mut change = [0; BLOCK];
        for [old, new] in changes.own() {
            let part = difference(&table[old], &table[new]);
            for k in 0..BLOCK {
                change[k] += part[k];
            }
        }
        let cell = changes.own_cell();
        let share = &mut shares[sums.region(cell)][0];
        add::<COMMIT>(change, &mut sums.cells[cell], share);
        for (region, shares) in shares.iter().enumerate() {
            let mut sum = sums.pools[region];
            for share in shares {
                for k in 0..BLOCK {
                    sum.0[k] = sum.0[k].wrapping_add(share[k]);
                }
            }
            sums.trial[region] = sum;
            if COMMIT {
                sums.pools[region] = sum;
            }
        }
    }

    /// See [`Simd::dense`](super::Simd::dense).
    pub fn dense(self, inputs: &[Lanes], weights: &[PairWeights], bias: &WideLanes) -> WideLanes {
        let mut out = *bias;
        let pairs = inputs.iter().flat_map(|lanes| lanes.0.as_chunks::<2>().0);
        for (pair, weights) in pairs.zip(weights) {
            let weights = weights.iter().flat_map(|half| half.0.as_chunks::<2>().0);
            for (out, weights) in out.0.iter_mut().zip(weights) {
                *out += i32::from(pair[0]) * i32::from(weights[0])
                    + i32::from(pair[1]) * i32::from(weights[1]);
            }
        }
        out
    }

    /// See [`Simd::hidden`](super::Simd::hidden).
    pub fn hidden(
        self,
        inputs: &[Lanes],
        weights: &[PairWeights],
        bias: &WideLanes,
        (shift, top): (u32, i16),
    ) -> Lanes {
        self.dense(inputs, weights, bias).activate(shift, top)
    }

    /// See [`Simd::means`](super::Simd::means).
    pub fn means(self, pools: &Pools, area: u32, inputs: &mut [Lanes; POOLS]) {
        means(pools, area, inputs);
    }

    /// See [`Simd::dots`](super::Simd::dots).
    pub fn dots(self, cells: &[Lanes; CELLS], wanted: &[u16], weights: &Lanes, out: &mut [i32]) {
        for (&cell, out) in wanted.iter().zip(out) {
            let sums = cells[usize::from(cell) % CELLS].0.iter().zip(&weights.0);
            *out += sums
                .map(|(&sum, &weight)| i32::from(sum.clamp(0, ACTIVE)) * i32::from(weight))
                .sum::<i32>();
        }
    }
}

/// Sum that a window's change from `old` to `new` adds to its cell.
fn difference(old: &Row, new: &Row) -> [i16; BLOCK] {
    std::array::from_fn(|k| i16::from(new.0[k]) - i16::from(old.0[k]))
}

/// Adds `change` to the sums of a cell if `COMMIT`, and the change of its activations to a share of
/// its region.
fn add<const COMMIT: bool>(change: [i16; BLOCK], cell: &mut Lanes, share: &mut [i16; BLOCK]) {
    for k in 0..BLOCK {
        let before = cell.0[k];
        // A sum of four rows fits an i16; on the way to it the sum may wrap.
        let after = before.wrapping_add(change[k]);
        if COMMIT {
            cell.0[k] = after;
        }
        let change = after.clamp(0, ACTIVE) - before.clamp(0, ACTIVE);
        share[k] = share[k].wrapping_add(change);
    }
}
