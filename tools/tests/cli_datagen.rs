//! `datagen`: games of self-play in a file that grows.

use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// Plays quick games into `file` until it holds `games`.
fn datagen(file: &Path, games: &str, more: &[&str]) -> Assert {
    Command::cargo_bin("tengen")
        .unwrap()
        .arg("datagen")
        .arg("--out")
        .arg(file)
        .args([
            "--games", games, "--nodes", "100", "--sizes", "9", "--hash", "1",
        ])
        .args(more)
        .assert()
}

fn output(assert: Assert) -> (String, String) {
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_same_command_goes_on_with_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.bin.zst");
    let (text, errors) = output(datagen(&file, "3", &[]).success());
    assert!(text.starts_with("3 games played: Black won "), "{text}");
    assert_eq!(errors, "");
    let (text, _) = output(datagen(&file, "5", &["--threads", "2"]).success());
    assert!(text.starts_with("2 games played: "), "{text}");
    let before = std::fs::read(&file).unwrap();
    let (text, errors) = output(datagen(&file, "9", &["--seed", "2"]).code(1));
    assert_eq!(text, "");
    assert!(errors.contains("other settings"), "{errors}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_torn_end_is_cut_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.bin.zst");
    datagen(&file, "2", &[]).success();
    let first = std::fs::read(&file).unwrap();
    datagen(&file, "3", &[]).success();
    let whole = std::fs::read(&file).unwrap();
    let torn = &whole[..whole.len() - 3];
    std::fs::write(&file, torn).unwrap();
    let (text, errors) = output(datagen(&file, "3", &[]).success());
    assert!(text.starts_with("1 games played: "), "{text}");
    let cut = torn.len() - first.len();
    let said = format!("cut off an incomplete frame of {cut} bytes behind 2 games\n");
    assert!(errors.ends_with(&said), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    // Damage elsewhere is told, and nothing changes.
    let mut bytes = whole;
    bytes[first.len() - 3] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let (_, errors) = output(datagen(&file, "4", &[]).code(1));
    assert!(errors.contains("games.bin.zst, byte "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
fn another_evaluator_plays_other_games_in_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let [classical, network] = ["a", "b"].map(|name| folder.path().join(name));
    datagen(&classical, "3", &["--evaluator", "classical"]).success();
    datagen(&network, "3", &["--evaluator", "network"]).success();
    assert_ne!(
        std::fs::read(&classical).unwrap(),
        std::fs::read(&network).unwrap()
    );
    let (_, errors) = output(datagen(&classical, "4", &["--evaluator", "network"]).code(1));
    assert!(errors.contains("other settings"), "{errors}");
    datagen(&network, "4", &["--evaluator", "network"]).success();
    let (_, errors) = output(datagen(&network, "5", &["--evaluator", "none.tgnn"]).code(1));
    assert!(errors.contains("--evaluator none.tgnn: "), "{errors}");
}

#[test]
fn what_records_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.bin.zst");
    for wrong in [["--rules", "go"], ["--sizes", "8"], ["--sizes", "23"]] {
        let (_, errors) = output(datagen(&file, "1", &wrong).code(2));
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let nowhere = folder.path().join("missing").join("games.bin.zst");
    let (_, errors) = output(datagen(&nowhere, "1", &[]).code(1));
    assert!(errors.contains("missing"), "{errors}");
}

/// A factory of quick games in `folder`. At idle priority it might wait for other tests without
/// end.
fn factory(folder: &Path, more: &[&str]) -> Child {
    Process::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["datagen", "--plan", "standard-9,caro-9"])
        .args([
            "--nodes",
            "60",
            "--relabel-nodes",
            "20",
            "--branches",
            "2",
            "--hash",
            "1",
        ])
        .args(["--evaluator", "classical", "--threads", "1"])
        .args(["--priority", "normal", "--folder"])
        .arg(folder)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn finish(child: Child) -> (String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, errors) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{errors}");
    (out, errors)
}

/// Names and content of the files in a folder.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Six shards.
const SIX: &[&str] = &["--shard-games", "12", "--shards", "6"];

/// One run, many killed runs and several processes at once make the same shards.
#[test]
fn a_factory_survives_being_killed_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed, shared] = ["whole", "killed", "shared"].map(|n| folder.path().join(n));
    let (out, errors) = finish(factory(&whole, SIX));
    assert!(out.starts_with("6 shards finished; "), "{out}");
    // Without a terminal it says little.
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let expected = content(&whole);
    assert_eq!(expected.len(), 6);

    let mut wait = 30;
    loop {
        let mut child = factory(&killed, SIX);
        std::thread::sleep(Duration::from_millis(wait));
        wait += 40;
        if child.try_wait().unwrap().is_some() {
            break;
        }
        // SIGKILL on Unix.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    finish(factory(&killed, SIX));
    assert_eq!(content(&killed), expected);

    let children = [1, 2, 3].map(|_| factory(&shared, SIX));
    children.into_iter().for_each(|child| drop(finish(child)));
    // Processes have not waited for shards taken by another.
    finish(factory(&shared, SIX));
    assert_eq!(content(&shared), expected);
    assert_eq!(
        finish(factory(&shared, SIX)).0,
        "0 shards finished; 0 labels made, 0 a second\n"
    );
}

#[cfg(unix)]
#[test]
fn a_polite_kill_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = factory(folder.path(), &["--shard-games", "100000"]);
    let file = folder.path().join("standard-9-00001.bin.zst");
    let start = std::time::Instant::now();
    while std::fs::metadata(&file).map_or(0, |file| file.len()) < 2_000 {
        assert!(start.elapsed() < Duration::from_secs(120), "no games");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Process::new("kill").arg(id).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let (text, _) = output(tengen(&["status", folder.path().to_str().unwrap()]).success());
    assert!(
        text.lines()
            .nth(1)
            .unwrap()
            .starts_with("standard      9      1          0 "),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn games_survive_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.bin.zst");
    let call = "exec \"$0\" datagen --out \"$1\" --games 1000 --nodes 100 --sizes 9 --hash 1 \
                --rules freestyle --evaluator classical --threads 1";
    let run = |limit: &str| {
        let mut command = Process::new("sh");
        command.args(["-c", &format!("{limit}{call}")]);
        command.args([env!("CARGO_BIN_EXE_tengen").as_ref(), file.as_os_str()]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut child = run("");
    let start = std::time::Instant::now();
    while std::fs::metadata(&file).map_or(0, |file| file.len()) < 2_000 {
        assert!(start.elapsed() < Duration::from_secs(120), "no games");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let games = || {
        let (json, _) = output(tengen(&["status", "--json", file.to_str().unwrap()]).success());
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        value["kinds"][0]["games"].as_u64().unwrap()
    };
    let before = games();
    assert!(before > 3, "{before}");
    // No file may grow any more.
    let full = run("ulimit -f 0; ").wait_with_output().unwrap();
    assert!(!full.status.success());
    assert_eq!(games(), before);
}

/// A record of a game on 15x15 without moves, which nobody won.
const NO_MOVES: [u8; 6] = [15, 0, 0, 0, 0, 0];

/// Packs bare records, as other programs write them.
fn bare(path: &Path, records: usize) {
    let bytes = zstd::bulk::compress(&NO_MOVES.repeat(records), 1).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn games_of_others_are_merged_with_their_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (games, all) = (path("games.zst"), path("all.bin.zst"));
    bare(Path::new(&games), 2);
    let (_, errors) = output(tengen(&["merge", "--out", &all, &games]).code(1));
    assert!(
        errors.contains("games.zst, byte 0: games without"),
        "{errors}"
    );
    let merge = ["merge", "--source", "a friend", "--out", &all, &games];
    let (table, _) = output(tengen(&merge).success());
    let row = table.lines().nth(1).unwrap();
    assert!(row.ends_with("by a friend"), "{table}");
    let (_, errors) = output(tengen(&merge).code(1));
    assert!(errors.contains("all.bin.zst: "), "{errors}");
    let (json, _) = output(tengen(&["status", "--json", &all]).success());
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["kinds"][0]["games"], 2);
    assert_eq!(value["kinds"][0]["recipe"]["source"], "a friend");
    // A file's words about itself steer no terminal.
    let odd = path("odd.bin.zst");
    tengen(&["merge", "--source", "\u{1b}[2J", "--out", &odd, &games]).success();
    let (table, _) = output(tengen(&["status", &odd]).success());
    assert!(table.contains("by \\u{1b}[2J\n"), "{table}");
    // Games are not added to those of others.
    let (_, errors) = output(datagen(Path::new(&all), "1", &[]).code(1));
    assert!(errors.contains("use another file"), "{errors}");
}

/// A frame may unpack to a thousand times its size, more than the memory has.
#[cfg(target_os = "linux")]
#[test]
fn small_frames_of_many_records_need_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let [packed, all] = ["packed.zst", "all.bin.zst"].map(|name| folder.path().join(name));
    bare(&packed, 2_000_000);
    let length = std::fs::metadata(&packed).unwrap().len();
    assert!(length < 10_000, "{length}");
    let call = "ulimit -v 300000; exec \"$0\" datagen merge --source me --out \"$1\" \"$2\"";
    let mut command = Command::new("sh");
    command.args(["-c", call, env!("CARGO_BIN_EXE_tengen")]);
    let (text, _) = output(command.args([&all, &packed]).assert().success());
    assert!(text.contains(" 2000000 "), "{text}");
}

/// `datagen` with these arguments.
fn tengen(arguments: &[&str]) -> Assert {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.arg("datagen").args(arguments).assert()
}

#[test]
fn files_can_be_counted_and_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (one, two, all) = (
        path("one.bin.zst"),
        path("two.bin.zst"),
        path("all.bin.zst"),
    );
    datagen(Path::new(&one), "3", &["--rules", "renju,caro9"]).success();
    datagen(Path::new(&two), "2", &["--seed", "2"]).success();
    let (table, _) = output(tengen(&["merge", "--out", &all, &one, &two]).success());
    let (again, _) = output(tengen(&["status", &one, &two]).success());
    assert_eq!(table, again);
    let (json, _) = output(tengen(&["status", "--json", &all]).success());
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let games = value["kinds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind["games"].as_u64());
    assert_eq!(games.sum::<Option<u64>>(), Some(5));
    // By a pipe as well, and under any name.
    let mut piped = Command::cargo_bin("tengen").unwrap();
    piped.args(["datagen", "status", "--json", "-"]);
    piped.write_stdin(std::fs::read(&all).unwrap());
    let (from_pipe, errors) = output(piped.assert().success());
    let from_pipe: serde_json::Value = serde_json::from_str(&from_pipe).expect(&errors);
    assert_eq!(from_pipe["kinds"], value["kinds"]);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        let other = tempfile::tempdir().unwrap();
        let name = std::ffi::OsStr::from_bytes(b"\xff.bin.zst");
        std::fs::copy(&all, other.path().join(name)).unwrap();
        let of_folder = ["status", "--json", other.path().to_str().unwrap()];
        let (json, _) = output(tengen(&of_folder).success());
        let of_folder: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(of_folder["kinds"], value["kinds"]);
    }
    let (_, errors) = output(tengen(&["merge", "--out", &path("no.bin.zst"), &one, &all]).code(1));
    assert!(
        errors.contains("games of the same settings and seed as"),
        "{errors}"
    );
    std::fs::write(path("empty"), "").unwrap();
    let none = path("no.bin.zst");
    let (_, errors) = output(tengen(&["merge", "--out", &none, &path("empty")]).code(1));
    assert!(errors.contains("there is nothing to merge"), "{errors}");
    assert!(!Path::new(&none).exists());
    // Files of one run are continued, joined ones are not.
    datagen(Path::new(&one), "4", &["--rules", "renju,caro9"]).success();
    let (_, errors) = output(datagen(Path::new(&all), "4", &["--rules", "renju,caro9"]).code(1));
    assert!(errors.contains("other settings"), "{errors}");
}
