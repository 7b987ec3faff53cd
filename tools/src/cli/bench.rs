//! `bench` of the command line, and the time that the forbidden points of renju take.

use std::process::ExitCode;
use std::time::Instant;

use super::resources::Resources;
use super::{Error, Output};
use tengen::bench::{DEPTH, write_report};
use tengen::position::Position;
use tengen::rules::Rule;
use tengen::types::Color;
use tengen_games::random_boards::{RandomBoards, Style};

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
    write_report(&mut engine, args.depth, out)?;
    args.resources.check(&mut engine)?;
    Ok(ExitCode::SUCCESS)
}

/// Random 15x15 boards for the forbidden points, and the number of passes over them.
const BOARDS: usize = 3_000;
const ROUNDS: usize = 100;

/// Measures the boards a second whose whole set of forbidden points is found. Setting up the
/// positions does not count.
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
