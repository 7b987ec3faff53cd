//! The report of a match: the contents of its journal as text and as one HTML file, complete in
//! itself.

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
    /// Number of games of the whole match, if known beforehand.
    pub planned: Option<u64>,
    /// Results by opening; none where all games began on the empty board.
    pub openings: Vec<OpeningResult>,
    /// The ends of games by reason.
    pub ends: BTreeMap<Reason, EndCounts>,
    /// Games lost by misbehaviour.
    pub forfeits: Vec<Forfeit>,
    /// The lengths of the games in stones.
    pub lengths: Lengths,
    /// Time and depth of each player.
    pub times: Vec<PlayerTimes>,
    /// The course of the comparison, if there are two players.
    pub progress: Vec<ProgressPoint>,
    /// Notes for the reader about missing or damaged parts.
    pub notes: Vec<String>,
}

impl MatchReport {
    /// The report of a match whose finished `games` are in order. Games that ended after the test's
    /// answer appear in the list of games alone, as for [`Summary`].
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

    /// The players, or their number.
    fn title(&self) -> String {
        let players = &self.terms.players;
        if players.len() > MOST_NAMED {
            return format!("Match of {} players", players.len());
        }
        let names: Vec<&str> = players.iter().map(|p| p.name.as_str()).collect();
        on_one_line(&format!("Match: {}", names.join(" – ")))
    }

    /// The report as one HTML file. The file needs no other, whether sent, put on a server, or
    /// opened from a disk. The same report gives the same text.
    ///
    /// # Errors
    /// When the built-in page has no template for reports.
    pub fn html(&self) -> Result<String, PageError> {
        Page::built_in()?.match_report(&self.title(), &games::json(self), &self.to_string())
    }
}
