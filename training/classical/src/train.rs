//! From games to weights files: count features, train, measure, write.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use tengen::eval::{LOGIT, Weights, encode};
use tengen::rules::Rule;

use crate::Arguments;
use crate::checkpoint::Checkpoint;
use crate::games::{Games, GamesError, fingerprint};
use crate::learner::{Counter, Learner};
use crate::losses::{Metrics, Predictor};
use crate::samples::Sampler;

/// One game in this many is used to count features.
const COUNTED: usize = 4;

/// Level of zstd's effort: the program carries the files, and a tournament limits its size.
const PACKING_LEVEL: i32 = 19;

/// Units of the hand-set weights that multiply the odds by e.
const HAND_SET_LOGIT: f64 = 120.0;

/// The reason for which weights cannot be trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// There are no games of a rule.
    #[error("no games of {0}")]
    NoGames(Rule),
    /// A file cannot be written, or a checkpoint cannot be read.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// A checkpoint that this run cannot go on with.
    #[error("{0}: {1}; remove it, or name another folder of --checkpoints")]
    State(PathBuf, &'static str),
}

/// Runs the training by the arguments.
///
/// # Errors
/// When games cannot be read, checkpoints are of another run, or results cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), TrainError> {
    // Checked now, so a missing folder fails before the training.
    let report = arguments.report.as_deref().and_then(Path::parent);
    for folder in std::iter::once(arguments.out.as_path()).chain(report) {
        if !folder.as_os_str().is_empty() && !folder.is_dir() {
            let error = io::ErrorKind::NotADirectory.into();
            return Err(TrainError::File(folder.to_path_buf(), error));
        }
    }
    // Taken before the games are read: a file may grow, and the state depends on the games as read.
    let files = fingerprint(&arguments.games)?;
    let checkpoints = arguments
        .rules
        .iter()
        .map(|&rule| Checkpoint::new(arguments, rule, files));
    let checkpoints: Vec<Checkpoint> = checkpoints.collect::<Result<_, _>>()?;
    let games = Games::load(&arguments.games, &arguments.rules)?;
    let rules = arguments.rules.iter().copied();
    let jobs: Vec<((Rule, Games), Checkpoint)> = rules.zip(games).zip(checkpoints).collect();
    let mut found = jobs.iter().map(|(found, _)| found);
    if let Some((rule, _)) = found.find(|(_, games)| games.training().is_empty()) {
        return Err(TrainError::NoGames(*rule));
    }
    let bars = MultiProgress::new();
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads.max(1) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let ((rule, games), checkpoint) = job;
                    let result = train_rule(arguments, *rule, games, checkpoint, &bars);
                    let mut finished = finished.lock().expect("no job panics with the lock");
                    finished.insert(rule.index(), result);
                }
            });
        }
    });
    let finished = finished.into_inner().expect("no job panics with the lock");
    let reports: Vec<Report> = finished.into_values().collect::<Result<_, _>>()?;
    let text = report_text(&reports);
    print!("{text}");
    match &arguments.report {
        Some(path) => write(path, text.as_bytes()),
        None => Ok(()),
    }
}

/// The results of one rule.
struct Report {
    rule: Rule,
    rows: String,
    calibration: String,
}

fn train_rule(
    arguments: &Arguments,
    rule: Rule,
    games: &Games,
    checkpoint: &Checkpoint,
    bars: &MultiProgress,
) -> Result<Report, TrainError> {
    let mut order = games.training().to_vec();
    order.shuffle(&mut StdRng::seed_from_u64(arguments.seed));
    order.truncate(arguments.max_games.unwrap_or(usize::MAX));
    let passes = arguments.epochs + 1;
    let bar = bars.add(progress_bar(
        rule,
        order.len() * passes + 2 * games.held_out().len(),
    ));
    let mut sampler = Sampler::new(0.0);

    bar.set_message("counting");
    let mut counter = Counter::new(rule);
    for &start in order.iter().step_by(COUNTED) {
        sampler.replay(&games.game(start), &mut |sample, _| {
            counter.count(sample, COUNTED as u32);
        });
        bar.inc(COUNTED as u64);
    }

    let mut learner = Learner::new(arguments.recipe(), &counter);
    let passed = checkpoint.load(&mut learner)?;
    bar.inc((passed * order.len()) as u64);
    let total = (order.len() * arguments.epochs) as f32;
    let mut done = passed * order.len();
    for epoch in passed..arguments.epochs {
        bar.set_message(format!("pass {} of {}", epoch + 1, arguments.epochs));
        let seed = arguments.seed.wrapping_add(epoch as u64 + 1);
        order.sort_unstable();
        order.shuffle(&mut StdRng::seed_from_u64(seed));
        for &start in &order {
            let remaining = 1.0 - done as f32 / total;
            sampler.replay(&games.game(start), &mut |sample, _| {
                learner.learn(sample, remaining)
            });
            done += 1;
            bar.inc(1);
        }
        checkpoint.save(&mut learner, epoch + 1)?;
    }

    let weights = learner.weights();
    write(
        &arguments.out.join(format!("{rule}.bin.zst")),
        &zstd::bulk::compress(&encode(&weights, rule), PACKING_LEVEL).expect("in memory"),
    )?;
    bar.set_message("measuring");
    let (rows, calibration) = measure(arguments, rule, games, &weights, &bar);
    bar.finish_with_message("done");
    Ok(Report {
        rule,
        rows,
        calibration,
    })
}

/// Metrics of the hand-set and the trained weights over the held-out games, and calibration of the
/// trained ones.
fn measure(
    arguments: &Arguments,
    rule: Rule,
    games: &Games,
    weights: &Weights,
    bar: &ProgressBar,
) -> (String, String) {
    let hand_set = Weights::hand_set();
    let predictors = [
        (
            "hand-set",
            Predictor {
                weights: &hand_set,
                logit: HAND_SET_LOGIT,
            },
        ),
        (
            "learned",
            Predictor {
                weights,
                logit: LOGIT,
            },
        ),
    ];
    let recipe = arguments.recipe();
    let mut sampler = Sampler::new(0.0);
    let mut rows = String::new();
    let mut calibration = String::new();
    for (name, predictor) in predictors {
        let mut by_size: BTreeMap<u8, Metrics> = BTreeMap::new();
        let mut all = Metrics::default();
        for &start in games.held_out() {
            sampler.replay(&games.game(start), &mut |sample, _| {
                all.add(&predictor, &recipe, sample);
                by_size
                    .entry(sample.size)
                    .or_default()
                    .add(&predictor, &recipe, sample);
            });
            bar.inc(1);
        }
        for (size, metrics) in &by_size {
            rows += &metrics.row(rule.name(), &size.to_string(), name);
        }
        calibration = all.calibration();
    }
    (rows, calibration)
}

fn report_text(reports: &[Report]) -> String {
    let mut text = format!("Held-out games.\n\n{}", Metrics::head());
    for report in reports {
        text += &report.rows;
    }
    for report in reports {
        text += &format!(
            "\nCalibration of the learned value, {}, all boards:\n\n{}",
            report.rule, report.calibration
        );
    }
    text
}

fn progress_bar(rule: Rule, len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix:9} {bar:30} {percent:>3} % {elapsed_precise} (left {eta_precise}) {msg}",
    )
    .expect("the template is valid");
    ProgressBar::new(len as u64)
        .with_style(style)
        .with_prefix(rule.name())
}

/// Writes a file; after a failure an existing file is as before.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let new = path.with_extension("new");
    std::fs::write(&new, bytes)
        .and_then(|()| std::fs::rename(&new, path))
        .map_err(|error| TrainError::File(path.to_path_buf(), error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use tengen::types::{Color, Point};
    use tengen_tools::datagen::{GameResult, TrainingRecord};

    /// A short game, packed as a file.
    fn game(value: i8) -> Vec<u8> {
        let game = TrainingRecord {
            size: 15,
            rule: Rule::Renju,
            opening: 1,
            result: GameResult::Win(Color::Black),
            moves: (0..5).map(|i| Point::new(3 + 2 * i, 4 + i)).collect(),
            values: vec![Some(value); 5],
        };
        let mut bytes = Vec::new();
        game.write(&mut bytes).unwrap();
        let games = zstd::encode_all(&bytes[..], 1).unwrap();
        [crate::games::tests::header(), games].concat()
    }

    #[test]
    fn a_run_does_not_go_on_with_other_games() {
        let folder = tempfile::tempdir().unwrap();
        let [games, states] = ["a.bin.zst", "states"].map(|name| folder.path().join(name));
        let fixed = ["t", "--rules", "renju", "--epochs", "1", "--checkpoints"];
        let paths = [states.as_path(), Path::new("--out"), folder.path(), &games];
        let words = fixed.iter().map(Path::new).chain(paths);
        let arguments = Arguments::parse_from(words);
        std::fs::write(&games, game(5)).unwrap();
        run(&arguments).unwrap();
        run(&arguments).unwrap();
        // As many games, but another one.
        std::fs::write(&games, game(6)).unwrap();
        let error = run(&arguments).unwrap_err().to_string();
        assert!(
            error.contains("renju.state: the games have changed"),
            "{error}"
        );
    }
}
