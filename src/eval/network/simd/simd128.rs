// Loops count where they walk arrays in step: the compiler unrolls these best.
#![allow(clippy::needless_range_loop)]

use std::arch::wasm32::*;

use bytemuck::{cast, cast_mut, cast_ref};

use super::{SHARES, means};
use crate::eval::network::layout::{
    ACTIVE, CELLS, Lanes, POOLS, PairWeights, Pools, REGIONS, Row, Sums, WideLanes,
};
use crate::eval::network::windows::{Changes, PLACES, Span};

/// WebAssembly with vectors of 128 bits. A host without their instructions refuses the program: to
/// run is the proof.
#[derive(Clone, Copy, Debug)]
pub struct Simd128;

/// Lanes as vectors.
type Quarters = [v128; 4];

loops!(Simd128, "simd128": update, dense, dots);

#[target_feature(enable = "simd128")]
fn update<const COMMIT: bool>(table: &[Row], changes: &Changes, sums: &mut Sums) {
    let mut shares = [[[i16x8_splat(0); 4]; SHARES]; REGIONS];
    for (i, [cell, old, new]) in changes.others().enumerate() {
        let change = difference(&table[old], &table[new]);
        let share = &mut shares[sums.region(cell)][i % SHARES];
        add::<COMMIT>(change, &mut sums.cells[cell], share);
    }
    let mut change = [i16x8_splat(0); 4];
    for [old, new] in changes.own() {
        change = sum(change, difference(&table[old], &table[new]));
    }
    let cell = changes.own_cell();
    let share = &mut shares[sums.region(cell)][0];
    add::<COMMIT>(change, &mut sums.cells[cell], share);
    for (region, shares) in shares.into_iter().enumerate() {
        let mut total: Quarters = cast(sums.pools[region]);
        for share in shares {
            total = sum(total, share);
        }
        sums.trial[region] = cast(total);
        if COMMIT {
            sums.pools[region] = cast(total);
        }
    }
}

#[target_feature(enable = "simd128")]
#[inline]
fn sum(a: Quarters, b: Quarters) -> Quarters {
    std::array::from_fn(|k| i16x8_add(a[k], b[k]))
}

#[target_feature(enable = "simd128")]
#[inline]
fn difference(old: &Row, new: &Row) -> Quarters {
    let (old, new) = (wide(old), wide(new));
    std::array::from_fn(|k| i16x8_sub(new[k], old[k]))
}

#[target_feature(enable = "simd128")]
#[inline]
fn add<const COMMIT: bool>(change: Quarters, cell: &mut Lanes, share: &mut Quarters) {
    let cell: &mut Quarters = cast_mut(cell);
    for k in 0..4 {
        let before = cell[k];
        let after = i16x8_add(before, change[k]);
        if COMMIT {
            cell[k] = after;
        }
        let change = i16x8_sub(active(after), active(before));
        share[k] = i16x8_add(share[k], change);
    }
}

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
fn wide(row: &Row) -> Quarters {
    let [low, high]: [v128; 2] = cast(*row);
    [
        i16x8_extend_low_i8x16(low),
        i16x8_extend_high_i8x16(low),
        i16x8_extend_low_i8x16(high),
        i16x8_extend_high_i8x16(high),
    ]
}

#[target_feature(enable = "simd128")]
#[inline]
fn active(sums: v128) -> v128 {
    i16x8_max(i16x8_min(sums, i16x8_splat(ACTIVE)), i16x8_splat(0))
}
