//! `check`: recomputes statements of corpora by the rules.

mod plain;
mod rules;
mod tactics;

use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{Error, Output};
use crate::corpus::{self, Case, CorpusLine};
use crate::types::Point;

/// Recompute the answers in files of positions
///
/// Rules cases (forbidden points, wins) are recomputed in full. Of tactical cases the part that
/// follows from the rules is checked: that the game is not over, that stated moves are allowed, and
/// that a stated line of fours wins. Prints every difference, then 'N passed, N failed', which counts
/// positions; the exit status is 1 if one failed.
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
            writeln!(out, "{}:{line}: {difference}", path.display())
        })?;
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

/// Recomputes all `entries` and hands every difference to `report`, with its line. Returns how many
/// positions had none, and how many had some.
pub(super) fn recompute(
    entries: &[CorpusLine],
    report: &mut dyn FnMut(usize, &Difference) -> io::Result<()>,
) -> io::Result<(usize, usize)> {
    let (mut passed, mut failed) = (0, 0);
    for entry in entries {
        let differences = differences(&entry.case);
        for difference in &differences {
            report(entry.line, difference)?;
        }
        if differences.is_empty() {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    Ok((passed, failed))
}

fn differences(case: &Case) -> Vec<Difference> {
    match case {
        Case::Forbidden(case) => rules::forbidden(case),
        Case::Win(case) => rules::win(case),
        Case::Tactic(case) => tactics::tactic(case),
        Case::Position(case) => plain::position(case),
    }
}

/// A statement of a case that differs from the computed answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// What was compared, and who computed it.
    what: String,
    expected: String,
    got: String,
}

impl Difference {
    /// `None` if the two are the same.
    fn between(what: String, expected: impl Display, got: impl Display) -> Option<Difference> {
        let (expected, got) = (expected.to_string(), got.to_string());
        (expected != got).then_some(Difference {
            what,
            expected,
            got,
        })
    }
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            what,
            expected,
            got,
        } = self;
        write!(f, "{what}: expected {expected}, got {got}")
    }
}

/// Points as one text; their order is kept.
fn points_text(points: &[Point]) -> String {
    if points.is_empty() {
        return "none".to_string();
    }
    let texts: Vec<String> = points.iter().map(Point::to_string).collect();
    texts.join(" ")
}
