//! The report of a match: everything that its journal tells, as text and as one HTML file that
//! needs no other.

pub mod ends;
mod games;
pub mod openings;
pub mod progress;
mod text;
pub mod times;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

use self::ends::{EndCounts, Forfeit, Lengths};
use self::openings::OpeningResult;
use self::progress::ProgressPoint;
use self::times::PlayerTimes;
use super::game::GameRecord;
use super::journal::MatchTerms;
use super::summary::{self, Summary};
use crate::game::referee::Reason;
use crate::serve::{Page, PageError};
use tengen::streams::on_one_line;

/// Most players whom the title names.
const MOST_NAMED: usize = 4;

/// The content of a match's journal.
#[derive(Serialize)]
pub struct MatchReport {
    /// The agreed terms.
    pub terms: MatchTerms,
    /// All finished games in order.
    #[serde(skip)]
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
    /// The lengths of the games in stones.
    pub lengths: Lengths,
    /// Time and depth of each player.
    pub times: Vec<PlayerTimes>,
    /// How the comparison developed, if there are two players.
    pub progress: Vec<ProgressPoint>,
    /// Notes for the reader about missing or damaged parts.
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

    /// The players, or how many they are.
    fn title(&self) -> String {
        let players = &self.terms.players;
        if players.len() > MOST_NAMED {
            return format!("Match of {} players", players.len());
        }
        let names: Vec<&str> = players.iter().map(|p| p.name.as_str()).collect();
        on_one_line(&format!("Match: {}", names.join(" – ")))
    }

    /// The report as one HTML file. Everything that it needs is in it, so that it can be sent, put on
    /// any server, or opened from a disk. The same report gives the same text.
    ///
    /// # Errors
    /// When the page that is compiled in has no template for it.
    pub fn html(&self) -> Result<String, PageError> {
        Page::built_in()?.match_report(&self.title(), &games::json(self), &self.to_string())
    }
}
