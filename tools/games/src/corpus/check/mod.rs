//! Recomputes the statements of a corpus by the rules.

mod plain;
mod rules;
mod tactics;

use std::fmt::{self, Display};
use std::io;

use super::{Case, CorpusLine};
use tengen::types::Point;

/// Recomputes all `entries` and hands every difference to `report`, with its line. Returns the
/// number of positions without a difference, and the number of positions with one.
pub fn recompute(
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
pub struct Difference {
    /// The compared value and its judge.
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
