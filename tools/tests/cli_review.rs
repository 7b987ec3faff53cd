//! `review`, by a person and by a script.

use assert_cmd::Command;
use serde_json::Value;

/// White plays in corners, and Black wins.
const GAME: &str = "h8 a1 h9 a3 h10 a5 h11 o1 h12";

fn tengen() -> Command {
    Command::cargo_bin("tengen").unwrap()
}

fn review(args: &[&str]) -> Command {
    let mut command = tengen();
    command
        .args(["review", "--nodes", "500", "--hash", "4"])
        .args(args);
    command
}

fn stdout(mut command: Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn every_move_has_its_line_and_each_side_its_accuracy() {
    let text = stdout(review(&GAME.split(' ').collect::<Vec<_>>()));
    let lines: Vec<&str> = text.lines().collect();
    // White lets a four be made.
    let worst: Vec<&str> = lines[14..].to_vec();
    assert!((1..=5).contains(&worst.len()), "{text}");
    assert!(worst[0].starts_with("worst moves: "), "{text}");
    let losses = worst.iter().map(|line| {
        let (_, rest) = line.split_once(" lost ").expect(line);
        let (loss, better) = rest.split_once(" %, better ").expect(line);
        assert!(better.len() <= 3, "{line}");
        loss.parse::<f64>().unwrap()
    });
    let losses: Vec<f64> = losses.collect();
    assert!(losses.is_sorted_by(|a, b| a >= b), "{text}");
    assert!(losses.iter().all(|&loss| loss >= 10.0), "{text}");
    assert!(lines.iter().all(|line| line.len() <= 80), "{text}");
    assert!(lines[2].contains("opening"), "{text}");
    assert!(
        lines[10].starts_with("  9  X h12   100.0 %  best"),
        "{text}"
    );
    assert!(lines[12].starts_with("black: accuracy "), "{text}");
    assert!(lines[13].starts_with("white: accuracy "), "{text}");
}

#[test]
fn json_game_and_page_agree() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(
        path("a.psq"),
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n1,1,0\n8,7,0\n1,2,0\n-1\n",
    )
    .unwrap();
    let (psq, sgf, html) = (path("a.psq"), path("out.sgf"), path("out.html"));
    let args = [
        &*psq, "--rule", "renju", "--from", "2", "--json", "--sgf", &sgf, "--html", &html,
    ];
    let report: Value = serde_json::from_str(&stdout(review(&args))).unwrap();
    assert_eq!(
        (&report["version"], &report["rule"]),
        (&1.into(), &"renju".into())
    );
    assert_eq!(
        (&report["width"], &report["height"]),
        (&15.into(), &15.into())
    );
    let positions = report["positions"].as_array().unwrap();
    let numbers: Vec<_> = positions
        .iter()
        .map(|p| p["move"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert_eq!(report["summary"]["reviewed"], 4);
    assert!(
        report["sgf"]
            .as_str()
            .unwrap()
            .ends_with(";B[hh];W[aa];B[hg];W[ab])\n")
    );
    // The moves of the written game are the same, and it may be written again.
    let shown = stdout({
        let mut command = tengen();
        command.args(["show", &sgf]);
        command
    });
    assert!(shown.ends_with("h8 a15 h9 a14\n"), "{shown}");
    let game = std::fs::read_to_string(&sgf).unwrap();
    assert!(
        game.contains("C[Reviewed by Tengen. Black: accuracy "),
        "{game}"
    );
    assert!(
        game.contains("(;W[aa]"),
        "a better move stands beside it: {game}"
    );
    let page = std::fs::read_to_string(&html).unwrap();
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"review\">")
        .unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    let of_page: Value = serde_json::from_str(json).unwrap();
    assert_eq!(of_page["positions"], report["positions"]);
    review(&args).assert().success();
    // A file of another kind is left as it is.
    std::fs::write(&sgf, "(;GM[4]SZ[15];B[hh])").unwrap();
    review(&args).assert().failure();
    assert_eq!(
        std::fs::read_to_string(&sgf).unwrap(),
        "(;GM[4]SZ[15];B[hh])"
    );
}

#[test]
fn what_is_no_game_is_refused() {
    for args in [&["h8", "h8"][..], &["none.sgf"], &[]] {
        review(args).assert().failure();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.sgf");
    std::fs::write(&path, "(;GM[4]SZ[15])").unwrap();
    let text = review(&[path.to_str().unwrap()])
        .assert()
        .failure()
        .get_output()
        .stderr
        .clone();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.trim_end(), "tengen: there are no moves to review");
}

/// An impossible budget: every search ends before its first iteration.
fn too_short(args: &[&str]) -> Command {
    let mut command = tengen();
    command.args(["review", "--nodes", "1"]).args(args);
    command
}

#[test]
fn what_no_search_has_judged_is_unknown() {
    let text = stdout(too_short(&["h8", "i9", "h7"]));
    assert!(text.contains("  2  O i9          -  unknown"), "{text}");
    assert!(text.contains("\nblack: no move was judged\n"), "{text}");
    assert!(text.contains("\nunknown: 3 of the moves; "), "{text}");
    let report: Value =
        serde_json::from_str(&stdout(too_short(&["--json", "h8", "i9", "h7"]))).unwrap();
    for judgement in report["positions"].as_array().unwrap() {
        assert_eq!(judgement["class"], "unknown");
        assert_eq!(judgement["loss"], 0.0);
    }
    assert_eq!(report["summary"]["accuracy"]["white"], Value::Null);
}

#[test]
fn an_older_review_outlasts_one_without_judgements() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.sgf");
    let sgf = path.to_str().unwrap();
    review(&["--sgf", sgf, "h8", "i9", "h7"]).assert().success();
    let before = std::fs::read_to_string(&path).unwrap();
    let assert = too_short(&["--sgf", sgf, "h8", "i9"]).assert().success();
    let warning = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(warning.contains("nothing was judged"), "{warning}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    review(&["--sgf", sgf, "--html", sgf, "h8", "i9"])
        .assert()
        .code(2);
}

#[test]
fn a_closed_pipe_loses_no_file() {
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.sgf");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["review", "--nodes", "500", "--hash", "4", "--sgf"])
        .arg(&path)
        .args(["h8", "i9", "h7"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("Reviewed by Tengen."), "{text}");
}

/// A file that cannot be written any more when the review ends.
#[test]
fn the_review_is_printed_before_its_files_fail() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.sgf");
    let (sgf, game) = (path.to_str().unwrap(), ["h8", "i9", "h7"]);
    // The file is checked before the first of three searches, and written after the last. The check
    // makes and removes another file beside it, and so changes the folder's time.
    let time = || folder.path().metadata().unwrap().modified().unwrap();
    let before = time();
    let limits = ["review", "--time", "2s", "--hash", "4", "--sgf", sgf];
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(limits)
        .args(game)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let is_empty = || folder.path().read_dir().unwrap().next().is_none();
    let since = std::time::Instant::now();
    while time() == before || !is_empty() {
        let waited = since.elapsed();
        assert!(waited < std::time::Duration::from_secs(60), "no check");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::fs::create_dir(&path).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\nblack: accuracy "), "{text}");
}

/// The user's comments, variations, labels and facts come back with the review, once however often
/// the game is reviewed.
#[test]
fn a_reviewed_file_keeps_all_that_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (game, out, again) = (path("game.sgf"), path("out.sgf"), path("again.sgf"));
    let text = "(;GM[4]SZ[15]EV[Cup]DT[2020-01-02]C[my game];B[hh]C[mine]LB[hh:A]\
                (;W[aa];B[hg];W[ab]C[weak])(;W[ig]C[better]))";
    std::fs::write(&game, text).unwrap();
    stdout(review(&[&game, "--sgf", &out]));
    let first = std::fs::read_to_string(&out).unwrap();
    for part in [
        "EV[Cup]",
        "DT[2020-01-02]",
        "\nmy game]",
        "C[mine\n",
        "LB[hh:A]",
        "C[better]",
        "C[weak\n",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(first.contains("C[Reviewed by Tengen. "), "{first}");
    stdout(review(&[&out, "--sgf", &again]));
    let second = std::fs::read_to_string(&again).unwrap();
    for part in ["Reviewed by Tengen", "my game", "mine", "weak", "opening"] {
        assert_eq!(
            second.matches(part).count(),
            first.matches(part).count(),
            "{part}: {second}"
        );
    }
}
