// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use bytemuck::{cast, cast_ref};

use super::{exchange, means, update};
use crate::eval::network::layout::{
    ACTIVE, CELLS, Lanes, POOLS, PairWeights, Pools, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span, put};

/// Proof that this processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Lanes as this processor's vectors.
type Halves = [__m256i; 2];

impl Avx2 {
    /// The proof, if the processor has AVX2.
    pub fn detect() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }
}

loops!(Avx2, "avx2", [__m256i; 2]: dense, dots);

#[target_feature(enable = "avx2")]
fn dense(inputs: &[Lanes], weights: &[PairWeights], bias: &WideLanes) -> WideLanes {
    let mut out: [__m256i; 4] = cast(*bias);
    for (input, weights) in inputs.iter().zip(weights.chunks_exact(16)) {
        let pairs: &[i32; 16] = cast_ref(input);
        for i in 0..16 {
            let pair = _mm256_set1_epi32(pairs[i]);
            let weights: &[__m256i; 4] = cast_ref(&weights[i]);
            for k in 0..4 {
                out[k] = _mm256_add_epi32(out[k], _mm256_madd_epi16(pair, weights[k]));
            }
        }
    }
    cast(out)
}

#[target_feature(enable = "avx2")]
fn dots(cells: &[Lanes; CELLS], wanted: &[u16], weights: &Lanes, out: &mut [i32]) {
    for (&cell, out) in wanted.iter().zip(out) {
        *out += dot(&cells[usize::from(cell) % CELLS], weights);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn dot(cell: &Lanes, weights: &Lanes) -> i32 {
    let (cell, weights): (&Halves, &Halves) = (cast_ref(cell), cast_ref(weights));
    let products = _mm256_add_epi32(
        _mm256_madd_epi16(active(cell[0]), weights[0]),
        _mm256_madd_epi16(active(cell[1]), weights[1]),
    );
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(products),
        _mm256_extracti128_si256::<1>(products),
    );
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

#[target_feature(enable = "avx2")]
#[inline]
fn active(sums: __m256i) -> __m256i {
    let top = _mm256_set1_epi16(ACTIVE);
    _mm256_max_epi16(_mm256_min_epi16(sums, top), _mm256_setzero_si256())
}
