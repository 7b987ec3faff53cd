//! Numbers of games, branches and labels.

use std::ops::AddAssign;

use super::{Kind, TrainingRecord};

/// Numbers of games, branches and labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Branches of their searches.
    pub branches: u64,
    /// Positions of both with a value.
    pub labels: u64,
}

impl Counts {
    /// Adds a record.
    pub fn add(&mut self, record: &TrainingRecord) {
        self.games += u64::from(record.is_game());
        self.branches += u64::from(!record.is_game());
        self.labels += record.labels();
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        self.games += more.games;
        self.branches += more.branches;
        self.labels += more.labels;
    }
}

/// [`Counts`] for each rule and board size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountsByKind(pub(super) Vec<(Kind, Counts)>);

impl CountsByKind {
    /// Adds a record.
    pub(super) fn add(&mut self, record: &TrainingRecord) {
        let kind = record.kind();
        let place = self.0.iter().position(|(k, _)| *k == kind);
        let place = place.unwrap_or_else(|| {
            self.0.push((kind, Counts::default()));
            self.0.len() - 1
        });
        self.0[place].1.add(record);
    }

    /// The sum over all kinds.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.0.iter().for_each(|&(_, counts)| total += counts);
        total
    }
}
