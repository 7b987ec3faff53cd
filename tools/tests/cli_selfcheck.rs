//! `selfcheck` passes a sound program and fails a damaged one.

use assert_cmd::Command;

#[test]
fn a_sound_program_is_well() {
    let output = Command::cargo_bin("tengen")
        .unwrap()
        .arg("selfcheck")
        .assert()
        .success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() <= 24, "one screen:\n{text}");
    assert_eq!(lines.last(), Some(&"All is well."), "{text}");
    for name in [
        "processor",
        "memory",
        "loops",
        "weights",
        "network",
        "rules",
        "tactics",
        "speed",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(name)), "{text}");
    }
}

/// Flips a bit of a file within a copy of the program. Not on macOS, where the signature of a
/// changed program keeps it from starting.
#[cfg(not(target_os = "macos"))]
#[test]
fn a_damaged_program_is_not() {
    let sound = std::path::Path::new(env!("CARGO_BIN_EXE_tengen"));
    let weights = &include_bytes!("../../src/eval/weights/standard.bin.zst")[..];
    let network = &include_bytes!("../../src/eval/weights/network-renju.tgnn")[..];
    for (name, file, at, fault) in [
        ("weights", weights, 5_000, "standard: does not unpack"),
        ("weights", weights, 20_000, "standard: "),
        ("network", network, 400_000, "renju: damaged: network 2"),
    ] {
        let mut program = std::fs::read(sound).unwrap();
        let start = program
            .windows(file.len())
            .position(|window| window == file)
            .expect("the file stands in the program");
        program[start + at] ^= 1;
        let folder = tempfile::tempdir().unwrap();
        let damaged = folder.path().join(sound.file_name().unwrap());
        // A copy, for its permissions.
        std::fs::copy(sound, &damaged).unwrap();
        std::fs::write(&damaged, program).unwrap();
        let output = Command::new(&damaged).arg("selfcheck").assert().code(1);
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        assert!(text.contains(&format!("WRONG: {fault}")), "{text}");
        let last = text.lines().last().unwrap();
        let verdict = format!("Not as it should be: {name}");
        assert!(last.starts_with(&verdict), "{text}");
    }
}
