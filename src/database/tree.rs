//! Walks from a position to those that follow from it.

use std::collections::HashSet;

use super::error::DatabaseError;
use super::key::Situation;
use super::record::{Label, Record};
use super::store::{Reader, Writer};
use crate::board::Board;
use crate::rules::Rule;
use crate::types::{Point, ScoreKind};

type Result<T> = std::result::Result<T, DatabaseError>;

/// Which labels a [`Selection`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every record, labelled or not.
    Any,
    /// `W`.
    Win,
    /// `L`.
    Loss,
    /// `W` or `L`.
    WinOrLoss,
    /// `W`, `L` or `D`.
    Decided,
    /// All but `W` and `L`.
    NotWinOrLoss,
    /// All but `W`, `L` and `D`.
    NotDecided,
    /// `W` or `L` without a proved number of plies.
    WithoutPlies,
    /// `W` or `L` within that many plies.
    WithinPlies(u32),
}

impl Verdict {
    /// Whether it takes the record.
    pub fn takes(self, record: &Record) -> bool {
        let is = |label| record.label == Some(label);
        let win_or_loss = is(Label::WIN) || is(Label::LOSS);
        let plies = match record.value.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => Some(plies),
            ScoreKind::Value(_) => None,
        };
        match self {
            Verdict::Any => true,
            Verdict::Win => is(Label::WIN),
            Verdict::Loss => is(Label::LOSS),
            Verdict::WinOrLoss => win_or_loss,
            Verdict::Decided => win_or_loss || is(Label::DRAW),
            Verdict::NotWinOrLoss => !win_or_loss,
            Verdict::NotDecided => !win_or_loss && !is(Label::DRAW),
            Verdict::WithoutPlies => win_or_loss && plies.is_none(),
            Verdict::WithinPlies(most) => win_or_loss && plies.is_some_and(|n| n <= most),
        }
    }
}

/// Positions after a given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Which of them.
    pub verdict: Verdict,
    /// All that follow, or only those one move away.
    pub is_recursive: bool,
}

impl Reader<'_> {
    /// The known positions one move after `board`.
    pub fn children(&self, board: &Board, rule: Rule) -> Result<Vec<(Point, Record)>> {
        let mut next = board.clone();
        let mut children = Vec::new();
        for p in board.empty_points() {
            next.play(p);
            let record = self.get(&Situation::new(&next, rule))?;
            next.undo();
            children.extend(record.map(|record| (p, record)));
        }
        Ok(children)
    }

    /// Visits the known positions that follow from `board`, each once, parents before children.
    /// `visit` gets the position and its record, and returns whether to visit the positions below
    /// it.
    pub fn walk(
        &self,
        board: &Board,
        rule: Rule,
        visit: &mut dyn FnMut(&Board, Record) -> bool,
    ) -> Result<()> {
        let mut seen = HashSet::new();
        let mut open = vec![board.clone()];
        while let Some(board) = open.pop() {
            for (p, record) in self.children(&board, rule)? {
                let mut next = board.clone();
                next.play(p);
                let key = Situation::new(&next, rule).key().to_vec();
                if seen.insert(key) && visit(&next, record) {
                    open.push(next);
                }
            }
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Deletes positions after `board`. Returns how many.
    pub fn remove_after(
        &mut self,
        board: &Board,
        rule: Rule,
        selection: Selection,
    ) -> Result<usize> {
        let mut doomed = Vec::new();
        self.reader().walk(board, rule, &mut |next, record| {
            if selection.verdict.takes(&record) {
                doomed.push(Situation::new(next, rule));
            }
            selection.is_recursive
        })?;
        for situation in &doomed {
            self.remove(situation)?;
        }
        Ok(doomed.len())
    }
}
