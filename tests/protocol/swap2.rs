//! The swap2 opening, in the words of SWAP2BOARD and of Yixin-Board. Case 22.

use crate::common::{Session, parse_move};

/// The cells of an answer such as `7,7 8,8`, all on 15x15 and different from each other.
fn cells(line: &str) -> Vec<(u32, u32)> {
    let cells: Vec<_> = line
        .split(' ')
        .map(|word| parse_move(word).unwrap_or_else(|| panic!("{line:?}")))
        .collect();
    for (i, cell) in cells.iter().enumerate() {
        assert!(cell.0 < 15 && cell.1 < 15, "{line:?}");
        assert!(!cells[..i].contains(cell), "{line:?}");
    }
    cells
}

#[test]
fn c22_no_stones_are_answered_by_three() {
    let mut session = Session::start(15);
    session.info("rule", 1);
    for limit in [0, 20, 400] {
        session.info("timeout_turn", limit);
        let line = session.block("SWAP2BOARD", "").answer();
        assert_eq!(cells(&line).len(), 3);
        session.expect_silence();
    }
    let line = session.send("swap2board done").answer();
    assert_eq!(cells(&line).len(), 3);
}

#[test]
fn c22_three_and_five_stones_are_answered_by_swap_or_a_move() {
    let mut session = Session::start(15);
    session.info("rule", 1);
    for (stones, most) in [
        ("1,1 2,2 13,2", 2),
        ("7,7 8,8 7,9", 2),
        ("7,7 8,8 7,9 6,8 9,7", 1),
        ("1,1 13,1 1,13 13,13 7,7", 1),
    ] {
        let line = session.block("SWAP2BOARD", stones).answer();
        if line != "SWAP" {
            let answer = cells(&line);
            assert!((1..=most).contains(&answer.len()), "{line:?}");
            let taken = cells(stones);
            assert!(answer.iter().all(|cell| !taken.contains(cell)), "{line:?}");
        }
        session.expect_silence();
    }
}

#[test]
fn c22_a_side_that_wins_is_taken() {
    let mut session = Session::start(15);
    session.info("rule", 1).info("timeout_turn", 500);
    // White to move is far behind: Black has an open three, and White's stones stand in corners.
    session
        .block("SWAP2BOARD", "7,7 0,0 8,7 0,14 9,7")
        .expect_one_of("SWAP");
    // White, with an open three and the move, wins, so White stays.
    let line = session
        .block("SWAP2BOARD", "0,0 7,7 0,14 8,7 14,0")
        .answer();
    assert_eq!(cells(&line).len(), 1);
}

#[test]
fn c22_the_game_goes_on_with_board() {
    let mut session = Session::start(15);
    session.info("rule", 1).info("time_left", 60_000);
    let line = session.send("SWAP2BOARD DONE").answer();
    let stones = cells(&line);
    let field = |i: usize| 1 + i % 2;
    let mut entries: Vec<String> = stones
        .iter()
        .enumerate()
        .map(|(i, (x, y))| format!("{x},{y},{}", field(i)))
        .collect();
    let free = (0..15)
        .map(|y| (14, y))
        .find(|c| !stones.contains(c))
        .unwrap();
    entries.push(format!("{},{},2", free.0, free.1));
    let reply = session.block("BOARD", &entries.join(" ")).expect_move();
    assert!(!stones.contains(&reply) && reply != free);
}

#[test]
fn c22_other_counts_are_errors() {
    let mut session = Session::start(15);
    session.block("SWAP2BOARD", "7,7").expect_error();
    session
        .block("SWAP2BOARD", "7,7 8,8 9,9 1,1")
        .expect_error();
    session.block("SWAP2BOARD", "7,7 7,7 99,99").expect_error();
    session.block("BOARD", "7,7,2").expect_move();
}

#[test]
fn yixin_board_is_told_in_messages() {
    let mut session = Session::start(15);
    session.info("rule", 1);
    session.send("yxswap2step1");
    let mut lines = Vec::new();
    while lines.len() < 3 {
        let line = session
            .any_line(std::time::Duration::from_secs(20))
            .unwrap();
        if let Some(text) = line.strip_prefix("MESSAGE SWAP2 ") {
            lines.push(text.to_string());
        }
    }
    for (i, line) in lines.iter().enumerate() {
        let (head, cell) = line.split_once(' ').unwrap();
        assert_eq!(head, format!("MOVE{}", i + 1));
        assert!(parse_move(&cell.replace(' ', ",")).is_some(), "{line}");
    }
    for (stones, command, head) in [
        ("7,7,1 8,8,2 7,9,1", "yxswap2step2", "SWAP1 "),
        ("7,7,1 8,8,2 7,9,1 6,6,2 1,1,1", "yxswap2step3", "SWAP2 "),
    ] {
        session.send("start 15").expect_ok();
        session.block("yxboard", stones).send(command);
        let answer = loop {
            let line = session
                .any_line(std::time::Duration::from_secs(20))
                .unwrap();
            if let Some(text) = line.strip_prefix("MESSAGE SWAP2 ") {
                break text.to_string();
            }
        };
        match answer.strip_prefix(head) {
            Some(choice) => assert!(["YES", "NO"].contains(&choice), "{answer}"),
            None => {
                assert!(command == "yxswap2step2" && answer.starts_with("MOVE4 "));
                let fifth = session.any_line(std::time::Duration::from_secs(20));
                assert!(fifth.unwrap().starts_with("MESSAGE SWAP2 MOVE5 "));
            }
        }
    }
    session.send("yxswap2step2").expect_error();
}
