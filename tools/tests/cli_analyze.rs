//! `analyze`: the report for people and the one for scripts.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

fn analyze(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.arg("analyze").args(["--hash", "16"]).args(args);
    command
}

fn text(args: &[&str], input: &str) -> String {
    let output = analyze(args).write_stdin(input).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let text = text(&[&["--json"], args].concat(), "");
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_report_shows_board_candidates_and_lines() {
    let text = text(&["--depth", "4", "--multipv", "3", "h8", "i9", "h7"], "");
    assert!(text.contains("\n 7  . . . . . . .[X]"), "{text}");
    assert!(text.contains("freestyle, 15x15, 3 stones, white to move"));
    for rank in ['1', '2', '3'] {
        let row = format!("\n {rank}  ");
        assert!(text.contains(&row), "no line {rank} in\n{text}");
        let diagram = text.split("X black").next().unwrap();
        assert!(diagram.contains(&format!(" {rank}")), "{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    assert!(!text.contains('\x1b'), "colour in a pipe");
}

/// The same position in every format, by name, as an argument of its own and on standard input.
#[test]
fn games_of_every_format_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let sgf = "(;GM[4]SZ[20]RU[renju]AB[jj]AW[jk];B[kj];W[aa]C[. .])";
    let psq = "Piskvorky 20x20, 11:11, 0\n10,10,0\n10,11,0\n11,10,0\n1,1,0\nA\nB\n0\n";
    for (name, content) in [
        ("game.sgf", sgf),
        ("game.psq", psq),
        ("sgf.txt", sgf),
        ("moves.txt", "j11, j10,k11 a20"),
    ] {
        let path = dir.path().join(name);
        fs::write(&path, content).unwrap();
        let path = path.to_str().unwrap();
        for args in [&["--file", path][..], &[path]] {
            let report = json(&[&["--depth", "2", "--size", "20"], args].concat());
            assert_eq!(
                (&report["width"], &report["height"]),
                (&20.into(), &20.into())
            );
            let rule = if content == sgf { "renju" } else { "freestyle" };
            assert_eq!(report["rule"], rule, "{name}");
            let before = text(
                &[&["--depth", "1", "--size", "20", "--after", "0"], args].concat(),
                "",
            );
            let stones = if content == sgf { 2 } else { 0 };
            assert!(
                before.contains(&format!("20x20, {stones} stones, black")),
                "{before}"
            );
        }
    }
    // A record that begins with a set-up is a problem, and opens at its first position.
    let report = text(&["--depth", "1", "--rule", "standard", "-"], sgf);
    assert!(
        report.contains("standard, 20x20, 2 stones, black to move"),
        "{report}"
    );
    assert!(
        !report.contains("last move"),
        "its stones have no order: {report}"
    );
    let report = text(
        &["--depth", "1", "--rule", "standard", "--after", "2", "-"],
        sgf,
    );
    assert!(
        report.contains("standard, 20x20, 4 stones, black to move"),
        "{report}"
    );
    for (content, message) in [
        (
            "(;GM[1]SZ[19]KM[6.5];B[aa])",
            "go.sgf: this is a record of Go (SZ[19], KM[6.5])",
        ),
        ("no game", "go.sgf: no SGF"),
    ] {
        let path = dir.path().join("go.sgf");
        fs::write(&path, content).unwrap();
        let output = analyze(&[path.to_str().unwrap()]).assert().code(1);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn colour_comes_and_goes_as_the_environment_wants() {
    for (no_color, coloured) in [("", true), ("1", false)] {
        let output = analyze(&["--depth", "1", "h8"])
            .env("CLICOLOR_FORCE", "1")
            .env("NO_COLOR", no_color)
            .assert()
            .success();
        assert_eq!(output.get_output().stdout.contains(&0x1b), coloured);
    }
}

#[test]
fn json_has_the_documented_fields() {
    let report = json(&[
        "--depth",
        "4",
        "--multipv",
        "2",
        "--rule",
        "standard",
        "7,7 8,6",
    ]);
    assert_eq!(report["rule"], "standard");
    assert_eq!(
        (&report["width"], &report["height"]),
        (&15.into(), &15.into())
    );
    assert_eq!(report["stones"][1], serde_json::json!(["i9", "white"]));
    assert_eq!(report["side_to_move"], "black");
    assert!(report["result"].is_null() && report["last_move_foul"].is_null());
    assert!(report["nodes"].as_u64().unwrap() > 0);
    assert!(report["elapsed_ms"].is_u64());
    assert_eq!(report["interrupted"], false);
    let lines = report["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(report["best"], lines[0]["move"]);
    assert_ne!(lines[0]["move"], lines[1]["move"]);
    for line in lines {
        assert_eq!(line["move"], line["line"][0]);
        assert!((0.0..=1.0).contains(&line["win_rate"].as_f64().unwrap()));
        assert!(line["depth"].as_u64() <= Some(4) && line["seldepth"].is_u64());
        let values = ["value", "win_in", "loss_in"].map(|key| !line[key].is_null());
        assert_eq!(values.iter().filter(|&&is| is).count(), 1, "{line}");
    }
}

#[test]
fn a_win_is_found_and_counted() {
    // Black completes an open four.
    let report = json(&["--depth", "6", "h8 a1 i8 a3 j8 a5"]);
    let best = report["best"].as_str().unwrap();
    assert!(["g8", "k8"].contains(&best), "{best}");
    assert_eq!(report["lines"][0]["win_in"], 3);
}

/// The report at Ctrl-C of a search limited to an hour; Ctrl-C comes when `is_found` sees a
/// candidate in the output.
#[cfg(unix)]
fn interrupted(args: &[&str], is_found: impl Fn(&str) -> bool) -> String {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    // At first the process may not listen yet, or may have no candidate yet.
    for wait_ms in [300, 1_000, 4_000, 16_000] {
        let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["analyze", "--hash", "16", "--evaluator", "classical"])
            .args(["--time", "1h", "h8", "i9"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait_ms));
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        if output.status.code() == Some(130) && is_found(&text) {
            assert!(output.stderr.is_empty());
            return text;
        }
    }
    panic!("no report came");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_found() {
    let text = interrupted(&["--multipv", "2"], |text| text.contains("\n 2  "));
    assert!(text.contains("freestyle, 15x15, 2 stones"), "{text}");
    assert!(text.contains("\ninterrupted: "), "{text}");
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let found = |text: &str| read(text).is_some_and(|report| report["lines"][0].is_object());
    let text = interrupted(&["--json"], found);
    assert_eq!(text.lines().count(), 1, "{text}");
    let report = read(&text).unwrap();
    assert_eq!(report["interrupted"], true);
    assert_eq!(report["best"], report["lines"][0]["move"]);
}

#[test]
fn a_finished_game_is_not_searched() {
    let won = ["a1 b1 a2 b2 a3 b3 a4 b4 a5"];
    let report = json(&won);
    assert_eq!(report["result"], "black");
    assert_eq!(
        (&report["best"], &report["lines"]),
        (&Value::Null, &Value::Array(vec![]))
    );
    assert!(text(&won, "").contains("9 stones, black has won"));
}

#[test]
fn a_forbidden_last_move_is_told() {
    let six = "a1 a15 b1 b15 c1 c15 e1 e15 f1 g15 d1";
    let report = json(&["--rule", "renju", "--depth", "1", six]);
    assert_eq!(report["last_move_foul"], "6");
    let report = text(&["--rule", "renju", "--depth", "1", six], "");
    assert!(
        report.contains("The last move d1 was forbidden (6)."),
        "{report}"
    );
    assert_eq!(json(&["--depth", "1", six])["result"], "black");
}

#[test]
fn renju_shows_what_is_forbidden() {
    let threes = text(&["--rule", "renju", "--depth", "2", "--file", "-"], THREES);
    assert!(
        threes.contains('!') && threes.contains("! forbidden"),
        "{threes}"
    );
    let free = text(&["--depth", "2", "--file", "-"], THREES);
    assert!(!free.contains('!'), "{free}");
}

/// Black threatens to meet two threes on e4.
const THREES: &str = "
 9  . . . . . . . . .
 8  . . . . . . . . .
 7  . . . . . . . . .
 6  . . . . X . . . .
 5  . . . . X . . . .
 4  . . X X . . . . .
 3  . . . . . . . . .
 2  . . . . . . . . .
 1  O . O . O . O . .
    a b c d e f g h i
";

#[test]
fn a_report_can_be_read_back() {
    let first = text(&["--depth", "3", "--size", "17x9", "c3", "d4", "e5"], "");
    let second = text(&["--depth", "3", "-"], &first);
    let until_legend = |text: &str| text.split("X black").next().unwrap().to_string();
    assert_eq!(until_legend(&second), until_legend(&first));
}

#[test]
fn positions_come_from_files_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.txt");
    fs::write(&path, "h8 i9\nh7\n").unwrap();
    let report = text(&["--depth", "2", "--file", path.to_str().unwrap()], "");
    assert!(report.contains("3 stones, white to move"), "{report}");
    fs::write(&path, "h8 i9\nh8\n").unwrap();
    let output = analyze(&["--file", path.to_str().unwrap()])
        .assert()
        .code(1);
    let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(error.contains("game.txt: 'h8' is already taken"), "{error}");
}

#[test]
fn wrong_arguments_are_named() {
    for (args, message) in [
        (&["h8", "z9"][..], "'z9' is not a point"),
        (&["h8", "h8"], "'h8' is already taken"),
        (&["--size", "4"], "unsupported size 4x4"),
        (&["--size", "big"], "expected a size such as 15"),
        (&["--rule", "chess"], "unknown rule 'chess'"),
        (&["--multipv", "0"], "--multipv"),
        (&["--file", "x", "h8"], "cannot be used with"),
    ] {
        let output = analyze(args).assert().code(2);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_search_that_was_cut_off_is_told_from_one_that_is_needless() {
    let cut = text(&["--nodes", "1", "h8", "i9", "h7"], "");
    assert!(cut.ends_with("no depth was completed\n"), "{cut}");
    let cut = json(&["--nodes", "1", "h8", "i9", "h7"]);
    assert_eq!(
        (&cut["best"], &cut["needs_no_search"]),
        (&Value::Null, &false.into())
    );
    let first = json(&["--nodes", "2000"]);
    assert_eq!(first["needs_no_search"], false);
    assert!(
        first["lines"][0]["win_rate"].as_f64().unwrap() > 0.4,
        "{first}"
    );
    let foul = text(&["-"], &nearly_full_board(false));
    assert!(foul.ends_with(" needs no search\n"), "{foul}");
}

/// A game under renju. Black has two rows with a gap that must not be filled, and with `has_room`
/// White is to move and two other cells are free; else Black is to move.
fn nearly_full_board(has_room: bool) -> String {
    let (mut black, mut white) = (String::new(), String::new());
    for (x, y) in (0..15_u8).flat_map(|y| (0..15).map(move |x| (x, y))) {
        let is_black = match (y, x) {
            (3 | 11, 5) => continue,
            (6 | 8, 12) if has_room => continue,
            (3 | 11, 2..=7) => true,
            (3 | 11, 1 | 8) => false,
            _ => (x + 2 * y) / 2 % 2 == 0,
        };
        let stones = if is_black { &mut black } else { &mut white };
        stones.extend(['[', char::from(b'a' + x), char::from(b'a' + y), ']']);
    }
    let turn = if has_room { 'W' } else { 'B' };
    format!("(;GM[4]SZ[15]RU[renju]AB{black}AW{white}PL[{turn}])")
}

#[test]
fn a_win_by_a_foul_is_called_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("foul.sgf");
    fs::write(&path, nearly_full_board(true)).unwrap();
    let path = path.to_str().unwrap();
    let report = text(&[path], "");
    assert!(
        report.contains("+M5") && report.contains("(a win by a foul: "),
        "{report}"
    );
    assert!(report.lines().all(|line| line.len() <= 80), "{report}");
    let line = &json(&[path])["lines"][0];
    assert_eq!(
        (&line["win_in"], &line["by_foul"]),
        (&5.into(), &true.into())
    );
    assert_eq!(line["line"].as_array().unwrap().len(), 3);
    let mut solve = Command::cargo_bin("tengen").unwrap();
    let solve = solve.args(["solve", "--verify", path]).assert().success();
    let solved = String::from_utf8(solve.get_output().stdout.clone()).unwrap();
    let row: Vec<&str> = solved.lines().next().unwrap().split('\t').collect();
    assert_eq!((row[1], row[3]), ("foul_win", "5"), "{solved}");
    let mut solve = Command::cargo_bin("tengen").unwrap();
    let solve = solve.args(["solve", "--rule", "freestyle", path]).assert();
    let solved = String::from_utf8(solve.get_output().stdout.clone()).unwrap();
    assert!(!solved.contains("foul_win"), "{solved}");
}

/// The line of a win goes down to the four that nothing stops.
#[test]
fn a_proved_win_shows_its_moves() {
    let moves = "e8 l7 b9 k8 b8 k7 b7 b10 c8 f8";
    let moves: Vec<&str> = moves.split(' ').collect();
    let line = &json(&[&["--time", "3s"], &moves[..]].concat())["lines"][0];
    assert_eq!((&line["move"], &line["win_in"]), (&"b5".into(), &7.into()));
    assert_eq!(line["line"].as_array().unwrap().len(), 5, "{line}");
    assert_eq!(line["by_foul"], false);
}

#[test]
fn a_game_has_no_position_behind_its_end() {
    let assert = analyze(&["--after", "3", "--depth", "1", "h8", "i9"]).assert();
    let output = assert.code(1).get_output().stderr.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(
        text.contains("there is no move 3, the game has 2"),
        "{text}"
    );
    analyze(&["--after", "2", "--depth", "1", "h8", "i9"])
        .assert()
        .success();
}
