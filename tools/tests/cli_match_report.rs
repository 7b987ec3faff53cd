//! `match report` on the real binary, which plays against itself.

mod program;

use std::fs;
use std::path::Path;

use program::{Run, TENGEN, call, run};
use tempfile::TempDir;

fn tengen(directory: &Path, words: &str) -> Run {
    run(&mut call(directory, words))
}

/// Plays a match of six games at a time limit; `rest` says where its journal is.
fn play(directory: &Path, rest: &str) {
    fs::write(directory.join("openings.txt"), "h8 i9 h7\nh8 h9 i10\n").unwrap();
    let engine = format!("cmd='{TENGEN}'");
    let terms = "--each time=10s --rule renju --games 6 --openings openings.txt";
    let mut command = call(directory, &format!("match {terms} {rest}"));
    command
        .args(["--engine", &engine, "name=<new> & co", "nodes=300"])
        .args(["--engine", &engine, "name=old", "nodes=30"]);
    run(&mut command).success();
}

/// A folder with `out/journal.jsonl`, the journal of such a match.
fn played() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    play(directory.path(), "--records out");
    directory
}

/// The data of the page's script.
fn data_of(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"review\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_match_is_reported_as_text_and_as_a_page() {
    let directory = played();
    let at = |name: &str| directory.path().join(name);
    let reported = tengen(directory.path(), "match report out");
    assert_eq!(reported.err, "");
    let report = reported.success();
    for part in [
        "renju 15x15, 6 games",
        "Elo of <new> & co against old",
        "2 openings: ",
        "How the games ended",
        "Length in stones",
        "Time of a move in ms",
    ] {
        assert!(report.contains(part), "no '{part}' in {report}");
    }

    let words = "match report out/journal.jsonl --html report.html";
    tengen(directory.path(), words).success();
    let page = fs::read_to_string(at("report.html")).unwrap();
    assert!(page.contains("<title>Match: &lt;new> &amp; co – old</title>"));
    let shown = data_of(&page);
    let games = shown["games"].as_array().unwrap();
    assert_eq!(games.len(), 6);
    for (line, game) in fs::read_to_string(at("out/journal.jsonl"))
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .zip(games)
    {
        assert_eq!(line["id"].as_u64().unwrap() + 1, game["id"]);
        let turns = line["turns"].as_array().unwrap();
        let labels: String = turns.iter().map(|t| t["p"].as_str().unwrap()).collect();
        assert_eq!(game["moves"], labels);
        let last = turns.len() - 1;
        assert_eq!(turns[last]["ms"], game["ms"][last]);
        // Journals have the limits of moves.
        assert_eq!(turns[last]["lim"], 10_000.0);
        assert_eq!(game["limit"][last], 10_000.0);
    }
    // The same journal gives the same page, in the place of the old one.
    tengen(directory.path(), words).success();
    assert_eq!(fs::read_to_string(at("report.html")).unwrap(), page);
}

#[test]
fn no_other_file_is_replaced() {
    let directory = played();
    let notes = directory.path().join("notes.html");
    fs::write(&notes, "<!DOCTYPE html><p>Notes").unwrap();
    let refused = tengen(directory.path(), "match report out --html notes.html");
    let errors = refused.complaint(1);
    assert!(
        errors.contains("notes.html: a file of another kind"),
        "{errors}"
    );
    assert_eq!(
        fs::read_to_string(&notes).unwrap(),
        "<!DOCTYPE html><p>Notes"
    );
}

/// A damaged line, half a line at the end, and a game that ended in nothing: all else is reported.
#[test]
fn a_damaged_journal_is_reported_as_far_as_it_can_be_read() {
    let directory = played();
    let journal = directory.path().join("out/journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<String> = whole.lines().map(String::from).collect();
    lines[2] = "{\"type\":\"game\",\"id\":".to_string();
    lines[3] = "\u{0}\u{0}".to_string();
    let torn = lines[6].split_off(40);
    assert!(!torn.is_empty());
    fs::write(directory.path().join("torn.jsonl"), lines.join("\n")).unwrap();
    for words in [
        "match report torn.jsonl",
        "match report torn.jsonl --html torn.html",
    ] {
        let errors = tengen(directory.path(), words).complaint(0);
        for part in [
            "torn.jsonl, line 3: ",
            "torn.jsonl, line 4: ",
            "torn.jsonl, line 7: half a line",
            "3 of 6 games have ended",
        ] {
            assert!(errors.contains(part), "no '{part}' in {errors}");
        }
    }
    let page = fs::read_to_string(directory.path().join("torn.html")).unwrap();
    let note = data_of(&page)["notes"][0].to_string();
    assert!(note.contains("torn.jsonl, line 3: "), "{note}");
    assert_eq!(data_of(&page)["games"].as_array().unwrap().len(), 3);
    // Without the terms there is nothing to report.
    fs::write(&journal, lines[1..].join("\n")).unwrap();
    let errors = tengen(directory.path(), "match report out").complaint(1);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    tengen(directory.path(), "match report none.jsonl").complaint(1);
}

/// Journals of earlier versions lack the limits of moves; they are reported and gone on with.
#[test]
fn journals_without_limits_are_read() {
    let directory = played();
    let journal = directory.path().join("out/journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let old = whole.replace(",\"lim\":10000.0", "");
    assert_ne!(old, whole);
    let old: Vec<&str> = old.lines().collect();
    let old_journal = directory.path().join("old.jsonl");
    fs::write(&old_journal, old[..5].join("\n") + "\n").unwrap();
    tengen(directory.path(), "match report old.jsonl --html old.html").success();
    let page = fs::read_to_string(directory.path().join("old.html")).unwrap();
    for player in data_of(&page)["times"].as_array().unwrap() {
        assert_eq!(player["limited"], 0);
    }
    play(directory.path(), "--journal old.jsonl --resume");
    let resumed = fs::read_to_string(&old_journal).unwrap();
    assert_eq!(resumed.lines().count(), 7);
    assert!(resumed.starts_with(&old[..5].join("\n")));
    assert!(!old[4].contains("\"lim\"") && resumed.contains("\"lim\""));
}
