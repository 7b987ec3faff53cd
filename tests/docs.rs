//! Compares the documents with the repository: README is short, links have targets, and the
//! subcommands that are named exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const README_LINES: usize = 170;
const SENTENCE_WORDS: usize = 25;

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The documents that are checked: README.md, protocol.md and all of docs/.
fn documents() -> Vec<PathBuf> {
    let mut paths = vec![in_repository("README.md"), in_repository("protocol.md")];
    let folder = fs::read_dir(in_repository("docs")).expect("docs/ is a folder");
    paths.extend(
        folder
            .map(|entry| entry.expect("docs/ can be listed").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md")),
    );
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines outside fenced code.
fn lines_of_text(document: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    document.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !fence && !in_code
    })
}

/// The paragraphs and list items, each on one line, without tables and headings.
fn paragraphs(document: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in lines_of_text(document).map(str::trim) {
        let alone = line.is_empty() || line.starts_with(['|', '#']);
        let item = line.starts_with("* ")
            || line
                .split_once(". ")
                .is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if alone || item {
            paragraphs.push(String::new());
        }
        if !alone {
            let paragraph = paragraphs.last_mut().expect("there is always one");
            paragraph.push_str(line);
            paragraph.push(' ');
        }
    }
    paragraphs
}

/// Splits at `.`, `?` and `!` that end a word, where a reader pauses.
fn sentences(paragraph: &str) -> Vec<Vec<&str>> {
    let mut sentences = vec![Vec::new()];
    for word in paragraph.split_whitespace() {
        let sentence: &mut Vec<&str> = sentences.last_mut().expect("there is always one");
        sentence.push(word);
        if word.trim_end_matches([')', '*']).ends_with(['.', '?', '!']) {
            sentences.push(Vec::new());
        }
    }
    sentences
}

/// The targets of all links `[text](target)`, pictures included.
fn link_targets(document: &str) -> Vec<String> {
    lines_of_text(document)
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.to_string())
        .collect()
}

/// The anchors of a document's headings, formed as GitHub forms them.
fn anchors(document: &str) -> BTreeSet<String> {
    lines_of_text(document)
        .filter_map(|line| line.strip_prefix('#'))
        .map(|heading| {
            heading
                .trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

/// The words that follow `pbrain-tengen` where they look like a subcommand.
fn named_subcommands(document: &str) -> BTreeSet<&str> {
    document
        .split("pbrain-tengen ")
        .skip(1)
        .filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_lowercase())?;
            let ends_as_a_word = rest[end..].starts_with([' ', '`', '\n']);
            (end > 0 && ends_as_a_word).then(|| &rest[..end])
        })
        .collect()
}

/// The subcommands that `--help` lists.
fn real_subcommands() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen"))
        .arg("--help")
        .output()
        .expect("the program starts");
    let help = String::from_utf8(output.stdout).expect("help is UTF-8");
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_string)
        .collect()
}

#[test]
fn readme_is_short() {
    let lines = read(&in_repository("README.md")).lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines");
}

#[test]
fn sentences_of_readme_are_short() {
    let readme = read(&in_repository("README.md"));
    let long: Vec<String> = paragraphs(&readme)
        .iter()
        .flat_map(|paragraph| sentences(paragraph))
        .filter(|sentence| sentence.len() > SENTENCE_WORDS)
        .map(|sentence| sentence.join(" "))
        .collect();
    assert!(long.is_empty(), "too long: {long:#?}");
}

#[test]
fn links_have_targets() {
    let mut dead = Vec::new();
    for path in documents() {
        for target in link_targets(&read(&path)) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let linked = if file.is_empty() {
                path.clone()
            } else {
                path.parent().expect("a file has a folder").join(file)
            };
            let exists =
                linked.exists() && (anchor.is_empty() || anchors(&read(&linked)).contains(anchor));
            if !exists {
                dead.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links: {dead:#?}");
}

#[test]
fn subcommands_exist() {
    let real = real_subcommands();
    assert!(
        real.contains("analyze"),
        "--help was not understood: {real:?}"
    );
    let mut unknown = Vec::new();
    for path in documents() {
        for name in named_subcommands(&read(&path)) {
            if !real.contains(name) {
                unknown.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "no such subcommands: {unknown:#?}");
}
