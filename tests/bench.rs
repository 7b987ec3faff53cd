//! `bench`: a repeatable node count, in a form for scripts.

use assert_cmd::Command;

fn bench(args: &[&str]) -> Vec<String> {
    let output = Command::cargo_bin("pbrain-tengen")
        .unwrap()
        .arg("bench")
        .args(args)
        .assert()
        .success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    text.lines().map(String::from).collect()
}

/// The node count of the last line, `Bench: <nodes> nodes <nps> nps`.
fn nodes(lines: &[String]) -> u64 {
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let ["Bench:", nodes, "nodes", nps, "nps"] = words[..] else {
        panic!("{words:?}");
    };
    nps.parse::<u64>().unwrap();
    nodes.parse().unwrap()
}

#[test]
fn two_runs_search_the_same_nodes() {
    let lines = bench(&["--depth", "4", "--hash", "16"]);
    assert_eq!(lines.len(), 25, "a line for each position and one for all");
    assert!(nodes(&lines) > 0);
    assert_eq!(
        nodes(&bench(&["--depth", "4", "--hash", "16"])),
        nodes(&lines)
    );
}

#[test]
fn the_positions_stand_in_the_program() {
    let elsewhere = tempfile::tempdir().unwrap();
    Command::cargo_bin("pbrain-tengen")
        .unwrap()
        .current_dir(elsewhere.path())
        .args(["bench", "--depth", "1"])
        .assert()
        .success();
}

#[test]
fn impossible_resources_are_wrong_usage() {
    for args in [["--threads", "0"], ["--depth", "0"], ["--hash", "much"]] {
        Command::cargo_bin("pbrain-tengen")
            .unwrap()
            .arg("bench")
            .args(args)
            .assert()
            .code(2);
    }
}

#[test]
fn the_forbidden_points_take_no_resources() {
    for args in [
        ["--threads", "4"],
        ["--hash", "16"],
        ["--evaluator", "nofile"],
    ] {
        Command::cargo_bin("pbrain-tengen")
            .unwrap()
            .args(["bench", "--forbidden"])
            .args(args)
            .assert()
            .code(2);
    }
}
