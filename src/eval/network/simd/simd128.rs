// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use std::arch::wasm32::*;

use bytemuck::{cast, cast_ref};

use super::{exchange, means, update};
use crate::eval::network::layout::{
    ACTIVE, CELLS, Lanes, POOLS, PairWeights, Pools, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span, put};

/// WebAssembly with vectors of 128 bits. A host without their instructions refuses the program: to
/// run is the proof.
#[derive(Clone, Copy, Debug)]
pub struct Simd128;

/// Lanes as vectors.
type Quarters = [v128; 4];

loops!(Simd128, "simd128", [v128; 4]: dense, dots);

#[target_feature(enable = "simd128")]
fn dense(inputs: &[Lanes], weights: &[PairWeights], bias: &WideLanes) -> WideLanes {
    let mut out: [v128; 8] = cast(*bias);
    for (input, weights) in inputs.iter().zip(weights.chunks_exact(16)) {
        let pairs: &[i32; 16] = cast_ref(input);
        for i in 0..16 {
            let pair = i32x4_splat(pairs[i]);
            let weights: &[v128; 8] = cast_ref(&weights[i]);
            for k in 0..8 {
                out[k] = i32x4_add(out[k], i32x4_dot_i16x8(pair, weights[k]));
            }
        }
    }
    cast(out)
}

#[target_feature(enable = "simd128")]
fn dots(cells: &[Lanes; CELLS], wanted: &[u16], weights: &Lanes, out: &mut [i32]) {
    for (&cell, out) in wanted.iter().zip(out) {
        *out += dot(&cells[usize::from(cell) % CELLS], weights);
    }
}

#[target_feature(enable = "simd128")]
#[inline]
fn dot(cell: &Lanes, weights: &Lanes) -> i32 {
    let (cell, weights): (&Quarters, &Quarters) = (cast_ref(cell), cast_ref(weights));
    let mut four = i32x4_splat(0);
    for k in 0..4 {
        four = i32x4_add(four, i32x4_dot_i16x8(active(cell[k]), weights[k]));
    }
    let two = i32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
    let one = i32x4_add(two, i32x4_shuffle::<1, 0, 3, 2>(two, two));
    i32x4_extract_lane::<0>(one)
}

#[target_feature(enable = "simd128")]
#[inline]
fn active(sums: v128) -> v128 {
    i16x8_max(i16x8_min(sums, i16x8_splat(ACTIVE)), i16x8_splat(0))
}
