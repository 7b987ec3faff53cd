//! Small files of many programs, and all that `show --json` must read in them. The page's tests
//! read the same table.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};

use tengen::types::Point;
use tengen_games::sgf::place;

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases")
}

/// The output of `show --json` for a file of the cases, or its error.
fn shown(file: &str, options: &[&str]) -> Result<Value, String> {
    let path = cases().join("files").join(file);
    let mut command = Command::cargo_bin("tengen").unwrap();
    let output = command
        .args(["show", "--json"])
        .arg(path)
        .args(options)
        .output()
        .unwrap();
    match output.status.code() {
        Some(0) => Ok(serde_json::from_slice(&output.stdout).unwrap()),
        Some(1) => Err(String::from_utf8(output.stderr).unwrap()),
        other => panic!("{file}: status {other:?}"),
    }
}

/// A row of the table.
struct Row<'a> {
    file: &'a str,
    board: &'a str,
    rule: &'a str,
    moves: &'a str,
    players: &'a str,
}

impl Row<'_> {
    fn of(line: &str) -> Row<'_> {
        let mut columns = line.split('\t').chain([""; 6]);
        let mut next = || columns.next().unwrap_or_default();
        Row {
            file: next(),
            board: next(),
            rule: next(),
            moves: next(),
            players: next(),
        }
    }

    /// The difference between the row and the output of `show`.
    fn fault(&self) -> Option<String> {
        let read = shown(self.file, &[]);
        if let Some(reason) = self.moves.strip_prefix("refuse: ") {
            let word = reason.rsplit(" is ").next().unwrap_or(reason);
            return match read {
                Err(error) if error.contains(word) => None,
                other => Some(format!("{other:?}")),
            };
        }
        let read = match read {
            Ok(read) => read,
            Err(error) => return Some(error),
        };
        if let Some(lines) = self.moves.strip_prefix("tree: ") {
            return tree_fault(self.file, lines);
        }
        let game = &read["games"][0];
        let (width, height) = (&game["width"], &game["height"]);
        let rule = match game["rule_stated"].as_bool() {
            Some(true) => game["rule"].as_str().unwrap_or_default(),
            _ => "-",
        };
        let players = match (&game["black"], &game["white"]) {
            (Value::String(black), Value::String(white))
                if black.is_empty() && white.is_empty() =>
            {
                String::new()
            }
            (black, white) => format!("{} - {}", text(black), text(white)),
        };
        let found = (
            format!("{width}x{height}"),
            rule,
            moves(self.moves, &read),
            players,
        );
        let expected = (
            self.board.to_string(),
            self.rule,
            self.moves.to_string(),
            self.players.to_string(),
        );
        (found != expected).then(|| format!("{found:?}\n    expected {expected:?}"))
    }
}

/// The first of the `lines`, such as `h8 i9 {comment}`, that the file does not hold as a tree in
/// SGF.
fn tree_fault(file: &str, lines: &str) -> Option<String> {
    let output = Command::cargo_bin("tengen")
        .unwrap()
        .args(["convert", "--to", "sgf"])
        .arg(cases().join("files").join(file))
        .arg("-")
        .output()
        .unwrap();
    let sgf = String::from_utf8(output.stdout).unwrap();
    let is_missing = |line: &&str| {
        let (moves, comment) = line.split_once(" {").unwrap();
        let mut written = String::new();
        for (color, label) in ["B", "W"].iter().cycle().zip(moves.split(' ')) {
            let p = Point::from_label(label, 15, 15).unwrap();
            written = format!("{written};{color}[{}]", place(p));
        }
        let comment = comment.trim_end_matches('}');
        // The lines part after two moves.
        let branch = &written[2 * ";B[hh]".len()..];
        !sgf.contains(&format!("\n({branch}C[{comment}])"))
    };
    let missing = lines.split("; ").find(is_missing);
    missing.map(|line| format!("no line {line} in {sgf}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> String {
    let labels = value.as_array().into_iter().flatten().map(text);
    labels.collect::<Vec<&str>>().join(" ")
}

/// The moves in the form of the row.
fn moves(expected: &str, read: &Value) -> String {
    let games = read["games"].as_array().unwrap();
    if expected.starts_with("stones: ") {
        let set_up = &games[0]["setup"];
        assert_eq!(games[0]["moves"], json!([]));
        return format!(
            "stones: black {}, white {}",
            list(&set_up["black"]),
            list(&set_up["white"])
        );
    }
    if expected.starts_with("game 1: ") {
        let game =
            |(number, game): (usize, &Value)| format!("game {number}: {}", list(&game["moves"]));
        return (1..)
            .zip(games)
            .map(game)
            .collect::<Vec<String>>()
            .join("; ");
    }
    list(&games[0]["moves"])
}

#[test]
fn every_file_of_the_table_is_read_as_it_is_meant() {
    let table = std::fs::read_to_string(cases().join("files.tsv")).unwrap();
    let rows: Vec<Row> = table.lines().skip(1).map(Row::of).collect();
    assert_eq!(rows.len(), 95);
    let found = rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}", row.file, row.fault()?)));
    let faults: Vec<String> = found.collect();
    assert!(
        faults.is_empty(),
        "{} rows:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// A row of six wins nothing for Black in renju and standard, so the rule must not be lost.
#[test]
fn the_rule_decides_who_has_won() {
    for (file, foul) in [
        ("over_cgc.sgf", json!("6")),
        ("over_rif.sgf", json!("6")),
        ("over_cgcstd.sgf", json!(null)),
        ("over_std.sgf", json!(null)),
    ] {
        let path = cases().join("files").join(file);
        let mut command = Command::cargo_bin("tengen").unwrap();
        command
            .args(["analyze", "--json", "--depth", "1", "--hash", "4"])
            .arg(path);
        let output = command.output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&report["result"], &report["last_move_foul"]),
            (&json!(null), &foul),
            "{file}"
        );
    }
}

/// Facts in the notes of the table.
#[test]
fn warnings_and_other_games_are_told() {
    let second = shown("sgf_two.sgf", &["--game", "2"]).unwrap();
    assert_eq!(second["games"][0]["moves"], json!(["g9", "h8"]));
    assert_eq!(second["games"].as_array().unwrap().len(), 1);
    for (file, part) in [
        ("sgf_unclosed.sgf", "the text ends"),
        ("badvar.sgf", "on a taken point"),
    ] {
        let read = shown(file, &[]).unwrap();
        assert!(text(&read["warnings"][0]).contains(part), "{read}");
    }
    assert_eq!(
        shown("sgf_resign.sgf", &[]).unwrap()["games"][0]["result"],
        "W+R"
    );
    assert_eq!(shown("utf16.txt", &[]).unwrap()["charset"], "UTF-16LE");
    let go = shown("sgf_nogm19.sgf", &["--any-game"]).unwrap();
    assert_eq!(go["games"][0]["moves"], json!(["p16", "d16"]));
    let path = cases().join("files").join("sgf_two.sgf");
    let output = Command::cargo_bin("tengen")
        .unwrap()
        .arg("show")
        .arg(path)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("it holds 2 games, and this is the first; --game chooses"),
        "{told}"
    );
}
