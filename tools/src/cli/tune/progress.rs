//! Progress of a tuning on standard error: a bar and the parameters on a terminal, a line for every
//! iteration elsewhere.

use std::io::{self, IsTerminal};

use indicatif::ProgressBar;

use super::report::table;
use crate::arena::game::GameRecord;
use crate::arena::spsa::Spsa;
use crate::arena::stats::ScoreCounts;
use crate::cli::arena::progress::{game_line, narrowed_line};
use crate::cli::progress_style::counting_bar;
use tengen::streams::eprint_line;

/// Rows that fit under a bar: the parameters that have moved most.
const ROWS: usize = 12;
/// Number of iterations between two outputs of the parameters without a terminal.
const LINES_BETWEEN_TABLES: u64 = 20;

/// The display.
pub struct Progress {
    /// Counts games; hidden without a terminal.
    bar: ProgressBar,
    is_terminal: bool,
}

impl Progress {
    /// The display for `games` games, of which `done` were played before.
    pub fn new(games: u64, done: u64) -> Progress {
        let is_terminal = io::stderr().is_terminal();
        let bar = counting_bar(games, done, " games");
        Progress { bar, is_terminal }
    }

    /// A game has ended.
    pub fn game(&mut self, game: &GameRecord) {
        self.bar.inc(1);
        if game.reason.is_forfeit() {
            self.say(&game_line(game));
        }
    }

    /// An iteration has ended with `result` for the version `plus`.
    pub fn iteration(&mut self, spsa: &Spsa, of: u64, stage: &str, result: &ScoreCounts) {
        let line = format!("iteration {}/{of}, {stage}: {result}", spsa.done());
        if self.is_terminal {
            self.bar
                .set_message(format!("{line}\n{}", table(spsa, ROWS)));
            return;
        }
        eprint_line(line);
        if spsa.done().is_multiple_of(LINES_BETWEEN_TABLES) {
            eprint_line(table(spsa, spsa.knobs().len()).trim_end());
        }
    }

    /// The system has no room for more than `games` games at once.
    pub fn narrowed(&self, games: usize, why: &str) {
        self.say(&narrowed_line(games, why));
    }

    /// Clears the display.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, line: &str) {
        if self.is_terminal {
            self.bar.println(line);
        } else {
            eprint_line(line);
        }
    }
}
