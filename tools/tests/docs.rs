//! Compares the documents with the repository: they and their sentences are short, links have
//! targets, and the calls in examples have real subcommands and options.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Most words of each document, tables and code included. The journal and the glossary may grow.
const LENGTHS: [(&str, usize); 16] = [
    ("README.md", 750),
    ("protocol.md", 6_700),
    ("docs/analysis.md", 3_000),
    ("docs/changes.md", 300),
    ("docs/clients.md", 500),
    ("docs/development.md", 1_300),
    ("docs/gtp.md", 1_350),
    ("docs/matches.md", 2_450),
    ("docs/network.md", 1_500),
    ("docs/playing.md", 1_050),
    ("docs/reliability.md", 1_250),
    ("docs/search.md", 1_650),
    ("docs/site.md", 850),
    ("docs/strength.md", 750),
    ("docs/tuning.md", 530),
    ("docs/web.md", 1_650),
];
/// Most words of a sentence of README.
const SENTENCE_WORDS: usize = 25;
/// Most words of a sentence on average, in every document.
const MEAN_WORDS: usize = 30;

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The documents that are checked.
fn documents() -> Vec<PathBuf> {
    let mut paths = vec![
        in_repository("README.md"),
        in_repository("protocol.md"),
        in_repository("bench_positions/README.md"),
    ];
    for folder in ["docs", "training/classical", "training/network"] {
        let entries = fs::read_dir(in_repository(folder)).expect("a folder");
        paths.extend(
            entries
                .map(|entry| entry.expect("it can be listed").path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "md")),
        );
    }
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

/// The words after the program's name in each call of the document, up to the end of the command.
/// Quoted words are left out, because they may hold calls of other programs; so may `cargo run`
/// with a package.
fn calls(document: &str) -> Vec<Vec<String>> {
    let joined = document.replace("\\\n", " ");
    joined
        .lines()
        .flat_map(|line| {
            let after_cargo = line
                .strip_prefix("cargo run ")
                .and_then(|rest| rest.split_once(" -- "))
                .filter(|(options, _)| !options.contains("-p "));
            match after_cargo {
                Some((_, call)) => vec![call],
                None => program_calls(line).collect(),
            }
        })
        .map(|rest| {
            let call = rest
                .split(['`', '|', '<', '>', ';', '#', '$'])
                .next()
                .unwrap_or("");
            let unquoted: Vec<&str> = call.split('\'').step_by(2).collect();
            unquoted
                .join(" ")
                .split_whitespace()
                .map(str::to_string)
                .collect()
        })
        .filter(|words: &Vec<String>| !words.is_empty())
        .collect()
}

/// The text after each `tengen` that is a word of its own.
fn program_calls(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("tengen ").filter_map(|(i, name)| {
        let before = line[..i].chars().next_back();
        let is_word = before.is_none_or(|c| "`(".contains(c) || c.is_whitespace());
        is_word.then(|| &line[i + name.len()..])
    })
}

/// The output of `--help` for a subcommand, or for the program itself.
fn help(subcommand: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(subcommand)
        .arg("--help")
        .output()
        .expect("the program starts");
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// The subcommands that a help text lists.
fn subcommands(help: &str) -> BTreeSet<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Every option in a help text, without its value.
fn options(help: &str) -> BTreeSet<&str> {
    help.split(|c: char| !c.is_ascii_lowercase() && c != '-')
        .filter(|word| word.starts_with("--"))
        .collect()
}

/// The fault of a call: an unknown subcommand or option.
fn fault(call: &[String]) -> Option<String> {
    let program = help(&[]);
    let is_option = |word: &String| word.starts_with('-');
    let mut path = Vec::new();
    let mut text = program;
    for word in call.iter().take_while(|word| !is_option(word)) {
        if !subcommands(&text).contains(word.as_str()) {
            break;
        }
        path.push(word.clone());
        text = help(&path);
    }
    if path.is_empty() && !is_option(&call[0]) {
        return Some(format!("no subcommand {}", call[0]));
    }
    let known = options(&text);
    call.iter()
        .filter(|word| word.starts_with("--"))
        .find(|word| !known.contains(word.as_str()))
        .map(|word| format!("{} has no {word}", path.join(" ")))
}

#[test]
fn documents_are_short() {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let long: Vec<String> = LENGTHS
        .iter()
        .map(|&(path, most)| {
            let document = read(&in_repository(path));
            (
                path,
                most,
                document.split_whitespace().filter(is_word).count(),
            )
        })
        .filter(|&(_, most, words)| words > most)
        .map(|(path, most, words)| format!("{path}: {words} words, {most} at most"))
        .collect();
    assert!(long.is_empty(), "too long: {long:#?}");
}

#[test]
fn sentences_are_short_on_average() {
    for path in documents() {
        let lengths: Vec<usize> = paragraphs(&read(&path))
            .iter()
            .flat_map(|paragraph| sentences(paragraph))
            .map(|sentence| sentence.len())
            .filter(|&length| length > 0)
            .collect();
        let mean = lengths.iter().sum::<usize>() / lengths.len().max(1);
        assert!(
            mean <= MEAN_WORDS,
            "{}: {mean} words a sentence",
            path.display()
        );
    }
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
fn calls_are_understood() {
    let mut faults = BTreeSet::new();
    let mut calls_seen = 0;
    for path in documents() {
        for call in calls(&read(&path)) {
            calls_seen += 1;
            faults.extend(fault(&call).map(|fault| format!("{}: {fault}", path.display())));
        }
    }
    assert!(calls_seen > 20, "only {calls_seen} calls were found");
    assert!(faults.is_empty(), "{faults:#?}");
}
