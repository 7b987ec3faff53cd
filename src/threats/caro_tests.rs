//! Caro, where the cells at the ends of a five decide if the five counts.

use super::tests::{cases, four_replies};
use super::*;
use crate::corpus::Claim;
use crate::patterns::Class;
use crate::position::Position;
use crate::random_boards::RandomBoards;
use crate::rules::{Rule, winner, winning_points};
use crate::types::Point;

#[test]
fn a_straight_four_is_what_no_reply_stops() {
    let mut seen = [0, 0];
    for (mut board, rule) in RandomBoards::new(77)
        .take(1500)
        .flat_map(|board| [(board.clone(), Rule::Caro), (board, Rule::CaroExact)])
    {
        let side = board.side_to_move();
        let has_five = |color| !winning_points(&board, rule, color).is_empty();
        if winner(&board, rule).is_some() || has_five(side) || has_five(!side) {
            continue;
        }
        let position = Position::new(&board, rule);
        let free: Vec<Point> = board.empty_points().collect();
        let mut some = false;
        for p in free {
            board.play(p);
            let is_unstoppable = !winning_points(&board, rule, side).is_empty()
                && four_replies(&mut board, rule).is_empty();
            board.undo();
            let class = position.class(side, p);
            assert_eq!(
                class == Class::StraightFour,
                is_unstoppable,
                "{rule} {p:?}\n{board}"
            );
            some |= is_unstoppable;
        }
        assert_eq!(position.has_straight_four(), some);
        seen[usize::from(some)] += 1;
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

#[test]
fn what_the_file_says_is_found() {
    let mut vcf = Vcf::new(16);
    let mut vct = Vct::new(14);
    let mut counts = [0; 3];
    for case in cases("caro.txt") {
        let mut position = Position::new(&case.board, case.rule);
        let result = vcf.solve(&position, u64::MAX);
        match case.claim {
            Claim::VcfWin { fours, .. } => {
                assert!(matches!(result, VcfResult::Win { .. }), "{}", case.id);
                let plies = 2 * fours + 1;
                let shortest = vcf.solve_shortest(&position, u64::MAX);
                assert_eq!(shortest, VcfResult::Win { plies }, "{}", case.id);
                counts[0] += 1;
            }
            Claim::VcfNone => {
                assert_eq!(result, VcfResult::None, "{}", case.id);
                counts[1] += 1;
            }
            Claim::VctWin { .. } => {
                assert_eq!(result, VcfResult::None, "{}", case.id);
                let limits = SolveLimits {
                    nodes: 20_000,
                    stop: &|_| false,
                };
                vct.forget();
                assert_eq!(
                    vct.solve(&mut position, limits),
                    VctResult::Win,
                    "{}",
                    case.id
                );
                let proof = vct.prove(&mut position, SolveLimits::until(&|_| false), usize::MAX);
                let proof = proof.unwrap();
                assert_eq!(proof.check(&case.board, case.rule), Ok(()), "{}", case.id);
                counts[2] += 1;
            }
            Claim::Defend(_) => panic!("{}: not a claim of this file", case.id),
        }
    }
    assert!(counts.iter().all(|&count| count >= 40), "{counts:?}");
}
