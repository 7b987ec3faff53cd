use super::*;
use tengen::board::{Board, parse_moves};
use tengen::rules::Rule;

/// Black has an open three and another stone beside it; White's stones lie far away.
fn won_by_threats() -> Board {
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, "h8 a15 i8 c15 h7 e15").unwrap();
    board
}

fn solved(solver: &mut Solver, board: &Board, means: Means) -> (Outcome, Option<Proof>) {
    let mut position = Position::new(board, Rule::Freestyle);
    let limits = SolveLimits::until(&|_| false);
    let outcome = solver.solve(&mut position, means, limits, limits);
    let proof = solver.prove(&mut position, &|_| false, usize::MAX);
    (outcome, proof)
}

#[test]
fn each_means_finds_its_wins_in_little_memory() {
    let board = won_by_threats();
    let mut solver = Solver::within(0);
    let (outcome, proof) = solved(&mut solver, &board, Means::Fours);
    assert_eq!((outcome, proof), (Outcome::None, None));
    for means in [Means::Threats, Means::FoursThenThreats] {
        let (outcome, proof) = solved(&mut solver, &board, means);
        assert_eq!(outcome, Outcome::WinByThreats);
        assert_eq!(proof.unwrap().check(&board, Rule::Freestyle), Ok(()));
        assert!(solver.nodes() > 0);
        solver.forget();
    }
}

#[test]
fn proofs_and_their_trees_have_bounds() {
    let board = won_by_threats();
    let mut solver = Solver::within(1 << 20);
    let (_, proof) = solved(&mut solver, &board, Means::Threats);
    let proof = proof.unwrap();
    let mut position = Position::new(&board, Rule::Freestyle);
    let mut prove = |stop: &dyn Fn(u64) -> bool, steps| solver.prove(&mut position, stop, steps);
    assert!(prove(&|_| false, proof.len()).is_some());
    assert!(prove(&|_| false, 1).is_none());
    assert!(prove(&|_| true, usize::MAX).is_none());
    let written = |bytes| tree(&board, Rule::Freestyle, "a", &proof, bytes);
    let text = written(usize::MAX).unwrap();
    assert_eq!(written(text.len()), Some(text.clone()));
    assert_eq!(written(text.len() - 1), None);
    assert!(is_tree(text.as_bytes()));
}

#[test]
fn nodes_and_stops_end_a_search() {
    let board = won_by_threats();
    let mut position = Position::new(&board, Rule::Freestyle);
    let mut solver = Solver::within(1 << 20);
    for (nodes, is_stopped) in [(1, false), (u64::MAX, true)] {
        let stop = |_| is_stopped;
        let limits = SolveLimits { nodes, stop: &stop };
        let outcome = solver.solve(&mut position, Means::FoursThenThreats, limits, limits);
        assert_eq!(outcome, Outcome::Unknown);
        assert!(solver.nodes() <= 2);
    }
}

#[test]
fn memory_is_used_and_not_exceeded() {
    let bits = VctMemory::bits_within;
    assert_eq!((bits(0), bits(1 << 20), bits(200 << 20)), (8, 10, 20));
    for bytes in [1 << 20, 20 << 20, 200 << 20, 2 << 30] {
        let bits = bits(bytes);
        assert!(VctMemory::bytes(bits) <= bytes && VctMemory::bytes(bits + 1) > bytes);
    }
    assert_eq!(Solver::max_steps(0), 1 << 12);
}
