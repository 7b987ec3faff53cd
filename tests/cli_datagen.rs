//! `datagen`: games of self-play in a file that grows.

use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// Plays quick games into `file` until it holds `games`.
fn datagen(file: &Path, games: &str, more: &[&str]) -> Assert {
    Command::cargo_bin("pbrain-tengen")
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
fn damage_to_the_file_is_said_and_costs_no_sound_frame() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.bin.zst");
    datagen(&file, "2", &[]).success();
    let first = std::fs::read(&file).unwrap();
    datagen(&file, "3", &[]).success();
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[first.len() / 2] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let (_, errors) = output(datagen(&file, "3", &[]).success());
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let bytes_moved = format!("1 damaged frame ({} bytes) moved to ", first.len());
    assert!(errors.contains(&bytes_moved), "{errors}");
    assert!(
        errors.contains("games.bin.zst.cut; games kept in other frames: 1"),
        "{errors}"
    );
    let cut = folder.path().join("games.bin.zst.cut");
    assert_eq!(std::fs::read(cut).unwrap(), bytes[..first.len()]);
    assert!(
        std::fs::read(&file)
            .unwrap()
            .ends_with(&bytes[first.len()..])
    );
    let (_, errors) = output(datagen(&file, "3", &[]).success());
    assert_eq!(errors, "");
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
    for wrong in [["--rules", "caro"], ["--sizes", "8"], ["--sizes", "23"]] {
        let (_, errors) = output(datagen(&file, "1", &wrong).code(2));
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let nowhere = folder.path().join("missing").join("games.bin.zst");
    let (_, errors) = output(datagen(&nowhere, "1", &[]).code(1));
    assert!(errors.contains("missing"), "{errors}");
}
