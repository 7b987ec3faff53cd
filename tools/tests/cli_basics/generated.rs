//! The files of `generate`: man pages, completions, the picture in README.

use std::process::Command as Process;

use super::{complaint, stdout, tengen};

#[test]
fn pages_and_completions_tell_of_every_subcommand() {
    let help = stdout(tengen().arg("--help"));
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 5, "{help}");
    let folder = generated();
    let read = |path: String| {
        let path = folder.path().join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    for command in commands {
        let page = read(format!("man/tengen-{command}.1"));
        let (_, synopsis) = page.split_once(".SH SYNOPSIS\n.nf\n").expect("a synopsis");
        assert!(synopsis.starts_with(&format!("tengen {command}")), "{page}");
        assert!(
            !page.contains("EXTRA") && !page.contains("\nExamples:"),
            "{page}"
        );
        for file in [
            "tengen.bash",
            "_tengen",
            "tengen.fish",
            "_tengen.ps1",
            "tengen.elv",
        ] {
            let completions = read(format!("completions/{file}"));
            assert!(completions.contains(command), "{command} in {file}");
        }
    }
}

/// A folder with the man pages and completions.
fn generated() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    tengen()
        .arg("generate")
        .arg(folder.path())
        .assert()
        .success();
    folder
}

/// Tables and examples stay as written, and the synopsis names values.
#[test]
fn man_pages_keep_their_tables() {
    let folder = generated();
    let page = |name| std::fs::read_to_string(folder.path().join("man").join(name)).unwrap();
    let matches = page("tengen-match.1");
    assert!(matches.contains("\n.nf\ncmd=COMMAND "), "{matches}");
    assert!(matches.contains(".SH EXAMPLES\n.nf\n  tengen"), "{matches}");
    let merge = page("tengen-datagen-merge.1");
    assert!(merge.contains("\\-\\-out <FILE> <FILE|FOLDER>"), "{merge}");
}

/// Lines up to the cursor, and the shells' offers there.
const OFFERS: [(&str, &[&str]); 10] = [
    ("sel", &["selfcheck"]),
    ("analyze --mul", &["--multipv"]),
    ("analyze --rule re", &["renju"]),
    ("match merge --js", &["--json"]),
    ("play --opening swap", &["swap", "swap1", "swap2"]),
    ("match --schedule gau", &["gauntlet"]),
    ("serv", &["serve"]),
    ("serve --data", &["--database"]),
    ("review --ht", &["--html"]),
    ("review --rule re", &["renju"]),
];

/// Compares the offers of `shell`, made by `script`, with [`OFFERS`]. The script gets the generated
/// file and the line, and prints each offer on a line of its own; text after a tab does not count.
#[allow(clippy::print_stderr)]
fn assert_offers(shell: &str, file: &str, script: &str) {
    if Process::new(shell).arg("--version").output().is_err() {
        eprintln!("skipped: there is no {shell}");
        return;
    }
    let folder = generated();
    let file = folder.path().join("completions").join(file);
    let script_file = folder.path().join("script");
    std::fs::write(&script_file, script).unwrap();
    for (line, expected) in OFFERS {
        let mut process = Process::new(shell);
        process.arg(&script_file).arg(&file);
        let output = process.arg(format!("tengen {line}")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let mut offered: Vec<&str> = text
            .lines()
            .map(|line| line.split('\t').next().unwrap_or_default())
            .collect();
        offered.sort_unstable();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((&*offered, &*error), (expected, ""), "{shell}: {line}");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_subcommands_options_and_values() {
    let script = r#"
        . "$1"; COMP_WORDS=($2) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        function=$(complete -p tengen | sed 's/.*-F \([^ ]*\).*/\1/')
        "$function" tengen "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    assert_offers("bash", "tengen.bash", script);
}

#[cfg(unix)]
#[test]
fn zsh_completes_subcommands_options_and_values() {
    assert_offers("zsh", "_tengen", include_str!("offers.zsh"));
}

#[cfg(unix)]
#[test]
fn fish_completes_subcommands_options_and_values() {
    let script = "source $argv[1]; complete -C $argv[2]";
    assert_offers("fish", "tengen.fish", script);
}

/// The picture in README: the board, the panel beside it and a game of the engine.
#[test]
fn the_screenshot_is_a_drawing_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("play.svg");
    tengen()
        .arg("generate")
        .arg("--screenshot")
        .arg(&file)
        .assert()
        .success();
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n")
    );
    for element in ["text", "g"] {
        let opened = svg.matches(&format!("<{element} ")).count();
        assert_eq!(
            opened,
            svg.matches(&format!("</{element}>")).count(),
            "{element}"
        );
    }
    // 24 stones on the board, one for each player in the panel, and the centre and star points.
    assert!(svg.matches("<circle").count() >= 26, "{svg}");
    for text in ["renju,", "15x15", "Tengen", "Hint:", "24."] {
        assert!(svg.contains(text), "{text} is missing in {svg}");
    }
    assert!(svg.len() < 150_000);
}

#[test]
fn where_to_write_must_be_said() {
    let text = complaint(&["generate"], 2);
    assert!(text.contains("<DIR>"), "{text}");
    let help = stdout(tengen().args(["generate", "--help"]));
    let usage = "Usage: tengen generate <DIR>\n       tengen generate --screenshot";
    assert!(help.contains(usage), "{help}");
}

/// Files of the command are replaced; files of others stay.
#[test]
fn files_of_others_stay() {
    let folder = generated();
    let page = folder.path().join("man/tengen.1");
    let whole = std::fs::read(&page).unwrap();
    let longer = [&whole[..], b"an older text\n"].concat();
    std::fs::write(&page, longer).unwrap();
    tengen()
        .arg("generate")
        .arg(folder.path())
        .assert()
        .success();
    assert_eq!(std::fs::read(&page).unwrap(), whole);
    let foreign = folder.path().join("completions/_tengen");
    std::fs::write(&foreign, "my notes\n").unwrap();
    let text = complaint(&["generate", folder.path().to_str().unwrap()], 1);
    assert!(text.contains("_tengen: a file of another kind"), "{text}");
    assert_eq!(std::fs::read(&foreign).unwrap(), b"my notes\n");
}

#[test]
fn documents_that_cannot_be_written_are_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("taken");
    std::fs::write(&file, "").unwrap();
    let text = complaint(&["generate", file.to_str().unwrap()], 1);
    assert!(text.contains("taken"), "{text}");
}
