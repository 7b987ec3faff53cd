use super::{
    Change, Lanes, PairWeights, Row, Sums, WideLanes, ACTIVE, CELLS, CHANNELS, POOLS, REGIONS,
    SHARES,
};

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl Scalar {
    /// See [`Simd::update`](super::Simd::update).
    pub fn update<const BACK: bool>(self, table: &[Row], changes: &[Change], sums: &mut Sums) {
        for (i, change) in changes.iter().enumerate() {
            let index = change.cell();
            let [off, on] = change.ends::<BACK>();
            let old = &table[off];
            let new = &table[on];
            let cell = &mut sums.cells[index];
            let region = usize::from(sums.regions[index]) % REGIONS;
            let pool = &mut sums.pools[i % SHARES][region];
            for k in 0..CHANNELS {
                let before = cell.0[k];
                // No sum of four rows leaves the range of an i16, whatever stands in between.
                let after = before.wrapping_add(i16::from(new.0[k]) - i16::from(old.0[k]));
                cell.0[k] = after;
                let change = after.clamp(0, ACTIVE) - before.clamp(0, ACTIVE);
                pool.0[k] = pool.0[k].wrapping_add(change);
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
    pub fn means(self, sums: &Sums, area: u32) -> [Lanes; POOLS] {
        sums.means(area)
    }

    /// See [`Simd::dots`](super::Simd::dots).
    pub fn dots(self, cells: &[Lanes; CELLS], wanted: &[u16], weights: &Lanes, out: &mut [i32]) {
        for (&cell, out) in wanted.iter().zip(out) {
            let sums = cells[usize::from(cell) % CELLS].0.iter().zip(&weights.0);
            *out = sums
                .map(|(&sum, &weight)| i32::from(sum.clamp(0, ACTIVE)) * i32::from(weight))
                .sum();
        }
    }
}
