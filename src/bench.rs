//! `bench`: a fixed amount of search. Its node count tells builds apart, its speed tells machines
//! apart.

use std::io::{self, Write};

use crate::board::{Board, parse_moves, parse_size};
use crate::engine::Engine;
use crate::rules::Rule;
use crate::search::{SearchControl, SearchRequest, SearchResult};
use crate::time::Duration;

/// Deepest iteration of each position, in plies.
pub const DEPTH: u32 = 12;

/// Compiled in, so that an installed program can be measured.
const POSITIONS: &str = include_str!("../bench_positions/bench.txt");

/// A position to search.
pub struct BenchPosition {
    /// Its name.
    pub id: &'static str,
    /// The stones.
    pub board: Board,
    /// The rule.
    pub rule: Rule,
}

impl BenchPosition {
    /// Reads `id | rule | size | moves | source`.
    fn parse(line: &'static str) -> Option<BenchPosition> {
        let mut fields = line.split('|').map(str::trim);
        let id = fields.next()?;
        let rule = fields.next()?.parse().ok()?;
        let (width, height) = parse_size(fields.next()?)?;
        let mut board = Board::new(width, height).ok()?;
        parse_moves(&mut board, fields.next()?).ok()?;
        Some(BenchPosition { id, board, rule })
    }
}

/// The positions of `bench`.
pub fn positions() -> impl Iterator<Item = BenchPosition> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| BenchPosition::parse(line).expect("every line is read by a test"))
}

/// Nodes and time of the search of all positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time of the searches alone.
    pub elapsed: Duration,
}

impl Total {
    /// Nodes a second.
    pub fn speed(self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3)) as u64
    }
}

/// Searches every position to `depth` plies and hands each result to `report`.
///
/// # Errors
/// Those of `report`.
pub fn search_all(
    engine: &mut Engine,
    depth: u32,
    report: &mut dyn FnMut(&BenchPosition, &SearchResult) -> io::Result<()>,
) -> io::Result<Total> {
    let mut total = Total::default();
    for position in positions() {
        let mut request = SearchRequest::new(position.board.clone(), position.rule);
        request.max_depth = Some(depth);
        // Nothing learned from one position may help the next.
        engine.clear_hash();
        let result = engine.go(&request, &SearchControl::unlimited(), &mut |_| {});
        total.nodes += result.nodes;
        total.elapsed += result.elapsed;
        report(&position, &result)?;
    }
    Ok(total)
}

/// Writes a line for each position, and last `Bench: <nodes> nodes <nps> nps`.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_report(engine: &mut Engine, depth: u32, out: &mut dyn Write) -> io::Result<()> {
    let total = search_all(engine, depth, &mut |position, result| {
        let best = result.best.map(|p| p.label(position.board.height()));
        let line = result.lines.first();
        let depth = line.map_or(0, |line| line.depth);
        let score = line.map(|line| line.score.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{:<18} depth {depth:>2}  move {:<3}  value {score:>6}  {:>10} nodes  {:>6} ms",
            position.id,
            best.unwrap_or_default(),
            result.nodes,
            result.elapsed.as_millis(),
        )
    })?;
    writeln!(out, "Bench: {} nodes {} nps", total.nodes, total.speed())
}

/// The node count of [`search_all`] with one thread at the default depth, recorded when this
/// program was made.
pub fn signature() -> u64 {
    let text = include_str!("../bench_positions/bench.signature");
    let line = text.lines().find(|line| !line.starts_with('#'));
    let number = line.and_then(|line| line.trim().parse().ok());
    number.expect("every line is read by a test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        assert_eq!(positions().count(), 24);
        assert!(signature() > 0);
    }
}
