//! `bench`: a fixed amount of search, whose node count distinguishes builds and whose speed compares
//! machines apart.

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::resources::Resources;
use super::{Error, Output};
use crate::corpus::{self, Case, PositionCase};
use crate::engine::Engine;
use crate::position::Position;
use crate::rules::Rule;
use crate::rules::random_boards::{RandomBoards, Style};
use crate::search::{SearchControl, SearchRequest, SearchResult};
use crate::types::Color;

/// Deepest iteration of each position, in plies.
pub(super) const DEPTH: u32 = 12;

/// Compiled in, so that an installed program can be measured.
const POSITIONS: &str = include_str!("../../bench_positions/bench.txt");

/// Search the fixed positions and count nodes
///
/// The last line is 'Bench: NODES nodes NPS nps'. With one thread the node count is the same
/// on every run and machine; it changes when the search or the evaluation does.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Deepest iteration in plies
    #[arg(long, value_name = "D", default_value_t = DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Time the forbidden points of renju instead of a search
    #[arg(long, conflicts_with_all = ["depth", "threads", "hash", "name"])]
    forbidden: bool,
    #[command(flatten)]
    resources: Resources,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if args.forbidden {
        return forbidden(out);
    }
    let mut engine = args.resources.engine()?;
    let total = search_all(&mut engine, args.depth, &mut |case, outcome| {
        let best = outcome.best.map(|p| p.label(case.board.height()));
        let line = outcome.lines.first();
        let depth = line.map_or(0, |line| line.depth);
        let score = line.map(|line| line.score.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{:<18} depth {depth:>2}  move {:<3}  value {score:>6}  {:>10} nodes  {:>6} ms",
            case.id,
            best.unwrap_or_default(),
            outcome.nodes,
            outcome.elapsed.as_millis(),
        )
    })?;
    args.resources.check(&mut engine)?;
    writeln!(out, "Bench: {} nodes {} nps", total.nodes, total.speed())?;
    Ok(ExitCode::SUCCESS)
}

/// Nodes and time of the search of all positions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Total {
    pub nodes: u64,
    pub elapsed: Duration,
}

impl Total {
    /// Nodes a second.
    pub(super) fn speed(self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3)) as u64
    }
}

/// Searches every position to `depth` plies and hands each outcome to `report`.
pub(super) fn search_all(
    engine: &mut Engine,
    depth: u32,
    report: &mut dyn FnMut(&PositionCase, &SearchResult) -> io::Result<()>,
) -> Result<Total, Error> {
    let mut total = Total::default();
    for entry in corpus::parse("bench_positions/bench.txt", POSITIONS)? {
        let Case::Position(case) = entry.case else {
            let line = entry.line;
            return Err(Error::Failed(format!(
                "bench_positions/bench.txt:{line}: expected 'id | rule | size | moves | source'"
            )));
        };
        let mut request = SearchRequest::new(case.board.clone(), case.rule);
        request.max_depth = Some(depth);
        // Nothing learned from one position may count for the next.
        engine.clear_hash();
        let outcome = engine.go(&request, &SearchControl::unlimited(), &mut |_| {});
        total.nodes += outcome.nodes;
        total.elapsed += outcome.elapsed;
        report(&case, &outcome)?;
    }
    Ok(total)
}

/// The node count of [`search_all`] with one thread at the default depth, as it was when this
/// program was made. `None` where the file is malformed.
pub(super) fn signature() -> Option<u64> {
    let text = include_str!("../../bench_positions/bench.signature");
    let line = text.lines().find(|line| !line.starts_with('#'))?;
    line.trim().parse().ok()
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
