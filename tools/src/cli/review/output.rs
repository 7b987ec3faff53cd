//! A review as JSON, as a game with variations, and as a page.

use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use super::super::Error;
use super::super::error::warn;
use super::{Args, Reviewed};
use crate::serve::Page;
use tengen::files::{Kind, NewFile, write_file};
use tengen::types::Point;
use tengen_games::records::sgf;
use tengen_games::review::{Judgement, MoveClass};

/// Version of the JSON.
const VERSION: u32 = 1;
/// In the comment of the root of a reviewed game.
const MARK: &str = "Reviewed by Tengen.";

/// Checks that the files of the arguments can be written.
pub(super) fn check(args: &Args) -> Result<(), Error> {
    if args.sgf.is_some() && args.sgf == args.html {
        let text = "--sgf and --html name the same file";
        return Err(Error::Usage(text.to_string()));
    }
    if let Some(path) = &args.sgf {
        begin(path, is_reviewed_game)?;
    }
    if let Some(path) = &args.html {
        page()?
            .review("null")
            .map_err(|error| Error::Failed(error.to_string()))?;
        begin(path, is_page)?;
    }
    Ok(())
}

/// Writes the files of the arguments. Where nothing was judged, those of an older review stay.
pub(super) fn write_files(args: &Args, reviewed: &Reviewed) -> Result<(), Error> {
    let judgements = &reviewed.review.judgements;
    if judgements.iter().all(|j| j.class == MoveClass::Unknown) {
        for path in args.sgf.iter().chain(&args.html) {
            let path = path.display();
            warn(&format!("nothing was judged: {path} is not written"));
        }
        return Ok(());
    }
    if let Some(path) = &args.sgf {
        write(path, is_reviewed_game, &game_with_values(reviewed))?;
    }
    if let Some(path) = &args.html {
        let html = page()?.review(&json(reviewed));
        write(
            path,
            is_page,
            &html.map_err(|error| Error::Failed(error.to_string()))?,
        )?;
    }
    Ok(())
}

fn page() -> Result<Page, Error> {
    Page::built_in().map_err(|error| Error::Failed(error.to_string()))
}

fn begin(path: &Path, kind: Kind) -> Result<(), Error> {
    NewFile::begin(path, kind)
        .map(drop)
        .map_err(|error| failed(path, error))
}

fn write(path: &Path, kind: Kind, text: &str) -> Result<(), Error> {
    write_file(path, kind, |file| file.write_all(text.as_bytes()))
        .map_err(|error| failed(path, error))
}

fn failed(path: &Path, error: io::Error) -> Error {
    Error::Failed(format!("{}: {error}", path.display()))
}

fn is_reviewed_game(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.starts_with("(;") && text.contains(MARK)
}

fn is_page(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.starts_with("<!doctype html>") && text.contains("Tengen: review of a game")
}

/// The whole review as one JSON object.
pub(super) fn json(reviewed: &Reviewed) -> String {
    let record = &reviewed.record;
    let positions: Vec<Value> = reviewed
        .review
        .judgements
        .iter()
        .map(Judgement::json)
        .collect();
    let json = json!({
        "version": VERSION,
        "sgf": sgf::write(record, reviewed.rule),
        "rule": reviewed.rule.to_string(),
        "width": record.start.width(),
        "height": record.start.height(),
        "positions": positions,
        "summary": reviewed.review.summary.json(),
    });
    json.to_string()
}

/// The game with a comment on each move, and the better lines as variations.
fn game_with_values(reviewed: &Reviewed) -> String {
    let record = &reviewed.record;
    let mut writer = sgf::begin(record, reviewed.rule);
    writer.property("C", format!("{MARK}{}", accuracy(reviewed)));
    let missing = reviewed.review.summary.moves - reviewed.review.judgements.len();
    let mut faults = Vec::new();
    for (index, made) in record.moves.iter().enumerate() {
        let judgement = index
            .checked_sub(missing)
            .and_then(|index| reviewed.review.judgements.get(index));
        let fault = judgement.filter(|judgement| judgement.class.is_fault());
        if let Some(fault) = fault {
            writer.open();
            faults.push(fault);
        }
        writer.turn(made.color, made.point);
        if let Some(judgement) = judgement {
            match judgement.class {
                MoveClass::Inaccuracy => writer.property("DO", ""),
                MoveClass::Mistake => writer.property("BM", "1"),
                MoveClass::Blunder => writer.property("BM", "2"),
                _ => &mut writer,
            };
            writer.property("C", comment(judgement, record.start.height()));
        }
    }
    while let Some(fault) = faults.pop() {
        writer.close().open();
        let mut color = fault.made.color;
        for &point in &fault.best_value.line {
            writer.turn(color, Some(point));
            color = !color;
        }
        writer.close();
    }
    writer.finish()
}

fn accuracy(reviewed: &Reviewed) -> String {
    let sides = ["Black", "White"]
        .into_iter()
        .zip(reviewed.review.summary.accuracy);
    let text = |(side, accuracy): (&str, Option<f64>)| {
        accuracy.map_or(String::new(), |value| {
            format!(" {side}: accuracy {value:.1} %.")
        })
    };
    sides.map(text).collect()
}

fn comment(judgement: &Judgement, height: u8) -> String {
    let rate = |win_rate: f64| format!("{:.1} %", 100.0 * win_rate);
    if judgement.class == MoveClass::Unknown {
        return judgement.class.name().to_string();
    }
    let mut text = format!(
        "{}: {} for {} ({})",
        judgement.class.name(),
        rate(judgement.value.win_rate),
        judgement.made.color,
        judgement.value.score,
    );
    let better = judgement
        .best
        .filter(|_| judgement.best != judgement.made.point);
    if let Some(best) = better {
        let labels = judgement
            .best_value
            .line
            .iter()
            .map(|p: &Point| p.label(height));
        let line: Vec<String> = labels.collect();
        text += &format!(
            "; {}: {} ({}), {}",
            best.label(height),
            rate(judgement.best_value.win_rate),
            judgement.best_value.score,
            line.join(" "),
        );
    }
    text
}
