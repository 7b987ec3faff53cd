//! Games of the engine against itself, from which the evaluations are trained.
//!
//! A game begins with a few random stones, every move after them is searched with a fixed number of
//! nodes, and many games are played at once. A game depends on the settings and its number alone,
//! and games are written in the order of their numbers, so the file depends neither on the number
//! of games played at once nor on interruptions.

mod branch;
mod counts;
mod data_file;
mod game_file;
mod inventory;
mod merge;
mod plan;
mod play;
mod record;
mod runner;
mod shards;

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod folder_tests;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use tengen::engine::Evaluation;
use tengen::eval::network::NetworkError;
use tengen::rules::Rule;

pub use counts::{Counts, CountsByKind};
pub use data_file::{DataFileError, FileSummary, FormatError, Maker, Section, read_data_file};
pub use game_file::{GameFile, GameFileError};
pub use inventory::{FolderInventory, Inventory, InventoryRow, Recipe, data_files};
pub use merge::{MergeError, merge};
pub use plan::{Kind, MIN_DATAGEN_SIDE, ParsePlanError, Plan};
pub use record::{GameResult, TrainingRecord};
pub use runner::{Totals, run};
pub use shards::{NextShard, Shard, Shards};

/// The settings by which games are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatagenSettings {
    /// Rules, taken in turn.
    #[serde(with = "rule_names")]
    pub rules: Vec<Rule>,
    /// Columns and rows of the boards, taken in turn, 9 to 22.
    pub sizes: Vec<u8>,
    /// Nodes of the search for a move.
    pub nodes: u64,
    /// Branches that are sampled from the tree of each search.
    #[serde(default, skip_serializing_if = "is_default")]
    pub branches: u32,
    /// Nodes of the search that labels the leaf of a branch; 0 takes the labels of the positions on
    /// the branch from the table instead.
    #[serde(default, skip_serializing_if = "is_default")]
    pub relabel_nodes: u64,
    /// Most random stones before the first searched move.
    pub opening: u8,
    /// Before this ply a move may be any that is little worse than the best.
    pub varied: u16,
    /// Ply at which a game is a draw.
    pub draw_after: u16,
    /// Size of each game's transposition table in KiB.
    pub hash_kib: u64,
    /// Seed of the openings, the varied moves and the branches.
    pub seed: u64,
    /// Number of the shard for which the seed was made; 0 for a file of its own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shard: u64,
    /// Fingerprint of the evaluation of each rule; empty where all are classical.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<u64>,
}

impl DatagenSettings {
    /// Stores the fingerprints of `evaluation` for the rules.
    ///
    /// # Errors
    /// When `evaluation` cannot evaluate one of the rules.
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

    /// True if there are games of this rule and board size.
    fn makes(&self, kind: Kind) -> bool {
        self.rules.contains(&kind.rule) && self.sizes.contains(&kind.size)
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

fn is_default<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Rules as their names in files.
mod rule_names {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use tengen::rules::Rule;

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
