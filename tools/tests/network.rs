//! The network's evaluation through the program's interface, mostly with files of random weights.
//! Such networks play without skill, but show that `INFO evaluator` reaches the search.

// These tests use only a part of the module.
#[allow(dead_code)]
#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/common/network.rs"]
mod random;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use common::{PATIENCE, Session};
use tempfile::TempDir;

/// A folder with files of networks.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        let good = random::random_file(&[0, 1, 2, 3], random::WIDTHS);
        let write = |name: &str, bytes: &[u8]| std::fs::write(files.path(name), bytes).unwrap();
        write("good", &good);
        write("cut", &good[..good.len() / 2]);
        write("foreign", b"GIF89a, or something else");
        let mut damaged = good.clone();
        damaged[3_000_000] ^= 1;
        write("damaged", &damaged);
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }
}

fn tengen(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("tengen").unwrap().args(args).assert()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The output of `bench`, without times.
fn bench(evaluator: &str) -> Vec<String> {
    let args = [
        "bench",
        "--depth",
        "3",
        "--hash",
        "16",
        "--evaluator",
        evaluator,
    ];
    let done = tengen(&args).success();
    let printed = text(&done.get_output().stdout);
    let shorten = |line: &str| line.split("nodes").next().unwrap_or_default().to_string();
    printed.lines().map(shorten).collect()
}

#[test]
fn the_network_changes_the_search_and_two_runs_agree() {
    let files = Files::new();
    let classical = bench("classical");
    let network = bench(&files.name("good"));
    assert_eq!(network, bench(&files.name("good")));
    let differ = classical.iter().zip(&network).filter(|(a, b)| a != b);
    assert!(differ.count() > 15, "{classical:#?}\n{network:#?}");
}

#[test]
fn a_file_of_no_use_is_an_error_of_the_command_line() {
    let files = Files::new();
    for (name, why) in [
        ("missing", ""),
        ("cut", "cut short or damaged"),
        ("foreign", "not a network file"),
        ("damaged", "checksum does not match"),
    ] {
        for args in [
            vec!["bench", "--depth", "1"],
            vec!["analyze", "--depth", "2", "h8", "i9"],
        ] {
            let file = files.name(name);
            let args = [args, vec!["--evaluator", &file]].concat();
            let error = text(&tengen(&args).code(1).get_output().stderr.clone());
            assert!(error.contains(&file) && error.contains(why), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}

/// Sends `INFO evaluator` and returns its messages: all lines before the answer to the next
/// command.
fn choose(session: &mut Session, evaluator: &str) -> Option<String> {
    session.info("evaluator", evaluator).send("ABOUT");
    let mut next = || session.any_line(PATIENCE).expect("an answer");
    let is_about = |line: &str| line.starts_with("name=");
    let said = Some(next()).filter(|line| !is_about(line))?;
    let after = next();
    assert!(is_about(&after), "{said}, {after}");
    Some(said)
}

#[test]
fn a_session_goes_on_whatever_the_file() {
    let files = Files::new();
    for (name, why) in [
        ("missing", ""),
        ("cut", "cut short or damaged"),
        ("foreign", "not a network file"),
    ] {
        let mut session = Session::start(15);
        let file = files.name(name);
        let said = choose(&mut session, &file).expect("a message");
        let head = format!("MESSAGE evaluator: {file}: ");
        assert!(said.starts_with(&head), "{said}");
        assert!(said.contains(why), "{said}");
        assert!(said.ends_with("; the program's network goes on"), "{said}");
        session.turn(7, 7).expect_move();
    }
    // Damage inside is found when the network is first needed, and reported once.
    let mut session = Session::start(15);
    let damaged = files.name("damaged");
    assert_eq!(choose(&mut session, &damaged), None);
    let complaint = format!("MESSAGE evaluator: {damaged}: damaged");
    let mut complaints = 0;
    for at in [7, 3] {
        session.turn(at, at);
        loop {
            let line = session.any_line(PATIENCE).expect("a move");
            complaints += usize::from(line.starts_with(&complaint));
            if !line.starts_with("MESSAGE") {
                break;
            }
        }
    }
    assert_eq!(complaints, 1);
}

#[test]
fn every_rule_and_size_is_played_by_the_network() {
    let files = Files::new();
    for (rule, size) in [(0, 15), (1, 20), (4, 15), (8, 5), (9, 22)] {
        let mut session = Session::start(size);
        session.info("rule", rule);
        assert_eq!(choose(&mut session, &files.name("good")), None);
        session.turn(size / 2, size / 2).expect_move();
        session.info("evaluator", "classical");
        session.turn(0, 0).expect_move();
    }
}

#[test]
fn a_rule_without_a_network_in_the_file_is_played_by_the_programs_own() {
    let files = Files::new();
    let file = files.name("freestyle");
    let freestyle = random::random_file(&[0], random::WIDTHS);
    std::fs::write(files.path("freestyle"), freestyle).unwrap();
    let mut session = Session::start(15);
    session.info("rule", 1);
    let value = |session: &mut Session, evaluator: &str| {
        assert_eq!(choose(session, evaluator), None);
        let line = session.send("YXPRINTFEATURE").any_line(PATIENCE);
        line.expect("a value")
    };
    session.block("YXBOARD", "7,7,1 8,6,2");
    let own = value(&mut session, "network");
    assert_eq!(value(&mut session, &file), own);
    assert_ne!(value(&mut session, "classical"), own);
    // The first search reports the damage, once.
    assert_eq!(choose(&mut session, &file), None);
    session.info("rule", 1);
    let warning =
        format!("MESSAGE evaluator: {file}: network 1 is not in it; the program's network goes on");
    let mut warnings = 0;
    for at in [3, 11] {
        session.turn(at, at);
        loop {
            let line = session.any_line(PATIENCE).expect("a move");
            warnings += usize::from(line == warning);
            if !line.starts_with("MESSAGE") {
                break;
            }
        }
    }
    assert_eq!(warnings, 1);
    // A command's evaluator has to have the network.
    let error = tengen(&["analyze", "--rule", "standard", "--evaluator", &file, "h8"]);
    let error = text(&error.code(1).get_output().stderr.clone());
    assert!(error.contains("network 1 is not in it"), "{error}");
}

/// Memory, and the time of the first move, with the program's own network.
#[cfg(target_os = "linux")]
mod resources {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// Plays the first moves of a game.
    fn open(session: &mut Session, rule: u32) {
        session.send("START 15").expect_ok();
        session.info("rule", rule);
        session.block("BOARD", "7,7,1 8,6,2").expect_move();
        // A cell where the engine has not played.
        session.turn(14, 0).expect_move();
    }

    #[test]
    fn the_process_stays_within_its_memory_whatever_the_rule() {
        for (limit, threads) in [(80, 1), (120, 3), (350, 1)] {
            let mut session = Session::start(15);
            session.info("max_memory", limit * MIB);
            session.info("thread_num", threads);
            session.info("evaluator", "network");
            session.info("timeout_turn", 400);
            for rule in [0, 4, 1, 4, 9] {
                open(&mut session, rule);
            }
            session.send("RESTART").expect_ok();
            session.info("pondering", 1);
            session.turn(7, 7).expect_move();
            session.expect_thinking();
            let path = session.home().join("table");
            session.send(format!("YXHASHDUMP {}", path.display()));
            session.send(format!("YXHASHLOAD {}", path.display()));
            session.turn(0, 14).expect_move();
            let peak = session.peak_memory();
            assert!(peak < (limit - 8) * MIB, "{} of {limit} MiB", peak / MIB);
        }
    }

    /// A manager that keeps the process repeats all settings before each game.
    #[test]
    fn the_same_evaluator_named_again_takes_no_more_memory() {
        let files = Files::new();
        for evaluator in [files.name("good"), "network".to_string()] {
            let mut session = Session::start(15);
            session.info("max_memory", 80 * MIB);
            let mut peaks = Vec::new();
            for _ in 0..6 {
                session.info("evaluator", &evaluator);
                open(&mut session, 4);
                peaks.push(session.peak_memory() / MIB);
            }
            assert!(peaks[5] <= peaks[1] + 3, "{evaluator}: {peaks:?} MiB");
        }
    }

    #[test]
    fn a_table_of_another_evaluator_is_refused() {
        let mut session = Session::start(15);
        let path = session.home().join("table");
        session.info("evaluator", "network");
        open(&mut session, 0);
        session.send(format!("YXHASHDUMP {}", path.display()));
        session.info("evaluator", "classical");
        session.send(format!("YXHASHLOAD {}", path.display()));
        session.info("evaluator", "network");
        session.send(format!("YXHASHLOAD {}", path.display()));
        let mut said = Vec::new();
        while said.len() < 3 {
            let line = session.any_line(PATIENCE).expect("an answer");
            if line.starts_with("MESSAGE Hash table") {
                said.push(line);
            }
        }
        assert!(said[0].contains("entries written to"), "{said:?}");
        assert!(
            said[1].ends_with("its values are another evaluator's"),
            "{said:?}"
        );
        assert!(said[2].contains("entries read from"), "{said:?}");
    }
}

/// The best of some tries counts, because a busy machine slows any single one.
#[test]
fn the_first_move_comes_as_fast_as_any() {
    for rule in [0, 1, 4] {
        let start = || {
            let begun = Instant::now();
            let mut session = Session::spawn();
            session.info("timeout_turn", 100);
            session.info("rule", rule);
            session.info("evaluator", "network");
            session.send("START 15").expect_ok();
            session.block("BOARD", "7,7,2").expect_move();
            begun.elapsed()
        };
        let tries: Vec<Duration> = (0..8).map(|_| start()).collect();
        // The time includes the start of the process and the whole move.
        let best = tries.iter().min().unwrap();
        assert!(*best < Duration::from_millis(200), "{rule}: {tries:?}");
    }
}
