//! Games of the engine against itself, to learn from: openings of a few random stones, every move
//! searched with a fixed number of nodes, many games at once, written to a file that survives
//! interruption.
//!
//! A game depends on the settings and its number alone, and games are written in the order of
//! their numbers, so the file does not depend on how many are played at once or how often the run
//! is cut short.

mod branch;
mod journal;
mod opening;
mod play;
mod record;
mod runner;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::engine::Evaluation;
use crate::eval::network::NetworkError;
use crate::rules::Rule;

pub use journal::{Journal, JournalError};
pub use record::{Ending, RecordError, TrainingGame};
pub use runner::{Totals, run};

/// How games are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Rules, taken in turn; the caro rules are not among them, as the record knows them not.
    #[serde(with = "rule_names")]
    pub rules: Vec<Rule>,
    /// Columns and rows of the boards, taken in turn, 9 to 22.
    pub sizes: Vec<u8>,
    /// Nodes for a move.
    pub nodes: u64,
    /// Branches out of each search's tree that are kept beside the game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub branches: u32,
    /// Nodes for the position at the end of each branch; 0 where the search's word is taken for those
    /// on the way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub settle: u64,
    /// Most random stones before the first searched move.
    pub opening: u8,
    /// Up to this ply a move may be any that the search finds hardly worse than the best.
    pub varied: u16,
    /// Ply at which a game without end is a draw.
    pub draw_after: u16,
    /// Size of each game's transposition table in KiB.
    pub hash_kib: u64,
    /// Chooses openings and varied moves.
    pub seed: u64,
    /// Fingerprint of what each of the rules is evaluated with; none where all of it is the
    /// classical evaluation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<u64>,
}

impl Settings {
    /// Notes what the rules are evaluated with.
    ///
    /// # Errors
    /// When `evaluation` is of no use for one of them.
    pub fn set_evaluation(&mut self, evaluation: &Evaluation) -> Result<(), NetworkError> {
        self.rules
            .iter()
            .try_for_each(|&rule| evaluation.check(rule))?;
        let of = |&rule: &Rule| evaluation.fingerprint(rule);
        self.evaluations = self.rules.iter().map(of).collect::<Result<_, _>>()?;
        if self.evaluations.iter().all(|&fingerprint| fingerprint == 0) {
            self.evaluations.clear();
        }
        Ok(())
    }

    /// Rule and board size of game `number`: every pair in turn.
    fn kind(&self, number: u64) -> (Rule, u8) {
        let pairs = (self.rules.len() * self.sizes.len()) as u64;
        let pair = (number % pairs) as usize;
        (
            self.rules[pair % self.rules.len()],
            self.sizes[pair / self.rules.len()],
        )
    }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Rules as their names in files.
mod rule_names {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::rules::Rule;

    pub fn serialize<S: Serializer>(rules: &[Rule], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rules.iter().map(|rule| rule.name()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Rule>, D::Error> {
        Vec::<String>::deserialize(deserializer)?
            .iter()
            .map(|name| name.parse().map_err(D::Error::custom))
            .collect()
    }
}
