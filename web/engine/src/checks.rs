//! What `.ci/wasm` asks of the engine: the node count of `bench`, and the corpora.

use std::sync::Arc;

use tengen::board::{Board, parse_moves};
use tengen::corpus::{parse, recompute};
use tengen::engine::{Engine, Evaluation, Options};
use tengen::eval::network::NetworkFile;
use tengen::search::{SearchControl, SearchRequest};

use crate::{block, fault};

const POSITIONS: &str = include_str!("../../../bench_positions/bench.txt");

/// Nodes of all positions of `bench`, each searched to `depth` plies by one thread with the networks of
/// a file.
///
/// # Safety
/// As for [`crate::say`].
///
/// # Panics
/// When a position or the file cannot be read, or there is no move.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench(networks: *mut u8, length: usize, depth: u32) -> u64 {
    // SAFETY: as the caller promises.
    let networks = unsafe { block(networks, length) };
    let networks = files(&networks).fold(NetworkFile::default(), |joined, bytes| {
        joined.with(NetworkFile::from_bytes(bytes).expect("networks"))
    });
    let mut engine = Engine::new(Options {
        hash_kib: Some(16 << 10),
        ..Options::default()
    });
    engine.set_evaluation(Evaluation::Network(Arc::new(networks)));
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| nodes(&mut engine, line, depth)).sum()
}

/// Files of networks that were put behind each other, each behind its length in four bytes.
fn files(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (file, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        bytes = rest;
        Some(file)
    })
}

/// Nodes of the position in `line`: `id | rule | size | moves | source`.
fn nodes(engine: &mut Engine, line: &str, depth: u32) -> u64 {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let rule = fields[1].parse().expect("a rule");
    let (width, height) = fields[2].split_once('x').unwrap_or((fields[2], fields[2]));
    let side = |text: &str| text.parse().expect("a number of columns or rows");
    let mut board = Board::new(side(width), side(height)).expect("a size to play on");
    parse_moves(&mut board, fields[3]).expect("moves");
    let mut request = SearchRequest::new(board, rule);
    request.max_depth = Some(depth);
    engine.clear_hash();
    let result = engine.go(&request, &SearchControl::unlimited(), &mut |_| {});
    assert!(result.best.is_some(), "no move in {}", fields[0]);
    result.nodes
}

/// Number of positions of a corpus whose answers are recomputed alike; each difference goes to the
/// host's `fault`, and makes the number negative.
///
/// # Safety
/// As for [`crate::say`].
///
/// # Panics
/// When it is no corpus.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn check(corpus: *mut u8, length: usize) -> i32 {
    // SAFETY: as the caller promises.
    let text = unsafe { block(corpus, length) };
    let text = String::from_utf8(text).expect("a text");
    let entries = parse("corpus", &text).expect("a corpus");
    let counted = recompute(&entries, &mut |line, difference| {
        let text = format!("line {line}: {difference}");
        // SAFETY: the text lives as long as the call.
        unsafe { fault(text.as_ptr(), text.len()) };
        Ok(())
    });
    match counted {
        Ok((passed, 0)) => passed as i32,
        Ok((_, failed)) => -(failed as i32),
        Err(_) => i32::MIN,
    }
}
