//! Files of games as arguments: missing files, and journals of matches.

use std::time::Duration;

use super::{complaint, stderr, stdout, tengen};

/// Far beyond the time that a call takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The subcommands that take a game.
const COMMANDS: [&str; 5] = ["analyze", "show", "solve", "play", "review"];

/// A word with the look of a file is never taken for a misspelt move.
#[test]
fn missing_files_are_named_alike() {
    for file in ["none.sgf", "none.txt", "none.jsonl", "none/game"] {
        let said = COMMANDS.map(|command| complaint(&[command, file], 1));
        assert!(said[0].contains(&format!("{file}: ")), "{said:?}");
        assert!(said.iter().all(|error| *error == said[0]), "{said:?}");
    }
    for words in [["h8", "none.sgf"], ["none.sgf", "none.psq"]] {
        let error = complaint(&[&["analyze"], &words[..]].concat(), 2);
        assert!(error.contains("must be the only argument"), "{error}");
    }
    let error = complaint(&["analyze", "h8", "x99"], 2);
    assert!(error.contains("'x99' is not a point"), "{error}");
}

/// A match's journal is known by its content. Its many games are no game to go on with.
#[test]
fn journals_are_known_by_their_content() {
    let dir = tempfile::tempdir().unwrap();
    let line = r#"{"type":"match","version":"0.1.0","rule":"renju","openings":"0.5 .. 1"}"#;
    for name in ["journal.jsonl", "journal.txt"] {
        std::fs::write(dir.path().join(name), format!("{line}\n")).unwrap();
    }
    let told = |command: &str, name: &str| {
        stderr(tengen().current_dir(dir.path()).args([command, name]), 1)
    };
    for name in ["journal.jsonl", "journal.txt"] {
        for command in COMMANDS.into_iter().filter(|&command| command != "play") {
            let error = told(command, name);
            assert!(
                error.contains(&format!("{name}, line 1: missing")),
                "{error}"
            );
        }
        let error = told("play", name);
        assert!(
            error.contains(&format!("{name}: a match's journal")),
            "{error}"
        );
    }
}

/// A name in Shift_JIS ended with the byte of a backslash. The backslash hid the bracket behind it
/// and Black's move.
#[test]
fn names_in_other_charsets_cost_no_moves() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.sgf");
    let text = b"(;GM[4]SZ[15]PB[\x83\x5c];B[hh];W[ih])";
    std::fs::write(&file, text).unwrap();
    let said = |command: &str| stdout(tengen().arg(command).arg(&file).write_stdin("quit\n"));
    let shown = said("show");
    assert!(shown.contains("ソ"), "{shown}");
    assert!(shown.ends_with("h8 i8\n"), "{shown}");
    let played = said("play");
    assert!(played.contains("1. Black h8\n  2. White i8\n"), "{played}");
}

#[test]
fn moves_are_taken_in_the_place_of_a_file() {
    for command in COMMANDS {
        let mut call = tengen();
        call.args([command, "h8", "i9", "h7"]).write_stdin("quit\n");
        if matches!(command, "analyze" | "review") {
            call.args(["--nodes", "100", "--hash", "16"]);
        }
        call.timeout(PATIENCE).assert().success();
        let error = complaint(&[command, "nofile"], 2);
        assert!(error.contains("no such file"), "{error}");
    }
    let text = stdout(tengen().args(["show", "--after", "2", "h8", "i9", "h7"]));
    assert!(text.ends_with("h8 i9\n"), "{text}");
}

#[test]
fn links_are_taken_in_the_place_of_a_file() {
    for command in COMMANDS {
        let error = complaint(&[command, "http://x/#renju-15/h8i9h8"], 1);
        assert!(error.contains("'h8' is already taken"), "{error}");
        let mut call = tengen();
        call.args([command, "https://x/#renju-15/h8i9h7"]);
        if matches!(command, "analyze" | "review") {
            call.args(["--nodes", "100", "--hash", "16"]);
        }
        call.write_stdin("quit\n")
            .timeout(PATIENCE)
            .assert()
            .success();
    }
}

const GAME: &[u8] = b"(;GM[4]SZ[15];B[hh];W[ig];B[gg])";

/// Every command that reads a file, with a file's content and a part of the output.
const READERS: [(&[&str], &[u8], &str); 10] = [
    (
        &["analyze", "--nodes", "100", "--hash", "16", "IN"],
        GAME,
        "3 stones",
    ),
    (
        &["analyze", "--nodes", "100", "--hash", "16", "--file", "IN"],
        GAME,
        "3 stones",
    ),
    (&["show", "IN"], GAME, "h8 i9 g9"),
    (&["show", "--json", "IN"], GAME, "g9"),
    (&["solve", "--time", "5s", "IN"], GAME, "solved 1 of 1"),
    (&["play", "--plain", "IN"], GAME, "3. Black g9"),
    (
        &["review", "--nodes", "100", "--hash", "16", "IN"],
        GAME,
        "g9",
    ),
    (&["convert", "--to", "moves", "IN", "-"], GAME, "h8 i9 g9"),
    (
        &["check", "IN"],
        b"a | renju | 15 | h8 i9 i7 k6 f9 g6 i8 g10 | mine\n",
        "1 passed, 0 failed",
    ),
    (
        &[
            "match",
            "--engine",
            "cmd=none",
            "--engine",
            "cmd=none",
            "--openings",
            "IN",
        ],
        b"h8 h8\n",
        "IN: line 1",
    ),
];

/// The output of a reader of the file `name`.
fn read_as(name: &std::ffi::OsStr, args: &[&str], input: &[u8]) -> String {
    let mut call = tengen();
    for arg in args {
        match *arg {
            "IN" => call.arg(name),
            arg => call.arg(arg),
        };
    }
    call.write_stdin(input).timeout(PATIENCE);
    let output = call.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn standard_input_is_read_by_all() {
    for (args, input, part) in READERS {
        for name in ["-", "/dev/stdin"] {
            let said = read_as(name.as_ref(), args, input);
            assert!(
                said.contains(&part.replace("IN", name)),
                "{args:?} {name}: {said}"
            );
        }
    }
}

/// A shell makes such a pipe of `<(command)`. The bytes come once, and the pipe has no length.
#[cfg(unix)]
#[test]
fn pipes_are_read_by_all() {
    let dir = tempfile::tempdir().unwrap();
    for (number, (args, input, part)) in READERS.into_iter().enumerate() {
        // The end of the name once decided.
        let pipe = dir.path().join(format!("{number}.sgf"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, input)
        });
        let said = read_as(pipe.as_ref(), args, b"");
        let part = part.replace("IN", &pipe.display().to_string());
        assert!(said.contains(&part), "{args:?}: {said}");
        writer.join().unwrap().unwrap();
    }
}

/// Not even the name of a file is always text.
#[cfg(target_os = "linux")]
#[test]
fn files_of_any_name_are_read_by_all() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe"));
    for (args, input, part) in READERS {
        std::fs::write(&path, input).unwrap();
        let said = read_as(path.as_ref(), args, b"");
        let part = part.replace("IN", &path.display().to_string());
        assert!(said.contains(&part), "{args:?}: {said}");
    }
}

#[test]
fn files_go_to_standard_output_where_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let said = |words: &str| {
        let mut call = tengen();
        call.current_dir(dir.path())
            .args(words.split(' '))
            .timeout(PATIENCE);
        stdout(&mut call)
    };
    for (words, begin, end) in [
        ("show h8 i9 --svg -", "<svg ", "</svg>\n"),
        ("show h8 i9 --svg /dev/stdout", "<svg ", "</svg>\n"),
        ("generate --screenshot -", "<svg ", "</svg>\n"),
        (
            "solve --tree - --rule renju h8 i9 i7 k6 f9 g6 i8 g10",
            "(;FF[4]",
            ")\n",
        ),
        (
            "review --nodes 100 --hash 16 --sgf - h8 i9",
            "(;FF[4]",
            ")\n",
        ),
        (
            "review --nodes 100 --hash 16 --html - h8 i9",
            "<!doctype html>",
            "</html>\n",
        ),
        (
            "convert --to moves game.sgf /dev/stdout",
            "h8 i9 g9\n",
            "h8 i9 g9\n",
        ),
    ] {
        std::fs::write(dir.path().join("game.sgf"), GAME).unwrap();
        let text = said(words);
        assert!(text.starts_with(begin), "{words}: {text}");
        assert!(text.trim_end().ends_with(end.trim_end()), "{words}: {text}");
    }
    let error = complaint(&["review", "--json", "--sgf", "-", "h8", "i9"], 2);
    assert!(error.contains("standard output"), "{error}");
    // A stream is refused where a file is read again or gets files of its own.
    for (command, option) in [
        ("match", "--records"),
        ("match", "--journal"),
        ("match", "--trace"),
        ("tune", "--journal"),
        ("serve", "--database"),
        ("datagen", "--folder"),
        ("datagen", "--out"),
    ] {
        let error = complaint(&[command, option, "-"], 2);
        assert!(error.contains("name a file or folder"), "{error}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_game_is_shown_turned() {
    let shown = |words: &str| stdout(tengen().arg("show").args(words.split(' ')));
    for (turn, moves) in [
        ("90", "a15 a14"),
        ("180", "o15 n15"),
        ("270", "o1 o2"),
        ("mirror", "o1 n1"),
        ("flip", "a15 b15"),
        ("diagonal", "a1 a2"),
        ("anti-diagonal", "o15 o14"),
    ] {
        let text = shown(&format!("--turn {turn} a1 b1"));
        assert!(text.ends_with(&format!("{moves}\n")), "{turn}: {text}");
    }
    let json = shown("--json --size 20x15 --turn 90 t15");
    assert!(json.contains(r#""width":15,"height":20"#), "{json}");
    assert!(json.contains(r#""moves":["o1"]"#), "{json}");
    let error = complaint(&["show", "--turn", "45", "h8"], 2);
    assert!(error.contains("expected one of 90, 180"), "{error}");
}
