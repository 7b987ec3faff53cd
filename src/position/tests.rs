use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::rules;

/// Everything that is kept incrementally equals what a new position computes.
fn assert_fresh(position: &Position) {
    let fresh = Position::new(&position.board, position.rule());
    assert_eq!(position.classes, fresh.classes);
    assert_eq!(position.candidates(), fresh.candidates());
    assert_eq!(position.key(), fresh.key());
    for p in position.board.empty_points() {
        assert_eq!(position.cells[p.index()], fresh.cells[p.index()], "{p}");
    }
}

#[test]
fn play_and_undo_are_exact() {
    let mut rng = SmallRng::seed_from_u64(3);
    for rule in Rule::ALL {
        for (width, height) in [(5, 5), (15, 15), (20, 15), (22, 22), (6, 22)] {
            let mut board = Board::new(width, height).unwrap();
            for _ in 0..2 {
                let p = board.empty_points().choose(&mut rng).unwrap();
                board.block(p);
            }
            let mut position = Position::new(&board, rule);
            let mut depth = 0;
            for _ in 0..150 {
                if depth > 0 && rng.random_bool(0.35) {
                    position.undo();
                    depth -= 1;
                } else if let Some(p) = position.free_set().iter().choose(&mut rng) {
                    position.play(p);
                    depth += 1;
                }
                assert_fresh(&position);
            }
            for _ in 0..depth {
                position.undo();
            }
            assert_eq!(position.board, board);
            assert_fresh(&position);
        }
    }
}

#[test]
fn fives_are_where_the_rules_see_them() {
    let mut rng = SmallRng::seed_from_u64(4);
    for rule in Rule::ALL {
        for _ in 0..200 {
            let mut board = Board::new(10, 9).unwrap();
            for _ in 0..rng.random_range(20..60) {
                let p = board.empty_points().choose(&mut rng).unwrap();
                board.play(p);
            }
            let position = Position::new(&board, rule);
            for p in board.empty_points() {
                for color in Color::BOTH {
                    let mut next = board.clone();
                    next.put(p, color);
                    let five = position.class(color, p) == Class::Five;
                    assert_eq!(five, rules::wins_at(&next, rule, p), "{rule} {p}\n{board}");
                }
            }
        }
    }
}

/// Black's straight four on h8 comes with two open threes, of which one is not real. White's i11
/// takes a four from the cell that kept this three from being real: h8 becomes a double three,
/// though i11 is on none of its lines.
#[test]
fn a_far_stone_may_make_a_straight_four_forbidden() {
    let diagram = "
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . O . . . . . .
        . . . . . . . . . . . . . . .
        . . . O X X X . . O . O . . .
        . . . . . . O X . X . . . . .
        . . . . . O . X O . X . . . .
        . . O . X X X . . . . . . . .
        . . . . . O . . X . . . . . .
        . . . . . . . O . X O . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .";
    let mut board = Board::new(15, 15).unwrap();
    for (y, row) in (0..).zip(diagram.trim_start().lines()) {
        for (x, cell) in (0..).zip(row.split_whitespace()) {
            match cell {
                "X" => board.put(Point::new(x, y), Color::Black),
                "O" => board.put(Point::new(x, y), Color::White),
                _ => {}
            }
        }
    }
    board.set_side_to_move(Color::White);
    let mut position = Position::new(&board, Rule::Renju);
    let (h8, i11) = (Point::new(7, 7), Point::new(8, 4));
    assert_eq!(position.class(Color::Black, h8), Class::StraightFour);
    assert!(!position.is_forbidden(Color::Black, h8));
    let defences = position.straight_four_defences();
    assert!(defences.is_none_or(|cells| cells.contains(i11)));
    position.play(i11);
    assert!(position.is_forbidden(Color::Black, h8));
}
