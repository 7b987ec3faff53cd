//! The report as JSON for the page: its tables and all games.

use std::collections::HashSet;

use serde::Serialize;

use super::super::game::{GameRecord, RecordedTurn};
use super::super::negotiation::AgreedStep;
use super::super::record::points;
use super::openings::opening_name;
use super::{MatchReport, ends};
use crate::game::referee::{Outcome, Reason};
use tengen::types::Point;

/// The page's word for a pass.
const PASS: &str = "-";

#[derive(Serialize)]
struct PageReport<'a> {
    /// Of this program.
    version: &'static str,
    #[serde(flatten)]
    report: &'a MatchReport,
    /// As text, because the numbers of scripts have only 53 bits.
    seed: String,
    games: Vec<PageGame<'a>>,
}

/// A game. Names are short, because there may be many games.
#[derive(Serialize)]
struct PageGame<'a> {
    /// Number, from 1.
    id: u64,
    /// Round, from 1.
    round: u32,
    black: &'a str,
    white: &'a str,
    /// `black`, `white` or `draw`.
    outcome: Outcome,
    reason: Reason,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
    opening: String,
    /// Turns of the opening.
    given: usize,
    /// Columns and rows.
    size: [u8; 2],
    stones: usize,
    /// When it ended, in seconds since 1970; 0 if unknown.
    ended: u64,
    /// True if it ended after the test had its answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    uncounted: bool,
    /// Decisions under the opening rule.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    steps: &'a [AgreedStep],
    /// Points one after another: `h8i9-h7`.
    moves: String,
    /// For each turn the time in ms, or null; missing where no turn has one, as are the following.
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<Vec<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<Vec<Option<u32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<Option<u64>>>,
}

/// The JSON of a report.
pub fn json(report: &MatchReport) -> String {
    let counted: HashSet<u64> = super::summary::counted_games(&report.terms, &report.games)
        .iter()
        .map(|game| game.id)
        .collect();
    let games = report.games.iter();
    let page = PageReport {
        version: env!("CARGO_PKG_VERSION"),
        report,
        seed: report.terms.seed.to_string(),
        games: games
            .map(|game| page_game(game, counted.contains(&game.id)))
            .collect(),
    };
    serde_json::to_string(&page).expect("plain data has a JSON form")
}

fn page_game(game: &GameRecord, counted: bool) -> PageGame<'_> {
    let label = |p: Option<Point>| p.map_or_else(|| PASS.to_string(), |p| p.label(game.height));
    PageGame {
        id: game.id.saturating_add(1),
        round: game.round.saturating_add(1),
        black: &game.black,
        white: &game.white,
        outcome: game.outcome,
        reason: game.reason,
        detail: &game.detail,
        opening: opening_name(game),
        given: game.opening_turns,
        size: [game.width, game.height],
        stones: ends::stones(game),
        ended: game.ended,
        uncounted: !counted,
        steps: game.agreed.as_ref().map_or(&[], |agreed| &agreed.steps),
        moves: points(game).into_iter().map(label).collect(),
        ms: each(game, |turn| turn.ms),
        limit: each(game, |turn| turn.allowed_ms),
        eval: each(game, |turn| turn.eval.map(|eval| eval.to_string())),
        depth: each(game, |turn| turn.depth),
        nodes: each(game, |turn| turn.nodes),
    }
}

/// A value of each turn; `None` where none has it.
fn each<T>(
    game: &GameRecord,
    value: impl Fn(&RecordedTurn) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    let values: Vec<Option<T>> = game.turns.iter().map(value).collect();
    values.iter().any(Option::is_some).then_some(values)
}
