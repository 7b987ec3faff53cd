//! The report for scripts: one JSON object, its fields named and explained here and in
//! docs/analysis.md.

use std::io::{self, Write};

use serde::Serialize;

use super::{Searched, Subject};
use crate::game::referee::Outcome;
use tengen::openings::NamedOpening;
use tengen::search::SearchInfo;
use tengen::types::ScoreKind;

/// The whole report. Points are labels such as `h8`, sides `black` and `white`.
#[derive(Serialize)]
struct Analysis {
    rule: &'static str,
    width: u8,
    height: u8,
    /// Stones in the order in which they were put, as `[point, side]`.
    stones: Vec<[String; 2]>,
    side_to_move: String,
    /// The one of renju's 26 openings with which the game began; `null` for none.
    opening: Option<JsonOpening>,
    /// `null` while the game goes on; else `black`, `white` (who has won) or `draw`.
    result: Option<Outcome>,
    /// Kind of the last move's foul (`6`, `44`, `33`, joined by `+`); `null` for none.
    last_move_foul: Option<String>,
    /// The move to play; `null` when the game is over, or when no depth was completed.
    best: Option<String>,
    /// Best line first; empty when the game is over, the move needed no search, or no depth was
    /// completed.
    lines: Vec<JsonLine>,
    /// True if `best` follows from the rules alone: where every point is forbidden.
    needs_no_search: bool,
    /// True if Ctrl-C ended the search before its limit.
    interrupted: bool,
    nodes: u64,
    elapsed_ms: u64,
}

/// One of the 26 openings.
#[derive(Serialize)]
struct JsonOpening {
    /// `4D` for the fourth direct one, `7I` for the seventh indirect one.
    code: String,
    name: &'static str,
    chinese: &'static str,
    japanese: &'static str,
}

impl From<NamedOpening> for JsonOpening {
    fn from(opening: NamedOpening) -> JsonOpening {
        JsonOpening {
            code: opening.code(),
            name: opening.name(),
            chinese: opening.chinese(),
            japanese: opening.japanese(),
        }
    }
}

/// A candidate move with its line of play. Values are those of the side to move.
#[derive(Serialize)]
struct JsonLine {
    /// The candidate.
    r#move: String,
    /// The estimate; `null` if the line is a proved win or loss.
    value: Option<i32>,
    /// Plies to the proved win, else `null`.
    win_in: Option<u32>,
    /// Plies to the proved loss, else `null`.
    loss_in: Option<u32>,
    /// Expected points, win 1, draw 1/2, to four places.
    win_rate: f64,
    depth: u32,
    seldepth: u32,
    /// The moves of both sides, the candidate first.
    line: Vec<String>,
    /// True if the loser has only forbidden moves after them.
    by_foul: bool,
}

impl JsonLine {
    fn new(subject: &Subject, report: &SearchInfo) -> JsonLine {
        let (mut value, mut win_in, mut loss_in) = (None, None, None);
        match report.score.kind() {
            ScoreKind::Value(v) => value = Some(v),
            ScoreKind::Win(plies) => win_in = Some(plies),
            ScoreKind::Loss(plies) => loss_in = Some(plies),
        }
        JsonLine {
            r#move: subject.label(report.pv[0]),
            value,
            win_in,
            loss_in,
            win_rate: (report.win_rate * 1e4).round() / 1e4,
            depth: report.depth,
            seldepth: report.seldepth,
            line: report.pv.iter().map(|&p| subject.label(p)).collect(),
            by_foul: subject.ends_by_foul(report),
        }
    }
}

/// Writes the object and a line end.
pub(super) fn write(
    out: &mut dyn Write,
    subject: &Subject,
    searched: Option<&Searched>,
) -> io::Result<()> {
    let outcome = searched.map(|searched| &searched.result);
    let board = &subject.board;
    let stones = board.stones().iter();
    let analysis = Analysis {
        rule: subject.rule.name(),
        width: board.width(),
        height: board.height(),
        stones: stones
            .map(|stone| [subject.label(stone.point), stone.color.to_string()])
            .collect(),
        side_to_move: board.side_to_move().to_string(),
        opening: NamedOpening::of(board).map(JsonOpening::from),
        result: subject.outcome,
        last_move_foul: subject.foul.map(|kinds| kinds.to_string()),
        best: outcome
            .and_then(|outcome| outcome.best)
            .map(|p| subject.label(p)),
        lines: outcome
            .iter()
            .flat_map(|outcome| &outcome.lines)
            .map(|report| JsonLine::new(subject, report))
            .collect(),
        needs_no_search: outcome.is_some_and(|outcome| outcome.needs_no_search),
        interrupted: searched.is_some_and(|searched| searched.is_interrupted),
        nodes: outcome.map_or(0, |outcome| outcome.nodes),
        elapsed_ms: outcome.map_or(0, |outcome| outcome.elapsed.as_millis() as u64),
    };
    serde_json::to_writer(&mut *out, &analysis)?;
    writeln!(out)
}
