//! `TENGENSOLVE`: wins by force and their proofs.

use std::time::{Duration, Instant};

use serde_json::Value;
use tengen::board::Board;
use tengen_games::records::{ReadOptions, read};

use crate::common::{ALLOWANCE, Session};

const LONG: Duration = Duration::from_secs(60);
/// Longest time until a stop is answered.
const STOP_BOUND: Duration = Duration::from_millis(100);

/// Black, to move, has an open three and another stone beside it.
const WON_BY_THREATS: &str = "7,7,1 0,0,2 8,7,1 2,0,2 7,8,1 4,0,2";

/// White, who is to move, wins by fours in renju, because Black's replies run into forbidden
/// points; in freestyle there is no win (`sp-r15-316-0-61` of `bench_positions/vcf.txt`).
const WON_BY_FORBIDDEN_POINTS: [&str; 2] = [
    "7,5 6,4 5,5 7,6 5,6 7,8 5,3 6,8 4,3 7,7 4,9 5,9 4,2 5,4 3,9 5,8 8,5 3,0 5,11 6,1 2,1 3,10 3,12 \
     3,7 1,12 1,0 3,11 4,12 4,4 0,9 2,10",
    "6,6 8,6 6,5 7,4 4,6 7,9 5,7 6,7 4,7 4,8 6,10 3,6 3,1 5,2 6,9 6,3 4,1 4,10 5,1 1,1 5,10 4,11 2,7 \
     9,8 2,11 3,2 3,13 4,5 1,8 5,12",
];

/// In freestyle a search by threats takes many seconds (`gen-r15-11-1417`).
const HARD: [&str; 2] = [
    "3,0 6,0 7,0 2,2 4,2 10,2 2,3 5,3 6,3 7,3 8,3 1,4 5,4 6,4 7,4 2,5 3,5 5,5 4,6 8,6 4,7 6,7 3,8 6,8 \
     3,9 5,9 7,9 4,10 6,10 3,11 6,12 7,13 9,13",
    "2,0 5,1 6,1 3,2 5,2 7,2 8,2 3,3 4,3 9,3 2,4 3,4 4,4 4,5 7,5 8,5 1,6 5,6 7,6 9,6 3,7 5,7 7,7 0,8 \
     2,8 5,8 4,9 6,9 3,10 5,11 2,12 3,13",
];

/// Sets up black and white stones with White to move.
fn set_up(session: &mut Session, [black, white]: [&str; 2]) {
    let black = black.split_whitespace().map(|cell| format!("{cell},2"));
    let white = white.split_whitespace().map(|cell| format!("{cell},1"));
    let entries: Vec<String> = black.chain(white).collect();
    session.info("black_to_move", 0);
    session.block("YXBOARD", &entries.join(" "));
}

/// The messages on the way, and the answer before `OK`.
fn solution(session: &mut Session) -> (Vec<String>, Value) {
    let mut messages = Vec::new();
    loop {
        let line = session.any_line(LONG).expect("a line of the solution");
        assert!(line.is_ascii(), "{line}");
        match line.strip_prefix("MESSAGE SOLVE ") {
            Some(json) => {
                session.expect_line("OK");
                return (messages, serde_json::from_str(json).expect(json));
            }
            None => messages.push(line),
        }
    }
}

fn solve(session: &mut Session, mode: &str) -> Value {
    session.send(format!("TENGENSOLVE {mode}"));
    solution(session).1
}

#[test]
fn a_win_comes_with_its_line_and_its_proof() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 60_000);
    session.block("YXBOARD", WON_BY_THREATS);
    for mode in ["vct", "AUTO", "vct DONE"] {
        let found = solve(&mut session, mode);
        assert_eq!(
            (&found["verdict"], &found["mode"]),
            (&"win".into(), &"vct".into())
        );
        let line = found["line"].as_array().unwrap();
        let plies = found["plies"].as_u64().unwrap() as usize;
        assert!(line.len() % 2 == 1 && line.len() <= plies, "{found}");
        assert!(found["nodes"].as_u64().unwrap() > 0 && found["ms"].is_u64());
        assert_eq!(found["reason"], "");
        let text = found["sgf"].as_str().unwrap();
        let empty = Board::new(15, 15).unwrap();
        let read = read(text.as_bytes(), &ReadOptions::new("", &empty));
        let games = read.unwrap().games;
        assert!(text.contains("AB[hh][ih][hi]AW[aa][ca][ea]PL[B]"), "{text}");
        assert!(text.contains("C[any other move]"), "{text}");
        assert_eq!(games[0].moves[0].point.unwrap().label(15), line[0]);
    }
    // There is none by fours alone, and the board is the one before.
    let found = solve(&mut session, "vcf");
    assert_eq!(
        (&found["verdict"], &found["mode"]),
        (&"none".into(), &"vcf".into())
    );
    assert_eq!((&found["plies"], &found["sgf"]), (&0.into(), &"".into()));
    session.send("TURN 0,0").expect_error();
    session.send("TURN 14,14").expect_move();
}

#[test]
fn forbidden_points_decide_in_renju() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 60_000);
    for (rule, verdict) in [(4, "win"), (0, "none")] {
        session.info("rule", rule);
        set_up(&mut session, WON_BY_FORBIDDEN_POINTS);
        for mode in ["vcf", "auto"] {
            let found = solve(&mut session, mode);
            assert_eq!(found["verdict"], verdict, "rule {rule}: {found}");
            if verdict == "win" {
                assert_eq!(found["mode"], "vcf");
                assert!(found["sgf"].as_str().unwrap().contains("RU[renju]"));
            }
        }
    }
}

#[test]
fn time_nodes_and_stops_end_a_search() {
    let mut session = Session::start(15);
    set_up(&mut session, HARD);
    session.info("timeout_turn", 1_300).send("TENGENSOLVE vct");
    let (messages, found) = solution(&mut session);
    assert_eq!(
        (&found["verdict"], &found["reason"]),
        (&"unknown".into(), &"time".into())
    );
    assert!(!messages.is_empty());
    for message in messages {
        assert!(message.starts_with("MESSAGE vct n "), "{message}");
    }
    session.info("timeout_turn", -1).info("max_node", 100);
    for mode in ["vct", "auto"] {
        let found = solve(&mut session, mode);
        assert_eq!(
            (&found["verdict"], &found["reason"]),
            (&"unknown".into(), &"nodes".into())
        );
        assert!(found["nodes"].as_u64().unwrap() <= 101, "{found}");
    }
    session.info("max_node", 0);
    let mut quickest = LONG;
    for _ in 0..3 {
        session.send("TENGENSOLVE vct");
        std::thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        session.send("YXSTOP");
        assert_eq!(solution(&mut session).1["reason"], "stopped");
        quickest = quickest.min(start.elapsed());
        assert!(start.elapsed() < STOP_BOUND + ALLOWANCE);
    }
    assert!(quickest < STOP_BOUND, "{quickest:?}");
    // New limits act on a running search, and another command ends it.
    session.send("TENGENSOLVE vct").info("timeout_turn", 0);
    assert_eq!(solution(&mut session).1["reason"], "time");
    session.info("timeout_turn", -1).send("TENGENSOLVE vct");
    session.send("PLAY 14,14");
    assert_eq!(solution(&mut session).1["reason"], "stopped");
    session.expect_move();
    session.send("TENGENSOLVE vct").send("END").expect_exit();
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let mut session = Session::spawn();
    session.send("TENGENSOLVE vct").expect_error();
    session.send("START 15").expect_ok();
    for words in ["", "DONE", "vcx", "vct vcf", "vcf 7,7 DONE"] {
        session.send(format!("TENGENSOLVE {words}")).expect_error();
    }
    assert_eq!(solve(&mut session, "auto")["verdict"], "none");
    session.block(
        "YXBOARD",
        "7,7,1 7,8,1 7,9,1 7,10,1 7,11,1 0,0,2 0,2,2 0,4,2 0,6,2",
    );
    session.send("TENGENSOLVE vct").expect_error();
}

#[test]
#[cfg(target_os = "linux")]
fn a_solver_and_the_table_never_take_memory_at_once() {
    let mut session = Session::start(15);
    let limit = 100 << 20;
    session
        .info("max_memory", limit)
        .info("timeout_turn", 2_000);
    for _ in 0..2 {
        set_up(&mut session, HARD);
        assert_eq!(solve(&mut session, "vct")["reason"], "time");
        session.send("YXNBEST 1").expect_move();
    }
    let peak = session.peak_memory();
    assert!(peak <= limit, "{} of {} MiB", peak >> 20, limit >> 20);
    session.info("max_memory", 1);
    set_up(&mut session, HARD);
    assert_eq!(solve(&mut session, "vct")["reason"], "time");
    session.end();
}
