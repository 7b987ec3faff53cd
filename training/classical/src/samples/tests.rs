use super::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use tengen::rules::Rule;

/// Enough games for some with fours whose search ends at its limit.
const RANDOM_GAMES: usize = 300;

/// The samples of a game won by Black, each move but the first searched with value 0.
fn samples(moves: &[(u8, u8)], opening: u8) -> Vec<(usize, Color, bool, usize, f32, f32)> {
    let game = TrainingRecord {
        size: 15,
        rule: Rule::Freestyle,
        opening,
        result: GameResult::Win(Color::Black),
        moves: moves.iter().map(|&(x, y)| Point::new(x, y)).collect(),
        values: (0..moves.len()).map(|i| (i > 0).then_some(0)).collect(),
    };
    let mut seen = Vec::new();
    Sampler::new(0.0).replay(&game, &mut |sample, _| {
        let cells = sample.cells.iter().map(|&(_, count)| usize::from(count));
        if let Some(played) = sample.played {
            assert!((sample.candidates[played] as usize) < PAIRS);
        }
        seen.push((
            cells.sum(),
            sample.side,
            sample.is_quiet,
            sample.candidates.len(),
            sample.result.expect("a game has a result"),
            sample.searched,
        ));
    });
    seen
}

#[test]
fn quiet_positions_after_the_opening_are_seen_from_the_side_to_move() {
    let moves = [(7, 7), (0, 0), (8, 8), (0, 2), (9, 9)];
    let seen = samples(&moves, 2);
    assert_eq!(seen.len(), 3);
    // Three stones are on the board: 222 free cells, White to move, who will lose.
    let (cells, side, is_quiet, candidates, result, searched) = seen[1];
    assert_eq!((cells, side, is_quiet), (222, Color::White, true));
    assert_eq!((result, searched), (0.0, 0.5));
    assert!(candidates > 20);
    assert_eq!(seen[0].4, 1.0);
    // Black's open three leaves White only the defending cells; (1, 1) is none of them.
    let seen = samples(&[(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (1, 1)], 2);
    assert_eq!((seen[3].2, seen[3].3), (true, 0));
    let seen = samples(&[(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (6, 6)], 2);
    assert!((1..12).contains(&seen[3].3));
}

#[test]
fn only_the_values_of_a_branch_are_trained_on() {
    let branch = TrainingRecord {
        size: 15,
        rule: Rule::Freestyle,
        opening: 2,
        result: GameResult::Unknown,
        moves: [(7, 7), (0, 0), (8, 8), (0, 2), (9, 9)]
            .map(|(x, y)| Point::new(x, y))
            .into(),
        values: vec![None, None, None, Some(127), Some(-127)],
    };
    let mut seen = Vec::new();
    Sampler::new(0.75).replay(&branch, &mut |sample, _| {
        let has_candidates = sample.candidates.len() > 1;
        seen.push((
            sample.result,
            sample.played,
            has_candidates,
            sample.searched,
        ));
    });
    assert_eq!(seen, [(None, None, true, 1.0), (None, None, true, 0.0)]);
}

#[test]
fn later_values_and_the_result_flow_back() {
    let game = |values: &[Option<i8>], result| TrainingRecord {
        size: 15,
        rule: Rule::Freestyle,
        opening: 0,
        result,
        moves: (0..values.len() as u8).map(|i| Point::new(i, i)).collect(),
        values: values.to_vec(),
    };
    let close = |found: Vec<f32>, expected: &[f32]| {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    };
    let values = [Some(127), None, Some(0), Some(-127)];
    // Plies of Black, White, Black, White; Black, who would move next, has lost.
    let lost = game(&values, GameResult::Win(Color::White));
    close(td_targets(&lost, 0.0), &[1.0, 0.5, 0.5, 0.0]);
    close(td_targets(&lost, 1.0), &[0.0, 1.0, 0.0, 1.0]);
    // From the end, White: half of 0 and half of 1; Black: half of 1/2 and half of that; White has
    // no search.
    close(td_targets(&lost, 0.5), &[0.75, 0.5, 0.5, 0.5]);
    close(
        td_targets(&game(&values[..3], GameResult::Draw), 0.5),
        &[0.75, 0.5, 0.5],
    );
    close(
        td_targets(&game(&values[..3], GameResult::Win(Color::Black)), 0.5),
        &[0.875, 0.25, 0.75],
    );
}

#[test]
fn decided_positions_are_left_out() {
    // Black makes a straight four of an open three; then White has to block.
    let moves = [
        (7, 7),
        (0, 0),
        (8, 8),
        (0, 2),
        (9, 9),
        (0, 4),
        (10, 10),
        (6, 6),
        (11, 11),
    ];
    let seen = samples(&moves, 5);
    assert_eq!(seen.len(), 1);
}

#[test]
fn a_record_has_the_same_samples_whatever_was_read_before() {
    let mut rng = StdRng::seed_from_u64(7);
    let mut used = Sampler::new(0.0);
    let seen = |sampler: &mut Sampler, game: &TrainingRecord| {
        let mut seen = Vec::new();
        sampler.replay(game, &mut |sample, _| {
            seen.push((sample.ply, sample.is_quiet))
        });
        seen
    };
    // Random stones close together, with many fours.
    for _ in 0..RANDOM_GAMES {
        let mut cells: Vec<Point> = (3..12)
            .flat_map(|x| (3..12).map(move |y| Point::new(x, y)))
            .collect();
        cells.shuffle(&mut rng);
        let game = TrainingRecord {
            size: 15,
            rule: Rule::Freestyle,
            opening: 0,
            result: GameResult::Draw,
            values: vec![Some(0); cells.len()],
            moves: cells,
        };
        let fresh = seen(&mut Sampler::new(0.0), &game);
        for _ in 0..2 {
            assert_eq!(seen(&mut used, &game), fresh);
        }
    }
}
