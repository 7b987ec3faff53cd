//! Soft labels that somebody hands in, as records or as lines of JSON, and files of them.
//!
//! A line of JSON is a game, or a line of moves, with labels of its positions:
//!
//! ```json
//! {"rule": "renju", "size": 15, "opening": 1, "result": "black", "moves": "h8 i9 g7",
//!  "labels": [{"ply": 2, "win": 0.6, "draw": 0.1, "policy": {"g7": 0.8, "h10": 0.2}}]}
//! ```
//!
//! `moves` are from the empty board, Black first. `result` is `black`, `white` or `draw`; without it the
//! result is not known. `opening` (0) is the number of moves of the opening, which decides whether the
//! line is held out. A label is of the position with `ply` stones, seen from the side to move: `win` and
//! `draw` are probabilities, the rest that of a loss; `policy` are free cells with weights in any unit,
//! of which those below 1/510 of the largest, and all but the 255 largest, are left out. A label has
//! `win` and `draw`, or `policy`, or both.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::Deserialize;
use twox_hash::XxHash64;

use super::counts::CountsByKind;
use super::format::{FormatError, Header, LabelSource, ZSTD_MAGIC};
use super::frames::{counted, pack, read_piece};
use super::layout::FRAME_GAMES;
use super::record::TrainingRecordError;
use super::soft_label::{SoftLabel, SoftLabelError, SoftOutcome};
use super::{GameResult, TrainingRecord};
use tengen::board::{Board, ParseMovesError, parse_moves};
use tengen::files::{no_kind, write_file};
use tengen::rules::Rule;
use tengen::types::{Color, MAX_SIDE, MIN_SIDE, ParsePointError, Point};

/// Longest description of a source in bytes.
const MAX_SOURCE: usize = 1000;

/// Why labels are not taken.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A line that is no line of labels.
    #[error("line {0}: {1}")]
    Line(usize, LineError),
    /// Records that cannot be read.
    #[error("byte {0}: {1}")]
    Format(usize, FormatError),
    /// A game or branch without soft labels.
    #[error("record {0} has no soft labels")]
    Plain(u64),
    /// There is no record.
    #[error("there are no labels")]
    Nothing,
    /// Nothing says who made them, or a book does.
    #[error("the source is a text of 1 to {MAX_SOURCE} bytes")]
    Source,
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// What is wrong with a line of JSON.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// Not such an object.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// An unknown rule.
    #[error("unknown rule '{0}'")]
    Rule(String),
    /// A board that the engine does not play on.
    #[error("unsupported board size {0}")]
    Size(u8),
    /// Moves that cannot be played.
    #[error(transparent)]
    Moves(#[from] ParseMovesError),
    /// A cell of a policy that is none.
    #[error(transparent)]
    Point(#[from] ParsePointError),
    /// A number that is no probability, or `win` without `draw`.
    #[error("win and draw are two probabilities, together at most 1")]
    Outcome,
    /// A weight that is no number of at least 0.
    #[error("the weight of {0} is no number of at least 0")]
    Weight(String),
    /// What the record's form does not allow.
    #[error(transparent)]
    Record(#[from] TrainingRecordError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    rule: String,
    size: u8,
    #[serde(default)]
    opening: u8,
    #[serde(default)]
    result: Option<LineResult>,
    moves: String,
    labels: Vec<LineLabel>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LineResult {
    Black,
    White,
    Draw,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineLabel {
    ply: u16,
    win: Option<f64>,
    draw: Option<f64>,
    #[serde(default)]
    policy: BTreeMap<String, f64>,
}

/// The record of a line of JSON; see the [module](self).
///
/// # Errors
/// When the line is not of that form.
pub fn parse_label_line(text: &str) -> Result<TrainingRecord, LineError> {
    let line: Line = serde_json::from_str(text)?;
    let rule: Rule = line.rule.parse().map_err(|_| LineError::Rule(line.rule))?;
    let size = line.size;
    if !(MIN_SIDE..=MAX_SIDE).contains(&size) {
        return Err(LineError::Size(size));
    }
    let mut board = Board::new(size.into(), size.into()).expect("the size is one of a board");
    parse_moves(&mut board, &line.moves)?;
    let moves: Vec<Point> = board.stones().iter().map(|stone| stone.point).collect();
    let labels = line.labels.iter().map(|label| soft_label(label, size));
    let record = TrainingRecord {
        size,
        rule,
        opening: line.opening,
        result: match line.result {
            Some(LineResult::Black) => GameResult::Win(Color::Black),
            Some(LineResult::White) => GameResult::Win(Color::White),
            Some(LineResult::Draw) => GameResult::Draw,
            None => GameResult::Unknown,
        },
        values: vec![None; moves.len()],
        moves,
        soft_labels: labels.collect::<Result<_, _>>()?,
    };
    // Their numbers have 16 bits in a record. A reader checks the rest.
    let wrong = match record.soft_labels.last() {
        None => Some(SoftLabelError::Nothing),
        Some(label) if record.soft_labels.len() > record.moves.len() + 1 => {
            Some(SoftLabelError::Ply(label.ply))
        }
        Some(_) => None,
    };
    if let Some(error) = wrong {
        return Err(TrainingRecordError::from(error).into());
    }
    let mut bytes = Vec::new();
    record
        .write(&mut bytes)
        .map_err(TrainingRecordError::from)?;
    let read = TrainingRecord::read(&mut &bytes[..])?;
    debug_assert_eq!(read.as_ref(), Some(&record));
    Ok(record)
}

fn soft_label(label: &LineLabel, size: u8) -> Result<SoftLabel, LineError> {
    let outcome = match (label.win, label.draw) {
        (Some(win), Some(draw)) => Some(SoftOutcome::new(win, draw).ok_or(LineError::Outcome)?),
        (None, None) => None,
        _ => return Err(LineError::Outcome),
    };
    let largest = label.policy.values().copied().fold(0.0, f64::max);
    let mut policy = Vec::new();
    for (cell, &weight) in &label.policy {
        let p = Point::from_label(cell, size, size)?;
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(LineError::Weight(cell.clone()));
        }
        let weight = (weight / largest * 255.0).round() as u8;
        if weight > 0 {
            policy.push((p, weight));
        }
    }
    policy.sort_by_key(|&(_, weight)| Reverse(weight));
    policy.truncate(255);
    Ok(SoftLabel {
        ply: label.ply,
        outcome,
        policy,
    })
}

/// Soft labels for a new file, packed as they come: unpacked they may need a thousand times the memory.
#[derive(Default)]
pub struct NewLabels {
    /// Of all records, because the header names all that follows.
    hash: XxHash64,
    counts: CountsByKind,
    /// Full frames, each with its counts.
    frames: Vec<(CountsByKind, Vec<u8>)>,
    /// Records of the next frame, and their counts.
    open: Vec<u8>,
    open_counts: CountsByKind,
}

impl NewLabels {
    /// Adds the records of `bytes`: zstd frames of records with soft labels, or lines of JSON.
    ///
    /// # Errors
    /// When they are neither, or a record has no soft labels.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), LabelError> {
        match bytes.starts_with(&ZSTD_MAGIC) {
            true => self.read_frames(bytes),
            false => self.read_lines(bytes),
        }
    }

    fn read_frames(&mut self, bytes: &[u8]) -> Result<(), LabelError> {
        let mut at = 0;
        while at < bytes.len() {
            let mut added = Ok(());
            let piece = read_piece(bytes, at, &mut |record| {
                if added.is_ok() {
                    added = self.add(&record);
                }
            });
            added?;
            let piece = piece.map_err(|error| LabelError::Format(at, error))?;
            at = piece.range.end;
        }
        Ok(())
    }

    fn read_lines(&mut self, bytes: &[u8]) -> Result<(), LabelError> {
        let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
        for (number, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
            let record = parse_label_line(&String::from_utf8_lossy(line));
            self.add(&record.map_err(|error| LabelError::Line(number, error))?)?;
        }
        Ok(())
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When it has no soft labels.
    pub fn add(&mut self, record: &TrainingRecord) -> Result<(), LabelError> {
        if !record.is_soft() {
            return Err(LabelError::Plain(self.lines()));
        }
        record.write(&mut self.open)?;
        self.open_counts.add(record);
        if self.open_counts.total().lines == FRAME_GAMES {
            self.close_frame()?;
        }
        Ok(())
    }

    /// Number of records that were added.
    fn lines(&self) -> u64 {
        self.counts.total().lines + self.open_counts.total().lines
    }

    fn close_frame(&mut self) -> Result<(), LabelError> {
        std::hash::Hasher::write(&mut self.hash, &self.open);
        let counts = std::mem::take(&mut self.open_counts);
        self.counts += &counts;
        self.frames.push((counts, pack(&self.open)?));
        self.open.clear();
        Ok(())
    }

    /// Writes them as a new file at `path`, which comes to be whole or not at all. `source` says who made
    /// them and how. Returns their counts.
    ///
    /// # Errors
    /// When there is none, or the file is there already or cannot be written.
    pub fn write(mut self, path: &Path, source: &str) -> Result<CountsByKind, LabelError> {
        if !(1..=MAX_SOURCE).contains(&source.len()) {
            return Err(LabelError::Source);
        }
        if self.lines() == 0 {
            return Err(LabelError::Nothing);
        }
        if !self.open.is_empty() {
            self.close_frame()?;
        }
        let header = Header::of_labels(LabelSource {
            source: source.to_string(),
            records: std::hash::Hasher::finish(&self.hash),
        });
        write_file(path, no_kind, |file| {
            file.write_all(&header.encode())?;
            let mut first = 0;
            for (counts, packed) in &self.frames {
                file.write_all(&counted(header.id, first, counts, packed))?;
                first += counts.total().lines;
            }
            std::io::Result::Ok(())
        })?;
        Ok(self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::{Maker, MergeError, merge, read_data_file, summarize};

    const LINE: &str = r#"{"rule": "renju", "size": 15, "opening": 1, "result": "black",
        "moves": "h8 i9 g7", "labels": [
        {"ply": 2, "win": 0.6, "draw": 0.1, "policy": {"g7": 0.8, "h10": 0.2, "a1": 0.001}},
        {"ply": 3, "win": 0, "draw": 1}]}"#;

    fn line(from: &str, to: &str) -> Result<TrainingRecord, LineError> {
        assert!(LINE.contains(from));
        parse_label_line(&LINE.replacen(from, to, 1))
    }

    #[test]
    fn lines_of_json_are_records() {
        let record = parse_label_line(LINE).unwrap();
        assert_eq!((record.size, record.rule), (15, Rule::Renju));
        assert_eq!(record.result, GameResult::Win(Color::Black));
        let moves: Vec<String> = record.moves.iter().map(|p| p.label(15)).collect();
        assert_eq!(moves, ["h8", "i9", "g7"]);
        let label = &record.soft_labels[0];
        assert_eq!((label.ply, label.outcome), (2, SoftOutcome::new(0.6, 0.1)));
        let policy: Vec<_> = label
            .policy
            .iter()
            .map(|&(p, w)| (p.label(15), w))
            .collect();
        assert_eq!(policy, [("g7".into(), 255), ("h10".into(), 64)]);
        assert_eq!(record.soft_labels[1].policy, []);
        let unknown = line(r#""result": "black","#, "").unwrap();
        assert_eq!(unknown.result, GameResult::Unknown);
    }

    #[test]
    fn wrong_lines_are_refused_with_a_reason() {
        for (from, to, why) in [
            ("renju", "go", "unknown rule 'go'"),
            ("15", "30", "unsupported board size 30"),
            ("h8 i9", "h8 h8", "'h8' is already taken"),
            ("\"g7\": 0.8", "\"z7\": 0.8", "'z7' is not a point"),
            ("\"g7\": 0.8", "\"h8\": 0.8", "wrong move to cell 112"),
            ("0.8", "-0.8", "the weight of g7"),
            ("0.6", "0.95", "together at most 1"),
            (", \"draw\": 0.1", "", "together at most 1"),
            ("\"ply\": 3", "\"ply\": 2", "not in order"),
            ("\"ply\": 3", "\"ply\": 4", "behind the end"),
            ("\"opening\": 1", "\"opening\": 4", "4 opening stones"),
            (
                "\"win\": 0, \"draw\": 1",
                "\"policy\": {\"a1\": 0}",
                "empty",
            ),
            ("size", "sice", "unknown field"),
            ("{\"rule", "rule", "expected"),
        ] {
            let error = line(from, to).expect_err(to).to_string();
            assert!(error.contains(why), "{error}");
        }
        let lines = format!("{}\n\nx", LINE.replace('\n', " "));
        let error = NewLabels::default().read(lines.as_bytes());
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("line 3: "), "{error}");
    }

    fn write_label_file(
        path: &Path,
        source: &str,
        records: &[TrainingRecord],
    ) -> Result<CountsByKind, LabelError> {
        let mut labels = NewLabels::default();
        records.iter().try_for_each(|record| labels.add(record))?;
        labels.write(path, source)
    }

    #[test]
    fn files_of_labels_are_read_joined_and_merged() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let other = line("g7", "g9").unwrap();
        let records = vec![parse_label_line(LINE).unwrap(); FRAME_GAMES as usize + 1];
        let counts = write_label_file(&path("one"), "a test", &records).unwrap();
        write_label_file(&path("two"), "a test", std::slice::from_ref(&other)).unwrap();
        let total = counts.total();
        assert_eq!((total.lines, total.soft_labels), (1025, 2050));
        assert_eq!((total.games, total.branches, total.labels), (0, 0, 0));
        let mut read = Vec::new();
        let summary = read_data_file(&path("one"), &mut |record| read.push(record)).unwrap();
        assert_eq!(read, records);
        let skimmed = summarize(&path("one")).unwrap();
        for summary in [summary, skimmed] {
            let section = &summary.sections[0];
            assert_eq!(section.counts, counts);
            assert_eq!(section.numbers, [0..1024, 1024..1025]);
            let maker = &section.origin.as_ref().unwrap().maker;
            assert!(matches!(maker, Maker::Labels(labels) if labels.source == "a test"));
        }
        // Files that are there, also of labels, are left alone.
        let before = std::fs::read(path("one")).unwrap();
        assert!(write_label_file(&path("one"), "a test", &records).is_err());
        assert_eq!(std::fs::read(path("one")).unwrap(), before);
        // Both have the same source, but not the same labels.
        let files = [path("one"), path("two")];
        let inventory = merge(&path("all"), &files, &mut |_| {}).unwrap();
        let rows: Vec<_> = inventory.rows().map(|row| row.counts.soft_labels).collect();
        assert_eq!(rows, [2052]);
        let twice = merge(&path("no"), &[path("all"), path("two")], &mut |_| {});
        assert!(matches!(twice, Err(MergeError::Duplicate { .. })));
    }

    #[test]
    fn packed_records_are_labels_too() {
        let record = parse_label_line(LINE).unwrap();
        let mut bytes = Vec::new();
        record.write(&mut bytes).unwrap();
        record.write(&mut bytes).unwrap();
        let packed = zstd::encode_all(&bytes[..], 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("packed");
        let mut labels = NewLabels::default();
        labels.read(&[&packed[..], &packed].concat()).unwrap();
        labels.write(&path, "a test").unwrap();
        let mut records = Vec::new();
        read_data_file(&path, &mut |record| records.push(record)).unwrap();
        assert_eq!(records, vec![record.clone(); 4]);
        assert!(matches!(
            NewLabels::default().read(&packed[..packed.len() - 3]),
            Err(LabelError::Format(0, _))
        ));
        let plain = TrainingRecord {
            soft_labels: Vec::new(),
            ..record
        };
        let path = folder.path().join("labels");
        let write = |source, records: &[_]| write_label_file(&path, source, records);
        assert!(matches!(write("me", &[plain]), Err(LabelError::Plain(0))));
        assert!(matches!(write("me", &[]), Err(LabelError::Nothing)));
        assert!(matches!(write("", &records), Err(LabelError::Source)));
        assert!(!path.exists());
    }
}
