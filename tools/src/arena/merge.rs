//! Joins the journals of a match that was played in parts on several machines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::game::GameRecord;
use super::journal::{self, Journal, MatchTerms};
use super::json_lines::JournalError;
use crate::share::Share;

/// A match that was played in parts, joined.
#[derive(Debug)]
pub struct Merged {
    /// Terms of the whole match.
    pub terms: MatchTerms,
    /// Games of all parts in order, each once.
    pub games: Vec<GameRecord>,
    /// Parts without a journal, as `K/N`.
    pub missing: Vec<String>,
}

/// Joins the journals of a match that was played in parts. A game in several journals counts once.
///
/// # Errors
/// When a journal cannot be read, or the journals belong to different matches.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, JournalError> {
    merge_by(paths, &mut journal::read)
}

/// Joins journals that may be damaged, as [`merge`] does: also returns the errors of the lines left
/// out.
///
/// # Errors
/// When a journal's terms cannot be read, or the journals belong to different matches.
pub fn salvage(paths: &[PathBuf]) -> Result<(Merged, Vec<JournalError>), JournalError> {
    let mut damage = Vec::new();
    let merged = merge_by(paths, &mut |path| journal::salvage(path, &mut damage))?;
    Ok((merged, damage))
}

type ReadJournal<'a> =
    &'a mut dyn FnMut(&Path) -> Result<(MatchTerms, Vec<GameRecord>), JournalError>;

fn merge_by(paths: &[PathBuf], read: ReadJournal) -> Result<Merged, JournalError> {
    let mut joined: Option<MatchTerms> = None;
    let mut games = BTreeMap::new();
    let mut shards = Vec::new();
    for path in paths {
        let (terms, part) = read(path)?;
        shards.push(terms.shard.clone());
        if let Some(joined) = &mut joined {
            if let Some(difference) = joined.difference(&terms, true) {
                return Err(JournalError::OtherTerms {
                    path: path.clone(),
                    difference,
                });
            }
            joined.games = joined.games.max(terms.games);
        } else {
            joined = Some(MatchTerms {
                shard: None,
                ..terms
            });
        }
        for game in part {
            games.entry(game.id).or_insert(game);
        }
    }
    Ok(Merged {
        terms: joined.ok_or(JournalError::Nothing)?,
        games: games.into_values().collect(),
        missing: missing_shards(&shards),
    })
}

/// The parts missing from `shards`; none if one of them is the whole match.
fn missing_shards(shards: &[Option<String>]) -> Vec<String> {
    let shards: Option<Vec<Share>> = shards
        .iter()
        .map(|shard| shard.as_ref()?.parse().ok())
        .collect();
    let Some(shards) = shards else {
        return Vec::new();
    };
    let counts: BTreeSet<u64> = shards.iter().map(|shard| shard.count).collect();
    // Parts of several divisions may add up to the whole; only their games show it.
    let [count] = counts.into_iter().collect::<Vec<_>>()[..] else {
        return Vec::new();
    };
    (0..count)
        .filter(|&index| shards.iter().all(|shard| shard.index != index))
        .map(|index| Share { index, count }.to_string())
        .collect()
}

/// Writes joined journals as one.
///
/// # Errors
/// When the file exists or cannot be written.
pub fn write(path: &Path, terms: &MatchTerms, games: &[GameRecord]) -> Result<(), JournalError> {
    let mut journal = Journal::create(path, terms, &[])?;
    games.iter().try_for_each(|game| journal.add(game))
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::{game, terms};
    use super::*;
    use crate::game::referee::Outcome;

    #[test]
    fn shards_are_joined_and_doubles_count_once() {
        let directory = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..2)
            .map(|i| {
                let path = directory.path().join(format!("{i}.jsonl"));
                let part = MatchTerms {
                    shard: Some(format!("{}/2", i + 1)),
                    ..terms()
                };
                let mut journal = Journal::create(&path, &part, &[]).unwrap();
                journal.add(&game(i, Outcome::Black)).unwrap();
                journal.add(&game(2, Outcome::Draw)).unwrap();
                path
            })
            .collect();
        let joined = merge(&paths).unwrap();
        assert_eq!(joined.terms.shard, None);
        assert!(joined.missing.is_empty());
        let ids: Vec<u64> = joined.games.iter().map(|g| g.id).collect();
        assert_eq!(ids, [0, 1, 2]);
        assert_eq!(merge(&paths[1..]).unwrap().missing, ["1/2"]);
        assert!(matches!(merge(&[]), Err(JournalError::Nothing)));
    }
}
