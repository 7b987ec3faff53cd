//! Many games at once.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use super::play::Player;
use super::{Ending, Journal, JournalError, Settings, TrainingGame};
use crate::engine::Evaluation;
use crate::types::Color;

/// Sums over the games of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// Moves, those of openings included.
    pub plies: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games won by White.
    pub white: u64,
    /// Branches of their searches.
    pub branches: u64,
}

impl Totals {
    fn add(&mut self, record: &TrainingGame) {
        if record.ending == Ending::Open {
            self.branches += 1;
            return;
        }
        self.games += 1;
        self.plies += record.moves.len() as u64;
        self.black += u64::from(record.ending == Ending::Won(Color::Black));
        self.white += u64::from(record.ending == Ending::Won(Color::White));
    }

    /// Games that nobody won.
    pub fn draws(&self) -> u64 {
        self.games - self.black - self.white
    }
}

/// Plays games with `evaluation`, which the settings have noted, until `journal` holds `games`, `threads` at the same time, and finishes the journal.
/// Calls `progress` with the sums of this run after each game kept. Returns the sums.
///
/// # Errors
/// When a game cannot be kept; the games that were kept stay.
pub fn run(
    settings: &Settings,
    evaluation: &Evaluation,
    mut journal: Journal,
    games: u64,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(&Totals),
) -> Result<Totals, JournalError> {
    let first = journal.games();
    let next = AtomicU64::new(first);
    let stop = AtomicBool::new(false);
    let mut totals = Totals::default();
    let kept = std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                let mut player = Player::new(settings, evaluation);
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games || sender.send((number, player.game(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Games wait here for those with lower numbers that still go on.
        let mut early = BTreeMap::new();
        for (number, records) in receiver {
            early.insert(number, records);
            while let Some(records) = early.remove(&journal.games()) {
                if let Err(error) = journal.add(&records) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                records.iter().for_each(|record| totals.add(record));
                progress(&totals);
            }
        }
        Ok(())
    });
    kept?;
    journal.finish()?;
    Ok(totals)
}
