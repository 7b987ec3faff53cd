//! Before and between games: START, ABOUT, RESTART, RECTSTART, INFO. Cases 1 to 4, 8, 13, 19, 21.

use crate::common::Session;

#[test]
fn c01_start_is_answered_by_a_bare_ok() {
    Session::spawn()
        .send("START 15")
        .expect_line("OK")
        .expect_silence();
}

#[test]
fn c02_line_ends_blanks_and_letter_case_do_not_matter() {
    let mut session = Session::spawn();
    for text in [
        "start 20\r\n",
        "START 15\n",
        "START 15\r",
        "\n\r\n  \t\n   Start\t15  \n\n",
        "start 15 15\n",
        "start 15,15\n",
    ] {
        session
            .raw(text.as_bytes())
            .expect_line("OK")
            .expect_silence();
    }
}

#[test]
fn c03_about_comes_before_start() {
    let mut session = Session::spawn();
    for text in ["ABOUT\n", "about\r\n"] {
        let line = session.raw(text.as_bytes()).answer();
        assert!(line.starts_with("name=\"Tengen\", version=\""), "{line}");
        for part in line.split(", ") {
            let (key, value) = part.split_once('=').unwrap();
            assert!(key.bytes().all(|b| b.is_ascii_lowercase()), "{line}");
            assert!(value.starts_with('"') && value.ends_with('"'), "{line}");
        }
        session.expect_silence();
    }
}

#[test]
fn c04_bad_sizes_are_errors_and_a_later_start_works() {
    let mut session = Session::spawn();
    for size in [
        "4",
        "0",
        "-15",
        "23",
        "99999999999999999999",
        "abc",
        "",
        "15 abc",
    ] {
        session.send(format!("START {size}")).expect_error();
    }
    session.send("TURN 7,7").expect_error();
    session.send("START 15").expect_ok();
    // A bad size does not change the game.
    session.info("timeout_turn", 50).turn(7, 7).expect_move();
    session.send("START 4").expect_error();
    session.turn(0, 0).expect_move();
}

/// The answer repeats the number as it was written, even if the number does not fit.
#[test]
fn a_size_that_no_board_has_is_named() {
    let mut session = Session::spawn();
    let digits = "9".repeat(60_000);
    for (line, part) in [
        ("START -5", "unsupported size -5,"),
        ("START 0", "unsupported size 0,"),
        // Piskvork offers its user a board of 20x20 by that number.
        ("START 4", "or 20)"),
        ("START 23", "unsupported size 23,"),
        (
            "START 99999999999999999999",
            "unsupported size 99999999999999999999,",
        ),
        ("START 15,-1", "unsupported size 15x-1,"),
        ("START 30 15", "unsupported size 30x15,"),
        ("RECTSTART -1,5", "unsupported size -1x5,"),
        ("RECTSTART 4 , 23 \u{fc}", "unsupported size 4x23,"),
        (&format!("START {digits}"), "unsupported size 999999"),
        ("START", "expected START n"),
        ("RECTSTART 15", "expected RECTSTART width,height"),
    ] {
        let answer = session.send(line).answer();
        assert!(answer.starts_with("ERROR ") && answer.contains(part));
        assert!(answer.is_ascii() && answer.len() < 100, "{answer}");
    }
    session.send("START 15").expect_ok();
}

#[test]
fn c04_every_size_from_5_to_22_is_played() {
    let mut session = Session::spawn();
    session.info("timeout_turn", 20);
    for size in 5..=22 {
        session.send(format!("START {size}")).expect_ok();
        let (x, y) = session.turn(size - 1, 0).expect_move();
        assert!(x < size && y < size && (x, y) != (size - 1, 0));
    }
}

#[test]
fn c08_info_is_never_answered() {
    let mut session = Session::spawn();
    let values = [
        "",
        "-1",
        "0",
        "1",
        "3",
        "2147483647",
        "99999999999",
        "1.5",
        "x",
        "\u{fc}",
    ];
    let keys = [
        "timeout_turn",
        "timeout_match",
        "time_left",
        "max_memory",
        "game_type",
        "rule",
        "evaluate",
        "folder",
        "max_depth",
        "max_node",
        "start_depth",
        "time_increment",
        "thread_num",
        "thread_split_depth",
        "hash_size",
        "caution_factor",
        "pondering",
        "checkmate",
        "vcthread",
        "nbestsym",
        "usedatabase",
        "database_readonly",
        "show_detail",
        "swapable",
        "strength",
        "max_moves",
        "draw_result",
        "search_type",
        "frobnicate",
    ];
    for when in 0..2 {
        for key in keys {
            for value in values {
                session.info(key, value);
                session.info(&key.to_uppercase(), value);
            }
        }
        for line in [
            "INFO",
            "INFO ",
            "info rule",
            "INFO folder C:\\A b",
            "INFO evaluate 3,3",
        ] {
            session.send(line);
        }
        session.expect_silence();
        if when == 0 {
            session.send("START 15").expect_ok();
        }
    }
    // With sane limits again it plays.
    session
        .info("show_detail", 0)
        .info("time_left", 2_147_483_647u32);
    session
        .info("timeout_turn", 50)
        .info("thread_num", 1)
        .info("hash_size", 1_024);
    session.turn(7, 7).expect_move();
}

/// Five in a row is possible for the engine at 6,7 and 11,7, six at neither. With a seventh stone
/// beyond the gap, a stone on 11,7 makes an overline.
const OVERLINE_OR_FIVE: &str = "7,7,1 0,0,2 8,7,1 0,2,2 9,7,1 0,4,2 10,7,1 0,6,2 12,7,1 0,8,2";

#[test]
fn c13_the_rule_is_obeyed_whenever_it_comes() {
    let mut session = Session::spawn();
    // Before START.
    session.info("rule", 1).info("timeout_turn", 200);
    session.send("START 15").expect_ok();
    session
        .block("BOARD", OVERLINE_OR_FIVE)
        .expect_one_of("6,7");
    // Between games, after START; renju forbids the overline to Black as well.
    session.send("START 15").expect_ok();
    session.info("rule", 4);
    session
        .block("BOARD", OVERLINE_OR_FIVE)
        .expect_one_of("6,7");
    session.info("rule", 0);
    session
        .block("BOARD", OVERLINE_OR_FIVE)
        .expect_one_of("6,7 11,7");
}

#[test]
fn c19_restart_empties_the_board() {
    let mut session = Session::spawn();
    session.send("RESTART").expect_error();
    session.send("START 15").expect_ok();
    session.info("timeout_turn", 50);
    session.turn(7, 7).expect_move();
    session.send("RESTART").expect_line("OK");
    let first = session.turn(7, 7).expect_move();
    assert_ne!(first, (7, 7));
}

#[test]
fn c21_rectangular_boards_are_played() {
    let mut session = Session::spawn();
    session.info("timeout_turn", 50);
    for (command, width, height) in [
        ("RECTSTART 20,15", 20, 15),
        ("rectstart 15 , 20", 15, 20),
        ("RECTSTART 15,15", 15, 15),
        ("RECTSTART 5,22", 5, 22),
    ] {
        session.send(command).expect_line("OK");
        let mut taken = vec![(width - 1, height - 1)];
        session.turn(width - 1, height - 1);
        for _ in 0..8 {
            let (x, y) = session.expect_move();
            assert!(x < width && y < height && !taken.contains(&(x, y)));
            taken.push((x, y));
            let free = (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .find(|cell| !taken.contains(cell))
                .unwrap();
            taken.push(free);
            session.turn(free.0, free.1);
        }
        session.expect_move();
    }
    for bad in [
        "RECTSTART 20,4",
        "RECTSTART 20",
        "RECTSTART a,b",
        "RECTSTART 30,15",
    ] {
        session.send(bad).expect_error();
    }
}
