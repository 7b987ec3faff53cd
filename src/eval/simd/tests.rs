use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::*;

fn lanes(rng: &mut SmallRng, range: std::ops::RangeInclusive<i16>) -> Lanes {
    Lanes(std::array::from_fn(|_| rng.random_range(range.clone())))
}

#[test]
fn all_kinds_of_processors_update_alike() {
    let mut rng = SmallRng::seed_from_u64(5);
    let table: Vec<Row> = (0..1_000)
        .map(|_| Row(std::array::from_fn(|_| rng.random())))
        .collect();
    for round in 0..50 {
        // Every cell is the sum of four rows, as on a board.
        let mut windows = vec![[0u32; 4]; CELLS];
        let mut sums = Sums {
            cells: bytemuck::zeroed_box(),
            regions: Box::new(std::array::from_fn(|i| (i / 56) as u8)),
            pools: bytemuck::zeroed_box(),
        };
        for (cell, windows) in windows.iter_mut().enumerate() {
            *windows = std::array::from_fn(|_| rng.random_range(0..1_000));
            for k in 0..CHANNELS {
                let rows = windows.map(|window| i16::from(table[window as usize].0[k]));
                sums.cells[cell].0[k] = rows.iter().sum();
                let pool = &mut sums.pools[usize::from(sums.regions[cell])];
                pool.0[k] += sums.cells[cell].0[k].clamp(0, ACTIVE);
            }
        }
        let changes: Vec<Change> = (0..round * 7)
            .map(|_| {
                let cell = rng.random_range(0..CELLS);
                let direction = rng.random_range(0..4);
                let new = rng.random_range(0..1_000);
                Change {
                    slot: (4 * cell + direction) as u32,
                    old: std::mem::replace(&mut windows[cell][direction], new),
                    new,
                }
            })
            .collect();
        let updated = |simd: Simd| {
            let mut updated = sums.clone();
            simd.update::<false>(&table, &changes, &mut updated);
            let mut back = updated.clone();
            simd.update::<true>(&table, &changes, &mut back);
            assert_eq!(back, sums, "{simd:?}");
            updated
        };
        let expected = updated(Simd::Scalar(Scalar));
        for simd in Simd::available() {
            assert_eq!(updated(simd), expected, "{simd:?}");
        }
    }
}

#[test]
fn all_kinds_of_processors_multiply_alike() {
    let mut rng = SmallRng::seed_from_u64(6);
    for _ in 0..200 {
        let inputs: Vec<Lanes> = (0..rng.random_range(1..=10))
            .map(|_| lanes(&mut rng, 0..=2032))
            .collect();
        let weights: Vec<PairWeights> = (0..inputs.len() * 16)
            .map(|_| [0; 2].map(|_| lanes(&mut rng, -2_000..=2_000)))
            .collect();
        let bias = WideLanes(std::array::from_fn(|_| rng.random_range(-9_999..=9_999)));
        let slow = WideLanes(std::array::from_fn(|output| {
            let products = inputs.iter().enumerate().flat_map(|(row, input)| {
                let weights = &weights;
                (0..CHANNELS).map(move |i| {
                    let pair = &weights[row * 16 + i / 2];
                    let weight = pair[output / 16].0[output % 16 * 2 + i % 2];
                    i32::from(input.0[i]) * i32::from(weight)
                })
            });
            bias.0[output] + products.sum::<i32>()
        }));
        for simd in Simd::available() {
            assert_eq!(simd.dense(&inputs, &weights, &bias), slow, "{simd:?}");
        }
    }
}

#[test]
fn all_kinds_of_processors_judge_moves_alike() {
    let mut rng = SmallRng::seed_from_u64(7);
    let cells: Box<[Lanes; CELLS]> = Box::new(std::array::from_fn(|_| lanes(&mut rng, -512..=508)));
    for _ in 0..100 {
        let weights = lanes(&mut rng, i16::MIN..=i16::MAX);
        let count = rng.random_range(0..100);
        let wanted: Vec<u16> = (0..count)
            .map(|_| rng.random_range(0..CELLS as u16))
            .collect();
        let mut slow = Vec::new();
        for &cell in &wanted {
            let channels = cells[usize::from(cell)].0.iter().zip(&weights.0);
            slow.push(
                channels
                    .map(|(&sum, &weight)| i32::from(sum.clamp(0, 127)) * i32::from(weight))
                    .sum::<i32>(),
            );
        }
        for simd in Simd::available() {
            let mut out = vec![0; count];
            simd.dots(&cells, &wanted, &weights, &mut out);
            assert_eq!(out, slow, "{simd:?}");
        }
    }
}
