//! Progress of a match on standard error: a bar and the state of the match on a terminal, a line
//! for every game elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::arena::game::GameRecord;
use crate::arena::runner::Match;
use crate::arena::schedule::GameSpec;
use crate::arena::status_line;
use crate::arena::summary::Summary;
use crate::cli::progress_style::{counting_bar, endless_bar};
use tengen::streams::{eprint_line, on_one_line};

/// Shortest time between two summaries; each is computed from all games.
const REFRESH: Duration = Duration::from_secs(1);
/// Games between two summaries without a terminal.
const LINES_BETWEEN_STATES: usize = 10;

/// The display.
pub enum Progress {
    /// A bar on the terminal.
    Bar {
        /// The bar.
        bar: ProgressBar,
        /// Time at which the state was last shown.
        shown: Option<Instant>,
    },
    /// Lines.
    Lines {
        /// Games of the whole match, if known.
        total: Option<u64>,
        /// Games ended, those of an earlier run included.
        ended: u64,
    },
    /// Nothing.
    Silent,
}

impl Progress {
    /// The display for standard error; none with `--json`.
    pub fn new(contest: &Match, done: &[GameRecord], json: bool) -> Progress {
        let total = total_games(contest);
        let ended = done.len() as u64;
        if json {
            return Progress::Silent;
        }
        if !io::stderr().is_terminal() {
            return Progress::Lines { total, ended };
        }
        let bar = match total {
            Some(total) => counting_bar(total, ended, ""),
            None => endless_bar(ended, " games"),
        };
        Progress::Bar { bar, shown: None }
    }

    /// A game begins.
    pub fn started(&mut self, game: &GameSpec) {
        log::debug!("game {} begins", game.id);
    }

    /// True if a summary is to be shown now, after `games` games.
    pub fn wants_summary(&self, games: usize) -> bool {
        match self {
            Progress::Bar { shown, .. } => shown.is_none_or(|at| at.elapsed() >= REFRESH),
            Progress::Lines { .. } => games.is_multiple_of(LINES_BETWEEN_STATES),
            Progress::Silent => false,
        }
    }

    /// A game has ended.
    pub fn finished(&mut self, game: &GameRecord, summary: Option<&Summary>) {
        match self {
            Progress::Bar { bar, shown } => {
                bar.inc(1);
                if let Some(summary) = summary {
                    bar.set_message(live_table(summary));
                    *shown = Some(Instant::now());
                }
                bar.println(game_line(game));
            }
            Progress::Lines { total, ended } => {
                *ended += 1;
                let of = total.map_or_else(String::new, |total| format!("/{total}"));
                eprint_line(format_args!("{ended}{of} {}", game_line(game)));
                if let Some(summary) = summary {
                    eprint_line(format_args!("    {}", status_line(summary)));
                }
            }
            Progress::Silent => {}
        }
    }

    /// The system has no room for more than `games` games at once.
    pub fn narrowed(&self, games: usize, why: &str) {
        let text = narrowed_line(games, why);
        match self {
            Progress::Bar { bar, .. } => bar.println(text),
            _ => eprint_line(text),
        }
    }

    /// Clears the display.
    pub fn finish(self) {
        if let Progress::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// The players' standings, or the state of the duel, under the bar.
fn live_table(summary: &Summary) -> String {
    if summary.duel.is_some() {
        return status_line(summary);
    }
    let mut players: Vec<_> = summary.players.iter().collect();
    players.sort_by_key(|p| p.place);
    let lines: Vec<String> = players
        .iter()
        .map(|p| {
            format!(
                "  {:<24} {:>7} of {:<5} {}",
                on_one_line(&p.name),
                p.points,
                p.stats.all.games(),
                p.stats.all
            )
        })
        .collect();
    lines.join("\n")
}

/// A game's players and its end.
pub fn game_line(game: &GameRecord) -> String {
    on_one_line(&format!(
        "game {}: {} - {}, {} stones, {}",
        game.number(),
        game.black,
        game.white,
        game.turns.len(),
        game.verdict()
    ))
}

/// The warning that fewer games than wanted are played at once.
pub fn narrowed_line(games: usize, why: &str) -> String {
    format!(
        "warning: {games} games at once from now on; the system gives no more files or processes: {}",
        on_one_line(why)
    )
}

/// Number of games to play here, if the schedule is fixed and no test ends the match.
fn total_games(contest: &Match) -> Option<u64> {
    if contest.sprt.is_some() || !contest.schedule.is_fixed() {
        return None;
    }
    let encounters = contest.schedule.next_round(&[])?;
    let games = contest.schedule.games(&encounters, &[]);
    let mine = games
        .iter()
        .filter(|game| contest.shard.is_none_or(|shard| shard.has(game.pair)));
    Some(mine.count() as u64)
}
