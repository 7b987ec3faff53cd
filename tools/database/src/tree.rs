//! Walks from a position to its successors.

use std::collections::HashSet;

use super::error::Result;
use super::key::{self, Level, Situation, StoredPosition};
use super::record::{Label, Record};
use super::store::{Reader, Writer};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::types::{Point, ScoreKind};

/// The labels of a [`Selection`].
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
    /// The labels to take.
    pub verdict: Verdict,
    /// True for all later positions, false for those one move away.
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

    /// Visits the known positions after `board`, each once, parents before children. `visit` gets
    /// the key of the position and its record, and returns true to visit the positions below.
    ///
    /// Level by level, each stored position is asked for its predecessors: a position has a few
    /// predecessors, but more than 200 possible successors.
    pub fn walk(
        &self,
        board: &Board,
        rule: Rule,
        visit: &mut dyn FnMut(&[u8], Record) -> bool,
    ) -> Result<()> {
        let least = Situation::new(board, rule);
        let least = StoredPosition::new(least.key()).expect("the key of a position");
        let mut parents = HashSet::from([least.least_hash()]);
        let mut level = Level::of(board, rule);
        while !parents.is_empty() {
            level = level.next();
            let mut known = HashSet::new();
            self.scan(level, &mut |key, position, record| {
                let follows = position.parents().any(|parent| parents.contains(&parent));
                if follows && visit(key, record.read()?) {
                    known.insert(position.least_hash());
                }
                Ok(())
            })?;
            parents = known;
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Deletes the knowledge of a position. On the way to later known positions an empty record
    /// stays. Returns false if there was nothing to delete.
    pub fn delete(&mut self, situation: &Situation) -> Result<bool> {
        let (board, rule) = key::position(situation.key()).expect("the key of a position");
        let leads_on = !self.reader().children(&board, rule)?.is_empty();
        self.delete_key(situation.key(), leads_on)
    }

    fn delete_key(&mut self, key: &[u8], leads_on: bool) -> Result<bool> {
        let Some(record) = self.reader().get_key(key)? else {
            return Ok(false);
        };
        if !leads_on {
            return self.remove(key);
        }
        self.put_key(key, &record.forgotten())?;
        Ok(!record.is_blank())
    }

    /// Deletes positions after `board` by [`delete`](Writer::delete). Returns their number.
    pub fn remove_after(
        &mut self,
        board: &Board,
        rule: Rule,
        selection: Selection,
    ) -> Result<usize> {
        let mut doomed: Vec<Vec<u8>> = Vec::new();
        self.reader().walk(board, rule, &mut |key, record| {
            if selection.verdict.takes(&record) {
                doomed.push(key.to_vec());
            }
            selection.is_recursive
        })?;
        let mut count = 0;
        let level = |key: &Vec<u8>| Level::of_key(key).expect("the key of a position");
        // The last level first: then no position stays only as the way to one that is deleted too.
        for keys in doomed.chunk_by(|a, b| level(a) == level(b)).rev() {
            let hash = |key: &Vec<u8>| {
                let position = StoredPosition::new(key).expect("the key of a position");
                position.least_hash()
            };
            let hashes: HashSet<u128> = keys.iter().map(hash).collect();
            let mut leading_on = HashSet::new();
            self.reader()
                .scan(level(&keys[0]).next(), &mut |_, position, _| {
                    leading_on.extend(position.parents().filter(|parent| hashes.contains(parent)));
                    Ok(())
                })?;
            for key in keys {
                count += usize::from(self.delete_key(key, leading_on.contains(&hash(key)))?);
            }
        }
        Ok(count)
    }
}
