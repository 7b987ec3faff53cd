//! The words of the field's managers, exactly as sent.

use std::time::Duration;

use crate::common::{Session, parse_move};

const LONG: Duration = Duration::from_secs(30);

/// A free cell far away: the first of the top row not in `taken`.
fn far(taken: &mut Vec<(u32, u32)>) -> (u32, u32) {
    let cell = (0..15)
        .map(|x| (x, 0))
        .find(|c| !taken.contains(c))
        .unwrap();
    taken.push(cell);
    cell
}

#[test]
fn piskvork_tournament() {
    let mut session = Session::spawn();
    // Piskvork waits for OK; the engine says nothing before START.
    session.expect_silence();
    session.raw(b"START 20\r\n").expect_line("OK");
    session.raw(
        b"INFO max_memory 367001600\r\nINFO timeout_match 180000\r\nINFO timeout_turn 100\r\n\
          INFO game_type 2\r\nINFO rule 0\r\nINFO time_left 178950\r\nINFO folder C:\\data\r\n",
    );
    let mut taken = vec![session.raw(b"BEGIN\r\n").expect_move()];
    for left in [176_000, 174_000, 2_147_483_647u32] {
        let (x, y) = far(&mut taken);
        session.raw(format!("INFO time_left {left}\r\nTURN {x},{y}\r\n").as_bytes());
        let cell = session.expect_move();
        assert!(!taken.contains(&cell));
        taken.push(cell);
    }
    session.expect_silence();
    session.raw(b"END\r\n").expect_exit();
}

#[test]
fn piskvork_as_a_window_with_undo_and_a_new_game() {
    let mut session = Session::spawn();
    session.raw(b"RECTSTART 20,15\r\n").expect_line("OK");
    session.raw(b"INFO timeout_turn 50\r\nINFO game_type 0\r\nINFO rule 2\r\n");
    let first = session.raw(b"TURN 10,7\r\n").expect_move();
    let second = session.raw(b"TURN 11,0\r\n").expect_move();
    for (x, y) in [second, (11, 0)] {
        session
            .raw(format!("TAKEBACK {x},{y}\r\n").as_bytes())
            .expect_line("OK");
    }
    assert_ne!(session.raw(b"TURN 11,0\r\n").expect_move(), first);
    // "Move now" while thinking.
    session
        .raw(b"INFO timeout_turn 30000\r\nTURN 0,0\r\n")
        .expect_thinking();
    session.raw(b"INFO timeout_turn 0\r\n").expect_move();
    session.raw(b"RESTART\r\n").expect_line("OK");
    session.raw(b"INFO timeout_turn 50\r\nBOARD\r\n0,0,2\r\n5,5,1\r\n6,6,2\r\nDONE\r\n");
    session.expect_move();
    session.end();
}

#[test]
fn piskvork_continuous_game() {
    let mut session = Session::start(15);
    session.info("rule", 2);
    session.block("BOARD", "3,3,3 4,4,3 5,5,3 6,6,3 7,7,3 0,0,2 1,5,1");
    let cell = session.expect_move();
    assert!(![(3, 3), (4, 4), (5, 5), (6, 6), (7, 7)].contains(&cell));
}

#[test]
fn gomocup_judge() {
    let mut session = Session::spawn();
    session.raw(
        b"START 15\r\nINFO timeout_turn 150\r\nINFO timeout_match 180000\r\n\
          INFO max_memory 367001600\r\nINFO game_type 1\r\nINFO rule 4\r\n\
          INFO folder /tmp/a folder\r\n",
    );
    #[cfg(unix)]
    {
        std::thread::sleep(Duration::from_millis(50));
        session.signal("STOP");
        std::thread::sleep(Duration::from_millis(300));
        session.signal("CONT");
    }
    // The answer to START does not matter here.
    session
        .raw(b"INFO time_left 180000\r\nBOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\n")
        .expect_ok();
    let mut taken = vec![(7, 7), (8, 8), session.expect_move()];
    for left in [179_000, 178_000] {
        let (x, y) = far(&mut taken);
        session.raw(format!("INFO time_left {left}\r\nTURN {x},{y}\r\n").as_bytes());
        let cell = session.expect_move();
        assert!(!taken.contains(&cell));
        taken.push(cell);
        session.expect_silence();
    }
    session.raw(b"END\r\n").expect_exit();
}

#[test]
fn gomocup_judge_acceptance_game() {
    // Self-play from three stones mirrored into the far corner, with fast limits.
    for (size, rule) in [(20, 0), (15, 0), (15, 1), (15, 4), (15, 8)] {
        let (a, b) = (size - 2, size - 5);
        let mut stones = vec![(a, a), (b, a), (b, size - 3)];
        let mut players: Vec<Session> = (0..2)
            .map(|_| {
                let mut session = Session::start(size);
                session.info("timeout_turn", 20).info("rule", rule);
                session
            })
            .collect();
        for turn in 0..12 {
            let player = &mut players[turn % 2];
            if turn < 2 {
                let own = |i: usize| (stones.len() - i).is_multiple_of(2);
                let entries: Vec<String> = stones
                    .iter()
                    .enumerate()
                    .map(|(i, (x, y))| format!("{x},{y},{}", if own(i) { 1 } else { 2 }))
                    .collect();
                player.block("BOARD", &entries.join(" "));
            } else {
                let (x, y) = stones[stones.len() - 1];
                player.turn(x, y);
            }
            let cell = player.expect_move();
            assert!(cell.0 < size && cell.1 < size && !stones.contains(&cell));
            stones.push(cell);
        }
    }
}

#[test]
fn c_gomoku_cli_plays_many_games_with_one_process() {
    let mut session = Session::spawn();
    let about = session.send("ABOUT").any_line(LONG).unwrap();
    assert!(about.starts_with("name=\"Tengen\""));
    for (game, rule) in [(0, 0), (1, 1), (2, 4), (3, 4)] {
        session.send("START 15").expect_line("OK");
        for line in [
            &format!("INFO rule {rule}")[..],
            "INFO timeout_turn 1000",
            "INFO timeout_match 5000",
            "INFO max_depth 4",
            "INFO max_node 5000",
            "INFO thread_num 1",
            "INFO max_memory 367001600",
            "INFO anything 17",
            "INFO time_left 5000",
        ] {
            session.send(line);
        }
        match game {
            0 => session.send("BEGIN"),
            1 => session.block("BOARD", "7,7,2 7,8,1 9,9,2"),
            2 => session.turn(7, 7),
            _ => session.block("BOARD", ""),
        };
        session.expect_move();
        session
            .info("time_left", 2_147_483_647u32)
            .turn(0, 14)
            .expect_move();
    }
    // With -sendbyboard every move is a whole position; YXSTOP hurries a late one.
    session.send("START 15").expect_line("OK");
    session.block("BOARD", "7,7,2").expect_move();
    session.block("BOARD", "7,7,2 8,8,1 9,9,2").expect_move();
    session.send("YXSTOP").expect_silence();
    session.end();
}

#[test]
fn qpiskvork() {
    let mut session = Session::spawn();
    session.raw(b"START 15\r\nABOUT\r\n").expect_line("OK");
    let about = session.any_line(LONG).unwrap();
    assert!(about.contains("name="));
    session.raw(
        b"INFO timeout_match 180000\r\nINFO timeout_turn 100\r\nINFO max_memory 0\r\n\
          INFO game_type 0\r\nINFO rule 0\r\nINFO time_left 180000\r\n",
    );
    // CR LF after commands, LF inside blocks.
    session.raw(b"BOARD\r\n7,7,2\n8,8,1\n9,9,2\nDONE\r\n");
    // The manager's parser takes messages with a name for the answer to ABOUT.
    let line = loop {
        let line = session.any_line(LONG).unwrap();
        if parse_move(&line).is_some() {
            break line;
        }
        assert!(!line.contains("name"), "{line}");
    };
    assert!(line.find(',').is_some_and(|i| i == 1 || i == 2));
    // "Continuous" games send every stone as a dead cell.
    session
        .raw(b"BOARD\r\n7,7,3\n8,8,3\n9,9,3\nDONE\r\n")
        .expect_move();
    session.raw(b"SWAP2BOARD\r\nDONE\r\n");
    assert_eq!(session.answer().split(' ').count(), 3);
    session.end();
}

#[test]
fn yixin_board() {
    let mut session = Session::spawn_with(&["--force-utf8"]);
    session
        .send("info show_detail 3")
        .send("yxshowinfo")
        .send("start 15");
    for _ in 0..3 {
        assert!(session.any_line(LONG).unwrap().starts_with("MESSAGE "));
    }
    session.expect_line("OK");
    for line in [
        "INFO timeout_turn 2000000",
        "INFO timeout_match 100000000",
        "INFO time_left 100000000",
        "INFO max_node -1",
        "INFO max_depth 225",
        "INFO time_increment 0",
        "INFO caution_factor 3",
        "INFO thread_num 1",
        "INFO hash_size 65536",
        "INFO pondering 0",
        "INFO vcthread 0",
        "INFO rule 2",
    ] {
        session.send(line);
    }
    session.expect_silence();
    // A move without limits lasts until the user stops it.
    session
        .raw(b"INFO time_left 100000000\nstart 15\nboard\n7,7,2\ndone\n")
        .expect_line("OK");
    let first = session.any_line(LONG).unwrap();
    assert_eq!(first, "MESSAGE REALTIME REFRESH");
    while let Some(line) = session.any_line(Duration::from_millis(150)) {
        assert!(
            line.starts_with("MESSAGE ") || line.starts_with("INFO "),
            "{line}"
        );
    }
    // The manager repeats the time while the engine thinks.
    session.send("INFO time_left 99999000").send("yxstop");
    let answer = |session: &mut Session| loop {
        let line = session.any_line(LONG).unwrap();
        if parse_move(&line).is_some() {
            break;
        }
        assert!(
            line.starts_with("MESSAGE ") || line.starts_with("INFO "),
            "{line}"
        );
    };
    answer(&mut session);
    // A click during the analysis: the search has one answer, and the GUI drops it.
    session
        .raw(b"start 15\nyxboard\n7,7,1\n8,8,2\ndone\nyxnbest 2\n")
        .expect_line("OK");
    std::thread::sleep(Duration::from_millis(100));
    session.send("yxstop");
    answer(&mut session);
    session.raw(b"start 15\nyxboard\n7,7,1\n8,8,2\n9,7,1\ndone\nyxshowforbid\n");
    session.expect_line("OK").expect_line("FORBID .");
    session.raw(b"info timeout_turn 100\nyxbalanceone 0\n");
    answer(&mut session);
    session.raw(b"yxhashclear\nyxblockreset\n");
    session.expect_silence();
    session.raw(b"end\n").expect_exit();
}

#[test]
fn gomocalc() {
    let mut session = Session::spawn();
    for line in [
        "RELOADCONFIG ",
        "INFO HASH_SIZE 65536",
        "INFO RULE 4",
        "INFO THREAD_NUM 1",
        "INFO CAUTION_FACTOR 4",
        "INFO STRENGTH 100",
        "INFO TIMEOUT_TURN 30000",
        "INFO TIMEOUT_MATCH -1",
        "INFO MAX_DEPTH 64",
        "INFO MAX_NODE 20000",
        "INFO SHOW_DETAIL 2",
        "INFO PONDERING 0",
        "INFO SWAPABLE 1",
    ] {
        session.send(line);
    }
    session.expect_silence();
    session.send("START 15").expect_line("OK");
    session.send("INFO TIME_LEFT 2147483647");
    session.send("YXBOARD 7,7,1 8,8,2 DONE").send("YXNBEST 2");
    let mut best_lines = 0;
    loop {
        let line = session.any_line(LONG).unwrap();
        best_lines += usize::from(line.starts_with("INFO BESTLINE "));
        if parse_move(&line).is_some() {
            break;
        }
    }
    assert!(best_lines >= 2);
    // Without limits, until a stop. Gomocalc writes the rest of no time as 1 ms.
    session
        .send("INFO TIMEOUT_TURN -1")
        .send("INFO MAX_NODE 0")
        .send("INFO TIME_LEFT 1")
        .send("YXBOARD 7,7,1 8,8,2 DONE")
        .send("YXNBEST 1");
    let start = std::time::Instant::now();
    while let Some(left) = Duration::from_millis(400).checked_sub(start.elapsed()) {
        let line = session.any_line(left).unwrap_or_default();
        assert_eq!(parse_move(&line), None, "before the stop");
    }
    session.send("YXSTOP");
    while parse_move(&session.any_line(LONG).unwrap()).is_none() {}
    session
        .send("YXBOARD DONE")
        .send("YXSHOWFORBID")
        .expect_line("FORBID .");
    session.end();
}

/// Words of AlphaGomoku and Rapfi outside Tengen's protocol.
#[test]
fn words_of_other_engines_are_unknown() {
    let mut session = Session::start(15);
    let words = "SWAP5STEP1 SWAP5STEP2 SWAP5STEP3 SAKATASTEP1 SAKATASTEP2 SAKATASTEP3 LIANHUANSTEP1 \
                 LIANHUANSTEP2 BALANCE SHOWFORBID CLEARHASH PONDER PROTOCOLVERSION BENCH TRACESEARCH";
    for word in words.split(' ') {
        session.block(word, "7,7").expect_unknown();
    }
    session.expect_silence();
}
