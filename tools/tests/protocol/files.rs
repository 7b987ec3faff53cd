//! Files written by commands: no file is destroyed, and nothing is lost at the end.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use crate::common::Session;
use crate::common::process::{engine, exit_within};

const LONG: Duration = Duration::from_secs(30);

const EXPORTS: [&str; 6] = [
    "YXDBTOTXTALL",
    "YXDBTOTXT",
    "YXDBTOPOS",
    "YXDBTOLIB",
    "YXDBSPLIT",
    "YXHASHDUMP",
];

/// The text of the answering `MESSAGE` or `ERROR`.
fn message(session: &mut Session, text: &str) -> String {
    let line = session.send(text).any_line(LONG).expect("an answer");
    let text = line.strip_prefix("MESSAGE ");
    let text = text.or(line.strip_prefix("ERROR "));
    text.expect(&line).to_string()
}

/// A session with two positions in `a.db` and something in the table.
fn with_database() -> Session {
    let mut session = Session::start(15);
    session.send("YXSETDATABASE a.db");
    for _ in 0..3 {
        session.any_line(LONG).expect("the opening of the database");
    }
    session.block("YXEDITTVDDATABASE 1 87 0 0", "7,7");
    session.info("max_depth", 2).turn(7, 7).expect_move();
    session
}

fn expect_two_positions(session: &mut Session) {
    let counted = message(session, "YXDBTOTXTALL count.txt");
    assert!(counted.contains(": 2 positions written"), "{counted}");
    let checked = message(session, "YXDBCHECK");
    assert_eq!(checked, "The database: all is well");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn no_export_overwrites_the_open_database() {
    let mut session = with_database();
    let home = session.home().to_path_buf();
    std::fs::create_dir(home.join("folder")).unwrap();
    std::fs::hard_link(home.join("a.db"), home.join("hard.db")).unwrap();
    let mut targets = vec![
        "a.db".to_string(),
        "./a.db".to_string(),
        "folder/../a.db".to_string(),
        "hard.db".to_string(),
        home.join("a.db").to_str().unwrap().to_string(),
    ];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.db", home.join("soft.db")).unwrap();
        targets.push("soft.db".to_string());
    }
    let before = names(&home);
    for command in EXPORTS {
        for target in &targets {
            let answer = message(&mut session, &format!("{command} {target}"));
            assert!(!answer.contains(" written to"), "{command}: {answer}");
            assert!(answer.contains(target), "{command}: {answer}");
        }
    }
    assert_eq!(names(&home), before);
    session.block("YXEDITTEXTDATABASE \"still there\"", "7,7");
    expect_two_positions(&mut session);
    session.end();
}

#[test]
fn an_export_replaces_only_an_older_one_of_its_kind() {
    let mut session = with_database();
    let home = session.home().to_path_buf();
    let kinds = [
        ("YXDBTOTXTALL", "text"),
        ("YXDBTOPOS", "moves"),
        ("YXDBTOLIB", "library"),
        ("YXHASHDUMP", "table"),
    ];
    std::fs::write(home.join("notes"), "h8 is the centre\nof my notes").unwrap();
    for (command, file) in kinds {
        for _ in 0..2 {
            let answer = message(&mut session, &format!("{command} {file}"));
            assert!(answer.contains(" written to"), "{command}: {answer}");
        }
        std::fs::write(home.join(format!("empty {file}")), "").unwrap();
        let answer = message(&mut session, &format!("{command} empty {file}"));
        assert!(answer.contains(" written to"), "{command}: {answer}");
    }
    let before = names(&home);
    for (command, own) in kinds {
        for other in ["text", "moves", "library", "table", "notes", "a.db"] {
            if other == own {
                continue;
            }
            let read = || std::fs::read(home.join(other)).unwrap();
            let bytes = (other != "a.db").then(read);
            let answer = message(&mut session, &format!("{command} {other}"));
            assert!(answer.contains("a file of another kind"), "{answer}");
            if let Some(bytes) = bytes {
                assert_eq!(read(), bytes, "{command} {other}");
            }
        }
    }
    let answer = message(&mut session, "YXDBSPLIT text");
    assert!(answer.contains("exists already"), "{answer}");
    assert_eq!(names(&home), before);
    expect_two_positions(&mut session);
}

/// The program waited for a pipe without a reader, and made partial files for devices and folders.
#[cfg(unix)]
#[test]
fn nothing_is_exported_to_what_is_no_file() {
    let mut session = with_database();
    let home = session.home().to_path_buf();
    let made = std::process::Command::new("mkfifo")
        .arg(home.join("pipe"))
        .status();
    assert!(made.unwrap().success());
    std::fs::create_dir(home.join("folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", home.join("astray")).unwrap();
    let before = names(&home);
    for command in EXPORTS {
        for target in [
            "pipe",
            "/dev/null",
            "/dev/full",
            "folder",
            "none/a",
            "astray",
        ] {
            let answer = message(&mut session, &format!("{command} {target}"));
            assert!(!answer.contains(" written to"), "{command}: {answer}");
        }
    }
    assert_eq!(names(&home), before);
    expect_two_positions(&mut session);
}

/// Opens `a.db` in a new session; returns the number of its positions.
fn positions_in_database(folder: &Path) -> String {
    let mut session = Session::start(15);
    let path = folder.join("a.db");
    session.send(format!("YXSETDATABASE {}", path.display()));
    for _ in 0..2 {
        session.any_line(LONG).expect("the opening of the database");
    }
    let counted = session.any_line(LONG).expect("the number of positions");
    let rest = counted.strip_prefix("MESSAGE The database: ").unwrap();
    rest.split(' ').next().unwrap().to_string()
}

/// A text of `lines` positions for `YXTXTTODB`.
fn text_of(lines: usize) -> String {
    let line = |i: usize| {
        let label = |i: usize| format!("{}{}", (b'a' + (i % 15) as u8) as char, 1 + i / 15);
        let (a, b) = (i / 225, i % 225);
        // Three different cells.
        let c = (0..225).find(|c| *c != a && *c != b).unwrap();
        let b = if a == b { 224 - c } else { b };
        let moves = [label(a), label(b), label(c)].join(" ");
        format!("freestyle\t15x15\t{moves}\tW\t0\t0\t-\t-\t-\n")
    };
    (0..lines).map(line).collect()
}

/// The import was dropped without a message.
#[test]
fn work_on_files_that_came_before_the_end_is_done() {
    for is_thinking in [false, true] {
        for has_end in [false, true] {
            let mut session = Session::spawn();
            let home = session.home().to_path_buf();
            std::fs::write(home.join("a.txt"), text_of(3_001)).unwrap();
            let game = match is_thinking {
                // The second search would wait for the first one, and all others for both.
                true => "START 15\nINFO timeout_turn -1\nTURN 7,7\nTURN 8,8\n",
                false => "",
            };
            let end = if has_end { "END\n" } else { "" };
            let work = "YXSETDATABASE a.db\nYXTXTTODB a.txt\nYXDBTOTXTALL b.txt\n";
            session.raw(format!("{game}{work}{end}").as_bytes());
            if !has_end {
                session.close_input();
            }
            let mut results = Vec::new();
            while let Some(line) = session.any_line(LONG) {
                if line.starts_with("MESSAGE The database: ") {
                    results.push(line);
                }
            }
            assert_eq!(results.len(), 3, "{results:?}");
            assert!(results[1].ends_with(": 3001 positions read"), "{results:?}");
            if has_end {
                session.close_input();
            }
            // Without an `END` the moves are owed.
            session.expect_status((is_thinking && !has_end).into());
            let written = std::fs::read_to_string(home.join("b.txt")).unwrap();
            let count = written.lines().count();
            assert!(results[2].contains(&format!(" {count} positions written")));
            assert_eq!(positions_in_database(&home), count.to_string());
            assert_eq!(names(&home), ["a.db", "a.txt", "b.txt"]);
        }
    }
}

#[test]
fn edits_and_tables_that_came_before_the_end_are_kept() {
    let mut session = with_database();
    let home = session.home().to_path_buf();
    let edits: String = (0..100)
        .map(|i| format!("YXEDITTVDDATABASE 1 87 0 0 7,7 {},{} DONE\n", i % 7, i / 7))
        .collect();
    session.raw(format!("{edits}YXHASHDUMP table\nEND\n").as_bytes());
    let answer = session.any_line(LONG).expect("the result");
    assert!(answer.ends_with(" entries written to table"), "{answer}");
    session.close_input().expect_exit();
    assert_eq!(names(&home), ["a.db", "table"]);
    // The first two, and one for each of 35 cells that no symmetry maps to another.
    assert_eq!(positions_in_database(&home), "37");
    let mut other = Session::start(15);
    let path = home.join("table");
    let loaded = message(&mut other, &format!("YXHASHLOAD {}", path.display()));
    assert!(loaded.contains(" entries read from "), "{loaded}");
}

/// The engine in `folder`; nobody reads its output.
fn unread(folder: &Path) -> Child {
    let mut command = engine();
    command.current_dir(folder).spawn().expect("it starts")
}

fn expect_end(mut child: Child, limit: Duration) {
    assert!(exit_within(&mut child, limit).is_some(), "does not end");
    let mut text = String::new();
    child.stderr.unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "");
}

#[test]
fn a_manager_that_leaves_gets_its_files() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = unread(dir.path());
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let commands = "ABOUT\nYXSETDATABASE a.db\nSTART 15\nTURN 7,7\n\
                    YXEDITTVDDATABASE 1 87 0 0 7,7 DONE\n";
    stdin.write_all(commands.as_bytes()).unwrap();
    // Its input stays open.
    expect_end(child, LONG);
    assert_eq!(positions_in_database(dir.path()), "2");
    drop(stdin);
}

/// Work on files waits for the answers before it; nobody reads these here.
#[test]
fn a_manager_that_does_not_read_keeps_no_process() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = unread(dir.path());
    let mut stdin = child.stdin.take().unwrap();
    let about = "ABOUT\n".repeat(8_000);
    let commands = format!("{about}YXSETDATABASE a.db\nEND\n");
    stdin.write_all(commands.as_bytes()).unwrap();
    expect_end(child, LONG);
}

/// The name was read as text, and another file was made.
#[cfg(target_os = "linux")]
#[test]
fn a_database_of_any_name_is_opened() {
    use std::os::unix::ffi::OsStringExt;
    let mut session = Session::spawn();
    let home = session.home().to_path_buf();
    for command in [
        &b"YXSETDATABASE \xff\xfe.db\n"[..],
        b"YXDBTOTXTALL\n\"\xc0\xc1.txt\"\n",
    ] {
        session.raw(command);
    }
    session.end();
    let entries = std::fs::read_dir(&home).unwrap();
    let mut found: Vec<Vec<u8>> = entries
        .map(|entry| entry.unwrap().file_name().into_vec())
        .collect();
    found.sort();
    assert_eq!(found, [&b"\xc0\xc1.txt"[..], b"\xff\xfe.db"]);
    // Behind another command on its line it is not known where the name begins.
    let mut session = Session::start(15);
    session.raw(b"BOARD DONE YXSETDATABASE \xff.db\n");
    session.expect_error();
    session.expect_move();
}
