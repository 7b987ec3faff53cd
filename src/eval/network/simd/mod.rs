//! The network's inner loops, written once for each kind of processor and chosen at run time, for
//! WebAssembly by the features of the build. All kinds give the same numbers, bit for bit.
//!
//! [`scalar`] states what each loop does and serves every processor; the others mirror it. Each has
//! a type whose values prove that the processor has the instructions: so its methods are safe (as
//! in the crate memchr).

/// Gives a kind of processor the loops as safe methods. Some are the functions named here, which
/// may need any of the instructions (`features`) that a value of the type proves; the others are
/// the same for all kinds, but compiled with those instructions.
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
macro_rules! loops {
    ($kind:ident, $features:tt: $update:ident, $dense:ident, $dots:ident) => {
        // Functions with features of WebAssembly are safe to call.
        #[cfg_attr(target_arch = "wasm32", allow(unused_unsafe))]
        impl $kind {
            /// See [`Simd::find`](super::Simd::find).
            pub fn find<const COMMIT: bool>(
                self,
                changes: &mut Changes,
                parts: &mut [u32; PLACES],
                spans: &[Span; 4],
                code: i32,
            ) {
                #[target_feature(enable = $features)]
                fn find<const COMMIT: bool>(
                    changes: &mut Changes,
                    parts: &mut [u32; PLACES],
                    spans: &[Span; 4],
                    code: i32,
                ) {
                    changes.find::<COMMIT>(parts, spans, code);
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { find::<COMMIT>(changes, parts, spans, code) }
            }

            /// See [`Simd::update`](super::Simd::update).
            pub fn update<const COMMIT: bool>(
                self,
                table: &[Row],
                changes: &Changes,
                sums: &mut Sums,
            ) {
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { $update::<COMMIT>(table, changes, sums) }
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

use crate::eval::network::layout::{
    BLOCK, CELLS, Lanes, POOLS, PairWeights, Pools, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span};
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::{Avx512, Avx512Vnni};
use scalar::Scalar;
#[cfg(target_feature = "simd128")]
use simd128::Simd128;

/// Number of partial sums of each region. Consecutive changes mostly concern the same region; in a
/// single sum each addition would wait for the one before.
const SHARES: usize = 2;

/// The first layer's inputs on a board of `area` cells: mean activations, of the whole board
/// 16-fold, of each region 64-fold but with the whole board's number of cells.
///
/// Inlined, so that it is compiled for each kind of processor.
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
        // Written so that it becomes one multiplication of 16 bits for eight sums or more.
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
        Lanes(self.0.map(|sum| (sum >> shift).clamp(0, top.into()) as i16))
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

    /// Sets `changes` to those of the windows of `spans` when the code on a cell changes by `code`:
    /// 1 for an own stone, 2 for an opponent's, negative for a stone that is taken away. Updates
    /// the windows' `parts` (see [`super::windows`]) too if `COMMIT`.
    #[inline]
    pub fn find<const COMMIT: bool>(
        self,
        changes: &mut Changes,
        parts: &mut [u32; PLACES],
        spans: &[Span; 4],
        code: i32,
    ) {
        dispatch!(self, kind => kind.find::<COMMIT>(changes, parts, spans, code));
    }

    /// Sets `sums.trial` to the regions' sums after `changes`, whose windows have rows in `table`;
    /// updates the pools and the cells' sums too if `COMMIT`.
    ///
    /// # Panics
    /// When a window has no row.
    #[inline]
    pub fn update<const COMMIT: bool>(self, table: &[Row], changes: &Changes, sums: &mut Sums) {
        dispatch!(self, kind => kind.update::<COMMIT>(table, changes, sums));
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

    /// Writes the inputs of the first layer on a board of `area` cells, at least 1: mean activations,
    /// of the whole board 16-fold, of each region 64-fold but with the whole board's number of cells.
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
