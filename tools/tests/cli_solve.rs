//! `solve` on corpora, games and contradictory input.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use program::{TENGEN, call, run};
use tengen::board::Board;
use tengen::rules::{Rule, winning_points};
use tengen::types::Color;
use tengen_games::records::{ReadOptions, read};

/// Standard output and error of `solve`, and the exit status.
fn solve(args: &[&str]) -> (String, String, i32) {
    let run = run(call(".".as_ref(), "solve").args(args));
    (run.out, run.err, run.status.unwrap())
}

fn positions(file: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench_positions");
    dir.join(file).display().to_string()
}

#[test]
fn the_proof_of_a_shortest_win_does_not_lengthen_it() {
    let moves = "d10 e9 g6 f11 g8 f10 d8 f9 f8 e8 g9 g7 e7 d6 f6 c9 h6 g10 i6 j6 d7 e12 h9";
    let mut args = vec!["--rule", "caro", "--mode", "vcf", "--shortest"];
    args.extend(moves.split(' '));
    let (shortest, _, _) = solve(&args);
    args.push("--verify");
    let (verified, _, status) = solve(&args);
    assert_eq!(rows(&shortest)[0][1..5], rows(&verified)[0][1..5]);
    assert_eq!((rows(&verified)[0][3], status), ("7", 0));
}

/// A file with every `step`th position of a file of `bench_positions`.
fn sample(dir: &Path, file: &str, step: usize) -> (PathBuf, usize) {
    let text = fs::read_to_string(positions(file)).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .step_by(step)
        .collect();
    let path = dir.join(file);
    fs::write(&path, lines.join("\n")).unwrap();
    (path, lines.len())
}

/// The columns of each line of output but the last.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().collect();
    lines[..lines.len() - 1]
        .iter()
        .map(|line| line.split('\t').collect())
        .collect()
}

#[test]
fn corpora_are_solved_as_they_state() {
    let dir = tempfile::tempdir().unwrap();
    for (file, step, verdict) in [
        ("vcf.txt", 4, "vcf_win"),
        ("vcfnone.txt", 6, "none"),
        ("vct.txt", 12, "vct_win"),
        ("defend.txt", 4, "defend"),
    ] {
        let (path, count) = sample(dir.path(), file, step);
        let (out, err, status) = solve(&[path.to_str().unwrap(), "--time", "60s"]);
        let summary = out.lines().last().unwrap();
        let expected = format!("solved {count} of {count}, wrong 0, median ");
        assert!(summary.starts_with(&expected), "{file}: {summary}");
        assert!(summary.contains(" ms, p90 ") && summary.contains(" ms, p99 "));
        assert_eq!((err.as_str(), status), ("", 0));
        for row in rows(&out) {
            assert_eq!((row.len(), row[1]), (7, verdict), "{row:?}");
            row[4].parse::<u64>().unwrap();
            row[5].parse::<f64>().unwrap();
            if verdict.ends_with("win") {
                let line: Vec<&str> = row[6].split(' ').collect();
                assert_eq!((line[0], line.len() % 2), (row[2], 1), "{row:?}");
                let plies: usize = row[3].parse().unwrap();
                assert!(line.len() <= plies, "{row:?}");
            }
        }
    }
}

/// Positions up to which one thread searches, with the same result every time.
const ALONE: u64 = 400;

#[test]
fn threads_change_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    let (path, _) = sample(dir.path(), "vct.txt", 15);
    let answers = |threads: &str| -> Vec<Vec<String>> {
        let (out, _, status) = solve(&[
            path.to_str().unwrap(),
            "--threads",
            threads,
            "--time",
            "1m",
            "--verify",
        ]);
        assert_eq!(status, 0);
        let columns = |row: &Vec<&str>| {
            let columns = row[..5].iter().chain(&row[6..]);
            columns.map(|column| column.to_string()).collect()
        };
        rows(&out).iter().map(columns).collect()
    };
    for (one, three) in answers("1").iter().zip(answers("3")) {
        assert_eq!(one[..2], three[..2]);
        if one[4].parse::<u64>().unwrap() < ALONE {
            assert_eq!(*one, three);
        }
    }
}

#[test]
fn threads_without_a_position_help_with_a_hard_one() {
    let dir = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(positions("vct.txt")).unwrap();
    let path = dir.path().join("one.txt");
    // More than a thousand positions are expanded for each.
    for id in ["sp-s15-102-354-38", "sp-s15-102-64-15", "sp-s20-205-152-14"] {
        let line = text.lines().find(|line| line.starts_with(id)).unwrap();
        fs::write(&path, format!("{line}\n")).unwrap();
        let (out, err, status) = solve(&[path.to_str().unwrap(), "--threads", "4", "--verify"]);
        assert_eq!((err.as_str(), status), ("", 0));
        assert_eq!(rows(&out)[0][1], "vct_win");
        assert!(out.contains("\nsolved 1 of 1, wrong 0, "), "{out}");
    }
}

#[test]
fn wins_are_verified_and_written_as_a_tree() {
    let dir = tempfile::tempdir().unwrap();
    let game = dir.path().join("game.sgf");
    // Black's open three and a stone beside it; White's stones stand far away.
    fs::write(
        &game,
        "(;GM[4]RU[freestyle];B[hh];W[aa];B[ih];W[ca];B[hi];W[ea])",
    )
    .unwrap();
    let tree = dir.path().join("tree.sgf");
    let (out, err, status) = solve(&[
        game.to_str().unwrap(),
        "--verify",
        "--tree",
        tree.to_str().unwrap(),
    ]);
    assert_eq!((err.as_str(), status), ("", 0), "{out}");
    let rows = rows(&out);
    assert_eq!(rows[0][..2], ["game", "vct_win"]);
    let text = fs::read_to_string(&tree).unwrap();
    assert!(text.contains("AB[hh][ih][hi]AW[aa][ca][ea]PL[B]"), "{text}");
    assert!(text.contains("C[any other move]"), "{text}");
    // The tree is a game in its own right: its main line ends where five cannot be stopped.
    let (again, err, status) = solve(&[tree.to_str().unwrap(), "--mode", "vcf"]);
    assert_eq!((err.as_str(), status), ("", 0), "{again}");
    let empty = Board::new(15, 15).unwrap();
    let read = read(text.as_bytes(), &ReadOptions::new("", &empty));
    let games = read.unwrap().games;
    let end = games[0].end();
    assert_eq!(end.side_to_move(), Color::White);
    let fives = |color| winning_points(&end, Rule::Freestyle, color).len();
    assert!(
        fives(Color::Black) >= 2 && fives(Color::White) == 0,
        "{end}"
    );
    // Other commands read it too.
    for word in ["show", "play"] {
        let mut command = Command::cargo_bin("tengen").unwrap();
        let output = command
            .arg(word)
            .arg(&tree)
            .write_stdin("quit\n")
            .assert()
            .success();
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        assert!(text.contains("freestyle, 15x15"), "{word}: {text}");
    }
    assert_eq!(text.matches('(').count(), text.matches(')').count());
}

#[test]
fn moves_and_games_of_every_format_are_taken() {
    let moves = ["h8", "a15", "i8", "c15", "h7", "e15"];
    let (out, err, status) = solve(&moves);
    assert_eq!((err.as_str(), status), ("", 0), "{out}");
    assert_eq!(rows(&out)[0][..2], ["moves", "vct_win"]);
    let (out, ..) = solve(&["h8,a15,i8,c15,h7,e15"]);
    assert_eq!(rows(&out)[0][1], "vct_win");
    let dir = tempfile::tempdir().unwrap();
    let psq = dir.path().join("a.psq");
    let rows_of_psq = "8,8,0\n1,1,0\n9,8,0\n3,1,0\n8,9,0\n5,1,0\n";
    fs::write(
        &psq,
        format!("Piskvorky 15x15, 11:11, 0\n{rows_of_psq}-1\n"),
    )
    .unwrap();
    let text = dir.path().join("b.txt");
    fs::write(&text, moves.join("\n")).unwrap();
    let (out, err, status) = solve(&[psq.to_str().unwrap(), text.to_str().unwrap()]);
    assert_eq!((err.as_str(), status), ("", 0), "{out}");
    let rows = rows(&out);
    assert_eq!(rows[0][..2], ["a", "vct_win"]);
    assert_eq!(rows[1][..2], ["b", "vct_win"]);
    let (_, err, status) = solve(&["--rule", "renju", "h8", "x99"]);
    assert_eq!((status, err.lines().count()), (2, 1));
    assert!(err.contains("'x99' is not a point"), "{err}");
}

#[test]
fn plain_positions_are_taken_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("plain.txt");
    fs::write(
        &path,
        "three | freestyle | 15 | h8 a1 i8 c1 j8 e1 | made up\n\
         start | renju | 15 | h8 | made up\n\
         won | standard | 15 | h8 a1 i8 c1 j8 e1 k8 g1 l8 | made up\n",
    )
    .unwrap();
    let (out, _, status) = solve(&[path.to_str().unwrap(), "--shortest", "--time", "50ms"]);
    assert_eq!(status, 0);
    let rows = rows(&out);
    assert_eq!(rows[0][..4], ["three", "vcf_win", rows[0][2], "3"]);
    assert!(["g8", "k8"].contains(&rows[0][2]));
    assert_eq!(rows[1][..2], ["start", "none"]);
    assert_eq!(rows[2][..2], ["won", "over"]);
}

#[test]
fn a_false_statement_is_found_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("false.txt");
    let stones = "7,7 8,7 9,7\t0,0 0,2 0,4";
    for (claim, wrong) in [
        ("vcf_none", true),
        ("vct_win ?", true),
        ("vcf_win 1", false),
        ("vcf_win 2", true),
        ("vcf_win <=2", false),
        ("defend 6,7", true),
    ] {
        fs::write(
            &path,
            format!("x\tfreestyle\t15\tb\t{stones}\t{claim}\t\t\t"),
        )
        .unwrap();
        let (out, _, status) = solve(&[path.to_str().unwrap()]);
        assert_eq!(status, i32::from(wrong), "{claim}: {out}");
        assert_eq!(out.contains("\tWRONG: "), wrong, "{claim}: {out}");
        assert!(
            out.contains(&format!("wrong {},", i32::from(wrong))),
            "{out}"
        );
    }
}

#[test]
fn what_cannot_be_solved_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rules.txt");
    fs::write(&path, "renju\t15\tblack:7,7\twhite:8,8\tforbidden:\n").unwrap();
    let (out, err, status) = solve(&[path.to_str().unwrap()]);
    assert_eq!((out.as_str(), status), ("", 1));
    assert!(err.contains("rules.txt:1: a rules case"), "{err}");
    let (_, err, status) = solve(&["no-such-file.sgf"]);
    assert!(status == 1 && err.contains("no-such-file.sgf"), "{err}");
    let (_, err, status) = solve(&[]);
    assert!(status == 2 && err.contains("FILE|MOVES"), "{err}");
}

/// A win by fours after one move.
const EASY: &str = "easy | freestyle | 15 | h8 a1 i8 c1 j8 e1 | made up\n";

#[test]
fn a_win_by_threats_that_is_not_found_is_no_contradiction() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vct.txt");
    fs::write(&path, "a\trenju\t15\tb\t7,7\t8,8\tvct_win ?\tx\t1\t\n").unwrap();
    let (out, _, status) = solve(&[path.to_str().unwrap()]);
    assert_eq!((rows(&out)[0][1], status), ("none", 0));
    assert!(out.contains("\nsolved 0 of 1, wrong 0, "), "{out}");
}

#[test]
fn files_of_windows_and_names_of_others_are_taken() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mark.txt");
    fs::write(&path, format!("\u{feff}# head\n\u{1b}[2J{EASY}")).unwrap();
    let (out, _, status) = solve(&[path.to_str().unwrap()]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(rows(&out)[0][..2], ["\\u{1b}[2Jeasy", "vcf_win"]);
    for empty in ["", "\n# nothing\n"] {
        fs::write(&path, empty).unwrap();
        let (out, err, status) = solve(&[path.to_str().unwrap()]);
        assert_eq!((out.as_str(), status), ("", 1));
        assert!(err.contains("mark.txt: there are no positions"), "{err}");
    }
}

#[test]
fn a_closed_pipe_loses_no_proof() {
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let (path, tree) = (dir.path().join("easy.txt"), dir.path().join("tree.sgf"));
    fs::write(&path, EASY).unwrap();
    let mut child = std::process::Command::new(TENGEN)
        .arg("solve")
        .arg(&path)
        .arg("--tree")
        .arg(&tree)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    assert!(fs::read_to_string(&tree).unwrap().contains("easy"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_proofs() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let dir = tempfile::tempdir().unwrap();
    let (path, tree) = (dir.path().join("many.txt"), dir.path().join("tree.sgf"));
    let many = fs::read_to_string(positions("vct.txt")).unwrap().repeat(50);
    fs::write(&path, format!("{EASY}{many}")).unwrap();
    let mut child = std::process::Command::new(TENGEN)
        .args(["solve", "--time", "1h", "--threads", "2"])
        .arg(&path)
        .arg("--tree")
        .arg(&tree)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    assert!(text.starts_with("easy\tvcf_win\t"), "{text}");
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    out.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(text.contains("\ninterrupted: "), "{text}");
    assert!(text.lines().last().unwrap().starts_with("solved "));
    assert!(fs::read_to_string(&tree).unwrap().contains("easy"));
}

/// Under a limit of the shell on the memory of a process.
#[cfg(target_os = "linux")]
#[test]
fn too_much_memory_is_refused_in_words() {
    let line = "ulimit -v 8000000; exec \"$0\" solve --hash 65536 h8 i9";
    let mut shell = std::process::Command::new("sh");
    let text = run(shell.args(["-c", line, TENGEN])).complaint(1);
    assert!(
        text.contains("--hash 65536: the system has no room"),
        "{text}"
    );
}

/// A book of problems, one of its problems, and a position within a game.
#[test]
fn problems_and_positions_within_games_are_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let book = path(
        "book.json",
        r#"{"puzzles":[{"stones":"H8A1I8C1J8E1","side":1,"rule":0,"mode":32},
            {"stones":"H8A1","side":1,"rule":2,"mode":32}]}"#,
    );
    let (out, err, _) = solve(&[&book, "--time", "1s"]);
    assert_eq!(rows(&out)[0][..2], ["book-1", "vcf_win"], "{out}{err}");
    assert_eq!(rows(&out)[1][0], "book-2");
    let (out, _, _) = solve(&[&book, "--game", "1"]);
    assert_eq!((rows(&out).len(), rows(&out)[0][0]), (1, "book-1"));
    let game = path("game.txt", "h8 a1 i8 c1 j8 e1 k8 g1 l8");
    let (out, _, status) = solve(&[&game]);
    assert_eq!((rows(&out)[0][1], status), ("over", 0));
    assert!(out.contains("\nsolved 0 of 1, wrong 0, "), "{out}");
    let (out, _, _) = solve(&[&game, "--after", "6"]);
    assert_eq!(rows(&out)[0][1], "vcf_win");
    let problem = path(
        "problem.sgf",
        "(;SZ[15]AB[hh][ih][jh]AW[aa][ca][ea]PL[B];B[kh];W[aa])",
    );
    let (out, _, _) = solve(&[&problem]);
    assert_eq!(rows(&out)[0][1], "vcf_win", "its first position counts");
}

#[test]
fn problems_are_made_of_games_and_solved_again() {
    let game = "f6 i7 l10 f4 l11 i4 k10 g5 h6 g4 h4 g6 g7 h5 f7 i5 e5 i6 i8 i3";
    let mut args = vec!["--make-problems", "20", "--rule", "renju"];
    args.extend(game.split(' '));
    let (problems, counts, status) = solve(&args);
    assert_eq!(status, 0);
    assert!(counts.ends_with("games: 1, problems: 1\n"), "{counts}");
    let line = problems.lines().last().unwrap();
    assert!(line.starts_with("threats-1\trenju\t15\tw\t"), "{line}");
    assert!(line.contains("\tkind=threats;grade="), "{line}");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("problems.txt");
    fs::write(&path, &problems).unwrap();
    let (answers, _, status) = solve(&["--verify", path.to_str().unwrap()]);
    assert_eq!(status, 0);
    assert!(answers.contains("solved 1 of 1, wrong 0"), "{answers}");
    let (nothing, counts, status) = solve(&["--make-problems", "20", "h8", "i9"]);
    assert!(nothing.lines().all(|line| line.starts_with('#')));
    assert!(counts.ends_with("games: 1, problems: 0\n"), "{counts}");
    assert_eq!(status, 0);
    assert_eq!(
        solve(&["--make-problems", "20", "--mode", "vcf", "h8"]).2,
        2
    );
}
