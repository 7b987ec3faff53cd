//! Requests for a move: BEGIN, TURN, BOARD, TAKEBACK, PLAY. Cases 5 to 7, 14 to 16, 20, and the
//! full board of case 25.

use std::time::Duration;

use crate::common::{Session, assert_within};

#[test]
fn c05_begin_makes_the_first_move() {
    let mut session = Session::start(15);
    let (x, y) = session.send("BEGIN").expect_move();
    assert!(x < 15 && y < 15);
    session.expect_silence();
    // On a board with stones, BEGIN starts over.
    session.turn(0, 0).expect_move();
    session.send("BEGIN").expect_move();
    session.expect_silence();
}

#[test]
fn c06_an_empty_board_block_asks_for_the_first_move() {
    let mut session = Session::start(15);
    session.raw(b"BOARD\nDONE\n").expect_move();
    session.send("BOARD DONE").expect_move();
    session.expect_silence();
}

#[test]
fn c07_turn_on_an_empty_board() {
    let mut session = Session::start(15);
    assert_ne!(session.turn(7, 7).expect_move(), (7, 7));
    for text in ["TURN 0, 0", "turn 0 ,1", " Turn  0 , 2 "] {
        session.send(text).expect_move();
    }
}

#[test]
fn requests_before_start_are_errors() {
    let mut session = Session::spawn();
    session.send("BEGIN").expect_error();
    session.turn(7, 7).expect_error();
    session.block("BOARD", "7,7,2").expect_error();
    session.send("TAKEBACK 7,7").expect_error();
    session.send("PLAY 7,7").expect_error();
    session.send("SWAP2BOARD DONE").expect_error();
    session.send("START 15").expect_ok();
}

#[test]
fn c14_board_replaces_the_position_in_mid_game() {
    let mut session = Session::start(15);
    for y in 0..3 {
        session.turn(0, y).expect_move();
    }
    let four = "3,3,1 10,1,2 4,3,1 10,3,2 5,3,1 10,5,2 6,3,1 10,7,2";
    session.block("BOARD", four).expect_one_of("2,3 7,3");
    session.expect_silence();
    // The cells of the previous game are free again.
    session.turn(0, 0).expect_move();
}

#[test]
fn c15_board_takes_any_layout_order_and_count() {
    let mut session = Session::start(15);
    let cases = [
        // In any order.
        "8,8,2 8,9,2 7,7,1 7,8,1",
        // Unbalanced, either way.
        "7,7,2 8,8,2 9,9,2",
        "7,7,1 8,8,1 9,9,1",
        // Dead cells, alone and among stones.
        "7,7,3 8,8,3",
        "7,7,1 8,8,2 9,9,3",
        // A repeated cell, entries off the board, a pass, a field without meaning, no field.
        "7,7,1 7,7,2 8,8,2",
        "7,7,1 15,3,2 -1,-1,2 8,8,2 3,3,7 4,4",
        // Already won.
        "3,3,1 3,4,1 3,5,1 3,6,1 3,7,1 8,1,2 8,3,2 8,5,2 8,7,2 8,9,2",
    ];
    for entries in cases {
        let taken: Vec<&str> = entries.split(' ').collect();
        for layout in [
            entries.replace(' ', "\n") + "\n",
            entries.replace(' ', "\r\n") + "\r\n",
            entries.replace(' ', "\n\n").replace(',', " , ") + "\n",
        ] {
            session.raw(format!("board\n{layout}done\n").as_bytes());
            let (x, y) = session.expect_move();
            let cell = format!("{x},{y},");
            assert!(x < 15 && y < 15 && !taken.iter().any(|t| t.starts_with(&cell)));
        }
        session.block_in_one_line("BOARD", entries).expect_move();
    }
    session.expect_silence();
}

#[test]
fn c16_bad_turns_are_errors_and_change_nothing() {
    let mut session = Session::start(15);
    let (x, y) = session.turn(7, 7).expect_move();
    for bad in [
        "TURN 7,7".to_string(),
        format!("TURN {x},{y}"),
        "TURN 15,0".to_string(),
        "TURN 0,15".to_string(),
        "TURN -1,0".to_string(),
        "TURN 99999999999999999999,1".to_string(),
        "TURN".to_string(),
        "TURN x,y".to_string(),
        "TURN 7".to_string(),
    ] {
        session.send(bad).expect_error();
    }
    session.send("TURN 0,0").expect_move();
    session.expect_silence();
}

#[test]
fn c20_takeback_removes_the_stone_named() {
    let mut session = Session::start(15);
    let first = session.turn(7, 7).expect_move();
    let second = session.turn(0, 0).expect_move();
    // Newest first, as Piskvork does.
    session
        .send(format!("TAKEBACK {},{}", second.0, second.1))
        .expect_line("OK");
    session.send("TAKEBACK 0,0").expect_line("OK");
    session.send("TAKEBACK 0,0").expect_error();
    session.send("TAKEBACK 99,0").expect_error();
    session.expect_silence();
    let again = session.turn(0, 0).expect_move();
    assert!(again != (0, 0) && again != first);
    // Oldest first.
    session.send("TAKEBACK 0,0").expect_ok();
    session
        .send(format!("TAKEBACK {},{}", again.0, again.1))
        .expect_ok();
    let (x, y) = session.turn(14, 14).expect_move();
    assert!((x, y) != first && (x, y) != (7, 7));
}

#[test]
fn play_puts_the_engine_s_own_stone() {
    let mut session = Session::start(15);
    session.send("PLAY 7,7").expect_line("7,7");
    session.send("PLAY 15,7").expect_error();
    session.send("PLAY 7,7").expect_error();
    assert_ne!(session.turn(8, 8).expect_move(), (7, 7));
}

/// A 5x5 board without a five, full except for `free` cells at its end.
fn nearly_full(free: usize) -> String {
    let rows = ["11221", "22112", "11221", "22112", "11221"];
    let entries: Vec<String> = rows
        .iter()
        .enumerate()
        .flat_map(|(y, row)| {
            row.chars()
                .enumerate()
                .map(move |(x, f)| format!("{x},{y},{f}"))
        })
        .collect();
    entries[..25 - free].join(" ")
}

#[test]
fn c25_the_last_cell_is_played_and_a_full_board_is_an_error() {
    for rule in [0, 1, 4, 8, 9] {
        let mut session = Session::start(5);
        session.info("rule", rule);
        session.block("BOARD", &nearly_full(1)).expect_one_of("4,4");
        session.block("BOARD", &nearly_full(0)).expect_error();
        session
            .block("BOARD", &nearly_full(2))
            .expect_one_of("3,4 4,4");
        session.send("RESTART").expect_ok();
        session.turn(2, 2).expect_move();
    }
}

#[test]
fn c25_the_opponent_takes_the_last_cell() {
    let mut session = Session::start(5);
    let (x, y) = session.block("BOARD", &nearly_full(2)).expect_move();
    assert_eq!(y, 4);
    session.turn(7 - x, y).expect_error();
    session.send("RESTART").expect_ok();
}

#[test]
fn c25_black_with_only_forbidden_cells_left_moves_at_once() {
    // A 7x7 board full of White's stones except for six black ones in the middle row with a gap. In
    // the gap Black would make seven in a row.
    let mut entries = Vec::new();
    for y in 0..7 {
        for x in 0..7 {
            match (x, y) {
                (3, 3) => {}
                (_, 3) => entries.insert(0, format!("{x},{y},1")),
                _ => entries.push(format!("{x},{y},2")),
            }
        }
    }
    let mut session = Session::start(7);
    session.info("rule", 4).info("timeout_turn", 5_000);
    let times = [(); 3].map(|()| {
        let (took, cell) = session.block("BOARD", &entries.join(" ")).timed_cell();
        assert_eq!(cell, (3, 3));
        took
    });
    assert_within(&times, Duration::from_millis(500));
    session.block("YXBOARD", &entries.join(" "));
    session.send("YXSHOWFORBID").expect_line("FORBID 0303.");
}
