//! A folder of shards: files of a fixed number of games of one kind, named by rule, board and
//! number, each with a seed of its own. Several processes may fill one folder: each takes shards
//! that no other is making.

use std::path::PathBuf;

use twox_hash::XxHash64;

use super::plan::{Kind, Plan};
use super::{DatagenSettings, GameFile, GameFileError};
use crate::share::Share;
use tengen::engine::Evaluation;
use tengen::eval::network::NetworkError;

/// The shards of a folder that are still to be made, without end.
pub struct Shards {
    folder: PathBuf,
    games: u64,
    share: Share,
    /// For each kind of the plan its settings, without number and seed.
    kinds: Vec<(Kind, DatagenSettings)>,
    order: Box<dyn Iterator<Item = usize>>,
    /// For each kind the count of numbers taken.
    taken: Vec<u64>,
}

/// A shard that this process makes.
pub struct Shard {
    /// Such as `freestyle-15-00001`.
    pub name: String,
    /// Its settings.
    pub settings: DatagenSettings,
    /// Its file, locked.
    pub file: GameFile,
}

/// The fate of the next shard.
pub enum NextShard {
    /// The shard is to be made, or continued.
    Open(Box<Shard>),
    /// The shard is finished, or in the hands of another process.
    Taken,
}

impl Shards {
    /// The shards of `games` games in `folder` by `plan`. Of `settings` all but rules, boards, seed
    /// and fingerprints hold for each.
    ///
    /// # Errors
    /// When `evaluation` cannot evaluate one of the rules.
    pub fn new(
        folder: PathBuf,
        plan: &Plan,
        share: Share,
        games: u64,
        settings: &DatagenSettings,
        evaluation: &Evaluation,
    ) -> Result<Shards, NetworkError> {
        let of_kind = |kind: Kind| {
            let mut settings = DatagenSettings {
                rules: vec![kind.rule],
                sizes: vec![kind.size],
                ..settings.clone()
            };
            settings.set_evaluation(evaluation)?;
            Ok((kind, settings))
        };
        let kinds: Vec<_> = plan.kinds().map(of_kind).collect::<Result<_, _>>()?;
        Ok(Shards {
            folder,
            games,
            share,
            order: Box::new(plan.order()),
            taken: vec![0; kinds.len()],
            kinds,
        })
    }

    /// The next shard of the plan. Files of other settings and files that cannot be continued are
    /// passed over, with a call of `skipped`.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn next_shard(
        &mut self,
        skipped: &mut dyn FnMut(&GameFileError),
    ) -> Result<NextShard, GameFileError> {
        let place = self.order.next().expect("the order has no end");
        loop {
            let (name, settings) = self.take_number(place);
            let path = self.folder.join(format!("{name}.bin.zst"));
            match GameFile::open(&path, &settings) {
                Ok(file) if file.games() >= self.games && file.repair().is_none() => {
                    return Ok(NextShard::Taken);
                }
                Ok(file) => {
                    let shard = Shard {
                        name,
                        settings,
                        file,
                    };
                    return Ok(NextShard::Open(Box::new(shard)));
                }
                Err(GameFileError::Busy(_)) => return Ok(NextShard::Taken),
                Err(GameFileError::Settings(..)) => {}
                Err(error @ GameFileError::Io(..)) => return Err(error),
                Err(error) => skipped(&error),
            }
        }
    }

    /// Name and settings of the next shard of a kind.
    fn take_number(&mut self, place: usize) -> (String, DatagenSettings) {
        let (kind, settings) = &self.kinds[place];
        let number = self.share.index + 1 + self.taken[place] * self.share.count;
        self.taken[place] += 1;
        let name = format!("{kind}-{number:05}");
        let settings = DatagenSettings {
            seed: shard_seed(settings.seed, &name),
            shard: number,
            ..settings.clone()
        };
        (name, settings)
    }
}

/// The seed of a shard, of 53 bits, which every reader of JSON reads exactly.
fn shard_seed(seed: u64, name: &str) -> u64 {
    XxHash64::oneshot(seed, name.as_bytes()) >> 11
}
