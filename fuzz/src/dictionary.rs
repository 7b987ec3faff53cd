//! Dictionaries for the fuzzer: the words of a protocol's commands, and the code in its document,
//! with settings and examples of everything else.

use std::collections::BTreeSet;
use std::env;
use std::fs;

use tengen_tools::{gtp, host};

const PROTOCOL: &str = include_str!("../../protocol.md");
const GTP: &str = include_str!("../../docs/gtp.md");

/// Writes the dictionary of the Gomocup protocol to the file in the environment variable
/// `FUZZ_DICTIONARY`, if set. A target calls this before the fuzzer reads its options, so the same
/// run can use the file: `-dict=FILE`.
pub fn write_if_asked() {
    write(host::commands().words(), PROTOCOL);
}

/// The same for the Go Text Protocol.
pub fn write_gtp_if_asked() {
    write(gtp::command_words(), GTP);
}

fn write(words: impl Iterator<Item = &'static str>, document: &str) {
    if let Some(path) = env::var_os("FUZZ_DICTIONARY") {
        let dictionary = dictionary(words, document);
        fs::write(path, dictionary).expect("the dictionary can be written");
    }
}

fn dictionary(words: impl Iterator<Item = &'static str>, document: &str) -> String {
    let mut words: BTreeSet<&str> = words.collect();
    for (i, part) in document.split("```").enumerate() {
        match i % 2 {
            // Outside of examples: the text between single backticks.
            0 => words.extend(part.split('`').skip(1).step_by(2)),
            // The lines of an example.
            _ => words.extend(part.lines()),
        }
    }
    let is_plain = |word: &&str| word.bytes().all(|b| b == b' ' || b.is_ascii_graphic());
    let words = words
        .into_iter()
        .filter(|word| (1..=40).contains(&word.len()));
    let escaped = |word: &str| word.replace('\\', "\\\\").replace('"', "\\\"");
    words
        .filter(is_plain)
        .map(|word| format!("\"{}\"\n", escaped(word)))
        .collect()
}
