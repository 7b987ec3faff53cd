//! `check`: recomputes statements of corpora by the rules.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Error, Output};
use tengen::streams::on_one_line;
use tengen_games::corpus::{self, recompute};

/// Recompute the answers in files of positions
///
/// Rules cases (forbidden points, wins) are recomputed in full. Tactical cases are checked as far
/// as the rules decide: the game is not over, stated moves are allowed, and a stated line of fours
/// wins. Prints every difference, then 'N passed, N failed', which counts positions; the exit
/// status is 1 if one failed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files in the formats of bench_positions/README.md
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let (mut passed, mut failed) = (0, 0);
    for path in &args.files {
        let (good, bad) = recompute(&corpus::read(path)?, &mut |line, difference| {
            let text = format!("{}:{line}: {difference}", path.display());
            writeln!(out, "{}", on_one_line(&text))
        })?;
        if good + bad == 0 {
            let path = path.display();
            return Err(Error::Failed(format!("{path}: there are no positions")));
        }
        passed += good;
        failed += bad;
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
