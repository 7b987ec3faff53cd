//! Random sequences of commands against a small model of the session: its board, its required
//! answers, and its silence.
//!
//! The model is written from `protocol.md` and the reference rules, not from the protocol's code.
//! Most sequences run in this process, some with the program itself. A failing one is shrunk and
//! printed with its seed:
//!
//! ```sh
//! TENGEN_MODEL_SEED=1234 cargo test --release --test protocol_model     # that sequence alone
//! TENGEN_MODEL_SEED=10000 TENGEN_MODEL_SEQUENCES=100000 cargo test --release --test protocol_model
//! ```

mod answers;
mod command;
mod conversation;
mod generate;
mod link;
mod model;
mod openings;
mod positions;
mod shrink;
mod words;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use conversation::{Failure, Sequence, converse};
use generate::{file, sequence};
use link::{CommandFile, InProcess, Link, Program};

/// Sequences of an ordinary run.
const SEQUENCES: u64 = 2_000;
/// Sequences of an ordinary run that are files of commands.
const SEQUENCES_OF_FILES: u64 = 500;
/// Sequences of an ordinary run with the program, each a process.
const SEQUENCES_OF_PROGRAM: u64 = 40;

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a whole number"))
}

/// Runs `count` sequences, two at a time, or the one named by the environment.
fn run<L: Link>(count: u64, sequence: fn(u64) -> Sequence, open: fn() -> L) {
    let seed = from_environment("TENGEN_MODEL_SEED");
    let count = from_environment("TENGEN_MODEL_SEQUENCES").unwrap_or(match seed {
        Some(_) => 1,
        None => count,
    });
    let first = seed.unwrap_or(0);
    let seeds = first..first + count;
    let next = AtomicU64::new(seeds.start);
    let failed: Mutex<Option<(u64, Failure)>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end || failed.lock().unwrap().is_some() {
                        break;
                    }
                    if let Err(failure) = converse(&sequence(seed), open()) {
                        failed.lock().unwrap().get_or_insert((seed, failure));
                    }
                }
            });
        }
    });
    if let Some((seed, first)) = failed.into_inner().unwrap() {
        let (steps, failure) =
            shrink::shrink(sequence(seed), first, |steps| converse(steps, open()).err());
        panic!(
            "TENGEN_MODEL_SEED={seed}: {failure}\nin {} commands",
            steps.len()
        );
    }
}

#[test]
fn sessions_answer_as_the_model_says() {
    link::collect_errors();
    run(SEQUENCES, sequence, InProcess::open);
}

#[test]
fn files_are_answered_as_the_model_says() {
    link::collect_errors();
    run(SEQUENCES_OF_FILES, file, CommandFile::open);
}

#[test]
fn the_program_answers_as_the_model_says() {
    run(SEQUENCES_OF_PROGRAM, sequence, Program::open);
}
