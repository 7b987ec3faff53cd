//! `bench` without a command line: the host gives the clock, and gets the node count.

use tengen::board::{Board, parse_moves};
use tengen::engine::{Engine, Options};
use tengen::search::{SearchControl, SearchRequest};
use tengen::time::set_clock;

const POSITIONS: &str = include_str!("../../../bench_positions/bench.txt");

unsafe extern "C" {
    /// Milliseconds since a fixed moment.
    safe fn now_ms() -> f64;
}

/// Nodes of all positions of `bench`, each searched to `depth` plies by one thread.
///
/// # Panics
/// When a position cannot be read or has no move.
#[unsafe(no_mangle)]
pub extern "C" fn bench(depth: u32) -> u64 {
    set_clock(|| now_ms());
    let mut engine = Engine::new(Options {
        hash_kib: Some(16 << 10),
        ..Options::default()
    });
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| nodes(&mut engine, line, depth)).sum()
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
