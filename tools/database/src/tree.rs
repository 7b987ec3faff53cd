//! Walks from a position to those that follow from it.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::error::Result;
use super::key::{self, Situation};
use super::record::{Label, Record};
use super::store::{Reader, Writer};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::types::{Point, ScoreKind};

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
    /// True if it takes the record.
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
    /// Deletes what is known of a position. Where known ones follow, an empty record stays on the way
    /// to them. Returns whether there was anything to delete.
    pub fn delete(&mut self, situation: &Situation) -> Result<bool> {
        let Some(record) = self.get(situation)? else {
            return Ok(false);
        };
        let (board, rule) = key::position(situation.key()).expect("the key of a position");
        if self.reader().children(&board, rule)?.is_empty() {
            return self.remove(situation);
        }
        self.put(situation, &Record::default())?;
        Ok(!record.is_blank())
    }

    /// Deletes positions after `board` by [`delete`](Writer::delete). Returns how many.
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
        // Those with most stones first, whose keys are longest: then none stays only as the way to one
        // that is deleted too.
        doomed.sort_by_key(|situation| Reverse(situation.key().len()));
        let mut count = 0;
        for situation in &doomed {
            count += usize::from(self.delete(situation)?);
        }
        Ok(count)
    }
}
