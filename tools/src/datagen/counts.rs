//! How many games, branches and labels there are, by rule and board.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::TrainingRecord;
use super::record::{number_of, rule_of};
use tengen::rules::Rule;

/// Numbers of games, branches, lines and labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Branches of their searches.
    pub branches: u64,
    /// Positions of both with a search's value.
    pub labels: u64,
    /// Lines with soft labels.
    pub lines: u64,
    /// Their soft labels.
    pub soft_labels: u64,
}

impl Counts {
    /// Adds a record.
    pub fn add(&mut self, record: &TrainingRecord) {
        if record.is_soft() {
            self.lines += 1;
            self.soft_labels += record.soft_labels.len() as u64;
            return;
        }
        self.games += u64::from(record.is_game());
        self.branches += u64::from(!record.is_game());
        self.labels += record.labels();
    }

    /// The records that have numbers of their own: games and lines.
    pub(super) fn numbered(self) -> u64 {
        self.games + self.lines
    }

    /// Whether there are games or branches.
    pub(super) fn has_games(self) -> bool {
        self.games + self.branches > 0
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        self.games += more.games;
        self.branches += more.branches;
        self.labels += more.labels;
        self.lines += more.lines;
        self.soft_labels += more.soft_labels;
    }
}

/// [`Counts`] for each rule and board size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountsByKind(BTreeMap<(u8, u8), Counts>);

impl AddAssign<&CountsByKind> for CountsByKind {
    fn add_assign(&mut self, more: &CountsByKind) {
        for (&kind, &counts) in &more.0 {
            *self.0.entry(kind).or_default() += counts;
        }
    }
}

impl CountsByKind {
    /// Adds a record.
    pub(super) fn add(&mut self, record: &TrainingRecord) {
        self.of(record.rule, record.size).add(record);
    }

    /// The counts of a rule and a board size, to be changed.
    pub(super) fn of(&mut self, rule: Rule, size: u8) -> &mut Counts {
        self.0.entry((number_of(rule), size)).or_default()
    }

    /// Rule, board size and counts of each kind, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Rule, u8, Counts)> {
        self.0.iter().map(|(&(number, size), &counts)| {
            let rule = rule_of(number).expect("only rules have numbers here");
            (rule, size, counts)
        })
    }

    /// The sum over all kinds.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.0.values().for_each(|&counts| total += counts);
        total
    }
}
