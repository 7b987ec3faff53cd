//! Any bytes as the input of a whole conversation by the Go Text Protocol: commands, searches and
//! analyses. Each command gets one answer, in order and with its id, and the session still answers
//! after any input.

#![no_main]

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen::engine::strength::Strength;
use tengen::engine::{Engine, Evaluation, Options};
use tengen::rules::Rule;
use tengen::streams::Source;
use tengen_fuzz::dictionary::write_gtp_if_asked;
use tengen_fuzz::folder::inside_folder;
use tengen_tools::gtp::{Setup, converse};

/// A command that ends an analysis and has an answer of its own.
const TAIL: &str = "\n7654321 protocol_version\n";
const LAST: &str = "=7654321 2";
/// Longer lines have tests of their own.
const LONGEST: usize = 1 << 15;

fuzz_target!(init: write_gtp_if_asked(), |input: &[u8]| {
    if input.len() > LONGEST {
        return;
    }
    let given = ids(&String::from_utf8_lossy(input));
    let input = [input, TAIL.as_bytes()].concat();
    let expected = ids(&String::from_utf8_lossy(&input));
    // `printsgf` writes files.
    let text = inside_folder(|| answers_to(input));
    assert!(text.is_empty() || text.ends_with("\n\n"), "half an answer: {text:?}");
    let answers: Vec<&str> = text.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), expected.len(), "{expected:?}, {text}");
    for (answer, id) in answers.iter().zip(&expected) {
        let rest = answer.strip_prefix(['=', '?']).and_then(|rest| rest.strip_prefix(id));
        let is_whole = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n']));
        assert!(is_whole, "{answer:?} to command {id:?}");
    }
    let is_over = expected.len() == given.len();
    assert!(is_over || answers.last() == Some(&LAST), "{text}");
});

/// The ids of the commands up to the end of the session, empty where a command has none. Control
/// characters of a line are ignored, and a comment ends the line.
fn ids(input: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for line in input.split('\n') {
        let line = line
            .replace('\t', " ")
            .replace(|c: char| c.is_control(), "");
        let command = line.split('#').next().unwrap_or_default();
        let mut words = command.split_whitespace().peekable();
        if words.peek().is_none() {
            continue;
        }
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        ids.push(words.next_if(is_number).unwrap_or_default().to_string());
        if words
            .next()
            .is_some_and(|name| name.to_lowercase() == "quit")
        {
            break;
        }
    }
    ids
}

/// The answers of a session to `input`. Searches are small and fast: unpacking a network takes
/// longer than many of them.
fn answers_to(input: Vec<u8>) -> String {
    let mut engine = Engine::new(Options {
        threads: 1,
        max_memory: 80 << 20,
        hash_kib: Some(1 << 10),
    });
    engine.set_evaluation(Evaluation::Classical);
    let setup = Setup {
        rule: Rule::Renju,
        board: Board::new(15, 15).expect("a board of that size"),
        turn: None,
        depth: None,
        nodes: Some(60),
        strength: Strength::FULL,
    };
    let heard = Arc::new(Mutex::new(Vec::new()));
    converse(
        engine,
        setup,
        Cursor::new(input),
        Source::File,
        Ear(Arc::clone(&heard)),
    );
    let bytes = heard.lock().expect("no thread panicked");
    String::from_utf8(bytes.clone()).expect("answers are UTF-8")
}

/// Keeps the session's output.
struct Ear(Arc<Mutex<Vec<u8>>>);

impl Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread panicked").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
