//! The report for people: 80 columns wide, in colour where the terminal has it.

use std::io::{self, Write};
use std::time::Duration;

use super::super::board_text::{self, FAINT, FORBIDDEN, SUGGESTED};
use super::super::wrap::wrapped_words;
use super::{Searched, Subject};
use crate::game::referee::Outcome;
use tengen::openings::NamedOpening;
use tengen::rules::forbidden_points;
use tengen::search::{SearchInfo, SearchResult};
use tengen::types::Point;

/// Columns of the report.
const WIDTH: usize = 80;

/// A candidate after a finished depth on one line, cut to the width of the report.
pub(super) fn write_progress(
    out: &mut dyn Write,
    subject: &Subject,
    report: &SearchInfo,
) -> io::Result<()> {
    let rank = match report.lines {
        0 | 1 => String::new(),
        _ => format!("#{:<3} ", report.rank + 1),
    };
    let head = format!(
        "depth {:>2}/{:<3} {rank}{:>6} {:>5.1} % {:>8} nodes {:>8}  ",
        report.depth,
        report.seldepth,
        report.score,
        100.0 * report.win_rate,
        short_count(report.nodes),
        seconds(report.elapsed),
    );
    let more = " ..";
    let moves = moves(subject, &report.pv);
    let room = WIDTH - head.len() - more.len();
    let lines = wrapped_words(moves.iter().map(String::as_str), room);
    let first = lines.first().map_or("", String::as_str);
    let more = if lines.len() > 1 { more } else { "" };
    writeln!(out, "{FAINT}{head}{FAINT:#}{first}{FAINT}{more}{FAINT:#}")?;
    out.flush()
}

/// The whole report; `searched` is `None` without a search.
pub(super) fn write(
    out: &mut dyn Write,
    subject: &Subject,
    searched: Option<&Searched>,
) -> io::Result<()> {
    let board = &subject.board;
    let suggested: Vec<Point> = searched
        .map(|searched| suggestions(&searched.result))
        .unwrap_or_default();
    writeln!(out)?;
    let forbidden = match subject.outcome {
        None => forbidden_points(board, subject.rule, board.side_to_move()),
        Some(_) => Vec::new(),
    };
    board_text::write(out, board, subject.last, &forbidden, &suggested)?;
    writeln!(out)?;
    let stones = board.stones().len();
    write!(
        out,
        "{}, {}x{}, {stones} stone{}",
        subject.rule,
        board.width(),
        board.height(),
        if stones == 1 { "" } else { "s" },
    )?;
    match subject.outcome {
        Some(Outcome::Draw) => writeln!(out, ", a draw: the board is full")?,
        Some(outcome) => writeln!(out, ", {} has won", outcome.name())?,
        None => writeln!(out, ", {} to move", board.side_to_move())?,
    }
    if let Some(opening) = NamedOpening::of(board) {
        writeln!(out, "Opening {opening}")?;
    }
    if let (Some(kinds), Some(last)) = (subject.foul, subject.last) {
        let p = subject.label(last);
        writeln!(
            out,
            "{FORBIDDEN}The last move {p} was forbidden ({kinds}).{FORBIDDEN:#}"
        )?;
    }
    if let Some(searched) = searched {
        writeln!(out)?;
        write_candidates(out, subject, &searched.result)?;
        if searched.is_interrupted {
            writeln!(out, "interrupted: this is what was found until then")?;
        }
    }
    Ok(())
}

/// The first moves of all lines, best first.
fn suggestions(outcome: &SearchResult) -> Vec<Point> {
    if outcome.lines.is_empty() {
        return outcome.best.into_iter().collect();
    }
    outcome.lines.iter().map(|line| line.pv[0]).collect()
}

fn write_candidates(
    out: &mut dyn Write,
    subject: &Subject,
    outcome: &SearchResult,
) -> io::Result<()> {
    if outcome.lines.is_empty() {
        return match outcome.best.map(|p| subject.label(p)) {
            Some(best) => writeln!(out, "{SUGGESTED}{best}{SUGGESTED:#} needs no search"),
            None => writeln!(out, "no depth was completed"),
        };
    }
    let head = " #  move   value  win rate  depth  ";
    writeln!(out, "{FAINT}{head}line{FAINT:#}")?;
    for (i, line) in outcome.lines.iter().enumerate() {
        let columns = format!(
            "{SUGGESTED}{:>2}  {:<4}{SUGGESTED:#} {:>7}  {:>6.1} %  {:>5}  ",
            i + 1,
            subject.label(line.pv[0]),
            line.score,
            100.0 * line.win_rate,
            line.depth,
        );
        let mut words = moves(subject, &line.pv);
        if subject.ends_by_foul(line) {
            words.push("(a win by a foul: no move is allowed)".to_string());
        }
        let texts = wrapped_words(words.iter().map(String::as_str), WIDTH - head.len());
        for (row, text) in texts.iter().enumerate() {
            match row {
                0 => writeln!(out, "{columns}{text}")?,
                _ => writeln!(out, "{:width$}{text}", "", width = head.len())?,
            }
        }
    }
    let speed = outcome.nodes as f64 / outcome.elapsed.as_secs_f64().max(1e-3);
    writeln!(
        out,
        "\n{} nodes in {}, {} nodes/s; value and win rate for {}",
        short_count(outcome.nodes),
        seconds(outcome.elapsed),
        short_count(speed as u64),
        subject.board.side_to_move(),
    )
}

fn moves(subject: &Subject, points: &[Point]) -> Vec<String> {
    points.iter().map(|&p| subject.label(p)).collect()
}

/// `950`, `12.3 k`, `4.56 M`: three digits at least.
fn short_count(n: u64) -> String {
    let n = n as f64;
    match n {
        _ if n < 1e4 => format!("{n}"),
        _ if n < 1e6 => format!("{:.1} k", n / 1e3),
        _ if n < 1e9 => format!("{:.2} M", n / 1e6),
        _ => format!("{:.2} G", n / 1e9),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
