// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use bytemuck::{cast, cast_ref};

use super::{exchange, means, update};
use crate::eval::network::layout::{
    ACTIVE, CELLS, Lanes, POOLS, PairWeights, Pools, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span, put};

/// Proof that this processor has AVX-512 F and BW.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

/// Proof that this processor has AVX-512 F, BW and VNNI.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Vnni(());

impl Avx512 {
    /// The proof, if the processor has AVX-512 F and BW.
    pub fn detect() -> Option<Avx512> {
        (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"))
            .then_some(Avx512(()))
    }
}

loops!(Avx512, "avx512f,avx512bw", [__m512i; 1]: dense, dots);

impl Avx512Vnni {
    /// The proof, if the processor has AVX-512 F, BW and VNNI.
    pub fn detect() -> Option<Avx512Vnni> {
        Avx512::detect()?;
        is_x86_feature_detected!("avx512vnni").then_some(Avx512Vnni(()))
    }
}

loops!(Avx512Vnni, "avx512f,avx512bw,avx512vnni", [__m512i; 1]: dense_vnni, dots);

#[target_feature(enable = "avx512f,avx512bw")]
fn dense(inputs: &[Lanes], weights: &[PairWeights], bias: &WideLanes) -> WideLanes {
    let mut out: [__m512i; 2] = cast(*bias);
    for (input, weights) in inputs.iter().zip(weights.chunks_exact(16)) {
        let pairs: &[i32; 16] = cast_ref(input);
        for i in 0..16 {
            let pair = _mm512_set1_epi32(pairs[i]);
            let weights: &[__m512i; 2] = cast_ref(&weights[i]);
            for k in 0..2 {
                out[k] = _mm512_add_epi32(out[k], _mm512_madd_epi16(pair, weights[k]));
            }
        }
    }
    cast(out)
}

/// Chains of sums that run side by side: each step of one waits for the step before.
const CHAINS: usize = 4;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dense_vnni(inputs: &[Lanes], weights: &[PairWeights], bias: &WideLanes) -> WideLanes {
    let mut chains = [[_mm512_setzero_si512(); 2]; CHAINS];
    chains[0] = cast(*bias);
    for (input, weights) in inputs.iter().zip(weights.chunks_exact(16)) {
        let pairs: &[i32; 16] = cast_ref(input);
        for i in 0..16 {
            let pair = _mm512_set1_epi32(pairs[i]);
            let weights: &[__m512i; 2] = cast_ref(&weights[i]);
            let chain = &mut chains[i % CHAINS];
            for k in 0..2 {
                chain[k] = _mm512_dpwssd_epi32(chain[k], pair, weights[k]);
            }
        }
    }
    let [a, b, c, d] = chains;
    let sum = |half: usize| {
        _mm512_add_epi32(
            _mm512_add_epi32(a[half], b[half]),
            _mm512_add_epi32(c[half], d[half]),
        )
    };
    cast([sum(0), sum(1)])
}

#[target_feature(enable = "avx512f,avx512bw")]
fn dots(cells: &[Lanes; CELLS], wanted: &[u16], weights: &Lanes, out: &mut [i32]) {
    for (&cell, out) in wanted.iter().zip(out) {
        *out += dot(&cells[usize::from(cell) % CELLS], weights);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn dot(cell: &Lanes, weights: &Lanes) -> i32 {
    let (cell, weights): (&__m512i, &__m512i) = (cast_ref(cell), cast_ref(weights));
    _mm512_reduce_add_epi32(_mm512_madd_epi16(active(*cell), *weights))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn active(sums: __m512i) -> __m512i {
    let top = _mm512_set1_epi16(ACTIVE);
    _mm512_max_epi16(_mm512_min_epi16(sums, top), _mm512_setzero_si512())
}
