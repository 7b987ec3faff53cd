// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use super::{exchange, means, update};
use crate::eval::network::layout::{
    ACTIVE, CELLS, Lanes, POOLS, PairWeights, Pools, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span, put};

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl Scalar {
    /// See [`Simd::find`](super::Simd::find).
    pub fn find(self, changes: &mut Changes, parts: &[u32; PLACES], spans: &[Span; 4], code: i32) {
        changes.find(parts, spans, code);
    }

    /// See [`Simd::update`](super::Simd::update).
    pub fn update(self, table: &[Row], changes: &Changes, sums: &mut Sums, at: usize) {
        update(table, changes, sums, at);
    }

    /// See [`Simd::exchange`](super::Simd::exchange).
    pub fn exchange(
        self,
        sums: &mut [Sums],
        at: usize,
        parts: &mut [u32; PLACES],
        spans: &[Span; 4],
        code: i32,
    ) {
        put(parts, spans, code);
        for sums in sums {
            exchange::<u64, 8>(sums, at);
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
