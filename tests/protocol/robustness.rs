//! Unknown words, garbage, and the ends of a conversation. Cases 23 and 24.
//!
//! `TENGEN_GARBAGE_SECONDS=60` sends garbage for longer than the two seconds of an ordinary run.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

#[cfg(target_os = "linux")]
use crate::common::peak_memory;
use crate::common::process::{engine, exit_within};
use crate::common::{ALLOWANCE, EXIT_BOUND, PATIENCE, Session};

#[test]
fn c23_an_unknown_word_is_answered_by_one_line() {
    let mut session = Session::start(15);
    for word in [
        "FROBNICATE",
        "frobnicate 1 2 3",
        "MESSAGE hello",
        "OK",
        "\u{1f600}",
        "?",
    ] {
        session.send(word).expect_unknown().expect_silence();
    }
    session.turn(7, 7).expect_move();
}

#[test]
fn c23_remains_of_blocks_make_no_noise() {
    let mut session = Session::start(15);
    session
        .block("FROBNICATE", "7,7 8,8,1 9,9")
        .expect_unknown()
        .expect_silence();
    session
        .send("7,7")
        .send("8 , 8 , 1")
        .send("done")
        .send("DONE")
        .expect_silence();
    for head in ["YXBLOCKPATH", "yxblockpathundo"] {
        session
            .block(head, "7,7 8,8")
            .block_in_one_line(head, "7,7 8,8");
    }
    for line in [
        "YXBLOCKPATHRESET",
        "YXFORBID add 7 7 0",
        "RELOADCONFIG",
        "RELOADCONFIG some file.toml",
    ] {
        session.send(line);
    }
    session.expect_silence();
    session.turn(7, 7).expect_move();
}

#[test]
fn c24_end_and_the_end_of_input_end_the_process_at_once() {
    for is_thinking in [false, true] {
        for has_end in [false, true] {
            let mut quickest = Duration::MAX;
            for _ in 0..3 {
                let mut session = Session::start(15);
                if is_thinking {
                    session
                        .info("timeout_turn", -1)
                        .turn(7, 7)
                        .expect_thinking();
                } else {
                    session.turn(7, 7).expect_move();
                }
                let took = match (has_end, is_thinking) {
                    (true, _) => session.end(),
                    (false, false) => session.close_input().expect_exit(),
                    // The move is owed.
                    (false, true) => session.close_input().expect_status(1),
                };
                quickest = quickest.min(took);
            }
            assert!(
                quickest < EXIT_BOUND,
                "{quickest:?}, thinking: {is_thinking}"
            );
        }
    }
}

#[test]
fn c24_the_end_comes_in_every_form() {
    for text in [
        "end\n",
        "END\r\n",
        " End \r",
        "END",
        "BOARD\n7,7,1\nEND\n",
        "BOARD\n7,7,1\n",
    ] {
        let mut session = Session::start(15);
        session.raw(text.as_bytes()).close_input().expect_exit();
    }
    Session::spawn().close_input().expect_exit();
    Session::spawn().end();
}

/// With status 0, `printf 'START 15\nBEGIN\n' | pbrain-tengen` looked like a success without a move.
#[test]
fn a_pipe_that_ends_before_an_answer_fails_in_silence() {
    for asked in ["TURN 7,7\n", "TURN 7,7\nTURN 0,0\n", "YXNBEST 2\n"] {
        let mut session = Session::start(15);
        session.info("timeout_turn", 60_000);
        session.raw(asked.as_bytes()).close_input().expect_status(1);
    }
    // Nobody waits for the result of pondering.
    let mut session = Session::start(15);
    session.info("pondering", 1).turn(7, 7).expect_move();
    session.close_input().expect_exit();
    // `END` says that no answer is wanted.
    let mut session = Session::start(15);
    session.info("timeout_turn", 60_000);
    session.raw(b"TURN 7,7\nEND\n").close_input().expect_exit();
}

/// A manager's own arguments are ignored; a person's record was, too.
#[test]
fn a_record_is_no_argument_of_the_engine() {
    let run = |argument: &str| {
        let mut command = engine();
        command.arg(argument).stdin(Stdio::null());
        command.output().unwrap()
    };
    for name in ["game.sgf", "Game 1.PSQ"] {
        let output = run(name);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(output.stdout.is_empty() && text.lines().count() == 1);
        assert!(text.contains("tengen show"), "{text}");
    }
    for argument in ["config.toml", "--quiet", "7"] {
        assert!(run(argument).status.success(), "{argument}");
    }
}

#[test]
fn answers_to_what_came_before_the_end_are_not_lost() {
    let mut session = Session::spawn();
    session.raw(b"START 15\nABOUT\nYXSHOWFORBID\nFOO\nEND\n");
    session.expect_line("OK");
    assert!(session.answer().starts_with("name="));
    session.expect_line("FORBID .").expect_unknown();
    session.expect_exit();
}

#[test]
fn every_request_of_a_burst_is_answered_once_and_in_order() {
    let mut session = Session::start(15);
    session.raw(
        "START 15\nTURN 7,7\nTURN 0,0\nBEGIN\n"
            .repeat(20)
            .as_bytes(),
    );
    for _ in 0..20 {
        session.expect_ok().expect_move();
        session.expect_move();
        session.expect_move();
    }
    session.expect_silence();
}

#[test]
fn arguments_that_nobody_knows_are_ignored() {
    for args in [&["--force-utf8"][..], &["--frobnicate", "x"]] {
        let mut session = Session::spawn_with(args);
        session.send("START 15").expect_ok();
        session.end();
    }
}

#[test]
fn long_lines_and_bytes_that_are_no_text_do_no_harm() {
    let mut session = Session::start(15);
    let mut line = vec![b'x'; 1 << 16];
    line.push(b'\n');
    session.raw(&line).expect_unknown();
    session
        .raw(b"INFO folder C:\\\xff\xfe\x00\n")
        .expect_silence();
    session.raw(b"\xff\xfe\x00\n").expect_unknown();
    let board: String = (0..225)
        .map(|i| format!(" {},{},3", i % 15, i / 15))
        .collect();
    session.send(format!("BOARD{board} DONE")).expect_error();
    let endless = "7,7,1 ".repeat(10_000);
    session.send(format!("BOARD {endless} DONE")).expect_move();
}

#[test]
fn a_line_longer_than_64_kib_is_one_error() {
    let mut session = Session::start(15);
    for text in ["x", "YXBOARD DONE ", "BOARD DONE ", "7,7,1 "] {
        session
            .send(text.repeat((1 << 20) / text.len()))
            .expect_error()
            .expect_silence();
    }
    session.turn(7, 7).expect_move();
}

/// Each block leaves the parser and its stack unchanged.
#[test]
fn a_line_of_many_blocks_ends_normally() {
    let mut session = Session::spawn();
    session.send("BOARD DONE ".repeat(1_713));
    for _ in 0..1_713 {
        session.expect_error();
    }
    session.expect_silence().end();
}

/// Sends more commands than the engine reads while nobody takes its answers; fails when the process
/// is gone.
fn flood(mut stdin: ChildStdin) -> JoinHandle<io::Result<()>> {
    std::thread::spawn(move || {
        let commands = "ABOUT\n".repeat(10_000);
        (0..20).try_for_each(|_| stdin.write_all(commands.as_bytes()))
    })
}

/// Commands read and not answered once took hundreds of bytes each.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_commands_takes_little_memory() {
    let mut child = engine().spawn().unwrap();
    let flood = flood(child.stdin.take().unwrap());
    // Nobody reads the answers.
    std::thread::sleep(Duration::from_secs(3));
    let peak = peak_memory(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(flood.join().unwrap().is_err(), "all commands were taken");
    assert!(peak < 64 << 20, "{peak} bytes");
}

/// Commands of a flood are carried out at once, as is the command that ends the search.
#[test]
fn a_flood_during_a_search_delays_no_stop() {
    let mut session = Session::start(15);
    session.info("timeout_turn", -1).turn(7, 7);
    for _ in 0..20 {
        session.raw("INFO seed 1\n".repeat(5_000).as_bytes());
    }
    session.send("STOP");
    let (took, _) = session.timed_cell();
    assert!(took < Duration::from_millis(200) + ALLOWANCE, "{took:?}");
    // A corner, because the engine has not played there.
    session.info("timeout_turn", -1).turn(0, 0);
    session.raw("INFO seed 1\n".repeat(50_000).as_bytes());
    session.end();
}

/// A line of garbage; it may be nearly right.
fn garbage(rng: &mut SmallRng) -> Vec<u8> {
    const WORDS: [&str; 45] = [
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "DONE",
        "INFO",
        "ABOUT",
        "TAKEBACK",
        "PLAY",
        "SWAP2BOARD",
        "STOP",
        "YXSTOP",
        "YXBOARD",
        "YXNBEST",
        "YXBALANCEONE",
        "YXBALANCETWO",
        "YXSHOWFORBID",
        "YXSHOWINFO",
        "YXHASHCLEAR",
        "YXSHOWHASHUSAGE",
        "YXBLOCK",
        "YXBLOCKUNDO",
        "YXBLOCKRESET",
        "YXSWAP2STEP1",
        "YXSWAP2STEP2",
        "YXSOOSORVSTEP3",
        "YXSOOSORVSTEP6",
        "RIFSTEP5",
        "YAMAGUCHISTEP5",
        "TARAGUCHISTEP2",
        "YXSEARCHDEFEND",
        "YXQUERYDATABASEALL",
        "YXHASHDUMP",
        "PONDER",
        "rule",
        "time_left",
        "timeout_match",
        "show_detail",
        "max_node",
        "max_depth",
        "x",
        "",
        "\t",
    ];
    const NUMBERS: [&str; 14] = [
        "0",
        "1",
        "2",
        "3",
        "4",
        "7",
        "8",
        "9",
        "15",
        "20",
        "22",
        "-1",
        "5",
        "99999999999999999999",
    ];
    if rng.random_bool(0.1) {
        let mut bytes: Vec<u8> = (0..rng.random_range(0..200))
            .map(|_| rng.random::<u8>())
            .collect();
        bytes.push(b'\n');
        return bytes;
    }
    let mut line = WORDS.choose(rng).unwrap().to_string();
    for _ in 0..rng.random_range(0..4) {
        line += [" ", ",", " , "].choose(rng).unwrap();
        line += if rng.random_bool(0.8) {
            NUMBERS.choose(rng).unwrap()
        } else {
            WORDS.choose(rng).unwrap()
        };
    }
    line += ["\n", "\r\n", "\r", "\n\n"].choose(rng).unwrap();
    line.into_bytes()
}

/// True if every manager can read the line.
fn is_proper(line: &str) -> bool {
    let is_cells = !line.is_empty()
        && line
            .split(' ')
            .all(|word| crate::common::parse_move(word).is_some());
    let has_text = |head: &str| line.strip_prefix(head).is_some_and(|text| !text.is_empty());
    is_cells
        || ["OK", "SWAP"].contains(&line)
        || [
            "ERROR ", "UNKNOWN ", "MESSAGE ", "INFO ", "FORBID ", "name=",
        ]
        .into_iter()
        .any(has_text)
}

#[test]
fn garbage_is_survived() {
    let seconds = std::env::var("TENGEN_GARBAGE_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2);
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut seed = 0;
    while seed < 2 || Instant::now() < until {
        seed += 1;
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut session = Session::start(15);
        for _ in 0..150 {
            let line = garbage(&mut rng);
            // Garbage may also end the conversation; another test is about that.
            if !String::from_utf8_lossy(&line)
                .to_uppercase()
                .contains("END")
            {
                session.raw(&line);
            }
            if rng.random_bool(0.05) {
                session.info("timeout_turn", 10).info("hash_size", 4_096);
            }
            while let Some(line) = session.any_line(Duration::ZERO) {
                assert!(is_proper(&line), "seed {seed}: {line:?}");
            }
        }
        // A good game can begin after any garbage. START ends open blocks.
        session.raw(b"\nSTART 15\nYXSTOP\nTRACEBOARD\n");
        session
            .info("timeout_turn", 10)
            .info("time_left", 2_147_483_647u32)
            .info("rule", 0);
        loop {
            match session.any_line(Duration::from_secs(60)) {
                Some(line) if line.starts_with("MESSAGE black to move") => break,
                Some(line) => assert!(is_proper(&line), "seed {seed}: {line:?}"),
                None => panic!("seed {seed}: hangs"),
            }
        }
        session.turn(7, 7).expect_move();
        session.end();
    }
}

/// The exit status of the process; it has to end at once.
fn exit_status(child: &mut Child, case: &str) -> ExitStatus {
    exit_within(child, EXIT_BOUND + ALLOWANCE).unwrap_or_else(|| panic!("does not end, {case}"))
}

/// A test of these tests.
#[test]
#[cfg(unix)]
#[should_panic(expected = "the process is gone")]
fn a_dead_process_is_not_taken_for_a_silent_one() {
    let mut session = Session::spawn();
    session.signal("KILL");
    assert_eq!(session.any_line(PATIENCE), None);
    session.expect_silence();
}

/// The answering thread waits in a write, so only the reading thread can end the process.
#[test]
fn a_manager_that_leaves_megabytes_unread_ends_the_engine() {
    // 1,100 bytes each: 8 MiB of answers to commands that take less than the queue.
    let requests = "TRACEBOARD\n".repeat(8_000);
    for end in ["END", "input closes", "output closes", "all closes"] {
        let mut child = engine().spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        stdin.write_all(b"START 20\n").unwrap();
        stdin.write_all(requests.as_bytes()).unwrap();
        let (mut kept_in, mut kept_out) = (Some(stdin), Some(stdout));
        match end {
            "END" => kept_in.as_mut().unwrap().write_all(b"END\n").unwrap(),
            "input closes" => kept_in = None,
            "output closes" => kept_out = None,
            _ => (kept_in, kept_out) = (None, None),
        }
        assert!(exit_status(&mut child, end).success(), "{end}");
        drop((kept_in, kept_out));
    }
}

/// Nothing more is read from a manager that takes no answers, so only its output tells its end.
#[test]
fn a_manager_that_closes_its_output_ends_an_engine_that_reads_no_more() {
    let mut child = engine().spawn().unwrap();
    let flood = flood(child.stdin.take().unwrap());
    std::thread::sleep(Duration::from_secs(1));
    assert!(!flood.is_finished(), "all commands were taken");
    drop(child.stdout.take());
    assert!(exit_status(&mut child, "with a full queue").success());
    assert!(flood.join().unwrap().is_err());
}

#[test]
fn a_manager_that_dies_takes_the_engine_along() {
    for dies_while_thinking in [false, true] {
        let mut child = engine().spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if dies_while_thinking {
            stdin
                .write_all(b"START 15\nINFO timeout_turn -1\nTURN 7,7\n")
                .unwrap();
            std::thread::sleep(Duration::from_millis(100));
        }
        // Nobody reads any more, though the other pipe is still open.
        drop(child.stdout.take());
        let written = stdin.write_all(b"START 15\n").and_then(|()| stdin.flush());
        assert!(written.is_ok() || dies_while_thinking);
        let status = exit_status(&mut child, &format!("thinking: {dies_while_thinking}"));
        assert!(status.success(), "{status}");
        let mut text = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "");
    }
}
