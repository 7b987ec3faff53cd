//! Engines that lose game after game by misbehaviour: such games measure nothing.

use std::collections::HashMap;

use super::game::GameRecord;
use crate::game::referee::Outcome;

/// Forfeits in a row after which a match ends, if the user names no number.
pub const MAX_FORFEITS: u64 = 10;

/// The forfeits of each player since his last game that nobody forfeited.
#[derive(Debug)]
pub struct ForfeitStreaks {
    /// Forfeits that end the match; 0 for none.
    most: u64,
    counts: HashMap<String, u64>,
}

impl ForfeitStreaks {
    /// No forfeits yet; `most` in a row are too many, 0 for any number.
    pub fn new(most: u64) -> ForfeitStreaks {
        ForfeitStreaks {
            most,
            counts: HashMap::new(),
        }
    }

    /// Counts a game.
    ///
    /// # Errors
    /// When its loser has too many forfeits, with his name and the last one.
    pub fn note(&mut self, game: &GameRecord) -> Result<(), String> {
        if !game.reason.is_forfeit() {
            self.counts.remove(&game.black);
            self.counts.remove(&game.white);
            return Ok(());
        }
        let loser = match game.outcome {
            Outcome::Black => &game.white,
            _ => &game.black,
        };
        let count = self.counts.entry(loser.clone()).or_default();
        *count += 1;
        match *count == self.most {
            true => Err(format!(
                "engine {loser}: {count} forfeits in a row, the last one in game {}, {}",
                game.number(),
                game.verdict()
            )),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::game;
    use super::*;
    use crate::game::referee::Reason;

    fn forfeit(id: u64, outcome: Outcome) -> GameRecord {
        GameRecord {
            reason: Reason::Crash,
            detail: "exited with code 3".to_string(),
            ..game(id, outcome)
        }
    }

    #[test]
    fn forfeits_in_a_row_are_too_many_and_others_are_not() {
        // A has Black in games with even numbers.
        let mut streaks = ForfeitStreaks::new(3);
        for game in [
            forfeit(0, Outcome::White),
            forfeit(1, Outcome::Black),
            game(2, Outcome::White),
            forfeit(3, Outcome::Black),
            // B's forfeit does not show that A can play.
            forfeit(4, Outcome::Black),
            forfeit(5, Outcome::Black),
        ] {
            assert_eq!(streaks.note(&game), Ok(()));
        }
        let why = "engine A: 3 forfeits in a row, the last one in game 7, \
                   white wins: crash (exited with code 3)";
        let last = streaks.note(&forfeit(6, Outcome::White));
        assert_eq!(last, Err(why.to_string()));
        let mut any = ForfeitStreaks::new(0);
        assert!((0..50).all(|id| any.note(&forfeit(2 * id, Outcome::White)).is_ok()));
    }
}
