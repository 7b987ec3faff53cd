use bytemuck::Zeroable;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::eval::network::layout::{ACTIVE, REGIONS};
use crate::eval::network::windows::{parts, place};
use crate::types::MAX_CELLS;

fn lanes(rng: &mut SmallRng, range: std::ops::RangeInclusive<i16>) -> Lanes {
    Lanes(std::array::from_fn(|_| rng.random_range(range.clone())))
}

/// Random windows of a board of 20 columns, with arms that have room for a stone at any distance.
fn random_parts(rng: &mut SmallRng) -> Box<[u32; PLACES]> {
    let mut all = Box::new([0; PLACES]);
    all.fill_with(|| {
        let arms = [(); 2].map(|()| rng.random_range(0..=200));
        parts(arms[0], arms[1], rng.random_range(0..3))
    });
    all
}

/// Lines of random lengths through a random cell of such a board.
fn random_spans(rng: &mut SmallRng) -> [Span; 4] {
    let (x, y) = (rng.random_range(5..15), rng.random_range(5..15));
    std::array::from_fn(|direction| {
        let (before, behind) = (rng.random_range(0..=5), rng.random_range(0..=5));
        let step = [1, 20, 21, -19][direction];
        Span {
            place: place(direction, 7, x - before) as u16,
            cell: (20 * y as i16 + x as i16 - before as i16 * step) as u16,
            step,
            before: before as u8,
            len: (before + 1 + behind) as u8,
        }
    })
}

#[test]
fn all_kinds_of_processors_find_the_same_changes() {
    let mut rng = SmallRng::seed_from_u64(4);
    for _ in 0..200 {
        let before = random_parts(&mut rng);
        let spans = random_spans(&mut rng);
        let found = |simd: Simd, code: i32| {
            let mut changes = Changes::NONE;
            simd.find(&mut changes, &before, &spans, code);
            let mut parts = before.clone();
            simd.exchange(&mut [], 0, &mut parts, &spans, code);
            let now = parts.clone();
            simd.exchange(&mut [], 0, &mut parts, &spans, -code);
            assert!(parts == before, "{simd:?}");
            (changes, now)
        };
        for code in [1, 2] {
            let expected = found(Simd::Scalar(Scalar), code);
            // As many windows as the lines have, each different from before.
            let windows: usize = spans.iter().map(|span| usize::from(span.len)).sum();
            assert_eq!(expected.0.others().count(), windows - 4);
            assert!(expected.0.others().all(|[_, old, new]| old != new));
            let differ = expected.1.iter().zip(before.iter()).filter(|(a, b)| a != b);
            assert_eq!(differ.count(), windows);
            for simd in Simd::available() {
                assert!(found(simd, code) == expected, "{simd:?}");
            }
        }
    }
}

#[test]
fn all_kinds_of_processors_update_alike() {
    let mut rng = SmallRng::seed_from_u64(5);
    let table: Vec<Row> = (0..200_000)
        .map(|_| Row(std::array::from_fn(|_| rng.random())))
        .collect();
    for _ in 0..50 {
        let parts = random_parts(&mut rng);
        let mut changes = Changes::NONE;
        let spans = random_spans(&mut rng);
        Scalar.find(&mut changes, &parts, &spans, 2);
        let cells = Box::new(std::array::from_fn(|_| lanes(&mut rng, -200..=300)));
        let regions = Box::new(std::array::from_fn(|i| (i / 57) as u8));
        // The pools computed from the cells.
        let pools = |cells: &[Lanes; CELLS]| {
            let mut pools: Pools = Zeroable::zeroed();
            for (cell, &region) in cells.iter().zip(regions.iter()) {
                for k in 0..BLOCK {
                    pools[usize::from(region)].0[k] += cell.0[k].clamp(0, ACTIVE);
                }
            }
            pools
        };
        let sums = Sums {
            pools: pools(&cells),
            cells,
            regions: regions.clone(),
            steps: vec![Zeroable::zeroed(); 2],
        };
        let updated = |simd: Simd| {
            let mut updated = [sums.clone()];
            simd.update(&table, &changes, &mut updated[0], 1);
            assert!(updated[0].cells == sums.cells && updated[0].pools == sums.pools);
            let mut parts = parts.clone();
            simd.exchange(&mut updated, 1, &mut parts, &spans, 2);
            let changed = updated.clone();
            assert!(changed[0].pools == pools(&changed[0].cells), "{simd:?}");
            assert!(changed[0].steps[1].pools == sums.pools, "{simd:?}");
            simd.exchange(&mut updated, 1, &mut parts, &spans, -2);
            assert!(updated[0].cells == sums.cells && updated[0].pools == sums.pools);
            changed
        };
        let expected = updated(Simd::Scalar(Scalar));
        // The sums computed from the windows.
        let mut cells = sums.cells.clone();
        let own = changes
            .own()
            .map(|[old, new]| [changes.own_cell(), old, new]);
        for [cell, old, new] in changes.others().chain(own) {
            for k in 0..BLOCK {
                cells[cell].0[k] += i16::from(table[new].0[k]) - i16::from(table[old].0[k]);
            }
        }
        assert!(expected[0].cells == cells);
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
                (0..BLOCK).map(move |i| {
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
    for area in [1, 16, 17, 225, MAX_CELLS as u32] {
        // As much as the cells can hold, minus a little that tells the sums apart.
        let share = (u32::from(ACTIVE as u16) * area / 9) as i16;
        let pool = |region: usize, k: usize| (share - (region * k) as i16).max(0);
        let pools: Pools =
            std::array::from_fn(|region| Lanes(std::array::from_fn(|k| pool(region, k))));
        let factor = (1u64 << 20) / u64::from(area);
        for simd in Simd::available() {
            let mut inputs = [Zeroable::zeroed(); POOLS];
            simd.means(&pools, area, &mut inputs);
            for k in 0..BLOCK {
                let regions = (0..REGIONS).map(|region| pool(region, k) as u64);
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
