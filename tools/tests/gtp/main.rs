//! The Go Text Protocol from a controller's view, spoken with the real binary.

#[path = "../../../tests/common/mod.rs"]
// These tests use only a part of the module.
#[allow(dead_code)]
mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{ALLOWANCE, EXIT_BOUND, PATIENCE, Session};

fn gtp(args: &[&str]) -> Session {
    let args: Vec<&str> = ["gtp"].iter().chain(args).copied().collect();
    Session::spawn_with(&args)
}

/// The lines of one answer.
fn answer(session: &mut Session) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        match session.any_line(PATIENCE) {
            Some(line) if line.is_empty() => return lines,
            Some(line) => lines.push(line),
            None => panic!("no end of an answer came after {lines:?}"),
        }
    }
}

fn ask(session: &mut Session, command: &str) -> String {
    session.send(command);
    answer(session).join("\n")
}

fn is_vertex(text: &str) -> bool {
    let (letter, number) = text.split_at(1);
    letter.chars().all(|c| c.is_ascii_uppercase() && c != 'I') && number.parse::<u8>().is_ok()
}

#[test]
fn a_controller_plays_and_quits() {
    let mut session = gtp(&["--size", "9", "--nodes", "500"]);
    assert_eq!(ask(&mut session, "1 boardsize 15"), "=1");
    assert_eq!(ask(&mut session, "play B H8"), "=");
    let reply = ask(&mut session, "3 genmove W");
    let vertex = reply.strip_prefix("=3 ").expect("a move");
    assert!(is_vertex(vertex) && vertex != "H8", "{vertex}");
    let again = ask(&mut session, &format!("play b {vertex}"));
    assert_eq!(again, "? illegal move: the point is taken");
    session.send("quit");
    session.expect_line("=").expect_line("").expect_exit();
}

#[test]
fn a_game_against_itself_ends_by_a_five() {
    let mut session = gtp(&["--rule", "renju", "--size", "11", "--nodes", "300"]);
    let colors = ["black", "white"];
    for color in colors.iter().cycle().take(123) {
        let vertex = ask(&mut session, &format!("genmove {color}"));
        if ["= resign", "= pass"].contains(&vertex.as_str()) {
            let result = ask(&mut session, "gogui-rules_final_result");
            assert_ne!(result, "= unknown");
            return;
        }
        assert!(is_vertex(&vertex[2..]), "{vertex}");
    }
    panic!("no end");
}

#[test]
fn a_move_keeps_its_time() {
    // A busy machine may be late once, not always.
    let best = (0..3)
        .map(|_| {
            let mut session = gtp(&[]);
            // Two seconds for four stones.
            ask(&mut session, "time_settings 0 2 4");
            ask(&mut session, "play b H8");
            let begun = Instant::now();
            assert!(ask(&mut session, "genmove w").starts_with("= "));
            begun.elapsed()
        })
        .min()
        .unwrap();
    assert!(best < Duration::from_millis(700), "{best:?}");
}

#[test]
fn the_option_limits_moves_and_no_analysis() {
    let mut session = gtp(&["--time", "300ms"]);
    ask(&mut session, "play b H8");
    let begun = Instant::now();
    ask(&mut session, "genmove w");
    assert!(begun.elapsed() < Duration::from_millis(300) + ALLOWANCE);
    session.send("9 kata-analyze b 5 maxmoves 2");
    session.expect_line("=9");
    let begun = Instant::now();
    let mut lines = 0;
    while begun.elapsed() < Duration::from_millis(600) || lines < 3 {
        let line = session.any_line(PATIENCE).expect("a line");
        assert!(line.starts_with("info move "), "{line}");
        assert_eq!(line.matches("info move ").count(), 2, "{line}");
        lines += 1;
    }
    session.send("10 name");
    let mut rest = answer(&mut session);
    assert!(rest.drain(..).all(|line| line.starts_with("info move ")));
    assert_eq!(answer(&mut session), ["=10 Tengen"]);
}

#[test]
fn quit_and_a_broken_pipe_end_a_search() {
    for last in ["quit\n", ""] {
        let times = (0..3).map(|_| {
            let mut session = gtp(&["--time", "1h", "--threads", "2"]);
            ask(&mut session, "play b H8");
            session.send("genmove w");
            std::thread::sleep(Duration::from_millis(100));
            if last.is_empty() {
                session.close_input();
            } else {
                session.raw(last.as_bytes());
            }
            let begun = Instant::now();
            // The move, if it comes in time, and the answer to `quit`.
            while let Some(line) = session.any_line(EXIT_BOUND + ALLOWANCE) {
                assert!(line.is_empty() || line.starts_with('='), "{line}");
            }
            let waited = begun.elapsed();
            session.expect_exit();
            waited
        });
        let best = times.min().unwrap();
        assert!(best <= EXIT_BOUND, "{best:?} after {last:?}");
    }
}

#[test]
fn an_interrupt_ends_a_search_with_its_move() {
    let mut session = gtp(&["--time", "1h"]);
    ask(&mut session, "play b H8");
    session.send("4 genmove w").send("5 name");
    std::thread::sleep(Duration::from_millis(100));
    session.send("# interrupt");
    assert!(answer(&mut session)[0].starts_with("=4 "));
    assert_eq!(answer(&mut session), ["=5 Tengen"]);
}

/// Commands waiting in a file are searched to their end, though `quit` has been read long before.
#[test]
fn a_file_of_commands_is_carried_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("commands.gtp");
    let commands = "play b H8\ngenmove w\n7 genmove b\nshowboard\nquit\n";
    std::fs::write(&file, commands).unwrap();
    let run = || {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["gtp", "--nodes", "3000"])
            .stdin(std::fs::File::open(&file).unwrap())
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let text = run();
    assert_eq!(text.matches("\n\n").count(), 5, "{text}");
    assert!(text.contains("\n\n=7 "), "{text}");
    // One thread and the same nodes give the same moves.
    assert_eq!(text, run());
}
