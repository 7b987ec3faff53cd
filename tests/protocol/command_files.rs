//! Commands out of a file: all their work is finished.

use std::fs::{self, File};
use std::time::{Duration, Instant};

use crate::common::process::{engine, exit_within};
use crate::common::{ALLOWANCE, parse_move};

/// Longer than any of these files takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The output of the program for such a file, and its time.
fn carried_out(commands: &str) -> (Vec<String>, Duration) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("commands.txt");
    fs::write(&path, commands).unwrap();
    let since = Instant::now();
    let mut child = engine()
        .current_dir(home.path())
        .stdin(File::open(&path).unwrap())
        .spawn()
        .unwrap();
    let ended = exit_within(&mut child, PATIENCE);
    assert!(ended.is_some(), "no end of\n{commands}");
    let took = since.elapsed();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().map(str::to_string).collect(), took)
}

fn answers(lines: &[String]) -> Vec<&String> {
    let is_answer = |line: &&String| !line.starts_with("MESSAGE ");
    lines.iter().filter(is_answer).collect()
}

#[test]
fn every_search_reaches_its_limit_and_every_request_is_answered() {
    let (lines, _) = carried_out(
        "START 15\r\nINFO max_depth 5\nTURN 7,7\nINFO max_depth 4\nTURN 0,0\nFOO\n\
         YXHASHDUMP table.bin\nYXSHOWFORBID",
    );
    let answers = answers(&lines);
    assert_eq!(answers.len(), 5, "{lines:#?}");
    assert_eq!(answers[0], "OK");
    assert!(answers[1..3].iter().all(|line| parse_move(line).is_some()));
    assert_eq!(answers[3], "UNKNOWN command FOO");
    assert_eq!(answers[4], "FORBID .");
    let place = |part: &str| lines.iter().position(|line| line.contains(part));
    // An INFO does not act on the search before it.
    assert!(place("MESSAGE depth 5-") < place(answers[1]), "{lines:#?}");
    assert!(place("MESSAGE depth 4-").is_some(), "{lines:#?}");
    let dump = place("MESSAGE Hash table: ").unwrap();
    assert!(!lines[dump].contains(": 0 entries"), "{lines:#?}");
}

#[test]
fn each_move_has_a_time_of_its_own() {
    let commands = "START 15\nINFO timeout_turn 400\nTURN 7,7\nTURN 0,0\nTURN 14,14\n";
    let (lines, took) = carried_out(commands);
    assert_eq!(answers(&lines).len(), 4, "{lines:#?}");
    assert!(took > Duration::from_millis(900), "{took:?}");
}

/// Searches without a limit, and pondering, would keep the program running for ever.
#[test]
fn nothing_goes_on_after_the_file() {
    for commands in [
        "START 15\nINFO timeout_turn -1\nTURN 7,7\nTURN 0,0",
        "START 15\nINFO timeout_turn -1\nINFO pondering 1\nTURN 7,7\nYXNBEST 2",
        "START 15\nINFO max_node 500\nINFO pondering 1\nTURN 7,7\nTURN 0,0\n",
    ] {
        let (lines, _) = carried_out(commands);
        assert_eq!(answers(&lines).len(), 3, "{lines:#?}");
    }
    assert_eq!(carried_out("").0.len(), 0);
}

/// The author of a file with a missing `DONE` learns why no move came.
#[test]
fn a_command_that_the_file_leaves_incomplete_is_named() {
    for (command, part) in [
        ("BOARD\n7,7,1\n", "without DONE"),
        ("RIFSTEP1", "without DONE"),
        ("YXHASHDUMP", "before the path"),
    ] {
        let (lines, _) = carried_out(&format!("START 15\n{command}"));
        assert_eq!(lines.len(), 2, "{lines:#?}");
        assert!(
            lines[1].starts_with("ERROR ") && lines[1].contains(part),
            "{lines:#?}"
        );
    }
}

#[test]
fn end_in_a_file_ends_the_program_at_once() {
    let commands = "START 15\nINFO timeout_turn 30000\nTURN 7,7\nTURN 0,0\nEND\nABOUT\n";
    let (lines, took) = carried_out(commands);
    assert!(
        answers(&lines).iter().all(|line| *line == "OK"),
        "{lines:#?}"
    );
    assert!(took < Duration::from_secs(2) + ALLOWANCE, "{took:?}");
}
