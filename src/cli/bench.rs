//! `bench`: a fixed amount of search, whose node count tells builds apart and whose speed tells
//! machines apart.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::resources::Resources;
use super::{Error, Output};
use crate::corpus::{self, Case};
use crate::engine::Engine;
use crate::position::Position;
use crate::rules::random_boards::{RandomBoards, Style};
use crate::rules::Rule;
use crate::search::{Control, Request};
use crate::types::Color;

/// Deepest iteration of each position, in plies.
const DEPTH: u32 = 12;

/// Part of the program, so that it can be measured wherever it is.
const POSITIONS: &str = include_str!("../../bench_positions/bench.txt");

/// Search the fixed positions and count nodes
///
/// The last line is 'Bench: <nodes> nodes <nps> nps'. With one thread the node count is the same
/// on every run and machine; it changes when the search or the evaluation does.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Deepest iteration in plies
    #[arg(long, value_name = "D", default_value_t = DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Time the forbidden points of renju instead of a search
    #[arg(long, conflicts_with = "depth")]
    forbidden: bool,
    #[command(flatten)]
    resources: Resources,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if args.forbidden {
        return forbidden(out);
    }
    let mut engine = Engine::new(args.resources.options());
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    for entry in corpus::parse("bench_positions/bench.txt", POSITIONS)? {
        let Case::Position(case) = entry.case else {
            let line = entry.line;
            return Err(Error::Failed(format!(
                "bench_positions/bench.txt:{line}: expected 'id | rule | size | moves | source'"
            )));
        };
        let height = case.board.height();
        let mut request = Request::new(case.board, case.rule);
        request.max_depth = Some(args.depth);
        // Nothing learned from one position may count for the next.
        engine.clear_hash();
        let outcome = engine.go(&request, &Control::unlimited(), &mut |_| {});
        nodes += outcome.nodes;
        elapsed += outcome.elapsed;
        let best = outcome.best.map(|p| p.label(height)).unwrap_or_default();
        let line = outcome.lines.first();
        let depth = line.map_or(0, |line| line.depth);
        let score = line.map(|line| line.score.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{:<18} depth {depth:>2}  move {best:<3}  value {score:>6}  {:>10} nodes  {:>6} ms",
            case.id,
            outcome.nodes,
            outcome.elapsed.as_millis(),
        )?;
    }
    let speed = (nodes as f64 / elapsed.as_secs_f64().max(1e-3)) as u64;
    writeln!(out, "Bench: {nodes} nodes {speed} nps")?;
    Ok(ExitCode::SUCCESS)
}

/// Random 15x15 boards for the forbidden points, and how often all of them are judged.
const BOARDS: usize = 3_000;
const ROUNDS: usize = 100;

/// How many boards a second the whole set of forbidden points is found on, from positions that are
/// set up already.
fn forbidden(out: &mut Output) -> Result<ExitCode, Error> {
    let mut boards = RandomBoards::new(1);
    let positions: Vec<Position> = Style::ALL
        .into_iter()
        .cycle()
        .take(BOARDS)
        .map(|style| Position::new(&boards.board(15, 15, style), Rule::Renju))
        .collect();
    let start = Instant::now();
    let points: usize = (0..ROUNDS)
        .flat_map(|_| &positions)
        .map(|position| position.forbidden_set(Color::Black).len())
        .sum();
    let judged = (BOARDS * ROUNDS) as f64;
    let speed = judged / start.elapsed().as_secs_f64();
    let mean = points as f64 / judged;
    writeln!(
        out,
        "Forbidden: {speed:.0} boards/s, {mean:.2} points a board"
    )?;
    Ok(ExitCode::SUCCESS)
}
