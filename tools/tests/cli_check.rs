//! `check` on the corpora and on files that must fail.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{Run, call, run};

/// Standard output of `check` on a file with this content, and true if the check passed.
fn check(text: &str) -> (String, bool) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("corpus.txt");
    fs::write(&path, text).unwrap();
    let run = check_files(&[path]);
    (run.out + &run.err, run.status == Some(0))
}

fn check_files(paths: &[PathBuf]) -> Run {
    run(call(".".as_ref(), "check").args(paths))
}

#[test]
fn every_file_of_positions_passes() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench_positions");
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    paths.sort();
    let lines: usize = paths
        .iter()
        .flat_map(|path| {
            fs::read_to_string(path)
                .unwrap()
                .lines()
                .map(String::from)
                .collect::<Vec<_>>()
        })
        .filter(|line| !line.starts_with('#'))
        .count();
    assert!(lines > 4_900, "{lines} positions only");
    let expected = format!("{lines} passed, 0 failed\n");
    assert_eq!(check_files(&paths).success(), expected);
}

#[test]
fn a_wrong_answer_is_shown_and_fails() {
    let double_three = "renju\t15\tblack:6,4;6,5;4,6;5,6\twhite:";
    for (line, difference) in [
        ("forbidden:6,6=33\tcand:6,6=33", None),
        (
            "forbidden:",
            Some("forbidden points (reference): expected none, got 6,6"),
        ),
        ("forbidden:6,6=33;0,0=6", Some("expected 0,0 6,6, got 6,6")),
        (
            "forbidden:6,6=44",
            Some("kinds at 6,6 (reference): expected 44, got 33"),
        ),
        ("forbidden:6,6=33\tcand:6,6=ok", Some("expected ok, got 33")),
        (
            "forbidden:6,6=33\tcand:6,7=five",
            Some("expected five, got ok"),
        ),
    ] {
        let (text, passed) = check(&format!("# head\n{double_three}\t{line}\n"));
        match difference {
            None => assert_eq!(text, "1 passed, 0 failed\n"),
            Some(difference) => {
                assert!(text.contains("corpus.txt:2: "), "{text}");
                assert!(text.contains(difference), "{text}");
                assert!(text.ends_with("\n0 passed, 1 failed\n"), "{text}");
            }
        }
        assert_eq!(passed, difference.is_none());
    }
}

#[test]
fn a_win_is_checked_with_foul_and_result() {
    let six = "renju\t15\tblack:1,7;2,7;3,7;4,7;5,7;6,7\twhite:0,0;2,2;4,4;6,6;8,8\tlast:3,7";
    for (claim, difference) in [
        ("winner:none\tfoul:6\tresult:white", None),
        (
            "winner:black\tfoul:6\tresult:white",
            Some("winner (reference): expected black, got none"),
        ),
        (
            "winner:none\tfoul:none\tresult:white",
            Some("foul (reference): expected none, got 6"),
        ),
        (
            "winner:none\tfoul:44\tresult:white",
            Some("foul (reference): expected 44, got 6"),
        ),
        (
            "winner:none\tfoul:6\tresult:none",
            Some("result (reference): expected none, got white"),
        ),
    ] {
        let (text, passed) = check(&format!("{six}\t{claim}\n"));
        assert_eq!(passed, difference.is_none(), "{text}");
        assert!(text.contains(difference.unwrap_or("1 passed")), "{text}");
    }
}

#[test]
fn a_stated_line_of_fours_is_played() {
    let head = "a\tfreestyle\t15\tb\t5,5 6,5 7,5 4,9\t8,9 8,10";
    for (claim, pv, difference) in [
        ("vcf_win 1", "4,5", None),
        ("vcf_win <=3", "4,5", None),
        (
            "vcf_win 2",
            "4,5",
            Some("fours in the line: expected 2, got 1"),
        ),
        (
            "vcf_win 1",
            "3,5",
            Some("expected a four that cannot be stopped, got the reply 4,5"),
        ),
        (
            "vcf_win 1",
            "0,0",
            Some("move 1 at 0,0: expected a four, got none"),
        ),
        (
            "vcf_win 2",
            "3,5 0,0 4,5",
            Some("expected the forced reply, got not 4,5"),
        ),
        (
            "vcf_win 2",
            "4,5 3,5 8,5",
            Some("expected the end of the line, got more moves"),
        ),
    ] {
        let (text, passed) = check(&format!("{head}\t{claim}\tc\td\tpv={pv}\n"));
        assert_eq!(passed, difference.is_none(), "{text}");
        assert!(text.contains(difference.unwrap_or("1 passed")), "{text}");
    }
}

#[test]
fn a_position_must_not_be_over() {
    let four = "a1 a15 b1 b15 c1 c15 d1";
    for (moves, difference) in [
        ("h8 i9 h7", None),
        (
            &format!("{four} d15") as &str,
            Some("points that win at once: expected none, got 4,14"),
        ),
        (
            &format!("{four} h8 e1"),
            Some("move 9 at 4,14: expected an ordinary move, got a win"),
        ),
    ] {
        let (text, passed) = check(&format!("x | standard | 15 | {moves} | a game\n"));
        assert_eq!(passed, difference.is_none(), "{text}");
        assert!(text.contains(difference.unwrap_or("1 passed")), "{text}");
    }
}

#[test]
fn a_broken_line_is_named() {
    let (text, passed) = check("# head\nrenju\t15\tblack:7,7;7,7\twhite:\tforbidden:\n");
    assert!(!passed);
    assert!(
        text.contains("corpus.txt:2: point 7,7 has two stones"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn an_empty_file_is_no_success() {
    for empty in ["", "# nothing\n"] {
        let (text, passed) = check(empty);
        assert!(!passed);
        assert!(
            text.contains("corpus.txt: there are no positions"),
            "{text}"
        );
    }
}

#[test]
fn a_name_steers_no_terminal() {
    let (text, _) = check("\u{1b}[2Jx | standard | 15 | a1 a15 b1 b15 c1 c15 d1 h8 | s\n");
    assert!(text.contains("\\u{1b}[2Jx: "), "{text}");
}
