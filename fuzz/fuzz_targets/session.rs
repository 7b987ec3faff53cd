//! Any bytes as the input of a whole session: parser, commands, searches and files. Every printed
//! line is one of `protocol.md`, and the session still answers after any input.
//!
//! Files lie in a temporary folder: `/` becomes `_`. Searches have few nodes unless the input says
//! otherwise; then the last line stops them.

#![no_main]

use std::hash::{DefaultHasher, Hash, Hasher};

use libfuzzer_sys::fuzz_target;
use tengen_fuzz::dictionary::write_if_asked;
use tengen_fuzz::folder::inside_folder;
use tengen_fuzz::session::{Part, Until, is_answer, is_opening_step, replies_to};

/// Makes searches small and fast: unpacking a network takes longer than many of them.
const HEAD: &[u8] = b"INFO max_node 60\nINFO timeout_turn 50\nINFO max_memory 80000000\n\
    INFO evaluator classical\n";

fuzz_target!(init: write_if_asked(), |input: &[u8]| {
    let size = last_size(input);
    let tail = format!("\nSTART {},{}\n", size.0, size.1);
    let last = format!("{}x{}", size.0, size.1);
    let lines = [HEAD, &tamed(input), tail.as_bytes()].concat();
    let part = Part {
        lines,
        until: Until::Text(last.clone()),
    };
    let replies = inside_folder(|| replies_to(vec![part]));
    for line in &replies {
        assert!(is_known(line), "{line:?}");
    }
    let answer = replies.iter().rfind(|line| is_answer(line));
    let is_over = input
        .to_ascii_uppercase()
        .windows(3)
        .any(|word| word == b"END");
    assert!(
        is_over || answer.is_some_and(|line| line.contains(&last)),
        "{replies:?}"
    );
});

/// The size in the last command. That command ends every block, waits for a search, and has an
/// answer of its own. An input with the size of this answer (as a file's name, say) would end the
/// session too early, and libFuzzer learns constants; so the size comes from the input.
fn last_size(input: &[u8]) -> (u32, u32) {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    (3, 100_000_000 + (hasher.finish() % 900_000_000) as u32)
}

/// The input without ways out of the folder, and with few threads.
fn tamed(input: &[u8]) -> Vec<u8> {
    let mut tamed = Vec::with_capacity(input.len());
    for line in input.split_inclusive(|&b| b == b'\n' || b == b'\r') {
        let is_threads = line
            .to_ascii_lowercase()
            .windows(10)
            .any(|word| word == b"thread_num");
        let last_digit = line.iter().rposition(u8::is_ascii_digit);
        for (i, &byte) in line.iter().enumerate() {
            match byte {
                b'/' => tamed.push(b'_'),
                b'0'..=b'9' if is_threads && Some(i) != last_digit => {}
                _ => tamed.push(byte),
            }
        }
    }
    tamed
}

fn is_known(line: &str) -> bool {
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    matches!(line, "OK" | "UNKNOWN command")
        || begins(&["ERROR ", "UNKNOWN command ", "MESSAGE ", "INFO ", "FORBID ", "name=\"Tengen\""])
        // Moves have the same form as some steps.
        || is_opening_step(line)
}
