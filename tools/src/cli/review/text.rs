//! A review for people: a table of the moves, 80 columns wide.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::super::board_text::{FAINT, FORBIDDEN, SUGGESTED};
use super::Reviewed;
use tengen::types::{Color, Point};
use tengen_games::review::{Judgement, MoveClass};

/// Columns of the table.
const WIDTH: usize = 80;
/// Columns before the better line.
const LINE_COLUMN: usize = 48;
/// Moves named as the worst ones.
const MOST_WORST: usize = 5;
/// Faults that are not grave.
const DOUBTFUL: Style = AnsiColor::Yellow.on_default();

/// The table and the summary.
pub(super) fn write(out: &mut dyn Write, reviewed: &Reviewed) -> io::Result<()> {
    writeln!(out, "{}", reviewed.record.title())?;
    let head = "  #  move   win rate  class      best win rate  line";
    writeln!(out, "{FAINT}{head}{FAINT:#}")?;
    for judgement in &reviewed.review.judgements {
        write_move(out, reviewed, judgement)?;
    }
    writeln!(out)?;
    for color in Color::BOTH {
        write_side(out, reviewed, color)?;
    }
    write_worst(out, reviewed)?;
    let is_unknown = |j: &&Judgement| j.class == MoveClass::Unknown;
    let unknown = reviewed.review.judgements.iter().filter(is_unknown).count();
    if unknown > 0 {
        writeln!(
            out,
            "unknown: {unknown} of the moves; the limits ended their searches too early: give more"
        )?;
    }
    let summary = &reviewed.review.summary;
    if summary.reviewed < summary.moves {
        writeln!(
            out,
            "interrupted: {} of {} moves",
            summary.reviewed, summary.moves
        )?;
    }
    Ok(())
}

/// The moves that lose most.
fn write_worst(out: &mut dyn Write, reviewed: &Reviewed) -> io::Result<()> {
    let label = |p: &Point| p.label(reviewed.record.start.height());
    let mut head = "worst moves:";
    for judgement in reviewed.review.worst_moves(MOST_WORST) {
        let point = judgement.made.point.as_ref();
        let better = judgement
            .best
            .filter(|_| judgement.best != judgement.made.point);
        writeln!(
            out,
            "{head:<12} {}. {} lost {:.1} %{}",
            judgement.number,
            point.map_or("pass".to_string(), label),
            100.0 * judgement.loss(),
            better.map_or(String::new(), |best| format!(", better {}", label(&best))),
        )?;
        head = "";
    }
    Ok(())
}

fn write_move(out: &mut dyn Write, reviewed: &Reviewed, judgement: &Judgement) -> io::Result<()> {
    let label = |p: &Point| p.label(reviewed.record.start.height());
    let point = judgement
        .made
        .point
        .as_ref()
        .map_or("pass".to_string(), label);
    let stone = match judgement.made.color {
        Color::Black => 'X',
        Color::White => 'O',
    };
    let style = match judgement.class {
        MoveClass::Best => SUGGESTED,
        MoveClass::Inaccuracy => DOUBTFUL,
        MoveClass::Mistake | MoveClass::Blunder => FORBIDDEN,
        MoveClass::Good => Style::new(),
        MoveClass::Opening | MoveClass::Unknown => FAINT,
    };
    let rate = match judgement.class {
        MoveClass::Unknown => "-".to_string(),
        _ => format!("{:.1} %", 100.0 * judgement.value.win_rate),
    };
    write!(
        out,
        "{:>3}  {stone} {point:<4}{rate:>9}  {style}{:<10}{style:#}",
        judgement.number,
        judgement.class.name(),
    )?;
    let better = judgement
        .best
        .filter(|_| judgement.best != judgement.made.point);
    if let Some(best) = better {
        write!(
            out,
            " {:<4}{:>7.1} %  ",
            label(&best),
            100.0 * judgement.best_value.win_rate
        )?;
        let room = WIDTH - LINE_COLUMN;
        let labels = judgement.best_value.line.iter().map(label);
        write!(out, "{}", cut(labels, room))?;
    }
    writeln!(out)
}

/// The words on one line, as many as there is room for.
fn cut(words: impl Iterator<Item = String>, room: usize) -> String {
    let mut line = String::new();
    for word in words {
        if line.len() + 1 + word.len() > room {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    line
}

fn write_side(out: &mut dyn Write, reviewed: &Reviewed, color: Color) -> io::Result<()> {
    let counts = reviewed.review.summary.counts[color.index()];
    let Some(accuracy) = reviewed.review.summary.accuracy[color.index()] else {
        return writeln!(out, "{color}: no move was judged");
    };
    let named = MoveClass::JUDGED.map(|class| {
        let count = counts.of(class);
        let name = match (class, count) {
            (MoveClass::Best | MoveClass::Good, _) | (_, 1) => class.name().to_string(),
            (MoveClass::Inaccuracy, _) => "inaccuracies".to_string(),
            _ => format!("{}s", class.name()),
        };
        format!("{count} {name}")
    });
    writeln!(
        out,
        "{color}: accuracy {accuracy:.1} %, {}",
        named.join(", ")
    )
}
