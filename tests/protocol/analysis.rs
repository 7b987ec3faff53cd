//! Analysis: hash files, limits that change in a running search, pondering, weaker play, words.

use std::time::Duration;

use crate::common::{Session, assert_within, parse_move};

const LONG: Duration = Duration::from_secs(30);
/// The engine has four in a row, open at both ends: 6,7 and 11,7.
const FOUR: &str = "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2";

/// The text of the next message other than news of a search.
fn message(session: &mut Session) -> String {
    loop {
        let line = session.any_line(LONG).expect("a message");
        let text = line.strip_prefix("MESSAGE ").expect(&line);
        if !text.starts_with("depth ") {
            return text.to_string();
        }
    }
}

/// Everything printed before the answer of a search.
fn until_move(session: &mut Session) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let line = session.any_line(LONG).expect("an answer");
        if parse_move(&line).is_some() {
            return lines;
        }
        lines.push(line);
    }
}

#[test]
fn hash_tables_are_written_and_read() {
    let mut session = Session::start(15);
    session.send("yxhashdump none.tt");
    assert_eq!(
        message(&mut session),
        "Hash table: there is nothing to write yet"
    );
    session.block("yxboard", "7,7,1 8,6,2").send("yxnbest 2");
    session.expect_move();
    for text in ["yxhashdump\nmy table.tt\n", "YXHASHDUMP my table.tt\n"] {
        session.raw(text.as_bytes());
        let text = message(&mut session);
        assert!(text.ends_with(" entries written to my table.tt"), "{text}");
    }
    let path = session.home().join("my table.tt");
    assert_eq!(std::fs::read_dir(session.home()).unwrap().count(), 1);
    // Another process goes on from this table; a table can be read before any search.
    let mut other = Session::start(15);
    other.send(format!("yxhashload\n{}", path.display()));
    let text = message(&mut other);
    assert!(text.contains(" entries read from "), "{text}");
    // A table of another rule or size, damaged or foreign is refused clearly, and nothing else
    // happens.
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(path.with_extension("bad"), bytes).unwrap();
    std::fs::write(path.with_extension("txt"), "not a table at all").unwrap();
    for (size, rule, extension, why) in [
        (15, 4, "tt", "it belongs to freestyle 15x15"),
        (20, 0, "tt", "this game is freestyle 20x20"),
        (15, 0, "bad", "the file is damaged"),
        (15, 0, "txt", "this is no hash table of Tengen"),
        (15, 0, "none", "was not read: "),
    ] {
        other.info("rule", rule);
        other.send(format!("START {size}")).expect_ok();
        let path = path.with_extension(extension);
        other.send(format!("YXHASHLOAD {}", path.display()));
        let text = message(&mut other);
        assert!(text.contains(why), "{text}");
    }
    other.turn(7, 7).expect_move();
}

#[test]
fn a_table_is_written_and_measured_in_the_middle_of_a_search() {
    let mut session = Session::start(15);
    session
        .info("timeout_turn", -1)
        .turn(7, 7)
        .expect_thinking();
    session.send("yxshowhashusage");
    assert!(message(&mut session).starts_with("Transposition table full: "));
    session.send("yxhashdump now.tt");
    let text = message(&mut session);
    assert!(text.ends_with(" entries written to now.tt"), "{text}");
    assert!(!text.contains(" 0 entries"), "{text}");
    session.send("yxhashload now.tt");
    let text = message(&mut session);
    assert!(text.ends_with(" entries read from now.tt"), "{text}");
    session.expect_thinking();
    session.send("YXSTOP").expect_move();
}

#[test]
fn bounds_act_on_the_running_search() {
    for bound in ["max_node 1", "max_depth 2"] {
        let mut session = Session::start(15);
        session
            .info("timeout_turn", -1)
            .turn(7, 7)
            .expect_thinking();
        session.send(format!("INFO {bound}")).expect_move();
        // The limit stays for the next search, and goes when it is taken back.
        session.send("TURN 0,0").expect_move();
        session.info("max_node", 0).info("max_depth", 0);
        session.send("TURN 0,14").expect_thinking();
        session.send("YXSTOP").expect_move();
    }
}

#[test]
fn bounds_that_are_lifted_let_the_search_go_on() {
    let mut session = Session::start(15);
    session
        .info("timeout_turn", -1)
        .info("max_node", 100_000_000)
        .turn(7, 7)
        .expect_thinking();
    session.info("max_node", -1).info("max_depth", -1);
    session.expect_thinking();
    session.send("YXSTOP").expect_move();
}

#[test]
fn depth_is_kept_exactly() {
    let mut session = Session::start(15);
    session.info("timeout_turn", -1).info("max_depth", 4);
    session.info("show_detail", 2);
    session.block("yxboard", "7,7,1 8,6,2").send("yxnbest 1");
    let lines = until_move(&mut session);
    let mut depths = lines.iter().filter_map(|l| l.strip_prefix("INFO DEPTH "));
    assert_eq!(depths.next_back(), Some("4"));
}

#[test]
fn root_moves_are_marked_while_they_are_examined() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 2_000).info("show_detail", 1);
    session.block("BOARD", "7,7,1 8,6,2");
    let mut examined = Vec::new();
    let mut done = 0;
    for line in until_move(&mut session) {
        if let Some(cell) = line.strip_prefix("MESSAGE REALTIME POS ") {
            assert!(parse_move(cell).is_some());
            assert!(!examined.contains(&cell.to_string()), "{line}");
            examined.push(cell.to_string());
        } else if let Some(cell) = line.strip_prefix("MESSAGE REALTIME DONE ") {
            assert_eq!(examined.last().map(String::as_str), Some(cell));
            done += 1;
        } else if line == "MESSAGE REALTIME REFRESH" {
            examined.clear();
        }
    }
    assert!(done > 0);
    // Without a request none of it is printed.
    session.info("show_detail", 0);
    session.block("BOARD", "7,7,1 8,6,2");
    let lines = until_move(&mut session);
    assert!(!lines.iter().any(|line| line.contains("REALTIME")));
}

#[test]
fn labels_follow_the_eyes_of_yixin_board() {
    for (is_yixin, label) in [(false, " pv G8"), (true, " pv H9")] {
        let mut session = Session::start(15);
        if is_yixin {
            session.send("yxshowinfo");
            for _ in 0..3 {
                session.any_line(LONG).unwrap();
            }
        }
        session.info("timeout_turn", 5_000);
        session.block("yxblock", "11,7");
        session.block("BOARD", FOUR);
        let news = until_move(&mut session);
        assert!(news.last().unwrap().ends_with(label), "{news:?}");
    }
}

#[test]
fn pondering_is_silent_and_gives_way() {
    let mut session = Session::start(15);
    session.info("pondering", 1);
    session.turn(7, 7).expect_move();
    // The engine thinks on, without a word.
    let count = |session: &mut Session| -> u64 {
        session.send("yxhashdump t");
        let text = message(session);
        let words: Vec<&str> = text.split(' ').collect();
        words[2].parse().unwrap()
    };
    let before = count(&mut session);
    session.expect_silence();
    assert!(count(&mut session) > before);
    // A stop ends pondering without an answer; commands work as before.
    session.send("YXSTOP").expect_silence();
    let still = count(&mut session);
    session.expect_silence();
    assert_eq!(count(&mut session), still);
    session.send("TURN 0,0").expect_move();
    // Settings against pondering end it too.
    for (key, value, cell) in [("pondering", 0, "0,14"), ("rule", 1, "14,0")] {
        session.info(key, value);
        let before = count(&mut session);
        session.expect_silence();
        assert_eq!(count(&mut session), before, "{key}");
        session.info("pondering", 1);
        session.send(format!("TURN {cell}")).expect_move();
    }
    session.send("ABOUT");
    assert!(session.answer().starts_with("name="));
    session.block("yxboard", "7,7,2").send("yxshowforbid");
    session.expect_line("FORBID .");
    session.send("yxnbest 2").expect_move();
    session.expect_silence();
    session.send("START 20").expect_ok();
    session.send("BEGIN").expect_move();
    session.send("RESTART").expect_ok();
    session.expect_silence();
    session.send("BEGIN").expect_move();
    session.end();
}

#[test]
fn a_weaker_player_does_not_ponder() {
    let mut session = Session::start(15);
    session.info("pondering", 1).info("strength", 99);
    session.turn(7, 7).expect_move();
    let count = |session: &mut Session| {
        session.send("yxhashdump t");
        message(session)
    };
    let before = count(&mut session);
    session.expect_silence();
    assert_eq!(count(&mut session), before);
}

#[test]
fn pondering_goes_on_while_a_gui_looks_at_the_same_position() {
    let mut session = Session::start(15);
    session.info("pondering", 1);
    let (x, y) = session.turn(7, 7).expect_move();
    session.send("start 15").expect_ok();
    session.block("yxboard", &format!("7,7,1 {x},{y},2"));
    session.send("yxshowforbid").expect_line("FORBID .");
    let count = |session: &mut Session| {
        session.send("yxhashdump t");
        message(session)
    };
    let before = count(&mut session);
    session.expect_silence();
    assert_ne!(count(&mut session), before);
    // Another position is no reason to go on.
    session.block("yxboard", "1,1,1 2,2,2");
    session.send("yxshowforbid").expect_line("FORBID .");
    session.expect_silence();
    let before = count(&mut session);
    session.expect_silence();
    assert_eq!(count(&mut session), before);
}

/// `YXNBEST 1` is an analysis too: at full strength, and no turn follows it.
#[test]
fn an_analysis_of_one_line_is_no_turn() {
    let mut session = Session::start(15);
    session.info("pondering", 1).info("strength", 0);
    session.info("timeout_turn", -1).info("max_depth", 9);
    session.block("yxboard", "7,7,1 8,6,2").send("yxnbest 1");
    let lines = until_move(&mut session);
    let last = lines.last().expect("news of a search");
    assert!(last.starts_with("MESSAGE depth 9-"), "{last}");
    let usage = |session: &mut Session| {
        session.send("yxshowhashusage");
        message(session)
    };
    session.info("max_depth", 0).info("strength", 100);
    session
        .info("max_node", 3_000)
        .send("yxnbest 1")
        .expect_move();
    let before = usage(&mut session);
    session.expect_silence();
    assert_eq!(usage(&mut session), before);
}

/// After `START` a table belongs to the new game, although pondering may still be ending.
#[test]
fn hash_files_belong_to_the_game_that_was_begun() {
    let mut session = Session::start(15);
    session.info("pondering", 1);
    for _ in 0..3 {
        session.send("START 15").expect_ok();
        session.turn(7, 7).expect_move();
        session.send("yxhashdump h15.tt");
        message(&mut session);
        session.raw(b"START 20\nyxhashload h15.tt\n");
        session.expect_ok();
        let text = message(&mut session);
        assert!(text.contains("this game is freestyle 20x20"), "{text}");
    }
}

#[test]
fn texts_with_paths_are_short_and_of_ascii() {
    let mut session = Session::start(15);
    session.turn(7, 7).expect_move();
    let path = format!("/nowhere/h\u{e4}sh{}/end.tt", "x".repeat(3_000));
    for command in ["yxhashdump", "yxhashload", "INFO evaluator"] {
        let line = session.send(format!("{command} {path}")).any_line(LONG);
        let line = line.expect("an answer");
        assert!(line.is_ascii() && line.len() < 1_000, "{line}");
        assert!(line.contains("xx/end.tt"), "{line}");
    }
}

#[test]
fn a_ponderer_keeps_its_time() {
    let mut session = Session::start(15);
    session.info("pondering", 1).info("timeout_turn", 200);
    let times = [(7, 7), (0, 0), (0, 14), (14, 0)].map(|(x, y)| session.turn(x, y).timed_move());
    assert_within(&times, Duration::from_millis(200));
    // The engine ponders before all moves but the first.
    assert_within(&times[1..], Duration::from_millis(200));
}

#[test]
fn weak_play_is_legal_varied_and_takes_fives() {
    let mut seen = std::collections::HashSet::new();
    for _ in 0..6 {
        let mut session = Session::start(15);
        session.info("strength", 20).info("rule", 4);
        session.info("timeout_turn", 5_000);
        session.block("BOARD", FOUR).expect_one_of("6,7 11,7");
        // Four of the opponent with one end left.
        session
            .block("BOARD", "6,7,1 7,7,2 0,0,1 8,7,2 0,2,1 9,7,2 0,4,1 10,7,2")
            .expect_one_of("11,7");
        session.info("strength", 0);
        // Black's only forbidden cell is 6,8.
        let double_three = "7,7,1 7,8,2 8,6,1 8,8,2 7,9,1 8,5,2 8,10,1 8,11,2";
        assert_ne!(session.block("BOARD", double_three).expect_move(), (6, 8));
        let quiet = "7,7,1 8,6,2 3,3,1 4,11,2";
        seen.insert(session.block("BOARD", quiet).expect_move());
        session.info("strength", 100);
        session.block("BOARD", FOUR).expect_one_of("6,7 11,7");
    }
    assert!(seen.len() > 1, "{seen:?}");
}

#[test]
fn moves_are_blocked_in_one_position_or_for_one_side() {
    for on_lines in [true, false] {
        let mut session = Session::start(15);
        let send = |session: &mut Session, head: &str, moves: &str| {
            if on_lines {
                session.block(head, moves);
            } else {
                session.block_in_one_line(head, moves);
            }
        };
        let moves = FOUR.replace(",1", "").replace(",2", "");
        send(&mut session, "yxblockpath", &format!("{moves} 6,7"));
        session.block("BOARD", FOUR).expect_one_of("11,7");
        send(&mut session, "yxblockpathundo", &format!("{moves} 6,7"));
        send(&mut session, "yxblockpath", &format!("{moves} 11,7"));
        session.block("BOARD", FOUR).expect_one_of("6,7");
        session.send("yxblockpathreset");
        session.send("yxforbid add 6 7 0");
        session.block("BOARD", FOUR).expect_one_of("11,7");
        session.send("yxforbid del 6 7 0");
        session.send("yxforbid add 11 7 0");
        session.send("yxforbid add 6 7 1");
        session.block("BOARD", FOUR).expect_one_of("6,7");
        session.send("yxforbid perhaps").expect_error();
        // The side is missing.
        session.send("yxforbid add 1 0").expect_error();
        session.expect_silence();
    }
}

#[test]
fn words_of_a_player_are_answered() {
    let mut session = Session::start(15);
    session.send("yxdraw").expect_line("MESSAGE DRAW REJECT");
    session.info("timeout_turn", 5_000);
    // A losing engine takes a draw; a winning one does not.
    let lost = "0,0,1 7,7,2 0,2,1 8,7,2 0,4,1 9,7,2 0,6,1 10,7,2";
    session.block("BOARD", lost).expect_move();
    session.send("yxdraw").expect_line("MESSAGE DRAW ACCEPT");
    // The strength does not matter; a new game begins level.
    session.block("BOARD", FOUR).expect_move();
    session.send("YXDRAW").expect_line("MESSAGE DRAW REJECT");
    session
        .info("strength", 90)
        .block("BOARD", lost)
        .expect_move();
    session.send("YXDRAW").expect_line("MESSAGE DRAW ACCEPT");
    session.send("START 20").expect_ok();
    session.send("YXDRAW").expect_line("MESSAGE DRAW REJECT");
    session.send("START 15").expect_ok();
    session.block("yxboard", "7,7,1");
    session.send("YXDRAW").expect_line("MESSAGE DRAW REJECT");
    // A GUI sends the whole game again.
    session.send("START 15").expect_ok();
    session.block("yxboard", lost);
    session.send("YXDRAW").expect_line("MESSAGE DRAW ACCEPT");
    session
        .send("yxresign")
        .expect_line("MESSAGE RESIGN ACCEPT");
    session.block("yxboard", "7,7,2").send("yxprintfeature");
    let text = message(&mut session);
    assert!(text.starts_with("Static evaluation "), "{text}");
    assert!(text.ends_with(" for white"), "{text}");
    session.expect_silence();
}

/// Rapfi counts the rows of its lines from the top; tools for Rapfi may ask for the same.
#[test]
fn rows_of_lines_count_from_the_top_on_request() {
    let mut session = Session::start(15);
    session.info("timeout_turn", -1).info("max_node", 500);
    for from_top in [0, 1] {
        session.info("rows_from_top", from_top).send("START 15");
        session.expect_ok().turn(3, 2);
        let mut first = String::new();
        let (x, y) = loop {
            let line = session.any_line(Duration::from_secs(60)).unwrap();
            if let Some(cell) = parse_move(&line) {
                break cell;
            }
            if let Some((_, moves)) = line.split_once(" pv ") {
                first = moves.split(' ').next().unwrap().to_string();
            }
        };
        let row = if from_top == 1 { y + 1 } else { 15 - y };
        let column = char::from(b'A' + x as u8);
        assert_eq!(first, format!("{column}{row}"));
        assert_ne!(y, 7, "the row has one number from both sides");
    }
}
