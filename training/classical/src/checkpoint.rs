//! The state of the training after a pass, saved to a file so that an interrupted run can go on.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use tengen::rules::Rule;

use crate::Arguments;
use crate::learner::Learner;
use crate::train::{TrainError, write};

/// Bytes before the numbers: the fingerprints of options and games, and the number of passes done.
const HEADER: usize = 24;

/// The reason for which a damaged state is not continued.
const DAMAGED: &str = "it is damaged";
const OTHER_OPTIONS: &str = "it is of other options, or of another version of the trainer";
const OTHER_GAMES: &str = "the games have changed";

/// The place of one rule's training state, if it is saved.
pub struct Checkpoint {
    path: Option<PathBuf>,
    /// Fingerprint of all options that change the state.
    options: u64,
    /// Fingerprint of the files of games.
    games: u64,
}

impl Checkpoint {
    /// The checkpoint of `rule` in the folder named by the arguments, which is created if missing.
    /// `games` is the fingerprint of the games.
    ///
    /// # Errors
    /// When the folder cannot be made, or holds the state of another run.
    pub fn new(arguments: &Arguments, rule: Rule, games: u64) -> Result<Checkpoint, TrainError> {
        let mut hasher = DefaultHasher::new();
        format!(
            "{:?} {} {} {:?}",
            arguments.recipe(),
            arguments.epochs,
            arguments.seed,
            arguments.max_games
        )
        .hash(&mut hasher);
        if let Some(folder) = &arguments.checkpoints {
            std::fs::create_dir_all(folder)
                .map_err(|error| TrainError::File(folder.clone(), error))?;
        }
        let folder = arguments.checkpoints.as_ref();
        let checkpoint = Checkpoint {
            path: folder.map(|folder| folder.join(format!("{rule}.state"))),
            options: hasher.finish(),
            games,
        };
        if let Some(path) = &checkpoint.path {
            checkpoint.read(path)?;
        }
        Ok(checkpoint)
    }

    /// The number of passes of an earlier run and the bytes of its numbers; `None` without such a
    /// run.
    fn read(&self, path: &Path) -> Result<Option<(usize, Vec<u8>)>, TrainError> {
        let refused = |why| Err(TrainError::State(path.to_path_buf(), why));
        let mut bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| TrainError::File(path.to_path_buf(), error))?,
        };
        if bytes.len() < HEADER {
            return refused(DAMAGED);
        }
        let numbers = bytes.split_off(HEADER);
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if word(0) != self.options {
            return refused(OTHER_OPTIONS);
        }
        if word(8) != self.games {
            return refused(OTHER_GAMES);
        }
        Ok(Some((word(16) as usize, numbers)))
    }

    /// Loads the state of an earlier run and returns its number of passes; 0 if there is none.
    ///
    /// # Errors
    /// When there is a file but it cannot be read, or is of another run.
    pub fn load(&self, learner: &mut Learner) -> Result<usize, TrainError> {
        let Some(path) = &self.path else {
            return Ok(0);
        };
        let Some((passes, bytes)) = self.read(path)? else {
            return Ok(0);
        };
        if bytes.len() != 4 * learner.state().map(|part| part.len()).sum::<usize>() {
            return Err(TrainError::State(path.clone(), DAMAGED));
        }
        let mut numbers = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for slot in learner.state().flatten() {
            *slot = numbers.next().expect("the length was checked");
        }
        Ok(passes)
    }

    /// Saves the state after `passes`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, learner: &mut Learner, passes: usize) -> Result<(), TrainError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        for word in [self.options, self.games, passes as u64] {
            bytes.extend(word.to_le_bytes());
        }
        for part in learner.state() {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        write(path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learner::Counter;
    use crate::samples::Sample;
    use clap::Parser;
    use tengen::types::{Color, Point};

    fn learner(arguments: &Arguments, passes: usize) -> Learner {
        let sample = Sample {
            side: Color::Black,
            size: 15,
            threat_key: 5,
            cells: vec![(400, 2), (900, 1)],
            result: Some(1.0),
            searched: 0.8,
            is_quiet: true,
            candidates: vec![7, 8, 9],
            candidate_points: vec![Point::new(0, 0), Point::new(1, 0), Point::new(2, 0)],
            played: Some(1),
            ..Sample::empty()
        };
        let mut counter = Counter::new(Rule::Renju);
        counter.count(&sample, 1);
        let mut learner = Learner::new(arguments.recipe(), &counter);
        (0..passes).for_each(|_| learner.learn(&sample, 1.0));
        learner
    }

    #[test]
    fn only_the_same_run_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("states");
        let arguments = |seed: &str| {
            let path = path.to_str().unwrap();
            Arguments::parse_from(["t", "games", "--checkpoints", path, "--seed", seed])
        };
        let one = arguments("1");
        let checkpoint = Checkpoint::new(&one, Rule::Renju, 10).unwrap();
        let mut trained = learner(&one, 20);
        assert_eq!(checkpoint.load(&mut learner(&one, 0)).unwrap(), 0);
        checkpoint.save(&mut trained, 2).unwrap();

        let mut fresh = learner(&one, 0);
        assert_ne!(fresh.weights(), trained.weights());
        assert_eq!(checkpoint.load(&mut fresh).unwrap(), 2);
        assert_eq!(fresh.weights(), trained.weights());
        // The sums of squared gradients are loaded too.
        assert!(fresh.state().eq(trained.state()));

        for (seed, games, why) in [("2", 10, OTHER_OPTIONS), ("1", 11, OTHER_GAMES)] {
            let other = Checkpoint::new(&arguments(seed), Rule::Renju, games).err();
            let error = other.expect("it is of another run").to_string();
            assert!(
                error.contains("renju.state") && error.contains(why),
                "{error}"
            );
        }
        let file = path.join("renju.state");
        let bytes = std::fs::read(&file).unwrap();
        for length in [0, 12, bytes.len() - 4] {
            std::fs::write(&file, &bytes[..length]).unwrap();
            let error = checkpoint.load(&mut learner(&one, 0)).unwrap_err();
            assert!(error.to_string().contains(DAMAGED), "{error}");
        }
    }
}
