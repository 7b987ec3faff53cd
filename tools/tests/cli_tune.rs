//! `tune` on the real binary, which plays against itself.

mod program;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use program::{Run, TENGEN, call, run};
use serde_json::Value;
use tempfile::TempDir;

/// Balanced openings: in others both versions win with the same side, and no value moves.
const OPENINGS: &str = "f8 e7 g10 g12 f4\nl11 i11 i9 l9 h8\ni11 i12 f9 e9 f6\ng5 h5 k8 i10 d5\n";

fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("openings.txt"), OPENINGS).unwrap();
    directory
}

fn tengen(directory: &Path, words: &str) -> Run {
    run(&mut call(directory, words))
}

#[test]
fn help_asks_for_no_program() {
    let directory = directory();
    let text = tengen(directory.path(), "tune --help").success();
    assert!(text.contains("nodes=N"), "{text}");
    assert!(!text.contains("cmd="), "both versions are this program");
}

const TUNE: &str = "tune --param lmr_*,* --each nodes=1000 --on freestyle:15 \
    --on renju:15:openings.txt --openings openings.txt --iterations 6 --pairs 2 --r-end 0.5";

fn lines(journal: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(journal).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let values = whole.lines().map(serde_json::from_str);
    values.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_killed_tuning_goes_on_to_the_same_values() {
    let directory = directory();
    let at = |name: &str| directory.path().join(name);
    let words = format!("{TUNE} --journal whole.jsonl --concurrency 2");
    let text = tengen(directory.path(), &words).success();
    assert!(text.contains("\n    lmr_base = "), "{text}");
    assert!(text.contains(", -100..=300, 15;\n"), "{text}");
    let all = lines(&at("whole.jsonl"));
    assert_eq!(all.len(), 7);
    assert!(all[1..].iter().all(|line| {
        let count = |key: &str| line["result"][key].as_u64().unwrap();
        count("wins") + count("draws") + count("losses") == 4
    }));
    let starts: Vec<f64> = all[0]["knobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|knob| knob["start"].as_f64().unwrap())
        .collect();
    assert_ne!(
        all[6]["values"],
        Value::from(starts),
        "a result moves the numbers"
    );

    let words = format!("{TUNE} --journal cut.jsonl");
    let mut child = call(directory.path(), &words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    while lines(&at("cut.jsonl")).len() < 3 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    for more in ["--resume", ""] {
        let errors = tengen(directory.path(), &format!("{words} {more}")).complaint(1);
        assert!(
            errors.contains("another process plays its games"),
            "{errors}"
        );
    }
    // The hard way, on every system.
    child.kill().unwrap();
    child.wait().unwrap();
    let left = lines(&at("cut.jsonl")).len();
    assert!((3..7).contains(&left), "{left} lines");
    let again = tengen(directory.path(), &words).complaint(1);
    assert!(again.contains("--resume"), "{again}");
    tengen(directory.path(), &format!("{words} --resume")).success();
    assert_eq!(lines(&at("cut.jsonl")), all);
    let other = format!("{words} --resume --seed 5");
    let refused = tengen(directory.path(), &other).complaint(1);
    assert!(refused.contains("seed was '1', now '5'"), "{refused}");
}

#[test]
fn numbers_reach_the_engine() {
    let directory = directory();
    // The moves and node counts of games between two versions with the same numbers.
    let end = |option: &str| {
        let journal = directory.path().join(format!("{option}.jsonl"));
        let words = "match --openings=openings.txt --each=nodes=1000 --games=8 --order=sequential \
                     --no-symmetry --journal";
        let mut command = call(directory.path(), words);
        command.arg(&journal);
        for name in ["name=A", "name=B"] {
            command.args(["--engine", &format!("cmd='{TENGEN}'"), name, option]);
        }
        run(&mut command).success();
        let mut games = lines(&journal).split_off(1);
        games.sort_by_key(|game| game["id"].as_u64());
        let turns = games.iter().flat_map(|g| g["turns"].as_array().unwrap());
        turns
            .map(|turn| format!("{} {}", turn["p"], turn["n"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(end("option.lmp_base=6"), end("option.lmp_base=06"));
    assert_ne!(end("option.lmp_base=1"), end("option.lmp_base=40"));
}

#[test]
fn wrong_arguments_are_named() {
    let directory = directory();
    for (words, part) in [
        ("tune", "--param or --all is missing"),
        ("tune --param no_such", "no number is named 'no_such'"),
        ("tune --param lmr_base --all", "cannot be used with"),
        ("tune --all --each cmd=x", "both versions are this program"),
        ("tune --all --each speed=3", "unknown engine setting"),
        (
            "tune --param lmr_* --each nodes=9 option.lmr_base=3",
            "'lmr_base' is tuned",
        ),
        ("tune --all --each option.LMR_BASE=3", "'LMR_BASE' is tuned"),
        ("tune --all --r-end 0", "above 0"),
        ("tune --all --r-end 1e200", "up to 1000000"),
        ("tune --all --spread 1e200", "up to 1000000"),
        ("tune --all --spread inf", "up to 1000000"),
        ("tune --all --on chess", "chess"),
        ("tune --all --openings no.txt", "no.txt"),
        ("tune --all --adjudicate lost=300", "VALUExMOVES"),
    ] {
        let refused = tengen(directory.path(), words);
        assert_ne!(refused.status, Some(0), "{words}");
        assert!(refused.err.contains(part), "{words}: {refused:?}");
    }
    assert!(!directory.path().join("tune.jsonl").exists());
}
