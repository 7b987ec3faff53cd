use super::*;
use crate::board::Board;
use crate::corpus::{self, Case, Claim, TacticCase};
use crate::patterns::Class;
use crate::position::Position;
use crate::random_boards::RandomBoards;
use crate::rules::{Rule, foul, winner, winning_points, wins_at};
use crate::types::{Color, Point, PointSet};

/// The tactical cases of a file of `bench_positions`.
pub(super) fn cases(file: &str) -> Vec<TacticCase> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("bench_positions");
    let entries = corpus::read(&dir.join(file)).unwrap();
    let cases: Vec<TacticCase> = entries
        .into_iter()
        .filter_map(|entry| match entry.case {
            Case::Tactic(case) => Some(case),
            _ => None,
        })
        .collect();
    assert!(cases.len() > 100);
    cases
}

#[test]
fn fours_win_where_and_as_fast_as_they_can() {
    let mut vcf = Vcf::new(16);
    for case in cases("vcf.txt") {
        let Claim::VcfWin { fours, minimal } = case.claim else {
            panic!("{}: not a win by fours", case.id);
        };
        let position = Position::new(&case.board, case.rule);
        let result = vcf.solve(&position, u64::MAX);
        assert!(matches!(result, VcfResult::Win { .. }), "{}", case.id);
        assert!(is_win_by_fours(&case.board, case.rule, &vcf.line()));
        if !minimal || fours > 5 {
            continue;
        }
        let result = vcf.solve_shortest(&position, u64::MAX);
        let plies = 2 * fours + 1;
        assert_eq!(result, VcfResult::Win { plies }, "{}", case.id);
        assert_eq!(
            vcf.line().len() as u32,
            plies.max(3) - 2 + u32::from(fours == 0),
            "{}",
            case.id
        );
        assert!(is_win_by_fours(&case.board, case.rule, &vcf.line()));
    }
}

/// A position that an interrupted search has refuted within its budget of fours may be won with a
/// larger one.
#[test]
fn an_interrupted_search_for_the_shortest_win_goes_on() {
    for case in cases("vcf.txt") {
        let mut vcf = Vcf::new(16);
        let position = Position::new(&case.board, case.rule);
        let result = (0..40).map(|i| vcf.solve_shortest(&position, 16 << (i / 2)));
        let mut results = result.skip_while(|result| *result == VcfResult::Unknown);
        let expected = Vcf::new(16).solve_shortest(&position, u64::MAX);
        assert_eq!(results.next(), Some(expected), "{}", case.id);
        assert!(is_win_by_fours(&case.board, case.rule, &vcf.line()));
    }
}

#[test]
fn no_win_by_fours_is_claimed_where_there_is_none() {
    let mut vcf = Vcf::new(16);
    for case in cases("vcfnone.txt").iter().chain(&cases("vct.txt")) {
        let position = Position::new(&case.board, case.rule);
        let result = vcf.solve(&position, u64::MAX);
        assert_eq!(result, VcfResult::None, "{}", case.id);
    }
}

#[test]
fn a_search_that_ran_out_of_positions_claims_nothing() {
    let hard = cases("vcfnone.txt").into_iter().step_by(4).filter(|case| {
        let position = Position::new(&case.board, case.rule);
        let mut vcf = Vcf::new(16);
        vcf.solve(&position, 50) == VcfResult::Unknown
            // The table's results are true, so a second search goes on from them.
            && vcf.solve(&position, u64::MAX) == VcfResult::None
    });
    assert!(hard.count() > 50);
}

/// True if `line`, attacker first, is a win by fours: each four leaves the next move as the only
/// reply, and the last leaves none or is a five.
fn is_win_by_fours(board: &Board, rule: Rule, line: &[Point]) -> bool {
    let mut board = board.clone();
    let attacker = board.side_to_move();
    let mut replies = None;
    for &p in line {
        let side = board.side_to_move();
        if rule.restricts(side) && foul(&board, p).is_some() {
            return false;
        }
        if let Some(replies) = replies.take()
            && replies != vec![p]
        {
            return false;
        }
        board.play(p);
        if wins_at(&board, rule, p) {
            return side == attacker;
        }
        if side == attacker {
            if !winning_points(&board, rule, !attacker).is_empty() {
                return false;
            }
            replies = Some(four_replies(&mut board, rule));
        }
    }
    replies == Some(Vec::new())
}

/// All moves after which the opponent of the side to move has no five.
pub(super) fn four_replies(board: &mut Board, rule: Rule) -> Vec<Point> {
    let side = board.side_to_move();
    let cells: Vec<Point> = match rule {
        Rule::Caro | Rule::CaroExact => board.empty_points().collect(),
        // A five cannot be spoiled from its ends.
        _ => winning_points(board, rule, !side),
    };
    cells
        .into_iter()
        .filter(|&r| {
            if rule.restricts(side) && foul(board, r).is_some() {
                return false;
            }
            board.play(r);
            let is_stopped = winning_points(board, rule, !side).is_empty();
            board.undo();
            is_stopped
        })
        .collect()
}

/// True if the side to move wins by fours, by the rules alone. `None` if that takes too long.
fn wins_by_fours(board: &mut Board, rule: Rule, nodes: &mut u32) -> Option<bool> {
    let side = board.side_to_move();
    if !winning_points(board, rule, side).is_empty() {
        return Some(true);
    }
    let free: Vec<Point> = board.empty_points().collect();
    for p in free {
        if rule.restricts(side) && foul(board, p).is_some() {
            continue;
        }
        board.play(p);
        let forcing = !winning_points(board, rule, side).is_empty()
            && winning_points(board, rule, !side).is_empty();
        let mut won = Some(forcing);
        if forcing {
            *nodes = nodes.saturating_sub(1);
            for r in four_replies(board, rule) {
                if *nodes == 0 {
                    won = None;
                    break;
                }
                board.play(r);
                won = wins_by_fours(board, rule, nodes);
                board.undo();
                if won != Some(true) {
                    break;
                }
            }
        }
        board.undo();
        if won != Some(false) {
            return won;
        }
    }
    Some(false)
}

#[test]
fn the_rules_alone_find_the_same_wins_by_fours() {
    let mut boards = RandomBoards::new(21).filter(|b| b.width() <= 12 && b.height() <= 12);
    for rule in Rule::ALL {
        let mut vcf = Vcf::new(12);
        let (mut wins, mut none) = (0, 0);
        for mut board in boards.by_ref().take(150) {
            if winner(&board, rule).is_some() {
                continue;
            }
            let Some(wins_by_fours) = wins_by_fours(&mut board, rule, &mut 60) else {
                continue;
            };
            let position = Position::new(&board, rule);
            let result = vcf.solve(&position, u64::MAX);
            let won = matches!(result, VcfResult::Win { .. });
            assert_eq!(
                won,
                wins_by_fours,
                "{rule} {}\n{board}",
                board.side_to_move()
            );
            let short = vcf.solve_shortest(&position, u64::MAX);
            assert_eq!(matches!(short, VcfResult::Win { .. }), won);
            if won && !matches!(rule, Rule::Caro | Rule::CaroExact) {
                assert!(
                    is_win_by_fours(&board, rule, &vcf.line()),
                    "{rule}\n{board}"
                );
            }
            match won {
                true => wins += 1,
                false => none += 1,
            }
        }
        assert!(wins > 20 && none > 20, "{rule}: {wins} wins, {none} none");
    }
}

/// Solves a position by threats, without a limit in time, and checks the proof.
fn prove(vct: &mut Vct, board: &Board, rule: Rule, nodes: u64) -> (VctResult, Option<Proof>) {
    let limits = SolveLimits {
        nodes,
        stop: &|_| false,
    };
    let mut position = Position::new(board, rule);
    let result = vct.solve(&mut position, limits);
    if result != VctResult::Win {
        return (result, None);
    }
    let proof = vct.prove(&mut position, limits, usize::MAX);
    assert_eq!(position.board(), board);
    (result, proof)
}

#[test]
fn threats_win_and_their_proofs_stand_against_every_reply() {
    let mut vct = Vct::new(14);
    for case in cases("vct.txt").iter().step_by(6) {
        let (result, proof) = prove(&mut vct, &case.board, case.rule, 20_000);
        assert_eq!(result, VctResult::Win, "{}", case.id);
        let proof = proof.unwrap();
        if proof.len() < 60 {
            assert_eq!(proof.check(&case.board, case.rule), Ok(()), "{}", case.id);
        }
        assert_eq!(proof.line().len() % 2, 1);
    }
}

#[test]
fn the_same_position_is_solved_the_same_way_again() {
    let mut vct = Vct::new(12);
    for case in cases("vct.txt").iter().step_by(20) {
        vct.forget();
        let first = prove(&mut vct, &case.board, case.rule, 20_000);
        let nodes = vct.nodes();
        vct.forget();
        assert!(prove(&mut vct, &case.board, case.rule, 20_000) == first);
        assert_eq!(vct.nodes(), nodes);
    }
}

#[test]
fn wins_by_threats_on_random_boards_are_proven_under_every_rule() {
    for rule in Rule::ALL {
        let mut vct = Vct::new(12);
        let mut wins = 0;
        let boards = RandomBoards::new(33).filter(|b| b.width() <= 10 && b.height() <= 10);
        for board in boards.take(120) {
            if winner(&board, rule).is_some() {
                continue;
            }
            if let (VctResult::Win, proof) = prove(&mut vct, &board, rule, 300) {
                let proof = proof.unwrap();
                if proof.len() < 40 {
                    assert_eq!(proof.check(&board, rule), Ok(()), "{rule}\n{board}");
                    wins += 1;
                }
            }
        }
        assert!(wins > 20, "{rule}: {wins}");
    }
}

#[test]
fn fours_are_proven() {
    let mut vcf = Vcf::new(16);
    for case in cases("vcf.txt").iter().step_by(5) {
        let mut position = Position::new(&case.board, case.rule);
        vcf.solve(&position, u64::MAX);
        let line = vcf.line();
        let proof = vcf
            .prove(&mut position, SolveLimits::until(&|_| false), usize::MAX)
            .unwrap();
        assert_eq!(proof.check(&case.board, case.rule), Ok(()), "{}", case.id);
        assert_eq!(proof.line(), line);
    }
}

#[test]
fn a_proof_with_a_gap_is_refused() {
    let cases = cases("vct.txt");
    let case = &cases[0];
    let (_, proof) = prove(&mut Vct::new(12), &case.board, case.rule, 20_000);
    let proof = proof.unwrap();
    assert_eq!(proof.check(&case.board, case.rule), Ok(()));
    let refused = |change: &dyn Fn(&mut Step)| {
        let mut changed = proof.clone();
        let mut root = proof.step(proof.root().unwrap()).clone();
        change(&mut root);
        changed.push(root);
        changed.check(&case.board, case.rule).unwrap_err().fault
    };
    assert_eq!(refused(&|root| root.otherwise = None), Fault::Unanswered);
    assert_eq!(refused(&|root| root.plies = 3), Fault::Late);
    assert_eq!(
        refused(&|root| root.point = case.board.stones()[0].point),
        Fault::Attack
    );
    // Without its own answer a reply meets the answer to all others, and stops it.
    let fault = refused(&|root| root.replies.clear());
    assert!(matches!(
        fault,
        Fault::Attack | Fault::Unanswered | Fault::DefenderWins
    ));
    assert_eq!(
        Proof::default()
            .check(&case.board, case.rule)
            .unwrap_err()
            .fault,
        Fault::Empty
    );
}

#[test]
fn defences_are_exact() {
    let (mut vcf, mut vct) = (Vcf::new(16), Vct::new(12));
    for case in cases("defend.txt") {
        let Claim::Defend(moves) = case.claim else {
            panic!("{}: no defence", case.id);
        };
        let mut position = Position::new(&case.board, case.rule);
        let exactly = Defences::Exactly(moves.into_iter().collect());
        let defences = vcf.defences(&mut position, u64::MAX, u64::MAX);
        assert_eq!(defences, exactly, "{}", case.id);
        // By threats the opponent wins more often.
        let Defences::Exactly(moves) = exactly else {
            panic!("exact moves were put together");
        };
        let limits = SolveLimits {
            nodes: 200,
            stop: &|_| false,
        };
        match vct.defences(&mut position, limits) {
            Defences::Exactly(fewer) | Defences::Among(fewer) => {
                assert!(fewer.difference(&moves).is_empty(), "{}", case.id);
            }
            other => panic!("{}: {other:?}", case.id),
        }
    }
}

/// More fives at hand than one stone makes.
#[test]
fn nothing_defends_against_fives_all_over_the_board() {
    let mut board = Board::new(22, 22).unwrap();
    for i in (1..20).filter(|i| i % 3 != 2) {
        for (x, y) in [(0, i), (i, 0), (i, i)] {
            board.put(Point::new(x, y), Color::Black);
        }
    }
    // The corner is a five, and a stone there counts all those on its three lines.
    board.put(Point::new(2, 0), Color::Black);
    board.set_side_to_move(Color::White);
    let mut position = Position::new(&board, Rule::Freestyle);
    assert!(position.count(Color::Black, Class::Five) >= 16);
    let defences = Vcf::new(14).defences(&mut position, u64::MAX, u64::MAX);
    assert_eq!(defences, Defences::Exactly(PointSet::EMPTY));
}

/// A white stone blocks one end of Black's five, and White's first four would block the other.
#[test]
fn an_own_five_is_a_defence_in_caro() {
    let mut board = Board::new(15, 15).unwrap();
    for (x, y) in [(1, 5), (2, 5), (3, 5), (4, 5), (12, 12)] {
        board.put(Point::new(x, y), Color::Black);
    }
    for (x, y) in [(0, 5), (6, 4), (6, 3), (6, 2)] {
        board.put(Point::new(x, y), Color::White);
    }
    let mut position = Position::new(&board, Rule::Caro);
    let five = Point::new(5, 5);
    assert_eq!(position.class(Color::Black, five), Class::Five);
    match Vcf::new(14).defences(&mut position, u64::MAX, u64::MAX) {
        Defences::Exactly(moves) => assert!(moves.contains(five), "{moves:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_defence_is_overlooked_on_random_boards() {
    let mut vcf = Vcf::new(14);
    for rule in Rule::ALL {
        let mut threatened = 0;
        let boards = RandomBoards::new(77).filter(|b| b.width() <= 15 && b.height() <= 15);
        for board in boards.take(900) {
            let mut position = Position::new(&board, rule);
            let side = board.side_to_move();
            if winner(&board, rule).is_some() {
                continue;
            }
            let Defences::Exactly(moves) = vcf.defences(&mut position, 2_000, u64::MAX) else {
                continue;
            };
            threatened += 1;
            let free = position.free_set();
            let holds = |p: &Point| {
                if position.is_forbidden(side, *p) {
                    return false;
                }
                if position.class(side, *p) == Class::Five {
                    return true;
                }
                position.play(*p);
                let result = vcf.solve(&position, 2_000);
                position.undo();
                assert_ne!(result, VcfResult::Unknown);
                result == VcfResult::None
            };
            let expected: PointSet = free.iter().filter(holds).collect();
            assert_eq!(moves, expected, "{rule} {side}\n{board}");
        }
        assert!(threatened > 100, "{rule}: {threatened}");
    }
}

#[test]
fn what_is_known_of_one_attacker_says_nothing_of_the_other() {
    let limits = SolveLimits {
        nodes: 2_000,
        stop: &|_| false,
    };
    let mut asked = 0;
    for case in cases("vct.txt").iter().step_by(4) {
        let mut vct = Vct::new(14);
        let mut position = Position::new(&case.board, case.rule);
        if vct.solve(&mut position, limits) != VctResult::Win {
            continue;
        }
        let proof = vct.prove(&mut position, limits, usize::MAX).unwrap();
        // After the winning threat it is the defender's turn to be asked whether he wins.
        position.play(proof.line()[0]);
        let fresh = Vct::new(14).solve(&mut position, limits);
        assert_eq!(vct.solve(&mut position, limits), fresh, "{}", case.id);
        asked += 1;
    }
    assert!(asked > 20);
}
