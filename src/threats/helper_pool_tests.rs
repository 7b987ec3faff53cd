//! Several threads on one position.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::tests::cases;
use super::*;
use crate::board::Board;
use crate::corpus::TacticCase;
use crate::position::Position;
use crate::random_boards::RandomBoards;
use crate::rules::{Rule, winner};

/// Lets a pool of `threads` help with what `ask` asks of a solver with tables of that size.
fn together<T>(threads: usize, bits: u32, ask: impl FnOnce(&mut Vct) -> T) -> T {
    let pool = Arc::new(HelperPool::new(threads));
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| pool.register().help());
        }
        // Lets the helpers go, also if `ask` panics.
        let _guard = pool.register();
        let mut vct = Vct::sharing(Arc::new(VctMemory::new(bits, threads)));
        vct.use_helpers(Arc::clone(&pool), 0);
        ask(&mut vct)
    })
}

/// The verdict on a board; a win is proven, and its proof checked if that does not take long.
fn verdict(vct: &mut Vct, board: &Board, rule: Rule, nodes: u64) -> VctResult {
    let limits = SolveLimits {
        nodes,
        stop: &|_| false,
    };
    let mut position = Position::new(board, rule);
    let result = vct.solve(&mut position, limits);
    if result == VctResult::Win {
        let unlimited = SolveLimits {
            nodes: u64::MAX,
            ..limits
        };
        let proof = vct
            .prove(&mut position, unlimited, usize::MAX)
            .expect("a proof");
        if proof.len() < 60 {
            assert_eq!(proof.check(board, rule), Ok(()), "{rule}\n{board}");
        }
    }
    assert_eq!(position.board(), board);
    result
}

/// Random boards on which the search of one thread ends without a win.
fn without_win(count: usize) -> Vec<(Board, Rule)> {
    let mut vct = Vct::new(12);
    let boards = RandomBoards::new(5).filter(|b| b.width() <= 10 && b.height() <= 10);
    boards
        .zip(Rule::ALL.into_iter().cycle())
        .filter(|(board, rule)| {
            winner(board, *rule).is_none()
                && verdict(&mut vct, board, *rule, 300) == VctResult::None
        })
        .take(count)
        .collect()
}

#[test]
fn several_threads_find_what_one_finds() {
    let won = cases("vct.txt").into_iter().step_by(8);
    let won = won.map(|case| (case.board, case.rule, VctResult::Win));
    let none = without_win(20).into_iter();
    let none = none.map(|(board, rule)| (board, rule, VctResult::None));
    together(3, 14, |vct| {
        for (board, rule, expected) in won.chain(none) {
            let found = verdict(vct, &board, rule, u64::MAX);
            assert_eq!(found, expected, "{rule}\n{board}");
        }
    });
}

#[test]
fn a_small_problem_is_solved_many_times_over() {
    let won: Vec<TacticCase> = cases("vct.txt").into_iter().step_by(60).collect();
    let none = without_win(2);
    together(4, 10, |vct| {
        for _ in 0..40 {
            for case in &won {
                vct.forget();
                let found = verdict(vct, &case.board, case.rule, u64::MAX);
                assert_eq!(found, VctResult::Win, "{}", case.id);
            }
            for (board, rule) in &none {
                vct.forget();
                let found = verdict(vct, board, *rule, u64::MAX);
                assert_eq!(found, VctResult::None, "{rule}\n{board}");
            }
        }
    });
}

#[test]
fn threads_in_tables_without_room_claim_nothing_false() {
    let asked: Vec<TacticCase> = cases("vct.txt").into_iter().step_by(15).collect();
    let limits = SolveLimits {
        nodes: 3_000,
        stop: &|_| false,
    };
    together(3, 2, |vct| {
        let mut proven = 0;
        for case in &asked {
            let mut position = Position::new(&case.board, case.rule);
            let result = vct.solve(&mut position, limits);
            assert_ne!(result, VctResult::None, "{}", case.id);
            let won = result == VctResult::Win;
            // Positions lost from the table are searched again, which may take too long.
            let proof = won
                .then(|| vct.prove(&mut position, limits, usize::MAX))
                .flatten();
            if let Some(proof) = proof.filter(|proof| proof.len() < 60) {
                assert_eq!(proof.check(&case.board, case.rule), Ok(()), "{}", case.id);
                proven += 1;
            }
        }
        assert!(proven > 5, "{proven}");
    });
}

#[test]
fn the_limit_holds_for_all_threads_together() {
    let hard = cases("vct.txt");
    let threads = 4;
    together(threads, 12, |vct| {
        let mut reached = 0;
        for case in &hard {
            let mut position = Position::new(&case.board, case.rule);
            vct.forget();
            let limits = SolveLimits {
                nodes: 60,
                stop: &|_| false,
            };
            let result = vct.solve(&mut position, limits);
            // Each thread may have begun one position more.
            assert!(vct.nodes() < 60 + threads as u64, "{}", vct.nodes());
            reached += usize::from(result == VctResult::Unknown);
        }
        assert!(reached > 5, "{reached}");
    });
}

#[test]
fn all_threads_stop_when_the_owner_is_told_to() {
    let hard = cases("vct.txt");
    together(3, 12, |vct| {
        let mut stopped = 0;
        for case in &hard {
            let asked = AtomicUsize::new(0);
            // Not at the first question, so that there is something to stop.
            let stop = |_| asked.fetch_add(1, Ordering::Relaxed) >= 1;
            let limits = SolveLimits {
                nodes: u64::MAX,
                stop: &stop,
            };
            vct.forget();
            let mut position = Position::new(&case.board, case.rule);
            let result = vct.solve(&mut position, limits);
            assert!(asked.into_inner() <= 2, "{}", case.id);
            stopped += usize::from(result == VctResult::Unknown);
        }
        assert!(stopped > 5, "{stopped}");
    });
}

#[test]
fn helpers_serve_several_searches_until_the_last_is_over() {
    let asked = cases("vct.txt");
    let asked: Vec<&TacticCase> = asked.iter().step_by(10).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = 3;
    let pool = Arc::new(HelperPool::new(threads));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let guard = pool.register();
                let mut vct = Vct::sharing(Arc::new(VctMemory::new(10, threads)));
                vct.use_helpers(Arc::clone(&pool), 10);
                while let Some(case) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = verdict(&mut vct, &case.board, case.rule, u64::MAX);
                    assert_eq!(found, VctResult::Win, "{}", case.id);
                    done.fetch_add(1, Ordering::Relaxed);
                }
                guard.help();
                assert_eq!(done.load(Ordering::Relaxed), asked.len());
            });
        }
    });
}

#[test]
fn solvers_that_share_a_memory_go_on_where_others_stopped() {
    let asked = cases("vct.txt");
    let memory = Arc::new(VctMemory::new(14, 2));
    let solver = || Vct::sharing(Arc::clone(&memory));
    let (mut first, mut second) = (solver(), solver());
    let mut gained = 0;
    for case in asked.iter().step_by(10) {
        let solve = |vct: &mut Vct| {
            let limits = SolveLimits {
                nodes: u64::MAX,
                stop: &|_| false,
            };
            let mut position = Position::new(&case.board, case.rule);
            assert_eq!(
                vct.solve(&mut position, limits),
                VctResult::Win,
                "{}",
                case.id
            );
            vct.nodes()
        };
        gained += usize::from(solve(&mut first) > 2 * solve(&mut second));
    }
    assert!(gained > 10, "{gained}");
}
