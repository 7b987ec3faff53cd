//! Database files that are damaged, foreign, or read-only.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::Session;

const LONG: Duration = Duration::from_secs(30);

fn line(session: &mut Session, text: &str) -> String {
    session.send(text).any_line(LONG).expect("an answer")
}

/// Opens a database; returns the line with the number of positions.
fn open(session: &mut Session, path: &Path) -> String {
    let path = path.display();
    session.send(format!("YXSETDATABASE {path}"));
    session
        .expect_line(&format!("MESSAGE DATABASE LOAD START {path}"))
        .expect_line("MESSAGE DATABASE LOAD DONE");
    session.any_line(LONG).expect("a count")
}

/// The bytes of a closed database of three positions, the last with a comment.
fn sample(comment: &str) -> Vec<u8> {
    let mut session = Session::start(15);
    let path = session.home().join("sample.db");
    open(&mut session, &path);
    session.block(&format!("yxedittextdatabase \"{comment}\""), "7,7 8,8");
    // This closes the file.
    session.info("database_readonly", 1);
    expect_text(&mut session, comment);
    fs::read(path).unwrap()
}

/// A session and the path of a file with `bytes` in its folder.
fn session_with(name: &str, bytes: &[u8]) -> (Session, PathBuf) {
    let session = Session::start(15);
    let path = session.home().join(name);
    fs::write(&path, bytes).unwrap();
    (session, path)
}

fn expect_text(session: &mut Session, text: &str) {
    session.block("yxquerydatabasetext", "7,7 8,8");
    session.expect_line(&format!("MESSAGE DATABASE TEXT \"{text}\""));
}

/// Each of these ended the process, with nothing on its output.
#[test]
fn damaged_files_are_refused_and_repaired() {
    let sample = sample("kept");
    let invert = |places: &[usize]| {
        let mut bytes = sample.clone();
        places.iter().for_each(|&at| bytes[at] = !bytes[at]);
        bytes
    };
    let cases = [
        sample[..sample.len() - 1].to_vec(),
        invert(&[12, 13, 14, 15, 16, 17, 18, 19]),
        invert(&[24, 25, 26, 27, 28, 29, 30, 31, 32]),
        invert(&[39]),
        invert(&[136]),
        // One byte of a size, and roots in one or both slots.
        invert(&[12]),
        invert(&[24]),
        invert(&[72]),
        invert(&[79, 207]),
        invert(&[136, 264]),
    ];
    for (i, bytes) in cases.iter().enumerate() {
        let (mut session, path) = session_with("a.db", bytes);
        // Where both commits are damaged, or the end is missing, this copy is taken.
        fs::write(path.with_extension("db.bak"), &sample).unwrap();
        // Byte 39 is not used by this version of the store.
        if bytes[39] == sample[39] {
            let why = format!("The database: {}: it is damaged", path.display());
            let refused = line(&mut session, &format!("YXSETDATABASE {}", path.display()));
            assert!(refused.starts_with(&format!("ERROR {why}")), "{refused}");
            let checked = line(&mut session, "YXDBCHECK");
            assert!(checked.starts_with("ERROR "), "case {i}: {checked}");
            assert_eq!(fs::read(&path).unwrap(), *bytes, "case {i}");
            let fixed = line(&mut session, "YXDBFIX");
            let kept = path.with_extension("db.damaged");
            let saved = "MESSAGE The database: 3 positions saved";
            assert!(fixed.starts_with(saved), "case {i}: {fixed}");
            let kept_as = format!("the damaged file is {}", kept.display());
            assert!(fixed.ends_with(&kept_as), "case {i}: {fixed}");
            assert_eq!(fs::read(&kept).unwrap(), *bytes, "case {i}");
        } else {
            open(&mut session, &path);
        }
        expect_text(&mut session, "kept");
        session.block("yxedittextdatabase \"new\"", "7,7 8,8");
        expect_text(&mut session, "new");
        assert_eq!(
            line(&mut session, "YXDBCHECK"),
            "MESSAGE The database: all is well"
        );
        session.end();
    }
}

/// A good file that had taken the damaged one's place was replaced.
#[test]
fn a_sound_file_is_not_replaced() {
    let sound = sample("kept");
    let mut damaged = sound.clone();
    damaged[136] = !damaged[136];
    let (mut session, path) = session_with("a.db", &damaged);
    open(&mut session, Path::new("other.db"));
    let refused = line(&mut session, &format!("YXSETDATABASE {}", path.display()));
    assert!(refused.starts_with("ERROR "), "{refused}");
    fs::write(&path, &sound).unwrap();
    let all_is_well = "MESSAGE The database: all is well";
    assert_eq!(line(&mut session, "YXDBCHECK"), all_is_well);
    let fixed = line(&mut session, "YXDBFIX");
    let is_open = format!("{all_is_well}; {} is open now", path.display());
    assert_eq!(fixed, is_open);
    assert_eq!(fs::read_dir(session.home()).unwrap().count(), 2);
    expect_text(&mut session, "kept");
    assert_eq!(line(&mut session, "YXDBFIX"), all_is_well);
    // This database can be changed, and the other one is closed.
    session.block("yxedittextdatabase \"new\"", "7,7 8,8");
    expect_text(&mut session, "new");
    let merged = line(&mut session, "YXDBMERGE other.db");
    assert!(merged.ends_with(" 0 positions merged"), "{merged}");
}

/// The same where the damage was met in the database itself.
#[cfg(unix)]
#[test]
fn a_sound_file_in_the_place_of_the_closed_one_is_not_replaced() {
    let sound = sample("unmistakable");
    let (mut session, path) = session_with("a.db", &sound);
    open(&mut session, &path);
    fs::write(&path, misspelt(&sound, "unmistakable")).unwrap();
    for command in ["YXDBCHECK", "YXQUERYDATABASETEXT 7,7 8,8 DONE", "YXDBCHECK"] {
        let refused = line(&mut session, command);
        assert!(refused.starts_with("ERROR "), "{command}: {refused}");
        assert!(refused.contains("YXDBFIX"), "{command}: {refused}");
    }
    fs::write(&path, &sound).unwrap();
    let fixed = line(&mut session, "YXDBFIX");
    assert!(fixed.contains("all is well; "), "{fixed}");
    assert_eq!(fs::read_dir(session.home()).unwrap().count(), 1);
    expect_text(&mut session, "unmistakable");
}

/// `YXDBCHECK` answered about a file not requested since.
#[test]
fn the_open_database_is_checked_once_it_is_named_again() {
    let (mut session, _) = session_with("bad.db", b"no database");
    open(&mut session, Path::new("a.db"));
    let refused = line(&mut session, "YXSETDATABASE bad.db");
    assert!(refused.contains("this is no database"), "{refused}");
    let checked = line(&mut session, "YXDBCHECK");
    assert!(checked.starts_with("ERROR "), "{checked}");
    open(&mut session, Path::new("a.db"));
    let all_is_well = "MESSAGE The database: all is well";
    for command in ["YXDBCHECK", "YXDBFIX"] {
        assert_eq!(line(&mut session, command), all_is_well, "{command}");
    }
}

#[test]
fn a_file_that_nothing_can_be_read_of_stays() {
    let bytes = b"redb\x1A\x0A\xA9\x0D\x0A, but nothing else";
    let (mut session, path) = session_with("a.db", bytes);
    line(&mut session, &format!("YXSETDATABASE {}", path.display()));
    let fixed = line(&mut session, "YXDBFIX");
    assert!(fixed.starts_with("ERROR "), "{fixed}");
    assert!(fixed.contains("nothing in it can be read"), "{fixed}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(session.home()).unwrap().count(), 1);
    session.turn(7, 7).expect_move();
}

/// All ways of opening a file.
#[test]
fn every_damaged_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut damaged = sample("kept");
    damaged[136] = !damaged[136];
    let kept = ["a.db.damaged", "a.db.damaged-2", "a.db.damaged-3"];
    let kept = kept.map(|name| folder.path().join(name));
    for kept in &kept {
        fs::write(&path, &damaged).unwrap();
        let mut session = Session::start(15);
        let refused = line(&mut session, &format!("YXSETDATABASE {}", path.display()));
        assert!(refused.starts_with("ERROR "), "{refused}");
        let fixed = line(&mut session, "YXDBFIX");
        let end = format!("the damaged file is {}", kept.display());
        assert!(fixed.ends_with(&end), "{fixed}");
        session.end();
    }
    assert!(kept.iter().all(|path| fs::read(path).unwrap() == damaged));
}

#[test]
fn every_command_refuses_damaged_files() {
    let sample = sample("kept");
    let damaged = &sample[..sample.len() - 1];
    let (mut session, path) = session_with("tengen-positions.db", damaged);
    let is_refused = |line: &str| line.starts_with("ERROR ") && line.contains("it is damaged");
    for use_it in [None, Some(1)] {
        if let Some(value) = use_it {
            session.info("usedatabase", value);
        }
        session.block("yxquerydatabaseall", "7,7");
        session.expect_line("MESSAGE DATABASE REFRESH");
        let refused = session.any_line(LONG).unwrap();
        assert!(is_refused(&refused), "{refused}");
        session.expect_line("MESSAGE DATABASE DONE");
        session.block("yxedittextdatabase \"lost\"", "7,7");
        let refused = session.any_line(LONG).unwrap();
        assert!(is_refused(&refused), "{refused}");
    }
    open(&mut session, Path::new("good.db"));
    let refused = line(&mut session, &format!("YXDBMERGE {}", path.display()));
    assert!(is_refused(&refused), "{refused}");
    let refused = line(&mut session, &format!("YXDBSPLIT {}", path.display()));
    assert!(refused.starts_with("ERROR "), "{refused}");
    assert_eq!(fs::read(&path).unwrap(), damaged);
    // The good one is still in use.
    session.block("yxedittextdatabase \"kept\"", "7,7 8,8");
    expect_text(&mut session, "kept");
    session.turn(7, 7).expect_move();
}

/// A database with another first letter wherever `comment` stands.
fn misspelt(database: &[u8], comment: &str) -> Vec<u8> {
    let mut bytes = database.to_vec();
    for at in 0..bytes.len() - comment.len() {
        if bytes[at..].starts_with(comment.as_bytes()) {
            bytes[at].make_ascii_uppercase();
        }
    }
    bytes
}

/// With damage in an unread page the other pages are read; once the damage is met, no page is.
#[test]
fn a_session_that_changes_the_file_leaves_a_copy() {
    let first = sample("unmistakable");
    let (mut session, path) = session_with("b.db", &first);
    let copy = path.with_extension("db.bak");
    open(&mut session, &path);
    expect_text(&mut session, "unmistakable");
    assert!(!copy.exists());
    for text in ["another", "the last"] {
        session.block(&format!("yxedittextdatabase \"{text}\""), "7,7 8,8");
        expect_text(&mut session, text);
        assert!(fs::read(&copy).unwrap() == first);
    }
    session.info("database_readonly", 1);
    expect_text(&mut session, "the last");
    let damaged = misspelt(&fs::read(&path).unwrap(), "the last");
    session.end();

    let (mut session, path) = session_with("b.db", &damaged);
    let copy = path.with_extension("db.bak");
    fs::write(&copy, &first).unwrap();
    let refused = line(&mut session, &format!("YXSETDATABASE {}", path.display()));
    assert!(refused.contains("it is damaged"), "{refused}");
    let fixed = line(&mut session, "YXDBFIX");
    let saved = format!("3 positions saved, from {}", copy.display());
    assert!(fixed.contains(&saved), "{fixed}");
    expect_text(&mut session, "unmistakable");
    let kept = fs::read(path.with_extension("db.damaged")).unwrap();
    assert!(kept == damaged && fs::read(&copy).unwrap() == first);
}

/// Another kind of file in the place of the copy stays, and the change is made.
#[test]
fn a_copy_replaces_no_other_file() {
    let (mut session, path) = session_with("a.db", &sample("kept"));
    let copy = path.with_extension("db.bak");
    fs::write(&copy, "notes").unwrap();
    open(&mut session, &path);
    session.block("yxedittextdatabase \"new\"", "7,7 8,8");
    expect_text(&mut session, "new");
    assert_eq!(fs::read(&copy).unwrap(), b"notes");
}

/// An empty file of another program became a database.
#[test]
fn empty_files_are_refused() {
    let (mut session, path) = session_with("empty", b"");
    for command in ["YXSETDATABASE", "YXDBMERGE", "YXDBSPLIT"] {
        let refused = line(&mut session, &format!("{command} {}", path.display()));
        assert!(refused.starts_with("ERROR "), "{command}: {refused}");
    }
    let fixed = line(&mut session, "YXDBFIX");
    assert!(fixed.starts_with("ERROR "), "{fixed}");
    assert!(fs::read(&path).unwrap().is_empty());
}

/// A file with its bytes and the time of its last change.
struct Snapshot(PathBuf, Vec<u8>, std::time::SystemTime);

impl Snapshot {
    fn new(path: &Path) -> Snapshot {
        let time = fs::metadata(path).unwrap().modified().unwrap();
        Snapshot(path.to_path_buf(), fs::read(path).unwrap(), time)
    }

    fn expect_same(&self) {
        let Snapshot(path, bytes, time) = self;
        let now = Snapshot::new(path);
        assert!(now.1 == *bytes && now.2 == *time, "the file changed");
    }
}

#[test]
fn a_read_only_database_is_not_changed() {
    let (mut session, path) = session_with("a.db", &sample("kept"));
    let before = Snapshot::new(&path);
    session.info("database_readonly", 1);
    assert!(open(&mut session, &path).contains(": 3 positions"));
    expect_text(&mut session, "kept");
    let all_is_well = "MESSAGE The database: all is well";
    assert_eq!(line(&mut session, "YXDBCHECK"), all_is_well);
    assert_eq!(line(&mut session, "YXDBFIX"), all_is_well);
    let refused = "ERROR The database: it is read-only";
    session.block("yxedittextdatabase \"x\"", "7,7 8,8");
    session.expect_line(refused);
    session.block("yxdeletedatabaseall", "");
    session.expect_line(refused);
    session.send("YXSAVEDATABASE");
    for _ in 0..3 {
        session.any_line(LONG).unwrap();
    }
    let exported = line(&mut session, "YXDBTOTXTALL all.txt");
    assert!(exported.contains("3 positions written"), "{exported}");
    for command in ["YXTXTTODB all.txt", "YXDBMERGE a.db"] {
        let refused = line(&mut session, command);
        assert!(refused.starts_with("ERROR "), "{command}: {refused}");
    }
    let split = line(&mut session, "YXDBSPLIT part.db");
    assert!(split.contains("positions written"), "{split}");
    // Another program may read it too.
    let mut other = Session::start(15);
    other.info("database_readonly", 1);
    open(&mut other, &path);
    other.end();
    session.end();
    before.expect_same();
}

#[test]
fn a_read_only_database_is_not_made() {
    let mut session = Session::start(15);
    session.info("database_readonly", 1);
    let refused = line(&mut session, "YXSETDATABASE none.db");
    assert!(refused.starts_with("ERROR "), "{refused}");
    session.block("yxquerydatabasetext", "7,7");
    session.expect_line("MESSAGE DATABASE TEXT \"\"");
    session.block("yxedittextdatabase \"x\"", "7,7");
    session.expect_line("ERROR The database: it is read-only");
    assert_eq!(fs::read_dir(session.home()).unwrap().count(), 0);
}

#[test]
fn an_open_database_becomes_read_only_at_once() {
    let mut session = Session::start(15);
    let path = session.home().join("a.db");
    open(&mut session, &path);
    session.block("yxedittextdatabase \"kept\"", "7,7 8,8");
    session.info("database_readonly", 1);
    expect_text(&mut session, "kept");
    let before = Snapshot::new(&path);
    session.block("yxedittextdatabase \"x\"", "7,7 8,8");
    session.expect_line("ERROR The database: it is read-only");
    // A proved win; a writable database would keep it.
    let four = "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2";
    session.block("BOARD", four).expect_one_of("6,7 11,7");
    before.expect_same();
    session
        .info("database_readonly", 0)
        .info("database_readonly", 1);
    expect_text(&mut session, "kept");
    session.info("database_readonly", 0);
    session.block("yxedittextdatabase \"new\"", "7,7 8,8");
    expect_text(&mut session, "new");
    session.info("database_readonly", 1);
    expect_text(&mut session, "new");
    let before = Snapshot::new(&path);
    session.end();
    before.expect_same();
}

/// The leftovers of a killed program are repaired, but not in read-only mode.
#[cfg(unix)]
#[test]
fn a_file_that_was_not_closed_is_repaired() {
    let mut session = Session::start(15);
    let path = session.home().join("a.db");
    open(&mut session, &path);
    session.block("yxedittextdatabase \"kept\"", "7,7 8,8");
    expect_text(&mut session, "kept");
    let left = fs::read(&path).unwrap();
    session.signal("KILL");

    let (mut session, path) = session_with("b.db", &left);
    let before = Snapshot::new(&path);
    session.info("database_readonly", 1);
    assert!(open(&mut session, &path).contains(": 3 positions"));
    expect_text(&mut session, "kept");
    before.expect_same();
    session.info("database_readonly", 0);
    session.block("yxedittextdatabase \"new\"", "7,7 8,8");
    expect_text(&mut session, "new");
    session.end();
}
