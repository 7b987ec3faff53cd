//! The report for people: 80 columns wide, in colour where the terminal has it.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::{Ending, Subject};
use crate::board::Cell;
use crate::openings::NamedOpening;
use crate::rules::forbidden_points;
use crate::search::{Outcome, Report};
use crate::types::Point;

const BLACK: Style = AnsiColor::Blue.on_default().bold();
const WHITE: Style = AnsiColor::Yellow.on_default().bold();
const SUGGESTED: Style = AnsiColor::Green.on_default().bold();
const FORBIDDEN: Style = AnsiColor::Red.on_default();
const FAINT: Style = Style::new().dimmed();

/// Columns of the report.
const WIDTH: usize = 80;
/// Suggested moves that the board shows, each by a digit.
const MOST_SHOWN: usize = 9;

/// A finished depth on one line, cut to the width of the report.
pub(super) fn write_progress(
    out: &mut dyn Write,
    subject: &Subject,
    report: &Report,
) -> io::Result<()> {
    let head = format!(
        "depth {:>2}/{:<3} {:>6} {:>5.1} % {:>8} nodes {:>8}  ",
        report.depth,
        report.seldepth,
        report.score,
        100.0 * report.win_rate,
        short_count(report.nodes),
        seconds(report.elapsed),
    );
    let more = " ..";
    let lines = wrapped(&moves(subject, &report.pv), WIDTH - head.len() - more.len());
    let first = lines.first().map_or("", String::as_str);
    let more = if lines.len() > 1 { more } else { "" };
    writeln!(out, "{FAINT}{head}{FAINT:#}{first}{FAINT}{more}{FAINT:#}")?;
    out.flush()
}

/// The whole report; without an outcome, when there was nothing to search.
pub(super) fn write(
    out: &mut dyn Write,
    subject: &Subject,
    outcome: Option<&Outcome>,
) -> io::Result<()> {
    let board = &subject.board;
    let suggested: Vec<Point> = outcome.map(suggestions).unwrap_or_default();
    writeln!(out)?;
    write_board(out, subject, &suggested)?;
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
    match subject.ending {
        Some(Ending::Won(color)) => writeln!(out, ", {color} has won")?,
        Some(Ending::Draw) => writeln!(out, ", a draw: the board is full")?,
        None => writeln!(out, ", {} to move", board.side_to_move())?,
    }
    if let Some(opening) = NamedOpening::of(board) {
        writeln!(out, "Opening {opening}")?;
    }
    if let (Some(kinds), Some(last)) = (subject.foul, board.last()) {
        let p = subject.label(last.point);
        writeln!(
            out,
            "{FORBIDDEN}The last move {p} was forbidden ({kinds}).{FORBIDDEN:#}"
        )?;
    }
    if let Some(outcome) = outcome {
        writeln!(out)?;
        write_candidates(out, subject, outcome)?;
    }
    Ok(())
}

/// The first moves of all lines, best first.
fn suggestions(outcome: &Outcome) -> Vec<Point> {
    if outcome.lines.is_empty() {
        return outcome.best.into_iter().collect();
    }
    outcome.lines.iter().map(|line| line.pv[0]).collect()
}

fn write_board(out: &mut dyn Write, subject: &Subject, suggested: &[Point]) -> io::Result<()> {
    let board = &subject.board;
    let side = board.side_to_move();
    let forbidden = match subject.ending {
        None => forbidden_points(board, subject.rule, side),
        Some(_) => Vec::new(),
    };
    let last = board.last().map(|stone| stone.point);
    for y in 0..board.height() {
        write!(out, "{FAINT}{:>2}{FAINT:#} ", board.height() - y)?;
        for x in 0..board.width() {
            let p = Point::new(x, y);
            let before = match last {
                Some(q) if q == p => '[',
                Some(q) if x > 0 && q == Point::new(x - 1, y) => ']',
                _ => ' ',
            };
            let rank = suggested.iter().take(MOST_SHOWN).position(|&q| q == p);
            let (style, symbol) = match (board.cell(p), rank) {
                (Cell::Black, _) => (BLACK, 'X'),
                (Cell::White, _) => (WHITE, 'O'),
                (Cell::Blocked, _) => (FAINT, '#'),
                (Cell::Empty, Some(rank)) => (SUGGESTED, (b'1' + rank as u8) as char),
                (Cell::Empty, None) if forbidden.contains(&p) => (FORBIDDEN, '!'),
                (Cell::Empty, None) => (FAINT, '.'),
            };
            write!(out, "{before}{style}{symbol}{style:#}")?;
        }
        let ends_row = last.is_some_and(|q| q.x() + 1 == board.width() && q.y() == y);
        writeln!(out, "{}", if ends_row { "]" } else { "" })?;
    }
    let letters: String = (0..board.width())
        .flat_map(|x| [' ', (b'a' + x) as char])
        .collect();
    writeln!(out, "{FAINT}   {letters}{FAINT:#}")?;
    let mut legend = vec!["X black", "O white"];
    legend.extend(last.map(|_| "[ ] last move"));
    let shown = suggested.len().min(MOST_SHOWN);
    let suggestions = match shown {
        1 => "1 suggested".to_string(),
        _ => format!("1-{shown} suggested"),
    };
    legend.extend((shown > 0).then_some(suggestions.as_str()));
    legend.extend((!forbidden.is_empty()).then_some("! forbidden"));
    writeln!(out, "{FAINT}    {}{FAINT:#}", legend.join("   "))
}

fn write_candidates(out: &mut dyn Write, subject: &Subject, outcome: &Outcome) -> io::Result<()> {
    if outcome.lines.is_empty() {
        let best = outcome.best.map(|p| subject.label(p)).unwrap_or_default();
        return writeln!(out, "{SUGGESTED}{best}{SUGGESTED:#} needs no search");
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
        let texts = wrapped(&moves(subject, &line.pv), WIDTH - head.len());
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

/// The words on lines of at most `width` columns.
fn wrapped(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
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
