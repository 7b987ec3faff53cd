use std::path::{Path, PathBuf};

use super::Error;
use crate::board::Board;
use crate::corpus::{self, Case, Claim, CorpusLine};
use crate::rules::Rule;

/// A position to solve.
pub(super) struct Puzzle {
    /// Number among all positions, from 0.
    pub place: usize,
    pub id: String,
    pub rule: Rule,
    pub board: Board,
    /// What its file states about the side to move.
    pub claim: Option<Claim>,
}

/// All positions of the files; games take `rule` if they name none.
pub(super) fn read(paths: &[PathBuf], rule: Rule) -> Result<Vec<Puzzle>, Error> {
    let mut puzzles: Vec<Puzzle> = Vec::new();
    let mut add = |id, rule, board, claim| {
        puzzles.push(Puzzle {
            place: puzzles.len(),
            id,
            rule,
            board,
            claim,
        });
    };
    for path in paths {
        if is_sgf(path) {
            for game in corpus::read_sgf(path, rule)? {
                add(game.id, game.rule, game.board, None);
            }
            continue;
        }
        for CorpusLine { line, case } in corpus::read(path)? {
            match case {
                Case::Tactic(case) => add(case.id, case.rule, case.board, Some(case.claim)),
                Case::Position(case) => add(case.id, case.rule, case.board, None),
                Case::Forbidden(_) | Case::Win(_) => {
                    return Err(Error::Failed(format!(
                        "{}:{line}: a rules case has nothing to solve (use check)",
                        path.display()
                    )));
                }
            }
        }
    }
    Ok(puzzles)
}

fn is_sgf(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("sgf")
}
