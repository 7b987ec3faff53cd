//! The opening database: queries, edits, files; each block in both layouts.

use std::time::Duration;

use crate::common::{PATIENCE, Session};

const LONG: Duration = Duration::from_secs(30);

/// Sends a block on lines of its own or on one line.
fn send(session: &mut Session, on_lines: bool, head: &str, moves: &str) {
    if on_lines {
        session.block(head, moves);
    } else {
        session.block_in_one_line(head, moves);
    }
}

/// The database's lines for the moves after a position.
fn children(session: &mut Session, moves: &str) -> Vec<String> {
    session.block("yxquerydatabaseall", moves);
    session.expect_line("MESSAGE DATABASE REFRESH");
    let mut lines = Vec::new();
    loop {
        let line = session.any_line(LONG).expect("the end of the list");
        if line == "MESSAGE DATABASE DONE" {
            return lines;
        }
        let rest = line.strip_prefix("MESSAGE DATABASE ");
        lines.push(rest.expect("a child").to_string());
    }
}

fn message(session: &mut Session, text: &str) -> String {
    let line = session.send(text).any_line(LONG).expect("an answer");
    line.strip_prefix("MESSAGE ").expect(&line).to_string()
}

/// The text of the answering `ERROR`.
fn refusal(session: &mut Session, text: &str) -> String {
    let line = session.send(text).any_line(LONG).expect("an answer");
    line.strip_prefix("ERROR ").expect(&line).to_string()
}

#[test]
fn records_are_edited_and_shown() {
    for on_lines in [true, false] {
        let mut session = Session::start(15);
        let edit = "yxedittvddatabase 7 119 250 18";
        send(&mut session, on_lines, edit, "7,7 8,8");
        let comment = r#"yxedittextdatabase "a \"b\" \\""#;
        send(&mut session, on_lines, comment, "7,7 8,8");
        let cell = "yxeditlabeldatabase 9,7 A1";
        send(&mut session, on_lines, cell, "7,7 8,8");
        session.expect_silence();
        // The child and its mirror images, with W for the player who moves there.
        let shown = children(&mut session, "7,7");
        assert_eq!(shown.len(), 4, "{shown:?}");
        let child = "8 8 87 250 18 3 1".to_string();
        assert!(shown.contains(&child), "{shown:?}");
        // A cell with a text and no record, and its mirror image.
        assert_eq!(
            children(&mut session, "7,7 8,8"),
            ["9 7 0 0 0 0 0 A1", "7 9 0 0 0 0 0 A1"]
        );
        // Other symmetric games show the same.
        assert_eq!(
            children(&mut session, "7,7 6,8"),
            ["5 7 0 0 0 0 0 A1", "7 9 0 0 0 0 0 A1"]
        );
        send(&mut session, on_lines, "YXQUERYDATABASEONE", "7,7 8,8");
        session.expect_line("MESSAGE DATABASE ONE 87 250 18 3 W");
        send(&mut session, on_lines, "YXQUERYDATABASEONE", "0,0 8,8");
        session.expect_line("MESSAGE DATABASE ONE 0 0 0 0");
        send(&mut session, on_lines, "yxquerydatabasetext", "7,7 8,8");
        session.expect_line(r#"MESSAGE DATABASE TEXT "a \"b\" \\""#);
        // The way to the position is known too, without label.
        assert_eq!(children(&mut session, ""), ["7 7 -1 0 0 0 0"]);
        // Another rule is another game.
        session.info("rule", 4);
        assert!(children(&mut session, "7,7").is_empty());
        session.info("rule", 0);
        // Clearing a label and a text.
        let clear = "yxedittvddatabase 1 -1 0 0";
        send(&mut session, on_lines, clear, "7,7 8,8");
        let clear = "yxeditlabeldatabase 9,7 ";
        send(&mut session, on_lines, clear, "7,7 8,8");
        let child = "8 8 -1 250 18 3 1".to_string();
        assert!(children(&mut session, "7,7").contains(&child));
        assert!(children(&mut session, "7,7 8,8").is_empty());
        send(&mut session, on_lines, "yxdeletedatabaseone", "7,7 8,8");
        assert!(children(&mut session, "7,7").is_empty());
        session.expect_silence();
    }
}

#[test]
fn comments_may_have_lines_and_any_letters() {
    let mut session = Session::start(15);
    let comment = "first\nDONE\nEnd of the game\nStart 15 again\nrestart here\n最后";
    session.raw(format!("yxedittextdatabase \"{comment}\"\n7,7\nDONE\n").as_bytes());
    session.block_in_one_line("yxquerydatabasetext", "7,7");
    let shown = format!("\"{}\"", comment.replace('\n', "\\n"));
    session.expect_line(&format!("MESSAGE DATABASE TEXT {shown}"));
    // The printed text means the same when it is sent back.
    session.block(&format!("yxedittextdatabase {shown}"), "7,7");
    session.block("yxquerydatabasetext", "7,7");
    session.expect_line(&format!("MESSAGE DATABASE TEXT {shown}"));
    session.expect_silence();
}

/// A path and a comment may begin with the word of a command; a command alone on its line is
/// obeyed.
#[test]
fn what_was_left_open_ends_with_a_whole_command() {
    let mut session = Session::start(15);
    assert_eq!(
        message(&mut session, "yxhashdump\nend of game.tt"),
        "Hash table: there is nothing to write yet"
    );
    session.raw(b"yxedittextdatabase \"begun\nSTART 20\n");
    session.expect_ok();
    session.raw(b"yxhashload\nRESTART\n");
    session.expect_ok();
    session.raw(b"yxedittextdatabase \"begun\nEND\n");
    session.expect_exit();
}

#[test]
fn edits_without_a_board_are_refused() {
    let mut session = Session::spawn();
    for command in [
        "yxedittextdatabase \"here\" 7,7 DONE",
        "yxdeletedatabaseone 7,7 DONE",
        "yxquerydatabaseone 7,7 DONE",
    ] {
        let why = refusal(&mut session, command);
        assert_eq!(why, "The database: send START first");
    }
    assert!(children(&mut session, "7,7").is_empty());
}

#[test]
fn texts_out_of_files_never_begin_a_line() {
    let mut session = Session::start(15);
    session.block("yxedittextdatabase \"good\"", "7,7 8,8");
    session.block("yxeditlabeldatabase 9,7 A1", "7,7 8,8");
    message(&mut session, "yxdbtotxtall a.txt");
    let path = session.home().join("a.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text
        .replace("good", r"a\n7,7")
        .replace("A1", "A\\n0,0\r7,7");
    std::fs::write(&path, text).unwrap();
    session.send("yxsetdatabase b.db");
    for _ in 0..3 {
        session.any_line(LONG).unwrap();
    }
    message(&mut session, "yxtxttodb a.txt");
    assert_eq!(
        children(&mut session, "7,7 8,8"),
        [r"9 7 0 0 0 0 0 A\n0,0\r7,7", r"7 9 0 0 0 0 0 A\n0,0\r7,7"]
    );
    session.block("yxquerydatabasetext", "7,7 8,8");
    session.expect_line(r#"MESSAGE DATABASE TEXT "a\n7,7""#);
    session.expect_silence();
}

#[test]
fn the_best_move_is_marked_on_its_cell() {
    for on_lines in [true, false] {
        let mut session = Session::start(15);
        send(
            &mut session,
            on_lines,
            "yxsetbestmovedatabase",
            "7,7 8,8 9,7",
        );
        assert_eq!(
            children(&mut session, "7,7 8,8"),
            ["9 7 0 0 0 0 0 *", "7 9 0 0 0 0 0 *"]
        );
        send(
            &mut session,
            on_lines,
            "yxclearbestmovedatabase",
            "7,7 8,8 9,7",
        );
        assert!(children(&mut session, "7,7 8,8").is_empty());
    }
}

#[test]
fn positions_that_follow_are_deleted_by_label() {
    for on_lines in [true, false] {
        let mut session = Session::start(15);
        let edit = |session: &mut Session, label: char, moves: &str| {
            let head = format!("yxedittvddatabase 1 {} 0 0", u32::from(label));
            send(session, on_lines, &head, moves);
        };
        let moves = ["7,7 8,8", "7,7 8,7", "7,7 9,9", "7,7 8,8 3,3"];
        for (label, moves) in "WLDW".chars().zip(moves) {
            edit(&mut session, label, moves);
        }
        for (head, gone) in [
            ("yxdeletedatabaseall wlnostep", 2),
            ("yxdeletedatabaseall nonwl", 1),
        ] {
            send(&mut session, on_lines, head, "7,7");
            session.expect_line(&format!("MESSAGE The database: {gone} positions deleted"));
        }
        // The way to the remaining position, and its mirror images.
        let shown = children(&mut session, "7,7");
        assert_eq!(shown.len(), 4, "{shown:?}");
        assert!(shown.iter().all(|line| line.ends_with(" -1 0 0 0 0")));
        edit(&mut session, 'W', "7,7 8,8");
        send(&mut session, on_lines, "YXDELETEDATABASEALL", "7,7");
        session.expect_line("MESSAGE The database: 2 positions deleted");
    }
}

#[test]
fn every_kind_of_positions_that_follow_can_be_deleted() {
    let mut session = Session::start(15);
    // Numbers of deleted and remaining positions. A win followed by another one stays, as an empty
    // record on the way to the other.
    for (kind, gone, left) in [
        ("W", 1, 5),
        ("L", 1, 4),
        ("WL", 2, 4),
        ("WLD", 3, 3),
        ("NONWL", 2, 3),
        ("NONWLD", 1, 4),
        // The win is proved in ten plies; the loss has no number of plies.
        ("WLNOSTEP", 1, 4),
        ("WLINSTEP 9", 0, 5),
        ("WLINSTEP 10", 1, 5),
        ("W RECURSIVE", 2, 3),
        ("WRECURSIVE", 2, 3),
        ("WLINSTEP RECURSIVE 10", 1, 5),
        ("NONWLDRECURSIVE", 1, 4),
    ] {
        for (label, value, moves) in [
            ('W', 29_990, "7,7 8,8"),
            ('L', 0, "7,7 8,7"),
            ('D', 0, "7,7 9,9"),
            ('X', 0, "7,7 9,8"),
            ('W', 0, "7,7 8,8 3,3"),
        ] {
            let head = format!("yxedittvddatabase 3 {} {value} 0", u32::from(label));
            session.block(&head, moves);
        }
        session.block(&format!("yxdeletedatabaseall {kind}"), "7,7");
        session.expect_line(&format!("MESSAGE The database: {gone} positions deleted"));
        session.block("yxdeletedatabaseall", "7,7");
        session.expect_line(&format!("MESSAGE The database: {left} positions deleted"));
    }
}

#[test]
fn a_named_file_lasts_and_is_not_shared() {
    let mut session = Session::start(15);
    let path = session.home().join("my openings.db");
    let path = path.to_str().unwrap();
    // On the same line and on the next.
    session.send(format!("YXSETDATABASE {path}"));
    session
        .expect_line(&format!("MESSAGE DATABASE LOAD START {path}"))
        .expect_line("MESSAGE DATABASE LOAD DONE")
        .expect_line(&format!("MESSAGE The database: 0 positions in {path}"));
    session.block("yxedittvddatabase 1 76 0 0", "7,7");
    session.send("yxsavedatabase");
    session
        .expect_line(&format!("MESSAGE DATABASE SAVE START {path}"))
        .expect_line("MESSAGE DATABASE SAVE DONE")
        .expect_line(&format!("MESSAGE The database: saved in {path}"));
    for command in ["yxdbcheck", "YXDBFIX"] {
        let answer = message(&mut session, command);
        assert_eq!(answer, "The database: all is well", "{command}");
    }
    let mut other = Session::start(15);
    let refused = refusal(&mut other, &format!("yxsetdatabase\n{path}"));
    assert!(refused.contains("another program uses it"), "{refused}");
    session.end();
    other.send(format!("yxsetdatabase\n{path}"));
    other
        .expect_line(&format!("MESSAGE DATABASE LOAD START {path}"))
        .expect_line("MESSAGE DATABASE LOAD DONE")
        .expect_line(&format!("MESSAGE The database: 2 positions in {path}"));
    assert_eq!(children(&mut other, ""), ["7 7 76 0 0 0 0"]);
    // An unused database shows nothing; a read-only one keeps its positions.
    other.info("usedatabase", 0);
    assert!(children(&mut other, "").is_empty());
    other.info("usedatabase", 1).info("database_readonly", 1);
    other.block("yxdeletedatabaseone", "7,7");
    other.expect_line("ERROR The database: it is read-only");
    assert_eq!(children(&mut other, "").len(), 1);
}

#[test]
fn files_of_other_kinds_are_refused() {
    let mut session = Session::start(15);
    let bad = session.home().join("bad");
    std::fs::write(&bad, "START 15\n".repeat(1_000)).unwrap();
    let bad = bad.to_str().unwrap();
    for command in ["YXSETDATABASE", "YXLIBTODB", "YXTXTTODB", "YXDBMERGE"] {
        for gap in [" ", "\n"] {
            for path in [bad, "no such/folder/file"] {
                let answer = refusal(&mut session, &format!("{command}{gap}{path}"));
                assert!(
                    answer.starts_with(&format!("The database: {path}: ")),
                    "{answer}"
                );
            }
        }
    }
    assert_eq!(std::fs::read(bad).unwrap().len(), 9_000);
    session.turn(7, 7).expect_move();
}

/// A value beyond all scores, from a text or a file, ended the process when it was shown.
#[test]
fn any_value_is_shown() {
    let mut session = Session::start(15);
    let text = session.home().join("values.txt");
    std::fs::write(&text, "freestyle\t15x15\th8\tL\t-32768\t0\texact\t-\t-\n").unwrap();
    message(&mut session, "YXSETDATABASE values.db");
    session.expect_line("MESSAGE DATABASE LOAD DONE");
    session.any_line(LONG).expect("the number of positions");
    let answer = message(&mut session, &format!("YXTXTTODB {}", text.display()));
    assert_eq!(answer, "The database: 1 positions read");
    session.block("yxquerydatabaseone", "7,7");
    session.expect_line("MESSAGE DATABASE ONE 76 -30002 0 3 L0");
}

/// The program waited for a pipe without a writer, and read a device until memory ran out.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let mut session = Session::start(15);
    let pipe = session.home().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for command in [
        "YXSETDATABASE",
        "YXDBMERGE",
        "YXLIBTODB",
        "YXTXTTODB",
        "YXHASHLOAD",
    ] {
        for path in [pipe.to_str().unwrap(), "/dev/zero"] {
            let answer = match command {
                "YXHASHLOAD" => message(&mut session, &format!("{command} {path}")),
                _ => refusal(&mut session, &format!("{command} {path}")),
            };
            assert!(answer.contains(path), "{command}: {answer}");
            assert!(
                answer.ends_with("not a regular file"),
                "{command}: {answer}"
            );
        }
    }
    session.turn(7, 7).expect_move();
}

#[test]
fn exports_come_back_as_imports() {
    let mut session = Session::start(15);
    for (label, moves) in [(87, "7,7 8,6"), (76, "7,7 8,6 7,9"), (68, "7,7 7,8")] {
        session.block(&format!("yxedittvddatabase 1 {label} 0 0"), moves);
    }
    session.block("yxedittextdatabase \"good\"", "7,7 8,6");
    session.block("yxboard", "7,7,2");
    for (command, count) in [
        ("yxdbtotxtall\nall.txt", "5 positions written to all.txt"),
        ("YXDBTOTXT part.txt", "3 positions written to part.txt"),
        ("yxdbtopos moves.txt", "4 positions written to moves.txt"),
        ("yxdbtolib a.lib", "4 moves written to a.lib in UTF-8"),
        ("yxdbsplit\nsplit.db", "4 positions written to split.db"),
    ] {
        assert_eq!(
            message(&mut session, command),
            format!("The database: {count}")
        );
    }
    for (import, count) in [
        ("yxtxttodb all.txt", "5 positions read"),
        ("yxlibtodb a.lib", "4 moves of a library in UTF-8 read"),
        ("yxdbmerge split.db", "5 positions merged"),
    ] {
        session.send(format!("yxsetdatabase {}.db", &import[2..7]));
        for _ in 0..3 {
            session.any_line(LONG).unwrap();
        }
        let answer = message(&mut session, import);
        assert_eq!(answer, format!("The database: {count}"));
        let shown = children(&mut session, "7,7");
        let is_win = |line: &String| line.starts_with("8 6 87 ");
        assert!(shown.iter().any(is_win), "{import}: {shown:?}");
        assert_eq!(shown.len(), 8, "{import}: {shown:?}");
        session.block("yxquerydatabasetext", "7,7 8,6");
        session.expect_line("MESSAGE DATABASE TEXT \"good\"");
    }
}

#[test]
fn what_a_search_finds_is_kept() {
    let mut session = Session::start(15);
    session.block("yxedittextdatabase \"start\"", "");
    session.info("timeout_turn", 5_000);
    // Black wins at once.
    let four = "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2";
    session.block("yxboard", four).send("yxnbest 2");
    session.expect_one_of("6,7 11,7");
    let moves = four.replace(",1", "").replace(",2", "");
    let shown = children(&mut session, &moves);
    let won = i32::from_be_bytes([0, 0, b'W', b'0']);
    for cell in ["6 7", "11 7"] {
        let line = shown.iter().find(|line| line.starts_with(cell));
        let line = line.unwrap_or_else(|| panic!("{shown:?}"));
        assert!(line.starts_with(&format!("{cell} {won} 30000 ")), "{line}");
    }
}

#[test]
fn moves_marked_with_x_are_not_played() {
    let mut session = Session::start(15);
    let four = "7,7,1 7,8,2 8,7,1 8,8,2 9,7,1 9,8,2 10,7,1 10,8,2";
    let moves = four.replace(",1", "").replace(",2", "");
    session.block("yxedittvddatabase 1 88 0 0", &format!("{moves} 6,7"));
    session.block("BOARD", four).expect_one_of("11,7");
}

/// The error is about the missing database, not about the file named by the command.
#[test]
fn commands_without_a_database_say_that_there_is_none() {
    let mut session = Session::start(15);
    for command in [
        "YXDBTOTXTALL",
        "YXDBTOTXT",
        "YXDBTOPOS",
        "YXDBTOLIB",
        "YXDBSPLIT",
    ] {
        let why = refusal(&mut session, &format!("{command} a.txt"));
        assert_eq!(why, "The database: a.txt: there is no database");
    }
    let why = refusal(&mut session, "YXSAVEDATABASE");
    assert_eq!(why, "The database: there is no database");
    // Nor does a search make one.
    session.info("usedatabase", 1).info("max_node", 300);
    session.turn(7, 7).expect_move();
    assert_eq!(std::fs::read_dir(session.home()).unwrap().count(), 0);
}

/// `INFO usedatabase 1` is enough for the first search of a process to use the database.
#[test]
fn a_search_opens_the_database_that_it_is_told_to_use() {
    let mut author = Session::start(15);
    let folder = author.home().join("data");
    let play = |session: &mut Session| {
        session.info("max_node", 300);
        session.turn(7, 7).expect_move()
    };
    let (x, y) = play(&mut author);
    author.info("folder", folder.display());
    author.block("yxedittvddatabase 1 88 0 0", &format!("7,7 {x},{y}"));
    author.end();
    for (wanted, has_other) in [(0, false), (1, false), (1, true)] {
        let mut player = Session::spawn();
        player.send("START 15").expect_ok();
        player.info("usedatabase", wanted);
        if has_other {
            // A database in the working directory, until the manager names its folder.
            player.block("yxedittextdatabase \"other\"", "1,1");
            player.expect_silence();
        }
        player.info("folder", folder.display());
        let played = play(&mut player);
        assert_eq!(played != (x, y), wanted == 1, "{played:?}");
    }
}

#[test]
fn the_folder_of_the_manager_is_used() {
    let mut session = Session::start(15);
    let folder = session.home().join("data");
    session.info("folder", folder.display());
    session.block("yxedittextdatabase \"here\"", "7,7");
    session.block("yxquerydatabasetext", "7,7");
    session.expect_line("MESSAGE DATABASE TEXT \"here\"");
    let count = |path: &std::path::Path| std::fs::read_dir(path).unwrap().count();
    assert_eq!(count(&folder.join("tengen")), 1);
    assert_eq!(count(session.home()), 1);
}

#[test]
fn databases_are_asked_during_a_search() {
    let mut session = Session::start(15);
    session
        .info("timeout_turn", -1)
        .turn(7, 7)
        .expect_thinking();
    session.block("yxedittvddatabase 1 87 0 0", "7,7");
    session.block("yxquerydatabaseone", "7,7");
    loop {
        let line = session.any_line(LONG).unwrap();
        if line == "MESSAGE DATABASE ONE 87 0 0 0 W" {
            break;
        }
        assert!(line.starts_with("MESSAGE depth "), "{line}");
    }
    session.expect_thinking();
    session.send("YXSTOP").expect_move();
}

/// Positions after a deleted one stayed in the file, but were in no export.
#[test]
fn what_follows_a_deleted_position_is_found() {
    let mut session = Session::start(15);
    session.block("yxedittvddatabase 1 87 0 0", "7,7 8,8 9,7");
    session.block("yxedittextdatabase \"gone\"", "7,7 8,8");
    session.block("yxdeletedatabaseone", "7,7 8,8");
    session.block("yxquerydatabasetext", "7,7 8,8");
    session.expect_line("MESSAGE DATABASE TEXT \"\"");
    session.block("yxboard", "");
    for (command, count) in [
        ("yxdbtotxt part.txt", "3 positions written to part.txt"),
        ("yxdbtolib a.lib", "3 moves written to a.lib in UTF-8"),
        ("yxdbsplit split.db", "4 positions written to split.db"),
    ] {
        let answer = message(&mut session, command);
        assert_eq!(answer, format!("The database: {count}"));
    }
}

#[test]
fn what_a_text_brings_is_found() {
    let mut session = Session::start(15);
    let line = "freestyle\t15x15\th8 i9 j10\tW\t0\t0\t-\tmy note\t-\n";
    std::fs::write(session.home().join("a.txt"), line).unwrap();
    let answer = message(&mut session, "yxtxttodb a.txt");
    assert_eq!(answer, "The database: 1 positions read");
    assert_eq!(children(&mut session, ""), ["7 7 -1 0 0 0 0"]);
    let answer = message(&mut session, "yxdbtolib a.lib");
    assert_eq!(answer, "The database: 3 moves written to a.lib in UTF-8");
}

/// RenLib writes in the code page of its machine.
#[test]
fn a_library_keeps_its_charset_unless_another_is_named() {
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    // h8 with a comment in windows-1251, i9 with one that names a point.
    let texts = b"\0\0\x78\x08\xf7\xb8\xf0\xed\xfb\xe9 \xe2\xfb\xe8\xe3\xf0\xe0\xe5\xf2\0\
        \x69\x48\xe7\xe0\xf9\xe8\xf2\xe0 j8\0";
    let bytes = [&head[..], texts].concat();
    let mut session = Session::start(15);
    std::fs::write(session.home().join("a.lib"), &bytes).unwrap();
    let answer = message(&mut session, "yxlibtodb a.lib");
    assert_eq!(
        answer,
        "The database: 2 moves of a library in windows-1251 read"
    );
    session.block("yxquerydatabasetext", "7,7");
    session.expect_line("MESSAGE DATABASE TEXT \"чёрный выиграет\"");
    // Seen in a mirror.
    session.block("yxquerydatabasetext", "7,7 6,6");
    session.expect_line("MESSAGE DATABASE TEXT \"защита f8\"");
    let answer = message(&mut session, "yxdbtolib b.lib");
    assert_eq!(
        answer,
        "The database: 2 moves written to b.lib in windows-1251"
    );
    assert_eq!(std::fs::read(session.home().join("b.lib")).unwrap(), bytes);
    session.info("library_charset", "gbk");
    let answer = message(&mut session, "yxdbtolib c.lib");
    assert_eq!(answer, "The database: 2 moves written to c.lib in GBK");
    session.info("library_charset", "latin1");
    let why = refusal(&mut session, "yxdbtolib d.lib");
    assert!(
        why.ends_with("2 texts have letters that windows-1252 lacks"),
        "{why}"
    );
    session.info("library_charset", "klingon");
    let why = refusal(&mut session, "yxlibtodb a.lib");
    assert!(
        why.ends_with("library_charset klingon: no such charset"),
        "{why}"
    );
}

/// Searches of set-up positions keep some positions that no moves reach.
#[test]
fn an_export_counts_what_it_leaves_out() {
    let mut session = Session::start(15);
    session.block("yxedittextdatabase \"start\"", "");
    session.info("timeout_turn", 5_000);
    session.block("yxboard", "7,7,1 8,7,1 9,7,1 10,7,1");
    session.send("yxnbest 1").expect_one_of("6,7 11,7");
    for (command, written) in [("yxdbtotxtall a.txt", 1), ("yxdbtopos b.txt", 0)] {
        let answer = message(&mut session, command);
        let path = command.split(' ').nth(1).unwrap();
        let expected = format!(
            "The database: {written} positions written to {path}; \
             2 to which no alternating moves lead are left out"
        );
        assert_eq!(answer, expected);
    }
}

/// Entries of `BOARD` may stand in any order: keeping the order of the owners gave results that no
/// export found.
#[test]
fn what_a_search_finds_is_reached_whatever_the_order_of_its_stones() {
    let mut session = Session::start(15);
    session.block("yxedittextdatabase \"start\"", "");
    session.info("timeout_turn", 5_000);
    let owners = "7,7,1 8,7,1 9,7,1 10,7,1 7,8,2 8,8,2 9,8,2 10,8,2";
    session.block("BOARD", owners).expect_one_of("6,7 11,7");
    let answer = message(&mut session, "yxdbtotxtall all.txt");
    let all = "The database: 10 positions written to all.txt";
    assert_eq!(answer, all);
    session.block("yxboard", owners);
    let answer = message(&mut session, "yxdbtolib a.lib");
    assert_eq!(answer, "The database: 9 moves written to a.lib in UTF-8");
    session.block("yxboard", "");
    let answer = message(&mut session, "yxdbtotxt part.txt");
    assert_eq!(answer, "The database: 9 positions written to part.txt");
}

#[test]
fn a_text_that_is_none_is_refused_by_its_line() {
    let mut session = Session::start(15);
    let line = "freestyle\t15x15\th8\tW\t0\t0\t-\tmy note\t-\n";
    let path = session.home().join("a.txt");
    std::fs::write(&path, [line.as_bytes(), b"\xff\n"].concat()).unwrap();
    let why = refusal(&mut session, "yxtxttodb a.txt");
    assert_eq!(why, "The database: a.txt: line 2: it is not UTF-8");
    std::fs::write(&path, format!("\u{FEFF}{line}")).unwrap();
    let answer = message(&mut session, "yxtxttodb a.txt");
    assert_eq!(answer, "The database: 1 positions read");
    // The file is still a text of positions, so another text replaces it.
    let answer = message(&mut session, "yxdbtotxtall a.txt");
    assert_eq!(answer, "The database: 2 positions written to a.txt");
}

/// The process ran out of memory.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_of_a_text_takes_little_memory() {
    let mut session = Session::spawn_within(300_000);
    let file = std::fs::File::create(session.home().join("a.txt"));
    file.and_then(|file| file.set_len(1 << 30)).unwrap();
    let why = refusal(&mut session, "yxtxttodb a.txt");
    assert_eq!(why, "The database: a.txt: line 1: it has more than 4 MiB");
    session.send("START 15").expect_ok();
}

/// The message said that another program used the database.
#[test]
fn a_database_is_not_merged_into_itself() {
    let mut session = Session::start(15);
    session.block("yxedittextdatabase \"start\"", "");
    let refused = "it is the database itself; only another one can be merged into it";
    for path in ["tengen-positions.db", "./tengen-positions.db"] {
        let why = refusal(&mut session, &format!("yxdbmerge {path}"));
        assert_eq!(why, format!("The database: {path}: {refused}"));
    }
    // Also before it is opened.
    let mut other = Session::start(15);
    session.end();
    let [from, to] = [&session, &other].map(|s| s.home().join("tengen-positions.db"));
    std::fs::copy(from, to).unwrap();
    let why = refusal(&mut other, "yxdbmerge tengen-positions.db");
    assert!(why.ends_with(refused), "{why}");
}

/// A library of 5 MB took 315 MiB, and ended a process with less memory.
#[cfg(target_os = "linux")]
#[test]
fn large_libraries_take_little_memory() {
    let mut session = Session::spawn_within(300_000);
    let library = session.home().join("a.lib");
    for nodes in [2_500_000, 3_000_000] {
        std::fs::write(&library, [0x78, 0x80].repeat(nodes)).unwrap();
        // All other moves are to the same cell.
        assert_eq!(
            message(&mut session, "yxlibtodb a.lib"),
            format!(
                "The database: 1 moves of a library in UTF-8 read; {} on or behind a taken cell left out",
                nodes - 1
            )
        );
    }
    std::fs::File::create(&library)
        .and_then(|file| file.set_len(100 << 20))
        .unwrap();
    let why = refusal(&mut session, "yxlibtodb a.lib");
    assert!(why.contains("this is no RenLib library"), "{why}");
    let peak = session.peak_memory();
    assert!(peak < 150 << 20, "{} MiB", peak >> 20);
    session.send("START 15").expect_ok();
    session.info("timeout_turn", 100);
    session.turn(7, 7).expect_move();
}

#[test]
fn a_text_with_a_path_is_short_and_of_ascii() {
    let mut session = Session::start(15);
    let path = format!("/nowhere/h\u{e4}sh{}/end.db", "x".repeat(3_000));
    let line = session
        .send(format!("yxsetdatabase {path}"))
        .any_line(PATIENCE);
    let line = line.expect("an answer");
    assert!(line.is_ascii() && line.len() < 1_000, "{line}");
    assert!(line.contains("xx/end.db"), "{line}");
}

#[test]
fn without_a_database_stale_marks_go_and_no_file_comes() {
    let mut session = Session::start(15);
    session.block("yxquerydatabaseall", "7,7 8,8");
    session
        .expect_line("MESSAGE DATABASE REFRESH")
        .expect_line("MESSAGE DATABASE DONE");
    session.block("YXQUERYDATABASEALLT", "7,7 8,8");
    session
        .expect_line("MESSAGE DATABASE REFRESH")
        .expect_line("MESSAGE DATABASE TEXT \"\"")
        .expect_line("MESSAGE DATABASE DONE");
    session.expect_silence();
    assert_eq!(std::fs::read_dir(session.home()).unwrap().count(), 0);
}

#[test]
fn remains_of_blocks_make_no_noise() {
    let mut session = Session::start(15);
    for head in [
        "YXEDITTVDDATABASE 7 87 0 0",
        "YXEDITTVDDATABASE W",
        "YXEDITTEXTDATABASE no quotes",
        "YXDELETEDATABASEALL everything",
        "YXEDITTEXTDATABASE \"it is done\"",
        "YXEDITLABELDATABASE 7,7 text",
        "YXDELETEDATABASEONE",
        "YXSETBESTMOVEDATABASE",
        "YXCLEARBESTMOVEDATABASE",
    ] {
        session
            .block(head, "7,7 8,8")
            .block_in_one_line(head, "7,7 8,8");
    }
    session.expect_silence();
}
