use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};

use super::*;

/// A board of 15x15 after `moves`, for the tests of all modules.
pub(crate) fn after(moves: &str) -> Board {
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, moves).unwrap();
    board
}

#[test]
fn sizes_outside_5_to_22_are_refused() {
    for (width, height) in [(4, 15), (15, 23), (0, 0), (5, 4)] {
        assert!(Board::new(width, height).is_err());
    }
    assert!(Board::new(5, 22).is_ok());
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn undo_restores_everything() {
    let mut rng = SmallRng::seed_from_u64(1);
    for (width, height) in [(5, 5), (15, 15), (20, 15), (22, 22), (7, 19)] {
        let mut board = Board::new(width, height).unwrap();
        for _ in 0..3 {
            let p = board.empty_points().choose(&mut rng).unwrap();
            board.block(p);
        }
        let mut before = vec![board.clone()];
        while let Some(p) = board.empty_points().choose(&mut rng) {
            if rng.random_bool(0.1) {
                board.set_side_to_move(!board.side_to_move());
            }
            let after = board.hash_after(p);
            before.push(board.clone());
            board.play(p);
            assert_eq!(board.hash(), after);
        }
        assert_eq!(board.empty_count(), 0);
        while before.len() > 1 {
            board.undo();
            assert_eq!(Some(board.clone()), before.pop());
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn windows_and_arms_show_the_line() {
    let mut board = Board::new(20, 15).unwrap();
    let mut rng = SmallRng::seed_from_u64(2);
    for i in 0..80 {
        let p = board.empty_points().choose(&mut rng).unwrap();
        if i < 20 {
            board.block(p);
        } else {
            board.play(p);
        }
    }
    for p in board.points() {
        for direction in Direction::ALL {
            let window = board.lines().window(direction, p);
            for i in 0..=2 * WINDOW_RADIUS {
                let (dx, dy) = direction.delta();
                let steps = i as i32 - WINDOW_RADIUS as i32;
                let expected =
                    board.cell_at(i32::from(p.x()) + dx * steps, i32::from(p.y()) + dy * steps);
                assert_eq!(Cell::from_code(window >> (2 * i)), expected);
            }
            let is_open = |steps: &i32| {
                let q = board.step(p, direction, *steps);
                q.is_some_and(|q| board.cell(q) != Cell::Blocked)
            };
            let back = (1..=WINDOW_RADIUS as i32).take_while(|&steps| is_open(&-steps));
            let ahead = (1..=WINDOW_RADIUS as i32).take_while(is_open);
            let arms = board.lines().around(direction, p).arms();
            assert_eq!(arms, [back.count(), ahead.count()]);
        }
    }
}

#[test]
fn hash_depends_on_stones_not_on_their_order() {
    let mut a = Board::new(15, 15).unwrap();
    let mut b = a.clone();
    parse_moves(&mut a, "h8 i9 h7").unwrap();
    parse_moves(&mut b, "H7i9;h8").unwrap();
    assert_eq!(a.hash(), b.hash());
    let mut c = Board::new(15, 16).unwrap();
    parse_moves(&mut c, "7,7 8,6 7,8").unwrap();
    assert_ne!(a.hash(), c.hash());
}

#[test]
fn bad_moves_are_named() {
    let mut board = Board::new(15, 15).unwrap();
    let error = parse_moves(&mut board, "h8 z9").unwrap_err();
    assert!(error.to_string().contains("z9"));
    let error = parse_moves(&mut board, "h8").unwrap_err();
    assert_eq!(error, ParseMovesError::Taken("h8".to_string()));
}
