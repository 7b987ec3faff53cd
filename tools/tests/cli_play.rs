//! `play` in a pipe: whole games as transcripts, against the real engine.

use std::fs;
use std::time::Duration;

use assert_cmd::Command;

fn play(args: &[&str], script: &str) -> String {
    let mut command = Command::cargo_bin("tengen").unwrap();
    let output = command
        .arg("play")
        .args(["--hash", "16"])
        .args(args)
        .write_stdin(script.to_string())
        .timeout(Duration::from_secs(120))
        .assert()
        .success();
    let output = output.get_output();
    assert!(output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!text.contains('\x1b'), "colour in a pipe");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    text
}

/// Lines that begin with a move's number.
fn moves(text: &str) -> Vec<&str> {
    let is_move = |line: &&str| {
        let head = line.trim_start().split('.').next().unwrap_or_default();
        !head.is_empty() && head.bytes().all(|b| b.is_ascii_digit())
    };
    text.lines().filter(is_move).map(str::trim).collect()
}

/// `text` has all of these, in this order.
fn assert_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part);
        let at = at.unwrap_or_else(|| panic!("no '{part}' behind what came before in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn nothing_behind_quit_is_done() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.sgf");
    let script = format!("h8\nquit\nsave {}\n", path.display());
    let text = play(&["--depth", "3"], &script);
    assert_order(&text, &["1. Black h8", "2. White "]);
    assert!(!path.exists());
}

#[test]
fn a_whole_game_with_undo_hint_and_save() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.sgf");
    let script = format!(
        "h8\nundo\nh8\nhint\nfoo\nh8\ni8\nsave {path}\nsave {path}\nresign\na1\nsave\n",
        path = path.display()
    );
    let text = play(&["--rule", "renju", "--depth", "4"], &script);
    assert_order(
        &text,
        &[
            "renju, 15x15, strength 100; 'help' lists the commands",
            "Black (you) to move",
            "1. Black h8",
            "2. White ",
            "[O]",
            "2 moves taken back",
            "1. Black h8",
            "2. White ",
            "hint: ",
            "'foo' is neither a point nor a command",
            "'h8' is already taken",
            "3. Black i8",
            "4. White ",
            "saved to ",
            "saved to ",
            "White wins: by resignation",
            "Type new, undo, save FILE or quit; then tengen review FILE judges every move",
            "the game is over: 'new' begins another one",
            "saved to ",
        ],
    );
    assert!(text.contains("depth 4, Black's win rate "), "{text}");
    let hidden = play(&["--no-values", "--depth", "4"], "h8\nhint\n");
    assert!(hidden.contains("hint: "), "{hidden}");
    assert!(
        !hidden.contains("win rate") && !hidden.contains("depth"),
        "{hidden}"
    );
    let sgf = fs::read_to_string(&path).unwrap();
    assert_order(
        &sgf,
        &["RU[renju]", "PB[Person]", "RE[W+R]", ";B[hh]", ";W["],
    );
    // `show` and a new game read it.
    let shown = Command::cargo_bin("tengen").unwrap();
    let mut shown = shown;
    shown.arg("show").arg(&path).assert().success();
    let again = play(
        &["--depth", "2", "--time", "60s", path.to_str().unwrap()],
        "undo\nmoves\n",
    );
    assert_order(
        &again,
        &[
            "renju, 15x15",
            "4. White",
            "White wins: by resignation",
            "Black (you) to move",
        ],
    );
}

#[test]
fn scripts_see_every_answer() {
    let text = play(&["--depth", "3", "--side", "white"], "now\ng7\nquit\n");
    let moves = moves(&text);
    assert_eq!(moves.len(), 3, "{text}");
    assert!(moves[0].starts_with("1. Black h8"), "{text}");
    assert!(moves[1].starts_with("2. White g7"), "{text}");
    assert!(moves[2].starts_with("3. Black "), "{text}");
}

#[test]
fn the_engine_plays_a_game_against_itself() {
    let args = [
        "--side", "none", "--depth", "3", "--size", "9", "--rule", "standard",
    ];
    let text = play(&args, "");
    assert!(
        text.contains(" wins: five in a row") || text.contains("Draw: "),
        "{text}"
    );
    assert!(moves(&text).len() >= 9, "{text}");
}

#[test]
fn the_engine_is_interrupted() {
    // Without `now` this would take an hour.
    let text = play(&["--time", "1h"], "h8\nnow\n");
    assert_eq!(moves(&text).len(), 2, "{text}");
}

#[test]
fn two_people_play_renju_with_its_forbidden_points() {
    let script = "f8 a1 g8 c1 h10 e1 h9 g1\nh8\npass\nboard\n";
    let text = play(
        &["--side", "both", "--rule", "renju"],
        &format!("{script}new 9 standard\nundo\n"),
    );
    assert!(!text.contains("taken back"), "{text}");
    assert_order(
        &text,
        &[
            "8. White g1",
            "! forbidden",
            "h8 is forbidden for Black (33)",
            "9. Black passes",
            "standard, 9x9; 'help'",
            "this is the game before",
            "renju, 15x15; 'help'",
            "White to move",
        ],
    );
}

#[test]
fn an_opening_by_two_people() {
    let script = "a1\nh8 h9 h10\nswap\na2\nc3 d4\ne5\nd4\nmoves\n";
    let text = play(
        &["--side", "both", "--opening", "rif", "--rule", "renju"],
        script,
    );
    assert_order(
        &text,
        &[
            "Put stone 1 (black) on the centre",
            "a1: stone 1 must be put on the centre",
            "3. Black h10",
            "opening 1D Kansei",
            "Take a colour",
            "takes black",
            "Offer fifth stone 1 of 2",
            "offers c3 d4",
            "Keep one of the fifth stones offered",
            "e5 was not offered",
            "keeps d4",
            "White to move",
        ],
    );
}

#[test]
fn the_engine_plays_openings_from_either_side() {
    let nodes = ["--nodes", "3000"];
    let swap2 = [&nodes[..], &["--opening", "swap2", "--side", "white"]].concat();
    let text = play(&swap2, "swap\n");
    assert_order(
        &text,
        &[
            "1. Black ",
            "3. Black ",
            "Take a colour",
            "You take black",
            "White ",
        ],
    );
    let rif = ["--opening", "rif", "--rule", "renju"];
    let text = play(&[&nodes[..], &rif].concat(), "h8\nh9\nh10\nhint\n");
    assert_order(&text, &["opening 1D Kansei", "takes "]);
}

#[test]
fn clocks_are_shown_and_files_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kept.sgf");
    fs::write(&path, "precious").unwrap();
    let script = format!("save! {}\n", path.display());
    let text = play(
        &["--side", "both", "--tc", "5m", "--byo-yomi", "3x30s"],
        &script,
    );
    assert_order(&text, &["Black 5:00 +3x30s", "saved to "]);
    let saved = fs::read_to_string(&path).unwrap();
    assert!(saved.contains("TM[300]OT[3x30 byo-yomi]"), "{saved}");
}

/// The exit status tells a script that a file was not read or written; the script goes on.
#[test]
fn scripts_fail_with_their_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kept.sgf");
    fs::write(&path, "precious").unwrap();
    let save = format!("save {}", path.display());
    for (line, reason) in [
        (save.as_str(), "it exists; save! overwrites it"),
        ("save no/such/folder/a.sgf", "no/such/folder/a.sgf: "),
        ("save", "save to which file?"),
        ("load no/such.sgf", "no/such.sgf: "),
    ] {
        let mut command = Command::cargo_bin("tengen").unwrap();
        let output = command
            .args(["play", "--hash", "16", "--side", "both"])
            .write_stdin(format!("h8\n{line}\ni9\nquit\n"))
            .assert()
            .code(1);
        let output = output.get_output();
        let error = String::from_utf8(output.stderr.clone()).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(
            error.starts_with("tengen: ") && error.contains(reason),
            "{error}"
        );
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        assert_order(&text, &["1. Black h8", "2. White i9"]);
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn openings_of_renju_mean_renju() {
    let text = play(&["--side", "both", "--opening", "rif"], "new soosorv-8\n");
    assert_order(&text, &["renju, 15x15, rif;", "renju, 15x15, soosorv-8;"]);
}

#[test]
fn moves_are_numbered_as_the_stones() {
    let script = "h8 i9 j7\nc3 d4\nblack\na1\nmoves\n";
    let text = play(&["--side", "both", "--opening", "swap2"], script);
    let list = [
        "  3. Black j7",
        "4-5. White adds c3 d4",
        "     Black takes black",
        "  6. White a1",
    ];
    assert_order(&text, &[&list[..], &list].concat());
}

/// The zones are 26 hours apart, so their dates always differ. Both had the date of UTC.
#[cfg(unix)]
#[test]
fn a_record_has_the_date_of_the_players() {
    let date_in = |zone: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::cargo_bin("tengen").unwrap();
        command.current_dir(folder.path()).env("TZ", zone);
        command.args(["play", "--side", "both", "--hash", "16"]);
        command
            .write_stdin("h8\nsave game.sgf\n")
            .assert()
            .success();
        let text = std::fs::read_to_string(folder.path().join("game.sgf")).unwrap();
        let (_, date) = text.split_once("DT[").expect("a date");
        date[..10].to_string()
    };
    assert!(date_in("AAA-14") > date_in("BBB+12"));
}

#[test]
fn wrong_calls_are_one_line() {
    for (args, status, message) in [
        (&["--rule", "chess"][..], 2, "unknown rule"),
        (&["--opening", "rif", "--size", "7"], 2, "at least 9x9"),
        (&["--opening", "chess"], 2, "unknown opening rule"),
        (
            &["--opening", "rif", "--rule", "caro"],
            2,
            "rif is a rule of renju",
        ),
        (&["--tc", "soon"], 2, "is not a time"),
        (&["no/such.sgf"], 1, "no/such.sgf: "),
    ] {
        let mut command = Command::cargo_bin("tengen").unwrap();
        let output = command.arg("play").args(args).assert().code(status);
        let error = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(message), "{error}");
    }
}

/// The output of `play --problems` for a script.
fn problems(script: &str) -> String {
    let mut command = Command::cargo_bin("tengen").unwrap();
    let output = command
        .args(["play", "--problems"])
        .write_stdin(script.to_string())
        .timeout(Duration::from_secs(120))
        .assert()
        .success();
    let output = output.get_output();
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn problems_are_tried_solved_and_given_up() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../bench_positions/problems.txt"
    );
    let text = fs::read_to_string(file).unwrap();
    let claim = |id: &str| {
        let mut lines = text
            .lines()
            .map(|line| line.split('\t').collect::<Vec<_>>());
        lines.find(|columns| columns[0] == id).unwrap()[6].to_string()
    };
    let defence = claim("defend-1").replace("defend ", "");
    let text = problems(&format!(
        "foo\nhelp\ndefend-1\nhint\nhint\n{defence}\n{defence}\nfours-1\nfoo\na1 a2\ngive up\n\
         kind foul\ngrade 9\ngrade 1\n"
    ));
    assert_order(
        &text,
        &[
            " problems; 'help' lists the words",
            "there is no problem yet",
            "give up ",
            "defend-1, grade 1, ",
            "your rating 1000, 0 solved in a row",
            "must defend: one move alone holds",
            "hint: the first move stands in column ",
            ", row ",
            " solves it",
            "the problem is over",
            // A hint costs the first try.
            "fours-1, grade 1, ",
            "your rating 976, 0 solved in a row",
            "wins by fours",
            "'foo'",
            "; 'help' lists the words",
            "expected one move",
            "the solution: ",
            "foul-",
            "White wins by fours, because a point is forbidden for Black",
            "expected a grade from 1 to 5, or auto",
            "foul-",
            ", grade 1, renju; your rating ",
        ],
    );
}
