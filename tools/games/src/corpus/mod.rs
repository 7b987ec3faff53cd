//! Files of positions with known answers, one position a line, `#` before a comment.
//!
//! A file may mix three families, which differ in their columns:
//!
//! * rules cases, TAB separated, that begin with the rule: [`ForbiddenCase`] and [`WinCase`];
//! * tactical cases, ten TAB separated columns that begin with an id: [`TacticCase`];
//! * plain positions, five columns separated by `|`, given by their moves: [`PositionCase`].
//!
//! The first two list stones by colour, not in the order of play, and their numbers need not be
//! balanced. Coordinates are the protocol's `x,y`; plain positions also take labels such as `h8`.

mod check;
mod fields;
mod positions;
mod rules;
mod tactics;

#[cfg(test)]
mod tests;

use std::path::Path;

use tengen::files::{read_text_argument, without_byte_order_mark};

pub use check::{Difference, recompute};
pub use positions::PositionCase;
pub use rules::{Candidate, ForbiddenCase, FoulClaim, StrictClaim, WinCase};
pub use tactics::{Claim, TacticCase};

/// One line of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Case {
    /// Black's forbidden points in a renju position.
    Forbidden(ForbiddenCase),
    /// The winner after the last move.
    Win(WinCase),
    /// A forced win of the side to move, or its defence.
    Tactic(TacticCase),
    /// A position without a claim.
    Position(PositionCase),
}

/// A case and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusLine {
    /// Line number, from 1.
    pub line: usize,
    /// The content of the line.
    pub case: Case,
}

/// Reads a corpus file.
///
/// # Errors
/// When the file cannot be read, is not UTF-8, or has a malformed line; the first one is named.
pub fn read(path: &Path) -> Result<Vec<CorpusLine>, String> {
    let name = path.display().to_string();
    let text = read_text_argument(path).map_err(|error| format!("{name}: {error}"))?;
    parse(&name, &text)
}

/// Reads the text of a corpus, which may begin with a byte order mark; `name` stands for it in
/// errors.
///
/// # Errors
/// At the first malformed line.
pub fn parse(name: &str, text: &str) -> Result<Vec<CorpusLine>, String> {
    let text = without_byte_order_mark(text);
    (1..)
        .zip(text.lines())
        .filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'))
        .map(|(line, text)| match parse_line(text) {
            Ok(case) => Ok(CorpusLine { line, case }),
            Err(fault) => Err(format!("{name}:{line}: {fault}")),
        })
        .collect()
}

/// Reads a line that is no comment.
///
/// # Errors
/// When it is malformed, with the fault in words.
pub fn parse_line(text: &str) -> Result<Case, String> {
    let columns: Vec<&str> = text.split('\t').collect();
    match columns[..] {
        [_, _, black, ..] if black.starts_with("black:") => rules::parse(&columns),
        [_, _, _, ..] => tactics::parse(&columns).map(Case::Tactic),
        _ if text.contains('|') => positions::parse(text).map(Case::Position),
        _ => Err(
            "expected a line such as 'renju TAB 15 TAB black:... TAB ...', \
             'id TAB rule TAB size TAB ...' or 'id | rule | size | moves | source'"
                .to_string(),
        ),
    }
}
