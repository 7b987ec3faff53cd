//! Checks of the engine for `.ci/wasm`: the node count of `bench`, and the corpora.

use std::sync::Arc;

use tengen::bench::search_all;
use tengen::engine::{Engine, Evaluation, Options};
use tengen::eval::network::NetworkFile;
use tengen_games::corpus::{parse, recompute};

use crate::{block, fault};

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
    let total = search_all(&mut engine, depth, &mut |position, result| {
        assert!(result.best.is_some(), "no move in {}", position.id);
        Ok(())
    });
    total.expect("nothing is written").nodes
}

/// Files of networks in one block, each behind its length in four bytes.
fn files(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (file, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        bytes = rest;
        Some(file)
    })
}

/// Number of positions of a corpus whose recomputed answers agree. Each difference goes to the
/// host's `fault`, and makes the number negative.
///
/// # Safety
/// As for [`crate::say`].
///
/// # Panics
/// When the text is no corpus.
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
