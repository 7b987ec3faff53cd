//! The search's tables against the rules' reference, on many random boards.

#[path = "../tools/games/src/random_boards.rs"]
#[allow(dead_code)]
mod random_boards;

use random_boards::RandomBoards;
use rayon::prelude::*;
use tengen::position::Position;
use tengen::rules::{Rule, forbidden_points, winning_points};
use tengen::types::{Color, PointSet};

/// Boards of one seed; the seeds are judged in parallel.
const BOARDS_PER_SEED: usize = 1000;

/// Number of seeds: 100,000 boards, or a tenth without optimisation.
const SEEDS: u64 = if cfg!(debug_assertions) { 10 } else { 100 };

#[test]
fn forbidden_points_agree_on_every_empty_point() {
    let fouls: usize = (0..SEEDS)
        .into_par_iter()
        .map(|seed| {
            let boards = RandomBoards::new(seed).take(BOARDS_PER_SEED);
            boards
                .map(|board| {
                    let expected: PointSet = forbidden_points(&board, Rule::Renju, Color::Black)
                        .into_iter()
                        .collect();
                    let position = Position::new(&board, Rule::Renju);
                    let found = position.forbidden_set(Color::Black);
                    assert_eq!(found, expected, "seed {seed}\n{board}");
                    for p in board.empty_points() {
                        let forbidden = position.is_forbidden(Color::Black, p);
                        assert_eq!(forbidden, expected.contains(p), "seed {seed} {p}\n{board}");
                    }
                    expected.len()
                })
                .sum::<usize>()
        })
        .sum();
    assert!(fouls as u64 > SEEDS * 1000, "only {fouls} forbidden points");
}

#[test]
fn fives_agree_under_every_rule() {
    (0..SEEDS / 10).into_par_iter().for_each(|seed| {
        for board in RandomBoards::new(1000 + seed).take(BOARDS_PER_SEED) {
            for rule in Rule::ALL {
                let position = Position::new(&board, rule);
                for color in Color::BOTH {
                    let expected: PointSet =
                        winning_points(&board, rule, color).into_iter().collect();
                    let found = *position.set(color, tengen::patterns::Class::Five);
                    assert_eq!(found, expected, "{rule} {color}\n{board}");
                }
            }
        }
    });
}
