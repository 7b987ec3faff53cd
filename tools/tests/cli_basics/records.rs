//! Files of games as arguments: missing files, and journals of matches.

use super::{complaint, tengen};

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

/// A match's journal is known by its content. It holds many games, so it is no game to go on with.
#[test]
fn journals_are_known_by_their_content() {
    let dir = tempfile::tempdir().unwrap();
    let line = r#"{"type":"match","version":"0.1.0","rule":"renju","openings":"0.5 .. 1"}"#;
    for name in ["journal.jsonl", "journal.txt"] {
        std::fs::write(dir.path().join(name), format!("{line}\n")).unwrap();
    }
    let told = |command: &str, name: &str| {
        let mut call = tengen();
        call.current_dir(dir.path()).args([command, name]);
        let output = call.assert().code(1).get_output().clone();
        String::from_utf8(output.stderr).unwrap()
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
    let said = |command: &str| {
        let mut call = tengen();
        call.arg(command).arg(&file).write_stdin("quit\n");
        let output = call.assert().success().get_output().clone();
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = said("show");
    assert!(shown.contains("ソ"), "{shown}");
    assert!(shown.ends_with("h8 i8\n"), "{shown}");
    let played = said("play");
    assert!(played.contains("1. Black h8\n  2. White i8\n"), "{played}");
}
