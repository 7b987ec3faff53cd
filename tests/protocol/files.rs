//! What commands write: nothing is destroyed.

use std::path::Path;
use std::time::Duration;

use crate::common::Session;

const LONG: Duration = Duration::from_secs(30);

const EXPORTS: [&str; 6] = [
    "YXDBTOTXTALL",
    "YXDBTOTXT",
    "YXDBTOPOS",
    "YXDBTOLIB",
    "YXDBSPLIT",
    "YXHASHDUMP",
];

fn message(session: &mut Session, text: &str) -> String {
    let line = session.send(text).any_line(LONG).expect("an answer");
    line.strip_prefix("MESSAGE ").expect(&line).to_string()
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

/// A pipe without a reader was waited for, and devices and folders made partial files.
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
