//! The state of the training after a pass, saved to a file so that an interrupted run can be
//! continued.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;

use tengen::rules::Rule;

use crate::Arguments;
use crate::learner::Learner;
use crate::train::{TrainError, write};

/// Bytes before the numbers: the fingerprint of the run, and the number of passes done.
const HEADER: usize = 16;

/// Where the state of one rule's training is saved, if anywhere.
pub struct Checkpoint {
    path: Option<PathBuf>,
    /// Depends on everything that the state depends on.
    fingerprint: u64,
}

impl Checkpoint {
    /// The checkpoint of `rule` in the folder that the arguments name, which is created if it is missing.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(arguments: &Arguments, rule: Rule, games: usize) -> Result<Checkpoint, TrainError> {
        let mut hasher = DefaultHasher::new();
        format!(
            "{:?} {} {} {games}",
            arguments.recipe(),
            arguments.epochs,
            arguments.seed
        )
        .hash(&mut hasher);
        arguments.games.hash(&mut hasher);
        if let Some(folder) = &arguments.checkpoints {
            std::fs::create_dir_all(folder)
                .map_err(|error| TrainError::File(folder.clone(), error))?;
        }
        let folder = arguments.checkpoints.as_ref();
        Ok(Checkpoint {
            path: folder.map(|folder| folder.join(format!("{rule}.state"))),
            fingerprint: hasher.finish(),
        })
    }

    /// Loads the state of an earlier run with the same arguments and returns its number of passes; 0
    /// if there is none.
    ///
    /// # Errors
    /// When there is a file but it cannot be read.
    pub fn load(&self, learner: &mut Learner) -> Result<usize, TrainError> {
        let Some(path) = &self.path else {
            return Ok(0);
        };
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            read => read.map_err(|error| TrainError::File(path.clone(), error))?,
        };
        let numbers = 4 * learner.state().map(|part| part.len()).sum::<usize>();
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if bytes.len() != HEADER + numbers || word(0) != self.fingerprint {
            return Ok(0);
        }
        let mut numbers = bytes[HEADER..]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        for slot in learner.state().flatten() {
            *slot = numbers.next().expect("the length was checked");
        }
        Ok(word(8) as usize)
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
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend((passes as u64).to_le_bytes());
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

        for (arguments, games) in [(arguments("2"), 10), (arguments("1"), 11)] {
            let other = Checkpoint::new(&arguments, Rule::Renju, games).unwrap();
            let mut fresh = learner(&arguments, 0);
            assert_eq!(other.load(&mut fresh).unwrap(), 0);
            assert_eq!(fresh.weights(), learner(&arguments, 0).weights());
        }
        // An incomplete file is ignored.
        let file = path.join("renju.state");
        let bytes = std::fs::read(&file).unwrap();
        for length in [0, 12, bytes.len() - 4] {
            std::fs::write(&file, &bytes[..length]).unwrap();
            assert_eq!(checkpoint.load(&mut learner(&one, 0)).unwrap(), 0);
        }
    }
}
