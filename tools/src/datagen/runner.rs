//! Plays many games at once and writes them in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use super::play::SelfPlay;
use super::{DatagenSettings, GameFile, GameFileError, GameResult, TrainingRecord};
use tengen::engine::Evaluation;
use tengen::streams::eprint_line;
use tengen::types::Color;

/// Sums over the games of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games played.
    pub games: u64,
    /// Plies, openings included.
    pub plies: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games won by White.
    pub white: u64,
    /// Branches sampled from their searches.
    pub branches: u64,
    /// Positions of games and branches with a search's value.
    pub labels: u64,
}

impl Totals {
    fn add(&mut self, record: &TrainingRecord) {
        self.labels += record.labels();
        if record.result == GameResult::Unknown {
            self.branches += 1;
            return;
        }
        self.games += 1;
        self.plies += record.moves.len() as u64;
        self.black += u64::from(record.result == GameResult::Win(Color::Black));
        self.white += u64::from(record.result == GameResult::Win(Color::White));
    }

    /// Games that nobody won.
    pub fn draws(&self) -> u64 {
        self.games - self.black - self.white
    }
}

/// Plays games with `evaluation`, whose fingerprints are in the settings, `threads` at the same
/// time, until `file` has `games` or `stop` is set, and finishes the file. Games that are not over
/// then are dropped. Calls `progress` with the sums of this run after each game written. Returns
/// the sums.
///
/// Where the system gives fewer threads, fewer games are played at the same time, and a warning
/// says so.
///
/// # Errors
/// When a game cannot be written, or no thread be started; the games before it stay.
pub fn run(
    settings: &DatagenSettings,
    evaluation: &Evaluation,
    mut file: GameFile,
    games: u64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Totals),
) -> Result<Totals, GameFileError> {
    let first = file.games();
    let next = AtomicU64::new(first);
    let has_failed = AtomicBool::new(false);
    let mut totals = Totals::default();
    let written = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for started in 0..threads.get() {
            let sender = sender.clone();
            let (next, has_failed) = (&next, &has_failed);
            let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
                let mut self_play = SelfPlay::new(settings, evaluation);
                while !has_failed.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        break;
                    }
                    let Some(records) = self_play.play_game(number, stop) else {
                        break;
                    };
                    if sender.send((number, records)).is_err() {
                        break;
                    }
                }
            });
            match thread {
                Ok(_) => {}
                Err(error) if started == 0 => return Err(GameFileError::Threads(error)),
                Err(error) => {
                    let text = "warning: the system gives no more threads";
                    eprint_line(format_args!("{text}, {started} games at once: {error}"));
                    break;
                }
            }
        }
        drop(sender);
        // Games that ended before one with a lower number.
        let mut early = BTreeMap::new();
        for (number, records) in receiver {
            early.insert(number, records);
            while let Some(records) = early.remove(&file.games()) {
                if let Err(error) = file.add(&records) {
                    has_failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                records.iter().for_each(|record| totals.add(record));
                progress(&totals);
            }
        }
        Ok(())
    });
    written?;
    file.finish()?;
    Ok(totals)
}
