//! `TENGENREVIEW`: judgements of the moves of a game.

use std::time::Duration;

use serde_json::Value;

use crate::common::Session;

const LONG: Duration = Duration::from_secs(60);

/// The JSON of each line of a review, up to its `OK`.
fn results(session: &mut Session) -> Vec<Value> {
    let mut results = Vec::new();
    loop {
        let line = session.any_line(LONG).expect("a line of the review");
        if line == "OK" {
            return results;
        }
        assert!(line.len() < 1_000 && line.is_ascii(), "{line}");
        let json = line.strip_prefix("MESSAGE REVIEW ").expect(&line);
        results.push(serde_json::from_str(json).expect(json));
    }
}

fn numbers(moves: &[Value]) -> Vec<i64> {
    moves.iter().map(|m| m["move"].as_i64().unwrap()).collect()
}

#[test]
fn a_game_is_reviewed_from_its_end() {
    let mut session = Session::start(15);
    session.info("max_node", 500).info("timeout_turn", 60_000);
    session.send("TURN 0,0").expect_move();
    session.block("tengenreview", "7,7 0,0 7,6 0,2 7,5 0,4 7,4 14,0 7,3");
    let results = results(&mut session);
    let (summary, moves) = results.split_last().unwrap();
    assert_eq!(numbers(moves), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(moves[0]["point"], "h12");
    assert_eq!(moves[0]["class"], "best");
    assert_eq!(moves[0]["score"], "+M1");
    assert_eq!(moves[1]["side"], "white");
    assert_eq!(moves[8]["class"], "opening");
    assert_eq!(moves[8]["best"], Value::Null);
    assert!(summary["accuracy"]["black"].as_f64().unwrap() > 90.0);
    assert_eq!(summary["reviewed"], 9);
    // The session's board is the one before.
    session.send("TURN 0,0").expect_error();
}

#[test]
fn set_ups_passes_and_openings_are_understood() {
    let mut session = Session::start(15);
    session.info("max_node", 300);
    session.block_in_one_line(
        "TENGENREVIEW WHITE FROM 2",
        "7,7,1 8,7,1 9,9,2 0,0,3 7,6 -1,-1 8,8",
    );
    let results = results(&mut session);
    let (_, moves) = results.split_last().unwrap();
    let sides: Vec<&str> = moves.iter().map(|m| m["side"].as_str().unwrap()).collect();
    assert_eq!(sides, ["white", "black", "white"]);
    assert_eq!(moves[1]["point"], Value::Null);
    assert_eq!(moves[2]["class"], "opening");
}

#[test]
fn what_is_no_game_is_refused() {
    let mut session = Session::spawn();
    session.block("TENGENREVIEW", "7,7").expect_error();
    session.send("START 15").expect_ok();
    for moves in ["7,7 7,7", "15,0", "7,7,1 7,7", ""] {
        session.block("TENGENREVIEW", moves).expect_error();
    }
}

#[test]
fn a_stop_ends_a_review_and_end_the_process() {
    let mut session = Session::start(15);
    session.info("timeout_turn", -1);
    session.block("TENGENREVIEW", "7,7 8,8 9,9");
    assert_eq!(session.any_line(Duration::from_millis(300)), None);
    // New limits hold for the next review.
    session.info("timeout_turn", 100);
    assert_eq!(session.any_line(Duration::from_millis(300)), None);
    session.send("YXSTOP");
    let results = results(&mut session);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["reviewed"], 0);
    session.info("timeout_turn", -1);
    session.block("TENGENREVIEW", "7,7 8,8 9,9").send("END");
    session.expect_exit();
}
