//! The store as text, for people and their scripts: a line for each position.
//!
//! The fields, with tabs between them, are rule, size, moves, label, value, depth, bound, comment,
//! texts on cells. The moves lead to the position, but need not be those of a game. `-` stands for
//! an empty field; a comment and the texts have `\n`, `\r`, `\t` and `\\` for line ends, a tab and
//! a backslash; texts on cells are `h8=A i9=B`, and have `\s` for a blank.

mod lines;

use std::borrow::Cow;
use std::io::{self, BufRead, Write};

use lines::Lines;

use super::error::DatabaseError;
use super::key::Situation;
use super::record::{Label, Record};
use super::store::Writer;
use super::way::add_some_way;
use tengen::board::{Board, parse_moves, parse_size};
use tengen::files::without_byte_order_mark;
use tengen::rules::Rule;
use tengen::search::Bound;
use tengen::types::{MAX_SIDE, Point, Score, Symmetry};
use tengen_games::convert::alternating_moves;

/// Why a text was not read.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// An error of the store.
    #[error("{0}")]
    Store(#[from] DatabaseError),
    /// An invalid line.
    #[error("line {0}: {1}")]
    Line(usize, &'static str),
}

/// Fields of a line.
const FIELDS: usize = 9;

const BOUNDS: [(&str, Bound); 4] = [
    ("-", Bound::None),
    ("upper", Bound::Upper),
    ("lower", Bound::Lower),
    ("exact", Bound::Exact),
];

/// Alternating moves that lead to `board`; `None` if there are none, as after a handicap.
fn moves(board: &Board) -> Option<String> {
    let cells = usize::from(board.width()) * usize::from(board.height());
    let has_blocks = board.empty_count() + board.stones().len() < cells;
    let moves = alternating_moves(board).filter(|_| !has_blocks)?;
    let labels: Vec<String> = moves.iter().map(|p| p.label(board.height())).collect();
    Some(labels.join(" "))
}

/// Writes the line of one position, as it was first drawn. `board` is in the stored orientation.
/// False for a position without a line: no alternating moves lead there.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_text(
    out: &mut dyn Write,
    board: &Board,
    rule: Rule,
    record: &Record,
) -> io::Result<bool> {
    let first = record.drawings.first();
    let map = first.map_or(Symmetry::default(), |drawing| drawing.map);
    let drawn = match map == Symmetry::default() {
        true => Cow::Borrowed(board),
        false => Cow::Owned(board.turned(map)),
    };
    let Some(moves) = moves(&drawn) else {
        return Ok(false);
    };
    let comment = match &record.drawings[..] {
        [] => String::new(),
        [only] => only.comment.clone(),
        _ => record.comment(&Situation::new(&drawn, rule)),
    };
    let or_dash = |text: String| if text.is_empty() { "-".into() } else { text };
    let bound = BOUNDS.iter().find(|(_, bound)| *bound == record.bound);
    let cells: Vec<String> = record
        .cells
        .iter()
        .map(|(p, text)| {
            let text = escaped(text).replace(' ', "\\s");
            let p = map.map(*p, board.width(), board.height());
            format!("{}={text}", p.label(drawn.height()))
        })
        .collect();
    writeln!(
        out,
        "{}\t{}x{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
        rule.name(),
        board.width(),
        board.height(),
        or_dash(moves),
        record.label.map_or("-".to_string(), |l| l.to_string()),
        record.value.raw(),
        record.depth,
        bound.map_or("-", |b| b.0),
        or_dash(escaped(&comment)),
        or_dash(cells.join(" ")),
    )?;
    Ok(true)
}

/// Writes the moves of one position alone, without blanks: `h8i9h7`. False if there are none.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_moves(out: &mut dyn Write, board: &Board) -> io::Result<bool> {
    let text = moves(board).filter(|text| !text.is_empty());
    if let Some(text) = &text {
        writeln!(out, "{}", text.replace(' ', ""))?;
    }
    Ok(text.is_some())
}

/// Merges the lines of [`write_text`] into the store. A position that no known move reaches also
/// gets a way of empty records, in the order of its line's moves. Empty lines and lines that begin
/// with `#` are skipped. Returns the number of lines with a position.
///
/// # Errors
/// At the first line that is invalid, longer than 4 MiB or not UTF-8, and when the text cannot be
/// read or the store not be changed.
pub fn read_text(input: impl BufRead, store: &mut Writer) -> Result<usize, TextError> {
    let mut count = 0;
    // The first three fields of each line. A way to its position may stand further down.
    let mut heads = String::new();
    let mut lines = Lines::new(input);
    while let Some((number, line)) = lines.next_line()? {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (board, rule, text) = parse(line).map_err(|why| TextError::Line(number, why))?;
        let situation = Situation::new(&board, rule);
        let mut record = text.record;
        for (p, text) in &text.cells {
            record.add_cell_text(situation.place(*p), text);
        }
        // A position without a comment that stands in the stored orientation may never have been
        // drawn.
        if !text.comment.is_empty() || situation.drawing() != Symmetry::default() {
            record.add_comment(&situation, &text.comment);
        }
        store.merge(&situation, record)?;
        count += 1;
        heads.extend(line.split_inclusive('\t').take(3));
        heads.push('\n');
    }
    for head in heads.lines() {
        let mut fields = head.split('\t');
        let [rule, size, moves] = [(); 3].map(|()| fields.next().unwrap_or_default());
        let (board, rule) = parse_position(rule, size, moves).expect("read above");
        add_some_way(store, &board, rule)?;
    }
    Ok(count)
}

/// The fields of a line after its position.
struct Fields {
    /// Without texts.
    record: Record,
    comment: String,
    cells: Vec<(Point, String)>,
}

fn parse(line: &str) -> Result<(Board, Rule, Fields), &'static str> {
    let fields: Vec<&str> = line.splitn(FIELDS + 1, '\t').collect();
    let &[
        rule,
        size,
        moves,
        label,
        value,
        depth,
        bound,
        comment,
        cells,
    ] = &fields[..]
    else {
        return Err("nine fields with tabs between them are wanted");
    };
    let (board, rule) = parse_position(rule, size, moves)?;
    let label = match label.as_bytes() {
        b"-" => None,
        &[code] => Some(Label::new(code).ok_or("a bad label")?),
        _ => return Err("a bad label"),
    };
    let mut texts = Vec::new();
    for cell in or_empty(cells).split(' ').filter(|c| !c.is_empty()) {
        let (point, text) = cell.split_once('=').ok_or("a bad text on a cell")?;
        let point = Point::from_label(point, board.width(), board.height());
        texts.push((point.map_err(|_| "a bad cell")?, unescaped(text)));
    }
    let value: i16 = value.parse().map_err(|_| "a bad value")?;
    let record = Record {
        label,
        value: Score::from_raw(value),
        depth: depth.parse().map_err(|_| "a bad depth")?,
        bound: BOUNDS
            .iter()
            .find(|(name, _)| *name == bound)
            .ok_or("a bad bound")?
            .1,
        ..Record::default()
    };
    let fields = Fields {
        record,
        comment: unescaped(or_empty(comment)),
        cells: texts,
    };
    Ok((board, rule, fields))
}

fn parse_position(rule: &str, size: &str, moves: &str) -> Result<(Board, Rule), &'static str> {
    let rule = rule.parse().map_err(|_| "an unknown rule")?;
    let (width, height) = parse_size(size).ok_or("a bad size")?;
    let mut board = Board::new(width, height).map_err(|_| "a bad size")?;
    parse_moves(&mut board, or_empty(moves)).map_err(|_| "bad moves")?;
    Ok((board, rule))
}

/// A field; a dash stands for an empty one.
fn or_empty(text: &str) -> &str {
    if text == "-" { "" } else { text }
}

/// True if a file that begins with `head` has lines of [`write_text`]: the first fields of its
/// first line name a position. The line's comment may be longer than `head`.
pub fn is_text_file(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut lines = without_byte_order_mark(&text).lines();
    let first = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut fields = first.unwrap_or_default().splitn(4, '\t');
    match [(); 4].map(|()| fields.next()) {
        [Some(rule), Some(size), Some(moves), Some(_)] => parse_position(rule, size, moves).is_ok(),
        _ => false,
    }
}

/// True if a file that begins with `head` has lines of [`write_moves`]: its first line names points
/// of a board and nothing else.
pub fn is_moves_file(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let line = without_byte_order_mark(&text)
        .lines()
        .next()
        .unwrap_or_default();
    let side = u32::from(MAX_SIDE);
    let mut board = Board::new(side, side).expect("the largest size");
    let is_plain = !line.is_empty() && line.bytes().all(|b| b.is_ascii_alphanumeric());
    is_plain && parse_moves(&mut board, line).is_ok()
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    // A text that is only a dash must not read as an empty field.
    if out == "-" {
        out.insert(0, '\\');
    }
    out
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some('s') => out.push(' '),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}
