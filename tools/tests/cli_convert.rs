//! `convert`: files and folders of records in other formats.

mod program;

use std::fs;
use std::path::Path;

use program::{call, run};

/// Runs `tengen convert` in a folder: its status, standard output and standard error.
fn convert(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let run = run(call(folder, "convert").args(args));
    (run.status.unwrap(), run.out, run.err)
}

#[test]
fn the_end_of_the_name_gives_the_format() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    fs::write(
        folder.join("a.psq"),
        "Piskvorky 20x20, 11:11, 0\n8,8,100\n9,9,200\nA\nB\n0\n",
    )
    .unwrap();
    let done = |args: &[&str]| {
        let (status, out, err) = convert(folder, args);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        out
    };
    assert_eq!(done(&["a.psq", "a.sgf"]), "1 games written to a.sgf\n");
    assert!(
        read("a.sgf").ends_with("SZ[20]PB[A]PW[B];B[hh];W[ii])\n"),
        "{}",
        read("a.sgf")
    );
    done(&["a.sgf", "b.psq"]);
    assert_eq!(
        read("b.psq"),
        "Piskvorky 20x20, 11:11, 0\n8,8,0\n9,9,0\nA\nB\n0\n"
    );
    done(&["--rule", "caro", "a.sgf", "a.json"]);
    done(&["a.json", "c.sgf"]);
    assert_eq!(
        read("c.sgf"),
        read("a.sgf").replace("SZ[20]", "SZ[20]RU[caro]")
    );
    let (status, out, err) = convert(folder, &["--to", "openings", "--after", "1", "a.sgf", "-"]);
    assert_eq!((status, out.as_str()), (0, "-3,-3\n"));
    assert_eq!(
        err,
        "warning: not carried over: the players' names, in 1 game\n\
         warning: not carried over: the size of the board, in 1 game\n"
    );
    // A file of another kind stays.
    fs::write(folder.join("notes.txt"), "Dear diary\n").unwrap();
    let (status, _, err) = convert(folder, &["a.sgf", "notes.txt"]);
    assert_eq!(status, 1, "{err}");
    assert_eq!(read("notes.txt"), "Dear diary\n");
    let (status, _, err) = convert(folder, &["a.sgf", "a.doc"]);
    assert_eq!(
        (
            status,
            err.starts_with("tengen: --to names the format of a.doc")
        ),
        (2, true),
        "{err}"
    );
}

#[test]
fn a_folder_becomes_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    fs::create_dir(folder.join("in")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join("in").join(name), text).unwrap();
    write("a.txt", "h8 i9 h7");
    write("b.sgf", "(;SZ[15];B[hh])(;SZ[15];B[gg];W[hh])");
    write("c.sgf", "(;GM[1]SZ[19]RU[Japanese]KM[6.5];B[aa])");
    let (status, out, err) = convert(folder, &["--to", "psq", "in", "out/"]);
    assert_eq!((status, out.as_str()), (1, "3 games written to out/\n"));
    assert!(err.contains("c.sgf: this is a record of Go"), "{err}");
    assert!(
        err.ends_with("tengen: 1 of 3 files could not be read\n"),
        "{err}"
    );
    let mut names: Vec<String> = fs::read_dir(folder.join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a.psq", "b-2.psq", "b.psq"]);
    let (status, out, _) = convert(folder, &["in/a.txt", "in/b.sgf", "all.txt"]);
    assert_eq!((status, out.as_str()), (0, "3 games written to all.txt\n"));
    assert_eq!(
        fs::read_to_string(folder.join("all.txt")).unwrap(),
        "h8 i9 h7\nh8\ng9 h8\n# each line is a game\n"
    );
    // Several games in one .psq, and two files of one name.
    let (status, _, err) = convert(folder, &["in/b.sgf", "b.psq"]);
    assert_eq!(
        (status, err.contains("a .psq file holds one game")),
        (2, true),
        "{err}"
    );
    assert!(!folder.join("b.psq").exists());
    write("a.sgf", "(;SZ[15];B[hh])");
    let (status, _, err) = convert(folder, &["--to", "json", "in/a.sgf", "in/a.txt", "out"]);
    assert_eq!(
        (status, err.contains("would both be written there")),
        (1, true),
        "{err}"
    );
}

#[test]
fn a_library_keeps_its_charset() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0";
    // h8, and two replies with comments in Shift_JIS.
    let nodes =
        b"\x78\x00\x69\xc8\x8d\x95\x82\xcc\x95\x4b\x8f\x9f\0\0\x68\x48\x83\x5c\x83\x74\x83\x67\0\0";
    let bytes = [&head[..], nodes].concat();
    fs::write(folder.join("a.lib"), &bytes).unwrap();
    let (status, _, err) = convert(folder, &["a.lib", "b.lib"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(fs::read(folder.join("b.lib")).unwrap(), bytes);
    convert(folder, &["a.lib", "a.sgf"]);
    let sgf = fs::read_to_string(folder.join("a.sgf")).unwrap();
    assert!(
        sgf.ends_with(";B[hh]\n(;W[ig]C[黒の必勝])\n(;W[hg]C[ソフト]))\n"),
        "{sgf}"
    );
}
