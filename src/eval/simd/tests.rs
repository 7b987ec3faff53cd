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
                let pool = &mut sums.pools[cell % SHARES][usize::from(sums.regions[cell])];
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
            assert!(back.cells == sums.cells, "{simd:?}");
            for region in 0..REGIONS {
                // A cell that changed more than once comes back by other steps.
                assert_eq!(back.pool(region), sums.pool(region), "{simd:?}");
            }
            updated
        };
        let expected = updated(Simd::Scalar(Scalar));
        for simd in Simd::available() {
            assert!(updated(simd) == expected, "{simd:?}");
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
        let clipped = Lanes(slow.0.map(|sum| (sum >> 11).clamp(0, 2047) as i16));
        for simd in Simd::available() {
            assert_eq!(simd.dense(&inputs, &weights, &bias), slow, "{simd:?}");
            let hidden = simd.hidden(&inputs, &weights, &bias, (11, 2047));
            assert_eq!(hidden, clipped, "{simd:?}");
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

#[test]
fn inputs_are_means_on_boards_of_any_size() {
    for area in [1, 16, 17, 225, 484] {
        // As much as the cells can hold, but for a little that tells the sums apart.
        let share = (u32::from(ACTIVE as u16) * area / 9) as i16;
        let pool = |region: usize, k: usize| (share - (region * k) as i16).max(0);
        let mut sums = Sums {
            cells: bytemuck::zeroed_box(),
            regions: bytemuck::zeroed_box(),
            pools: bytemuck::zeroed_box(),
        };
        for region in 0..POOLS - 1 {
            for k in 0..CHANNELS {
                // The parts leave the range that their sum keeps.
                let parts = [i16::MAX, 9_999, i16::MAX];
                let rest = parts
                    .iter()
                    .fold(pool(region, k), |rest, &p| rest.wrapping_sub(p));
                for (pools, part) in sums
                    .pools
                    .iter_mut()
                    .zip([parts[0], rest, parts[1], parts[2]])
                {
                    pools[region].0[k] = part;
                }
            }
        }
        let factor = (1u64 << 20) / u64::from(area);
        for simd in Simd::available() {
            let inputs = simd.means(&sums, area);
            for k in 0..CHANNELS {
                let regions = (0..POOLS - 1).map(|region| pool(region, k) as u64);
                let whole = regions.clone().sum::<u64>() * factor;
                assert_eq!(inputs[0].0[k] as u64, whole >> 16, "{simd:?} {area}");
                for (region, sum) in regions.enumerate() {
                    let part = (sum * factor) >> 14;
                    assert_eq!(inputs[1 + region].0[k] as u64, part, "{simd:?} {area}");
                }
            }
        }
    }
}
