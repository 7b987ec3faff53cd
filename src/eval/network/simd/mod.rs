//! The network's inner loops, written once for each kind of processor and chosen at run time, for
//! WebAssembly by the features of the build. All kinds give the same numbers, bit for bit.
//!
//! [`scalar`] states what each loop does and serves every processor; the others mirror it. Each has
//! a type whose values prove that the processor has the instructions: so its methods are safe (as
//! in the crate memchr).

/// Gives a kind of processor the loops as safe methods. Some are the functions named here, which
/// may need any of the instructions (`features`) proved by a value of the type; the others are the
/// same for all kinds, but compiled with these instructions.
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
macro_rules! loops {
    ($kind:ident, $features:tt, [$vector:ty; $count:literal]: $dense:ident, $dots:ident) => {
        // Functions with features of WebAssembly are safe to call.
        #[cfg_attr(target_arch = "wasm32", allow(unused_unsafe))]
        impl $kind {
            /// See [`Simd::find`](super::Simd::find).
            pub fn find(
                self,
                changes: &mut Changes,
                parts: &[u32; PLACES],
                spans: &[Span; 4],
                code: i32,
            ) {
                #[target_feature(enable = $features)]
                fn find(
                    changes: &mut Changes,
                    parts: &[u32; PLACES],
                    spans: &[Span; 4],
                    code: i32,
                ) {
                    changes.find(parts, spans, code);
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { find(changes, parts, spans, code) }
            }

            /// See [`Simd::update`](super::Simd::update).
            pub fn update(self, table: &[Row], changes: &Changes, sums: &mut Sums, at: usize) {
                #[target_feature(enable = $features)]
                fn compute(table: &[Row], changes: &Changes, sums: &mut Sums, at: usize) {
                    update(table, changes, sums, at);
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { compute(table, changes, sums, at) }
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
                #[target_feature(enable = $features)]
                fn exchange_all(
                    sums: &mut [Sums],
                    at: usize,
                    parts: &mut [u32; PLACES],
                    spans: &[Span; 4],
                    code: i32,
                ) {
                    put(parts, spans, code);
                    for sums in sums {
                        exchange::<$vector, $count>(sums, at);
                    }
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { exchange_all(sums, at, parts, spans, code) }
            }

            /// See [`Simd::dense`](super::Simd::dense).
            pub fn dense(
                self,
                inputs: &[Lanes],
                weights: &[PairWeights],
                bias: &WideLanes,
            ) -> WideLanes {
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { $dense(inputs, weights, bias) }
            }

            /// See [`Simd::hidden`](super::Simd::hidden).
            pub fn hidden(
                self,
                inputs: &[Lanes],
                weights: &[PairWeights],
                bias: &WideLanes,
                form: (u32, i16),
            ) -> Lanes {
                #[target_feature(enable = $features)]
                fn hidden(
                    inputs: &[Lanes],
                    weights: &[PairWeights],
                    bias: &WideLanes,
                    (shift, top): (u32, i16),
                ) -> Lanes {
                    $dense(inputs, weights, bias).activate(shift, top)
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { hidden(inputs, weights, bias, form) }
            }

            /// See [`Simd::means`](super::Simd::means).
            pub fn means(self, pools: &Pools, area: u32, inputs: &mut [Lanes; POOLS]) {
                #[target_feature(enable = $features)]
                fn fill(pools: &Pools, area: u32, inputs: &mut [Lanes; POOLS]) {
                    means(pools, area, inputs);
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { fill(pools, area, inputs) }
            }

            /// See [`Simd::dots`](super::Simd::dots).
            pub fn dots(
                self,
                cells: &[Lanes; CELLS],
                wanted: &[u16],
                weights: &Lanes,
                out: &mut [i32],
            ) {
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { $dots(cells, wanted, weights, out) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;
#[cfg(target_feature = "simd128")]
mod simd128;

#[cfg(test)]
mod tests;

use bytemuck::{Pod, cast_mut};

use crate::eval::network::layout::{
    ACTIVE, BLOCK, CELLS, Lanes, POOLS, PairWeights, Pools, REGIONS, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span};
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::{Avx512, Avx512Vnni};
use scalar::Scalar;
#[cfg(target_feature = "simd128")]
use simd128::Simd128;

/// Computes the sums with a stone that makes these `changes` into step number `at` of `sums`.
///
/// Inlined, to be compiled for each kind of processor.
#[inline(always)]
fn update(table: &[Row], changes: &Changes, sums: &mut Sums, at: usize) {
    let step = &mut sums.steps[at];
    step.pools = sums.pools;
    step.cells = changes.cells;
    step.len = changes.len + 1;
    // No region is above the last; `min` replaces a bounds check.
    let region = |cell: usize| usize::from(sums.regions[cell]).min(REGIONS - 1);
    for ([cell, old, new], after) in changes.others().zip(&mut step.sums) {
        let change = difference([[&table[old], &table[new]]]);
        add(
            &change,
            &sums.cells[cell],
            after,
            &mut step.pools[region(cell)],
        );
    }
    let change = difference(
        changes
            .own()
            .map(|windows| windows.map(|number| &table[number])),
    );
    let (cell, after) = (changes.own_cell(), &mut step.sums[changes.len]);
    add(
        &change,
        &sums.cells[cell],
        after,
        &mut step.pools[region(cell)],
    );
}

/// The addends to a cell's sum of windows with new rows in place of old ones.
#[inline(always)]
fn difference<const N: usize>(windows: [[&Row; 2]; N]) -> [i16; BLOCK] {
    let mut change = [0; BLOCK];
    for (k, change) in change.iter_mut().enumerate() {
        for [old, new] in windows {
            *change += i16::from(new.0[k]) - i16::from(old.0[k]);
        }
    }
    change
}

/// Computes the sums `after` a `change` of those `before`, and adds the change of the activations
/// to their `pool`.
#[inline(always)]
fn add(change: &[i16; BLOCK], before: &Lanes, after: &mut Lanes, pool: &mut Lanes) {
    for k in 0..BLOCK {
        let before = before.0[k];
        // A sum of four rows fits an i16; on the way to it the sum may wrap.
        after.0[k] = before.wrapping_add(change[k]);
        let change = after.0[k].clamp(0, ACTIVE) - before.clamp(0, ACTIVE);
        pool.0[k] = pool.0[k].wrapping_add(change);
    }
}

/// Exchanges the sums for those of step number `at`, lanes as `N` vectors.
///
/// Inlined for the same reason.
#[inline(always)]
fn exchange<V: Pod, const N: usize>(sums: &mut Sums, at: usize) {
    let step = &mut sums.steps[at];
    let others = step.sums.iter_mut().zip(&step.cells).take(step.len);
    for (other, &cell) in others {
        exchange_lanes::<V, N>(other, &mut sums.cells[cell as usize % CELLS]);
    }
    for (other, pool) in step.pools.iter_mut().zip(&mut sums.pools) {
        exchange_lanes::<V, N>(other, pool);
    }
}

#[inline(always)]
fn exchange_lanes<V: Pod, const N: usize>(a: &mut Lanes, b: &mut Lanes) {
    let (a, b): (&mut [V; N], &mut [V; N]) = (cast_mut(a), cast_mut(b));
    for k in 0..N {
        (a[k], b[k]) = (b[k], a[k]);
    }
}

/// The first layer's inputs on a board of `area` cells: mean activations, of the whole board
/// 16-fold, of each region 64-fold but with the whole board's number of cells.
///
/// Inlined for the same reason.
#[inline(always)]
fn means(pools: &Pools, area: u32, inputs: &mut [Lanes; POOLS]) {
    inputs[0] = Lanes([0; BLOCK]);
    for (region, sum) in pools.iter().enumerate() {
        for k in 0..BLOCK {
            // Up to MAX_CELLS * ACTIVE = 484 * 127: more than an i16 holds, less than a u16.
            inputs[0].0[k] = inputs[0].0[k].wrapping_add(sum.0[k]);
            inputs[1 + region].0[k] = sum.0[k] << 2;
        }
    }
    let factor = (1 << 20) / area;
    let sums = inputs.iter_mut();
    match u16::try_from(factor) {
        // Written to become one multiplication of 16 bits for eight sums or more.
        Ok(factor) => {
            for lanes in sums {
                for sum in &mut lanes.0 {
                    *sum = ((u32::from(*sum as u16) * u32::from(factor)) >> 16) as i16;
                }
            }
        }
        // Fewer than 17 cells.
        Err(_) => {
            for lanes in sums {
                for sum in &mut lanes.0 {
                    *sum = ((u64::from(*sum as u16) * u64::from(factor)) >> 16) as i16;
                }
            }
        }
    }
}

impl WideLanes {
    /// A layer's sums, shifted down by `shift` and clipped to 0 to `top`: the inputs of the next
    /// layer.
    ///
    /// Inlined for the same reason.
    #[inline(always)]
    fn activate(&self, shift: u32, top: i16) -> Lanes {
        let mut lanes = Lanes([0; BLOCK]);
        for (lane, sum) in lanes.0.iter_mut().zip(&self.0) {
            *lane = (sum >> shift).clamp(0, top.into()) as i16;
        }
        lanes
    }
}

/// A kind of processor.
#[derive(Clone, Copy, Debug)]
pub enum Simd {
    /// Any.
    Scalar(Scalar),
    /// x86-64 with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with AVX-512 F and BW.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// x86-64 with AVX-512 F, BW and VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni(Avx512Vnni),
    /// WebAssembly compiled for vectors of 128 bits.
    #[cfg(target_feature = "simd128")]
    Simd128(Simd128),
}

/// Calls a method of whatever kind it is.
macro_rules! dispatch {
    ($simd:expr, $kind:ident => $call:expr) => {
        match $simd {
            Simd::Scalar($kind) => $call,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2($kind) => $call,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512($kind) => $call,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512Vnni($kind) => $call,
            #[cfg(target_feature = "simd128")]
            Simd::Simd128($kind) => $call,
        }
    };
}

impl Simd {
    /// The usual name of its instructions.
    pub fn name(self) -> &'static str {
        match self {
            Simd::Scalar(_) => "plain",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512Vnni(_) => "AVX-512 with VNNI",
            #[cfg(target_feature = "simd128")]
            Simd::Simd128(_) => "SIMD128",
        }
    }

    /// The best kind that fits this processor.
    pub fn detect() -> Simd {
        *Simd::available().last().expect("every processor is one")
    }

    /// All kinds that fit this processor, the plainest first.
    pub fn available() -> Vec<Simd> {
        [
            Some(Simd::Scalar(Scalar)),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Simd::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Simd::Avx512),
            #[cfg(target_arch = "x86_64")]
            Avx512Vnni::detect().map(Simd::Avx512Vnni),
            #[cfg(target_feature = "simd128")]
            Some(Simd::Simd128(Simd128)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Sets `changes` to those of the windows of `spans` when a stone is put on a free cell: code 1
    /// is an own stone, 2 an opponent's. `parts` are those of all windows (see [`super::windows`]).
    #[inline]
    pub fn find(self, changes: &mut Changes, parts: &[u32; PLACES], spans: &[Span; 4], code: i32) {
        dispatch!(self, kind => kind.find(changes, parts, spans, code));
    }

    /// Computes the sums after `changes`, whose windows have rows in `table`, into step number `at`
    /// of `sums`.
    ///
    /// # Panics
    /// When a window has no row, or there is no such step.
    #[inline]
    pub fn update(self, table: &[Row], changes: &Changes, sums: &mut Sums, at: usize) {
        dispatch!(self, kind => kind.update(table, changes, sums, at));
    }

    /// Exchanges the sums of each block for those of step number `at`, whose stone changes the code
    /// of its cell by `code`, and updates the `parts` of the windows of `spans`: see
    /// [`put`](super::windows::put).
    ///
    /// # Panics
    /// When there is no such step.
    #[inline]
    pub fn exchange(
        self,
        sums: &mut [Sums],
        at: usize,
        parts: &mut [u32; PLACES],
        spans: &[Span; 4],
        code: i32,
    ) {
        dispatch!(self, kind => kind.exchange(sums, at, parts, spans, code));
    }

    /// For each output the bias plus the sum over all inputs of input times weight, which must fit
    /// an i32.
    ///
    /// # Panics
    /// When there are not 16 pairs of weights for each of `inputs`.
    #[inline]
    pub fn dense(self, inputs: &[Lanes], weights: &[PairWeights], bias: &WideLanes) -> WideLanes {
        assert_eq!(weights.len(), inputs.len() * BLOCK / 2);
        dispatch!(self, kind => kind.dense(inputs, weights, bias))
    }

    /// [`dense`](Simd::dense), its outputs shifted down by `shift` bits and clipped to 0 to `top`.
    ///
    /// # Panics
    /// As there.
    #[inline]
    pub fn hidden(
        self,
        inputs: &[Lanes],
        weights: &[PairWeights],
        bias: &WideLanes,
        (shift, top): (u32, i16),
    ) -> Lanes {
        assert_eq!(weights.len(), inputs.len() * BLOCK / 2);
        dispatch!(self, kind => kind.hidden(inputs, weights, bias, (shift, top)))
    }

    /// Writes the inputs of the first layer on a board of `area` cells, at least 1: mean
    /// activations, of the whole board 16-fold, of each region 64-fold but with the whole board's
    /// number of cells.
    #[inline]
    pub fn means(self, pools: &Pools, area: u32, inputs: &mut [Lanes; POOLS]) {
        dispatch!(self, kind => kind.means(pools, area, inputs));
    }

    /// Adds to `out`, for each of the `wanted` cells, the sum over the channels of activation times
    /// weight, which must fit an i32.
    #[inline]
    pub fn dots(self, cells: &[Lanes; CELLS], wanted: &[u16], weights: &Lanes, out: &mut [i32]) {
        dispatch!(self, kind => kind.dots(cells, wanted, weights, out));
    }
}
