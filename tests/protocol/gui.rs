//! The extension of Yixin-Board: analysis, forbidden points, blocked cells, news of a search.

use std::time::Duration;

use crate::common::{Session, parse_move};

const LONG: Duration = Duration::from_secs(30);
/// The engine has four in a row, open at both ends: 6,7 and 11,7.
const FOUR: &str = "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2";

/// Everything printed up to and including the answer of a search.
fn until_move(session: &mut Session) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let line = session.any_line(LONG).expect("an answer");
        let is_answer = parse_move(&line).is_some();
        lines.push(line);
        if is_answer {
            return lines;
        }
    }
}

#[test]
fn showinfo_names_the_limits_and_silences_complaints() {
    let mut session = Session::spawn();
    let name = session.send("yxshowinfo").any_line(LONG).unwrap();
    assert!(name.starts_with("MESSAGE Tengen "), "{name}");
    session.expect_line("MESSAGE INFO MAX_THREAD_NUM 256");
    session.expect_line("MESSAGE INFO MAX_HASH_SIZE 26");
    session.send("yxfrobnicate").expect_silence();
}

#[test]
fn forbidden_points_are_listed_with_a_dot_at_the_end() {
    let mut session = Session::start(15);
    let double_three = "7,7,1 7,8,2 8,6,1 8,8,2 7,9,1 8,5,2 8,10,1 8,11,2";
    session.send("yxshowforbid").expect_line("FORBID .");
    session.info("rule", 2);
    session.block("yxboard", double_three).expect_silence();
    // In the Yixin family rule 2 is renju.
    session.send("yxshowforbid").expect_line("FORBID 0608.");
    // With White to move no point is forbidden.
    session.block("yxboard", &format!("{double_three} 0,0,2"));
    session.send("yxshowforbid").expect_line("FORBID .");
}

#[test]
fn nbest_tells_every_line_and_ends_with_one_move() {
    let mut session = Session::start(15);
    session.info("show_detail", 2).info("timeout_turn", -1);
    session.block("yxboard", "7,7,1 8,8,2");
    // By nodes: a clock would give a busy machine too little for all the lines.
    session.info("max_node", 200_000);
    for (command, least) in [("yxnbest 3", 3), ("yxnbest", 1), ("yxsearchdefend", 20)] {
        session.send("start 15").expect_ok();
        session.block("yxboard", "7,7,1 8,8,2").send(command);
        let lines = until_move(&mut session);
        let count = |text: &str| lines.iter().filter(|line| *line == text).count();
        for k in 0..least {
            let head = format!("INFO PV {k}");
            assert!(count(&head) > 0, "{command}: {head} is missing");
        }
        let heads = lines
            .iter()
            .filter(|l| l.strip_prefix("INFO PV ").is_some_and(|k| k != "DONE"));
        assert_eq!(heads.count(), count("INFO PV DONE"));
        if command != "yxsearchdefend" {
            assert!(count(&format!("INFO NUMPV {least}")) > 0);
        }
        // The last best line begins with the move.
        let best = lines.iter().rposition(|line| line == "INFO PV 0").unwrap();
        let line = lines[best..]
            .iter()
            .find_map(|l| l.strip_prefix("INFO BESTLINE "))
            .unwrap();
        assert_eq!(line.split(' ').next(), lines.last().map(String::as_str));
        session.expect_silence();
    }
}

#[test]
fn detail_lines_are_complete_and_in_order() {
    let mut session = Session::start(15);
    session.info("timeout_turn", -1).info("max_node", 20_000);
    session.info("show_detail", 3).turn(7, 7);
    let lines = until_move(&mut session);
    assert_eq!(lines[0], "MESSAGE REALTIME REFRESH");
    let keys = [
        "PV",
        "NUMPV",
        "DEPTH",
        "SELDEPTH",
        "NODES",
        "TOTALNODES",
        "TOTALTIME",
        "SPEED",
        "EVAL",
        "WINRATE",
        "BESTLINE",
        "PV",
    ];
    let details: Vec<&str> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("INFO "))
        .collect();
    assert!(!details.is_empty() && details.len().is_multiple_of(keys.len()));
    for group in details.chunks(keys.len()) {
        for (line, key) in group.iter().zip(keys) {
            assert!(
                line.strip_prefix(key).is_some_and(|v| v.starts_with(' ')),
                "{line}"
            );
        }
        assert_eq!(group[keys.len() - 1], "PV DONE");
        let win_rate: f64 = group[9].split_once(' ').unwrap().1.parse().unwrap();
        assert!((0.0..=1.0).contains(&win_rate));
    }
    let best: Vec<&str> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("MESSAGE REALTIME BEST "))
        .collect();
    assert_eq!(best.last().copied(), lines.last().map(String::as_str));
}

#[test]
fn news_of_a_search_have_a_fixed_form_and_are_few() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 1_000).turn(7, 7);
    let lines = until_move(&mut session);
    let (_, news) = lines.split_last().unwrap();
    assert!(
        !news.is_empty() && news.len() <= 20 + 20 + 2,
        "{}",
        news.len()
    );
    for line in news {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[..2], ["MESSAGE", "depth"], "{line}");
        let keys: Vec<&str> = words[3..].iter().step_by(2).take(5).copied().collect();
        assert_eq!(keys, ["ev", "n", "n/ms", "tm", "pv"], "{line}");
        assert!(!line.ends_with(' ') && line.len() < 1_000);
        assert!(
            words[12].starts_with(|c: char| c.is_ascii_uppercase()),
            "{line}"
        );
    }
    // The last news are about the chosen move.
    let (x, y) = parse_move(&lines[lines.len() - 1]).unwrap();
    let label = format!("{}{}", (b'A' + x as u8) as char, 15 - y);
    let last = news.last().unwrap();
    assert!(last.contains(&format!(" pv {label}")), "{last}: {label}");
}

#[test]
fn without_show_detail_only_messages_are_sent() {
    let mut session = Session::start(15);
    session.turn(7, 7);
    let lines = until_move(&mut session);
    let (_, news) = lines.split_last().unwrap();
    assert!(
        news.iter().all(|line| line.starts_with("MESSAGE depth ")),
        "{news:?}"
    );
}

#[test]
fn a_win_is_told_in_plies() {
    let mut session = Session::start(15);
    session.info("show_detail", 2);
    // The engine has a straight four: one move wins.
    session.block("BOARD", FOUR);
    let lines = until_move(&mut session);
    let is_win = lines.iter().any(|line| line == "INFO EVAL +M1");
    assert!(is_win, "{lines:?}");
}

#[test]
fn marks_tell_the_best_line_and_lost_moves() {
    let mut session = Session::start(15);
    session.info("show_detail", 1).info("timeout_turn", -1);
    session.info("max_node", 20_000);
    // The opponent has four in a row, open at both ends.
    let lost = "0,0,1 7,7,2 0,2,1 8,7,2 0,4,1 9,7,2 0,6,1 6,7,2";
    session.block("yxboard", lost).send("yxnbest 3");
    let lines = until_move(&mut session);
    let (answer, news) = lines.split_last().unwrap();
    let marks = |key: &str| -> Vec<&str> {
        let head = format!("MESSAGE REALTIME {key} ");
        news.iter()
            .filter_map(|line| line.strip_prefix(&head))
            .collect()
    };
    assert_eq!(marks("BEST").last(), Some(&answer.as_str()));
    assert!(
        marks("VAL")
            .iter()
            .all(|value| value.parse::<i32>().unwrap() < -20_000)
    );
    assert_eq!(marks("VAL").len(), marks("BEST").len());
    assert_eq!(marks("PV").len(), marks("BEST").len());
    assert!(
        marks("LOST").len() >= 3 && marks("LOST").contains(&answer.as_str()),
        "{news:?}"
    );
    assert!(marks("LOST").iter().all(|cell| parse_move(cell).is_some()));
}

#[test]
fn blocked_cells_are_not_played() {
    let mut session = Session::start(15);
    session.block("yxblock", "6,7");
    session.block("BOARD", FOUR).expect_one_of("11,7");
    session.block_in_one_line("yxblock", "11,7");
    let (x, y) = session.block("BOARD", FOUR).expect_move();
    assert!((x, y) != (6, 7) && (x, y) != (11, 7));
    session.block("yxblockundo", "6,7");
    session.block("BOARD", FOUR).expect_one_of("6,7");
    session
        .send("yxblockreset")
        .block("yxblock", "6,7")
        .send("yxblockreset");
    session.block("yxblock", "6,7");
    // Yixin-Board sends START before every search; only another size forgets the blocks.
    session.send("start 15").expect_ok();
    session.block("BOARD", FOUR).expect_one_of("11,7");
    session.send("start 16").expect_ok();
    session.send("start 15").expect_ok();
    session.block("yxblock", "11,7");
    session.block("BOARD", FOUR).expect_one_of("6,7");
}

#[test]
fn with_every_cell_blocked_a_move_still_comes() {
    let mut session = Session::start(5);
    let all: Vec<String> = (0..25).map(|i| format!("{},{}", i % 5, i / 5)).collect();
    session.block("yxblock", &all.join(" "));
    session.turn(2, 2).expect_move();
}

#[test]
fn stop_answers_once_and_is_silent_when_idle() {
    let mut session = Session::start(15);
    session.send("YXSTOP").send("STOP").expect_silence();
    session
        .info("timeout_turn", -1)
        .block("yxboard", "7,7,1 8,8,2");
    session.send("yxnbest 2").expect_thinking();
    session.send("yxstop").send("yxstop").expect_move();
    session.expect_silence();
}

#[test]
fn questions_during_a_search_are_answered_and_do_not_disturb_it() {
    let mut session = Session::start(15);
    session
        .info("timeout_turn", -1)
        .turn(7, 7)
        .expect_thinking();
    assert!(session.send("ABOUT").answer().starts_with("name="));
    session.send("FROBNICATE").expect_unknown();
    session
        .info("rule", 4)
        .info("time_left", 100_000_000)
        .info("max_memory", 0);
    session.send("7,7").send("DONE").expect_thinking();
    session.send("YXSTOP").expect_move();
    session.expect_silence();
}

#[test]
fn other_commands_during_a_search_come_after_its_move() {
    for (command, answer) in [
        ("START 20", "OK"),
        ("RESTART", "OK"),
        ("TAKEBACK 7,7", "OK"),
        ("YXSHOWFORBID", "FORBID ."),
        // A request without sense waits for its turn too.
        ("TURN 7", "ERROR bad coordinates, expected x,y"),
    ] {
        let mut session = Session::start(15);
        session
            .info("timeout_turn", -1)
            .turn(7, 7)
            .expect_thinking();
        session.send(command).expect_move();
        session.expect_line(answer).expect_silence();
    }
    // A position too; then the search of that position goes on.
    let mut session = Session::start(15);
    session
        .info("timeout_turn", -1)
        .turn(7, 7)
        .expect_thinking();
    session.send("BOARD 0,0,2 DONE").expect_move();
    session.expect_thinking();
    session.send("YXSTOP").expect_move();
    session.expect_silence();
}

#[test]
fn the_hash_table_is_cleared_and_measured() {
    let mut session = Session::start(15);
    session.turn(7, 7).expect_move();
    let usage = session.send("yxshowhashusage").any_line(LONG).unwrap();
    let percent = usage
        .strip_prefix("MESSAGE Transposition table full: ")
        .unwrap();
    let percent: f64 = percent.strip_suffix('%').unwrap().parse().unwrap();
    assert!((0.0..=100.0).contains(&percent));
    session.send("yxhashclear").expect_silence();
    session
        .send("yxshowhashusage")
        .expect_line("MESSAGE Transposition table full: 0.0%");
}

#[test]
fn balanced_moves_are_one_or_two_cells() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 400);
    session
        .block("yxboard", "7,7,1 8,8,2 9,7,1")
        .send("yxbalanceone 0")
        .expect_move();
    session.send("start 15").expect_ok();
    session.block("yxboard", "7,7,1").send("yxbalancetwo -20");
    let line = session.answer();
    let cells: Vec<_> = line.split(' ').map(parse_move).collect();
    assert!(
        cells.len() == 2 && cells.iter().all(Option::is_some),
        "{line}"
    );
    assert!(
        cells[0] != cells[1] && !cells.contains(&Some((7, 7))),
        "{line}"
    );
    session.expect_silence();
}

#[test]
fn a_balanced_move_has_the_value_that_is_wanted() {
    let mut session = Session::start(15);
    session.info("show_detail", 2).info("timeout_turn", -1);
    // Limited by nodes, so that all moves get a value.
    session.info("max_node", 100_000);
    let mut value = |wanted: i32| -> i32 {
        session.block("yxboard", "7,7,1 8,8,2 9,7,1");
        session.send(format!("yxbalanceone {wanted}"));
        let lines = until_move(&mut session);
        let (answer, news) = lines.split_last().unwrap();
        let is_answer = |line: &String| {
            let best = line.strip_prefix("INFO BESTLINE ");
            best.is_some_and(|best| best.split(' ').next() == Some(answer))
        };
        let at = news.iter().rposition(is_answer).expect("its line");
        let values = news[..at].iter().rev();
        let value = values.filter_map(|line| line.strip_prefix("INFO EVAL "));
        value.map(|text| text.parse().unwrap()).next().unwrap()
    };
    // White may choose from more stones than this.
    let (low, high) = (value(300), value(900));
    assert!(
        (low - 300).abs() < 150 && (high - 900).abs() < 150,
        "{low}, {high}"
    );
}

/// Gomocalc names its engine's files in this way. Tengen has no such files, but must not take the
/// paths for commands.
#[test]
fn files_of_other_engines_are_understood_and_left_alone() {
    let mut session = Session::start(15);
    for command in ["RELOADCONFIG", "LOADMODEL", "EXPORTMODEL"] {
        session.send(format!("{command} some folder/config.toml"));
        session.send(command.to_lowercase()).expect_silence();
    }
    session.turn(7, 7).expect_move();
}

#[test]
fn the_board_can_be_seen() {
    let mut session = Session::start(15);
    session
        .block("yxboard", "0,14,1 7,7,2 3,3,3")
        .send("traceboard");
    let lines: Vec<String> = (0..17).map(|_| session.any_line(LONG).unwrap()).collect();
    assert!(lines.iter().all(|line| line.starts_with("MESSAGE ")));
    assert!(lines[3].contains('#') && lines[7].contains('O') && lines[14].contains('X'));
    session.expect_silence();
}
