//! The report of a match: everything that its journal tells, as text and as one HTML file that
//! needs no other.

mod charts;
pub mod ends;
mod games;
mod html;
pub mod openings;
pub mod progress;
mod text;
pub mod times;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::ends::{EndCounts, Forfeit, Lengths};
use self::openings::OpeningResult;
use self::progress::ProgressPoint;
use self::times::PlayerTimes;
use super::game::GameRecord;
use super::journal::MatchTerms;
use super::summary::{self, Summary};
use crate::game::referee::Reason;

pub use html::{is_report, write as write_html};

/// What a match's journal tells.
pub struct MatchReport {
    /// What was agreed.
    pub terms: MatchTerms,
    /// All finished games in order.
    pub games: Vec<GameRecord>,
    /// The result.
    pub summary: Summary,
    /// Number of games that the whole match has, if that is known beforehand.
    pub planned: Option<u64>,
    /// Results by opening; none where all games began on the empty board.
    pub openings: Vec<OpeningResult>,
    /// How the games ended.
    pub ends: BTreeMap<Reason, EndCounts>,
    /// Those that were lost by misbehaviour.
    pub forfeits: Vec<Forfeit>,
    /// How many stones the games had.
    pub lengths: Lengths,
    /// Time and depth of each player.
    pub times: Vec<PlayerTimes>,
    /// How the comparison developed, if there are two players.
    pub progress: Vec<ProgressPoint>,
    /// What the reader must know: what is missing or damaged.
    pub notes: Vec<String>,
}

impl MatchReport {
    /// The report of a match whose finished `games` are in order. All but the list of games leaves
    /// out those that ended after the test had its answer, as [`Summary`] does.
    pub fn new(terms: MatchTerms, games: Vec<GameRecord>, mut notes: Vec<String>) -> MatchReport {
        let summary = Summary::new(&terms, &games);
        let counted = summary::counted_games(&terms, &games);
        let planned = summary::planned_games(&terms);
        if let Some(planned) = planned
            && (games.len() as u64) < planned
        {
            notes.push(format!(
                "{} of {planned} games have ended; the others are not in the report",
                games.len()
            ));
        }
        let names: Vec<String> = terms.players.iter().map(|p| p.name.clone()).collect();
        let progress = match &names[..] {
            [first, second] => progress::progress(first, second, &counted, terms.sprt.as_ref()),
            _ => Vec::new(),
        };
        MatchReport {
            planned,
            openings: openings::openings(&counted),
            ends: ends::ends(&counted),
            forfeits: ends::forfeits(&counted),
            lengths: ends::lengths(&counted),
            times: times::times(&names, &counted),
            progress,
            summary,
            notes,
            terms,
            games,
        }
    }

    /// Time from the first game's end to the last one's, in seconds since 1970, where it is known.
    fn ended(&self) -> Option<(u64, u64)> {
        let ends = || {
            self.games
                .iter()
                .map(|game| game.ended)
                .filter(|at| *at > 0)
        };
        Some((ends().min()?, ends().max()?))
    }
}
