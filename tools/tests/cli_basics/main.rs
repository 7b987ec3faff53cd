//! The command line's manners: help, version, exit statuses, closed pipes.

mod generated;
#[path = "../program/mod.rs"]
mod program;
mod records;

use std::process::{Command as Process, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use program::Run;

fn tengen() -> Command {
    Command::cargo_bin("tengen").unwrap()
}

/// Standard output of a call that must succeed.
fn stdout(call: &mut Command) -> String {
    Run::from(call.output().unwrap()).success()
}

/// Standard error of a call that must print nothing else and fail with `status`.
fn stderr(call: &mut Command, status: i32) -> String {
    let run = Run::from(call.output().unwrap());
    assert_eq!(run.out, "", "{run:?}");
    run.complaint(status)
}

/// The same for a call with these arguments.
fn complaint(args: &[&str], status: i32) -> String {
    stderr(tengen().args(args), status)
}

#[test]
fn help_names_every_subcommand_and_gives_examples() {
    let text = stdout(tengen().arg("--help"));
    for word in [
        "analyze",
        "bench",
        "check",
        "match",
        "play",
        "tune",
        "Examples:",
    ] {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
    assert!(!text.contains('\x1b'), "colour in a pipe");
}

/// Without a terminal the call became a session of the protocol and waited in silence.
#[test]
fn a_record_without_a_subcommand_gets_a_tip() {
    let error = complaint(&["game.sgf"], 2);
    assert!(error.contains("tengen show game.sgf"), "{error}");
}

#[test]
fn version_is_the_package_version() {
    tengen()
        .arg("--version")
        .assert()
        .success()
        .stdout(format!("tengen {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn times_are_said_in_one_way() {
    for subcommand in ["analyze", "play", "solve", "match"] {
        let help = stdout(tengen().args([subcommand, "--help"]));
        assert!(help.contains("--time <T>"), "{subcommand}:\n{help}");
        let error = complaint(&[subcommand, "--time", "5parsecs"], 2);
        assert!(error.contains("'5parsecs' is not a time"), "{error}");
    }
    for time in ["60ms", "0.06s", "0.06"] {
        let text = stdout(
            tengen()
                .args(["analyze", "--json", "--evaluator", "classical"])
                .args(["--hash", "16", "--time", time, "h8", "i9"]),
        );
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        // Far below the five seconds of a search without a limit.
        assert!(report["elapsed_ms"].as_u64() < Some(4_000), "{report}");
    }
    let win = ["solve", "--time", "2s", "h8", "a1", "i8", "a3", "j8", "a5"];
    let text = stdout(tengen().args(win));
    assert!(text.contains("vcf_win"), "{text}");
    for (option, value) in [("--time", "100ms"), ("--think", "0.1")] {
        tengen()
            .args(["play", "--hash", "16", "--depth", "1", option, value])
            .write_stdin("h8\n")
            .assert()
            .success();
    }
}

#[test]
fn wrong_usage_is_one_line_and_status_2() {
    for args in [&["check"][..], &["check", "--fast", "x"]] {
        let text = complaint(args, 2);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("tengen: "), "{text}");
    }
}

/// `show`, `solve` and `play` with this file; each must succeed, and its output is returned.
fn read_by_all(game: &std::path::Path) -> [String; 3] {
    ["show", "solve", "play"].map(|word| {
        let mut command = tengen();
        command.arg(word).arg(game).write_stdin("quit\n");
        let output = command.timeout(Duration::from_secs(120)).assert().success();
        let output = output.get_output();
        assert!(output.stderr.is_empty(), "{word}: {output:?}");
        String::from_utf8(output.stdout.clone()).unwrap()
    })
}

/// A tree of objects overflowed the stack when it was freed.
#[test]
fn games_of_any_depth_and_length_are_read() {
    const NODES: usize = 200_000;
    let dir = tempfile::tempdir().unwrap();
    let game = dir.path().join("game.sgf");
    let nested = |node: &str| node.repeat(NODES) + &")".repeat(NODES);
    for text in [
        format!("(;GM[4]SZ[15];B[hh];W[ii]{})", nested("(;C[x]")),
        format!("(;GM[4]SZ[15];B[hh](;W[ii])(;W[jj]{}))", nested("(;C[x]")),
        format!("(;GM[4]SZ[15];B[hh];W[ii]{})", ";C[x]".repeat(NODES)),
    ] {
        std::fs::write(&game, text).unwrap();
        let [shown, solved, played] = read_by_all(&game);
        assert!(shown.ends_with("\nh8 i7\n"), "{shown}");
        assert!(solved.contains("game"), "{solved}");
        assert!(played.contains("i7"), "{played}");
    }
}

/// A device would be read without end.
#[cfg(unix)]
#[test]
fn devices_are_refused_as_files() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.sgf")).unwrap();
    for args in [
        &["show", "zero.sgf"][..],
        &["solve", "/dev/zero"],
        &["check", "/dev/zero"],
        &["analyze", "--file", "/dev/zero"],
        &["play", "zero.sgf"],
    ] {
        let mut command = tengen();
        command.current_dir(folder).args(args);
        let error = stderr(command.timeout(Duration::from_secs(60)), 1);
        assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
        assert!(error.contains("not a regular file"), "{args:?}: {error}");
    }
}

/// A drawing, a proof or a run of games was written over any named file, and a pipe was waited for.
#[test]
fn no_output_overwrites_a_file_of_another_kind() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let game = "(;GM[4]RU[freestyle];B[hh];W[aa];B[ih];W[ca];B[hi];W[ea])";
    std::fs::write(folder.join("game.sgf"), game).unwrap();
    std::fs::create_dir(folder.join("records")).unwrap();
    std::fs::write(folder.join("records/games.pgn"), "[Event \"mine\"]\n").unwrap();
    #[cfg(unix)]
    {
        let made = Process::new("mkfifo").arg(folder.join("pipe")).status();
        assert!(made.unwrap().success());
    }
    #[cfg(not(unix))]
    std::fs::create_dir(folder.join("pipe")).unwrap();
    let words = "match --engine cmd=a depth=1 --engine cmd=b depth=1 --games 2";
    let engines: Vec<&str> = words.split(' ').collect();
    for output in [
        &["show", "game.sgf", "--svg", "game.sgf"][..],
        &["show", "game.sgf", "--svg", "pipe"],
        &["generate", "--screenshot", "game.sgf"],
        &["generate", "--screenshot", "pipe"],
        &["solve", "game.sgf", "--tree", "game.sgf"],
        &["solve", "game.sgf", "--tree", "pipe"],
        &["solve", "game.sgf", "--tree", "none/proof.sgf"],
        &["datagen", "--games", "1", "--out", "game.sgf"],
        &["datagen", "--games", "1", "--out", "pipe"],
        &[&engines[..], &["--journal", "pipe"]].concat(),
        &[&engines[..], &["--journal", "pipe", "--resume"]].concat(),
        &[&engines[..], &["--records", "records"]].concat(),
    ] {
        let mut command = tengen();
        command.current_dir(folder).args(output);
        let error = stderr(command.timeout(Duration::from_secs(60)), 1);
        assert_eq!(error.lines().count(), 1, "{output:?}: {error}");
    }
    let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("game.sgf"), game);
    assert_eq!(read("records/games.pgn"), "[Event \"mine\"]\n");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3);
    // Without a proof there is no file.
    let mut command = tengen();
    command.current_dir(folder);
    let quiet = ["solve", "game.sgf", "--mode", "vcf", "--tree", "proof.sgf"];
    let assert = command.args(quiet).assert().success();
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(error, "no win was proved: proof.sgf is not written\n");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3);
    let drawn = ["show", "game.sgf", "--svg", "game.svg"];
    for _ in 0..2 {
        tengen().current_dir(folder).args(drawn).assert().success();
    }
}

#[test]
fn failed_work_is_one_line_and_status_1() {
    let text = complaint(&["check", "no/such/file.txt"], 1);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("no/such/file.txt"), "{text}");
}

/// On other systems the shell does this.
#[test]
#[cfg(windows)]
fn stars_in_names_of_files_are_expanded() {
    tengen()
        .args(["check", "../bench_positions/rules_*.txt"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .assert()
        .success();
    let text = complaint(&["check", "no-such-*.txt"], 1);
    assert!(text.contains("no-such-*.txt"), "{text}");
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["bench", "--depth", "1", "--hash", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// A closed standard error loses only the messages about the work; the work and its exit status
/// stay.
#[test]
fn a_standard_error_that_cannot_be_written_ends_no_work() {
    let program = env!("CARGO_BIN_EXE_tengen");
    let engine = format!("cmd='{program}'");
    let engines = ["--engine", &engine, "name=A", "--engine", &engine, "name=B"];
    // The match reports each game as it ends, and warns of the odd number.
    let contest: Vec<&str> = ["match", "--each", "nodes=1", "--games", "1", "--size", "5"]
        .into_iter()
        .chain(engines)
        .collect();
    for (args, status) in [(&["check", "no-such-file"][..], 1), (&contest, 0)] {
        let mut errors = vec![gone_reader()];
        #[cfg(target_os = "linux")]
        errors.push(full_disk());
        for stderr in errors {
            let mut command = Process::new(program);
            let output = command.args(args).stderr(stderr).output().unwrap();
            assert_eq!(output.status.code(), Some(status), "{args:?}: {output:?}");
        }
    }
}

/// A stream whose reader has left.
fn gone_reader() -> Stdio {
    std::io::pipe().unwrap().1.into()
}

/// A stream that takes no byte.
#[cfg(target_os = "linux")]
fn full_disk() -> Stdio {
    let file = std::fs::OpenOptions::new().write(true).open("/dev/full");
    file.unwrap().into()
}

#[test]
fn arguments_of_managers_lead_to_the_protocol() {
    for args in [&[][..], &["--force-utf8"], &["--fast", "check"]] {
        tengen()
            .args(args)
            .write_stdin("START 15\nEND\n")
            .assert()
            .success()
            .stdout("OK\n");
    }
}

/// A person's slip gets an error; a manager's arguments are ignored.
#[test]
fn misspelt_subcommands_are_named() {
    for (word, meant) in [
        ("analyse", "analyze"),
        ("sovle", "solve"),
        ("Match", "match"),
    ] {
        let error = stderr(tengen().arg(word).write_stdin("ABOUT\n"), 2);
        assert!(error.contains(meant), "{error}");
    }
    for word in ["-x", "7,7", "engine.exe", "pipe:1", "tournament", "get"] {
        let text = stdout(tengen().arg(word).write_stdin("ABOUT\nEND\n"));
        assert!(text.contains("name=\"Tengen\""), "{text}");
    }
}
