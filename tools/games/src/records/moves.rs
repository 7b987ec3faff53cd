//! Texts of moves, as people and programs write them: `h8 i9 h7`, `1. h8 i9 2. h7`, `h8-i9`,
//! `7,7 8,6`, offsets from the centre, one game or one a line. Games, openings and the words of a
//! command line are read here.

use std::collections::HashSet;
use std::ops::Range;

use super::game::{PASS, SWAP};
use super::{LineError, ReadOptions, RecordError, RecordedGame, Sink, Warning};
use crate::sgf::{Property, Tree};
use tengen::board::{Board, Move, ParseMovesError};
use tengen::types::{Color, ParsePointError, Point};

/// Results at the end of a game.
pub(super) const RESULTS: [&str; 12] = [
    "1-0", "0-1", "1/2-1/2", "½-½", "0.5-0.5", "1:0", "0:1", "*", "B+", "W+", "B+R", "W+R",
];
/// Longest line of a list of openings, in moves; longer ones are parts of one game.
const LONGEST_OPENING: usize = 9;
/// Fewest moves in each line of a list.
const SHORTEST_OPENING: usize = 3;
/// The comment of a list whose lines might be one game.
const ONE_A_LINE: &str = "each line is a game";
/// Fewest points that are taken for offsets without a sign.
const FEWEST_OFFSETS: usize = 2;
/// Offsets without a sign are at most this far from the centre, and all of them are: as the
/// protocol's coordinates, all stones would stand in one corner.
const FARTHEST_OFFSET: i32 = 4;

/// Variations inside each other beyond these are kept as comments.
const DEEPEST_VARIATION: usize = 50;

/// The meaning of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offsets {
    /// Coordinates from 0 at the top left, as in the protocol.
    Never,
    /// Offsets from the centre.
    Always,
    /// Offsets where a number has a sign, or all stand around 0.
    Detected,
}

/// A word of a text of moves.
#[derive(Clone, Debug, PartialEq)]
enum Word {
    Point(Point),
    Pass,
    Swap,
    Number(usize),
    Result(String),
    Comment(String),
    Variation(Variation),
}

/// A text in parentheses with moves, which replace the move before.
#[derive(Clone, Debug, PartialEq)]
struct Variation {
    /// The line, from 1.
    line: usize,
    text: String,
    /// Empty if the text is not moves alone.
    words: Vec<Word>,
}

/// Part of a line.
enum Part<'a> {
    Text(&'a str),
    Comment(&'a str),
    /// With its line, from 1, and its parentheses.
    Variation(usize, &'a str),
}

/// The words of a line.
struct Line {
    /// The line, from 1.
    number: usize,
    words: Vec<Word>,
    /// The line ends in a comma.
    is_open: bool,
}

impl Line {
    fn points(&self) -> impl Iterator<Item = Point> {
        self.words.iter().filter_map(|word| match word {
            Word::Point(p) => Some(*p),
            _ => None,
        })
    }

    /// Number of moves.
    fn len(&self) -> usize {
        let is_move = |word: &&Word| matches!(word, Word::Point(_) | Word::Pass | Word::Swap);
        self.words.iter().filter(is_move).count()
    }
}

/// The lines of a text, and the assumptions made in reading.
pub struct MoveList {
    lines: Vec<Line>,
    /// Numbers were taken for offsets.
    is_offsets: bool,
    /// Rows were counted from 0.
    is_from_zero: bool,
}

/// True if the first word of a text is a point.
pub(super) fn begins_with_move(text: &str) -> bool {
    let word = text.split(|c: char| c.is_whitespace() || c == ',').next();
    let is_label = |word: &str| {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        digits.len() + 1 == word.len() && digits.parse::<u8>().is_ok()
    };
    word.is_some_and(is_label)
}

/// The game or games of a text.
///
/// # Errors
/// At the first word that is not a free point.
pub(super) fn read(text: &str, options: &ReadOptions, sink: &mut Sink) -> Result<(), RecordError> {
    let start = options.start();
    let text = plain(text);
    if let Some(points) = pairs(&text, &start) {
        sink.warnings.push(Warning::Pairs);
        let words = points.into_iter().map(Word::Point).collect();
        let line = Line {
            number: 1,
            words,
            is_open: false,
        };
        let game = game(&[line], &start, &mut sink.warnings)?;
        let _ = sink.take(game);
        return Ok(());
    }
    let list = match MoveList::of_file(&text, &start) {
        Ok(list) => list,
        Err(error) => return Err(refused(&text, &start, error)),
    };
    if list.lines.iter().all(|line| line.len() == 0) {
        return Err(RecordError::NoRecord("it has no moves".to_string()));
    }
    if list.is_offsets {
        sink.warnings.push(Warning::Offsets);
    }
    if list.is_from_zero {
        sink.warnings.push(Warning::FromZero);
    }
    let games = match list.is_of_games() {
        // Comments go with the game below them.
        true => list
            .lines
            .split_inclusive(|line| line.len() > 0)
            .filter(|lines| lines.iter().any(|line| line.len() > 0))
            .collect(),
        false => list.numbered_games(),
    };
    let is_list = games.len() > 1;
    for lines in games {
        let game = game(lines, &start, &mut sink.warnings);
        let game = game.map_err(|error| match (error, lines.first()) {
            (RecordError::Moves(problem), Some(first)) if is_list => {
                let line = first.number;
                LineError { line, problem }.into()
            }
            (error, _) => error,
        })?;
        if sink.take(game).is_break() {
            break;
        }
    }
    Ok(())
}

/// The game of moves on a command line, on the board `start`.
///
/// # Errors
/// At the first word that is not a free point.
pub fn of_moves(text: &str, start: &Board) -> Result<RecordedGame, RecordError> {
    let list = MoveList::of(&plain(text), start, Offsets::Never);
    let list = list.and_then(MoveList::without_variations);
    let list = list.map_err(|error| RecordError::Moves(error.problem))?;
    game(&list.lines, start, &mut Vec::new())
}

/// The reason why a text has no moves: it is none at all, or has a fault in one line.
fn refused(text: &str, start: &Board, error: LineError) -> RecordError {
    let before: Vec<&str> = text.lines().take(error.line - 1).collect();
    let known = MoveList::of_file(&before.join("\n"), start);
    let has_moves = known.is_ok_and(|list| list.lines.iter().any(|line| line.len() > 0));
    match has_moves || begins_with_move(text) {
        true => error.into(),
        false => RecordError::NoRecord(error.problem),
    }
}

/// Full-width letters, digits and signs as those of ASCII.
pub(super) fn plain(text: &str) -> String {
    let letter = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '、' | '。' => ',',
        '—' | '–' | '−' => '-',
        _ => c,
    };
    text.chars().map(letter).collect()
}

/// The points of a single word of letters in pairs, `hhighi`, as SGF writes them.
fn pairs(text: &str, start: &Board) -> Option<Vec<Point>> {
    const LEAST: usize = 6;
    let text = text.trim().as_bytes();
    if text.len() < LEAST || !text.len().is_multiple_of(2) {
        return None;
    }
    let mut points = Vec::new();
    for pair in text.chunks(2) {
        let side = |letter: u8| i32::from(letter.to_ascii_lowercase()) - i32::from(b'a');
        let p = start.point(side(pair[0]), side(pair[1]))?;
        if points.contains(&p) {
            return None;
        }
        points.push(p);
    }
    Some(points)
}

/// The place behind the comment that begins at `at`, if one does.
fn comment_end(text: &str, at: usize) -> Option<usize> {
    let found = |signs: &[char], length| text[at..].find(signs).map(|n| at + n + length);
    let end = match text.as_bytes()[at] {
        b'#' => found(&['\n', '\r'], 0),
        b'{' => found(&['}'], 1),
        _ => return None,
    };
    Some(end.unwrap_or(text.len()))
}

/// The places of variations: parentheses with a move, if other moves stand outside. Where all moves
/// stand in parentheses, as in `(7,7) (8,6)`, none is a variation.
fn variations(text: &str) -> Vec<Range<usize>> {
    let has_move = |text: &str| {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_digit = |c: char| c.is_ascii_digit();
        let is_pair = |pair: &[&str]| {
            pair[0].ends_with(is_digit) && pair[1].trim_start_matches('-').starts_with(is_digit)
        };
        has_label(text) || parts.windows(2).any(is_pair)
    };
    let (mut found, mut depth, mut open) = (Vec::new(), 0, 0);
    let (mut has_other, mut from, mut at) = (false, 0, 0);
    while at < text.len() {
        let comment = comment_end(text, at);
        match text.as_bytes()[at] {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            _ if comment.is_some() => {}
            _ => {
                at += 1;
                continue;
            }
        }
        let end = comment.unwrap_or(at + 1);
        let is_opened = text.as_bytes()[at] == b'(' && depth == 1;
        if is_opened || depth == 0 && comment.is_some() {
            has_other |= has_move(&text[from..at]);
            (open, from) = (at, end);
        } else if depth == 0 {
            if open < at && has_move(&text[open..end]) {
                found.push(open..end);
            }
            from = end;
        }
        at = end;
    }
    has_other |= depth == 0 && has_move(&text[from..]);
    found.retain(|_| has_other);
    found
}

/// The parts of each line: text, comments from `#` on, comments in braces and variations, which may
/// go over several lines. `number` is the first line's.
fn parts<'a>(text: &'a str, mut number: usize) -> Vec<(usize, Vec<Part<'a>>)> {
    let mut lines = vec![(number, Vec::new())];
    let (mut from, mut at) = (0, 0);
    let mut variations = variations(text).into_iter().peekable();
    let bytes = text.as_bytes();
    let push = |lines: &mut Vec<(usize, Vec<Part<'a>>)>, part| {
        if let Some(line) = lines.last_mut()
            && !matches!(part, Part::Text(""))
        {
            line.1.push(part);
        }
    };
    while at < bytes.len() {
        let variation = variations.next_if(|variation| variation.start == at);
        let is_variation = variation.is_some();
        let Some(found) = variation.or_else(|| comment_end(text, at).map(|end| at..end)) else {
            at += 1;
            if bytes[at - 1] == b'\n' {
                push(&mut lines, Part::Text(&text[from..at - 1]));
                number += 1;
                lines.push((number, Vec::new()));
                from = at;
            }
            continue;
        };
        push(&mut lines, Part::Text(&text[from..at]));
        let found = &text[found];
        (from, at) = (at + found.len(), at + found.len());
        let inner = match found.strip_prefix('{') {
            Some(inner) => inner.strip_suffix('}').unwrap_or(inner),
            None => found.strip_prefix('#').unwrap_or(found),
        };
        let part = match is_variation {
            true => Part::Variation(number, found),
            false => Part::Comment(inner.trim()),
        };
        push(&mut lines, part);
        number += found.matches('\n').count();
    }
    push(&mut lines, Part::Text(&text[from..]));
    lines
}

/// The form of the moves of a text.
#[derive(Clone, Copy)]
struct Form<'a> {
    board: &'a Board,
    /// Labels such as `h8`; otherwise pairs of numbers.
    is_labels: bool,
    /// The numbers are offsets from the centre.
    is_offsets: bool,
    /// The rows of labels count from 0.
    is_from_zero: bool,
}

impl Form<'_> {
    /// The words of a part. `moves` counts the moves of the game, for their numbers. The words of
    /// variations inside each other are read `depth` deep.
    fn words(
        self,
        part: &Part,
        moves: &mut usize,
        depth: usize,
    ) -> Result<Vec<Word>, ParsePointError> {
        match part {
            Part::Comment(text) => Ok(vec![Word::Comment(text.to_string())]),
            Part::Text(text) if self.is_labels => self.labels(text, moves),
            Part::Text(text) => numbers(text, self.board, self.is_offsets),
            &Part::Variation(line, text) => {
                // The move before is the one that is replaced.
                let mut moves = moves.saturating_sub(1);
                let mut words = Vec::new();
                let inner = match depth {
                    0 => Vec::new(),
                    _ => parts(&text[1..text.len() - 1], line),
                };
                for part in inner.iter().flat_map(|(_, parts)| parts) {
                    let Ok(found) = self.words(part, &mut moves, depth - 1) else {
                        words.clear();
                        break;
                    };
                    words.extend(found);
                }
                let text = text.to_string();
                Ok(vec![Word::Variation(Variation { line, text, words })])
            }
        }
    }

    /// The words of a text of labels. `moves` counts the moves of the game, for their numbers.
    fn labels(self, text: &str, moves: &mut usize) -> Result<Vec<Word>, ParsePointError> {
        let board = self.board;
        let mut words = Vec::new();
        let is_gap = |c: char| c.is_whitespace() || ",;()[]<>|\"'!?/".contains(c);
        for chunk in text
            .split(char::is_whitespace)
            .filter(|chunk| !chunk.is_empty())
        {
            if RESULTS.contains(&chunk) {
                words.push(Word::Result(chunk.to_string()));
                continue;
            }
            let mut rest = chunk;
            loop {
                rest = rest.trim_start_matches(|c| is_gap(c) || c == '-');
                if let Some(behind) = behind_glyph(rest) {
                    rest = behind;
                    continue;
                }
                let Some(first) = rest.chars().next() else {
                    break;
                };
                let fault = || ParsePointError(chunk.trim_matches(is_gap).to_string());
                let digits =
                    rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                if digits > 0 {
                    rest = number(rest, digits, board, moves, &mut words).ok_or_else(fault)?;
                    continue;
                }
                let end = rest
                    .find(|c: char| !c.is_ascii_alphabetic())
                    .unwrap_or(rest.len());
                let word = match rest[..end].to_ascii_lowercase().as_str() {
                    PASS | "ps" => Word::Pass,
                    SWAP => Word::Swap,
                    _ => {
                        let behind = &rest[first.len_utf8()..];
                        let row = behind.trim_start_matches(|c: char| c.is_ascii_digit());
                        let label = &rest[..rest.len() - row.len()];
                        let label = if end > 1 { chunk } else { label };
                        let p = self.point(label);
                        rest = row;
                        words.push(Word::Point(p.map_err(|_| match end {
                            1 => ParsePointError(label.to_string()),
                            _ => fault(),
                        })?));
                        *moves += 1;
                        continue;
                    }
                };
                rest = &rest[end..];
                words.push(word);
                *moves += 1;
            }
        }
        Ok(words)
    }

    /// The point of a label.
    fn point(self, label: &str) -> Result<Point, ParsePointError> {
        let (width, height) = (self.board.width(), self.board.height());
        let row = label.get(1..).and_then(|row| row.parse::<u8>().ok());
        match row.filter(|_| self.is_from_zero) {
            Some(row) => {
                let next = format!("{}{}", &label[..1], u32::from(row) + 1);
                let fault = |_| ParsePointError(label.to_string());
                Point::from_label(&next, width, height).map_err(fault)
            }
            None => Point::from_label(label, width, height),
        }
    }
}

/// The game of all lines of a list.
///
/// # Errors
/// When a point is taken.
pub(super) fn joined(
    list: &MoveList,
    start: &Board,
    warnings: &mut Vec<Warning>,
) -> Result<RecordedGame, RecordError> {
    game(&list.lines, start, warnings)
}

impl MoveList {
    /// The words of a text whose numbers of moves mean nothing.
    ///
    /// # Errors
    /// As for [`of`](MoveList::of).
    pub(super) fn unnumbered(
        text: &str,
        board: &Board,
        offsets: Offsets,
    ) -> Result<MoveList, LineError> {
        let is_number = |word: &str| {
            let digits = word.trim_end_matches('.');
            digits.len() < word.len() && digits.bytes().all(|b| b.is_ascii_digit())
        };
        let line = |line: &str| {
            let words = line.split_whitespace().filter(|word| !is_number(word));
            words.collect::<Vec<&str>>().join(" ")
        };
        let text: Vec<String> = text.lines().map(line).collect();
        MoveList::of(&text.join("\n"), board, offsets)
    }

    /// The words of a text, line by line; lines without any are left out.
    ///
    /// # Errors
    /// At the first word that is no point.
    pub fn of(text: &str, board: &Board, offsets: Offsets) -> Result<MoveList, LineError> {
        MoveList::in_form(text, board, offsets, false)
    }

    /// The same for a file whose reader tells what was supposed: offsets, and rows from 0.
    fn of_file(text: &str, board: &Board) -> Result<MoveList, LineError> {
        MoveList::in_form(text, board, Offsets::Detected, true)
    }

    fn in_form(
        text: &str,
        board: &Board,
        offsets: Offsets,
        may_count_from_zero: bool,
    ) -> Result<MoveList, LineError> {
        let lines = parts(text, 1);
        let texts = || {
            let parts = lines.iter().flat_map(|(_, parts)| parts);
            parts.filter_map(|part| match part {
                Part::Text(text) => Some(*text),
                Part::Comment(_) | Part::Variation(..) => None,
            })
        };
        let is_labels = offsets != Offsets::Always && texts().any(has_label);
        let is_offsets = !is_labels
            && match offsets {
                Offsets::Never => false,
                Offsets::Always => true,
                Offsets::Detected => are_offsets(texts()),
            };
        let has_row_zero = || {
            let mut parts = lines.iter().flat_map(|(_, parts)| parts);
            parts.any(|part| match part {
                Part::Text(text) | Part::Variation(_, text) => has_row_zero(text),
                Part::Comment(_) => false,
            })
        };
        let form = Form {
            board,
            is_labels,
            is_offsets,
            is_from_zero: may_count_from_zero && has_row_zero(),
        };
        let mut read = Vec::new();
        let mut moves = 0;
        for (number, parts) in &lines {
            let mut words = Vec::new();
            let mut is_open = false;
            for part in parts {
                if let Part::Text(text) = part {
                    is_open = text.trim_end().ends_with(',');
                }
                let found = form.words(part, &mut moves, DEEPEST_VARIATION);
                words.extend(found.map_err(|error| LineError {
                    line: *number,
                    problem: error.to_string(),
                })?);
            }
            if !words.is_empty() {
                read.push(Line {
                    number: *number,
                    words,
                    is_open,
                });
            }
        }
        // One number a line, or a game broken in the middle of a point.
        Ok(MoveList {
            lines: read,
            is_offsets,
            is_from_zero: form.is_from_zero,
        })
    }

    /// The list, if it has no variations.
    fn without_variations(self) -> Result<MoveList, LineError> {
        let mut words = self.lines.iter().flat_map(|line| &line.words);
        let line = words.find_map(|word| match word {
            Word::Variation(variation) => Some(variation.line),
            _ => None,
        });
        match line {
            None => Ok(self),
            Some(line) => Err(LineError {
                line,
                problem: "moves in parentheses are a variation, which has no place here"
                    .to_string(),
            }),
        }
    }

    /// The moves of each line with its number, for lists that have one opening a line.
    ///
    /// # Errors
    /// At a word that is no move of an opening.
    pub fn openings(self) -> Result<Vec<(usize, Vec<Point>)>, LineError> {
        let lines = self.without_variations()?.lines.into_iter().filter(|line| {
            let is_comment = |word: &Word| matches!(word, Word::Comment(_));
            !line.words.iter().all(is_comment)
        });
        let points = |line: Line| match line.points().count() == line.len() && line.len() > 0 {
            true => Ok((line.number, line.points().collect())),
            false => Err(LineError {
                line: line.number,
                problem: match line.len() {
                    0 => "there is no move".to_string(),
                    _ => "a pass is no move of an opening".to_string(),
                },
            }),
        };
        lines.map(points).collect()
    }

    /// True for a list of games, one a line, and not one game on several lines.
    fn is_of_games(&self) -> bool {
        let mut words = self.lines.iter().flat_map(|line| &line.words);
        if words.any(|word| matches!(word, Word::Comment(text) if text == ONE_A_LINE)) {
            return true;
        }
        let lines: Vec<&Line> = self.lines.iter().filter(|line| line.len() > 0).collect();
        let is_numbered = |line: &&Line| line.words.iter().any(|w| matches!(w, Word::Number(_)));
        // A comma at the end of all lines but the last joins them.
        let is_list = |lines: &[&Line]| match lines {
            [before @ .., last] => !last.is_open && before.iter().all(|line| line.is_open),
            [] => false,
        };
        if lines.len() < 2 || lines.iter().any(is_numbered) || is_list(&lines) {
            return false;
        }
        let mut form = ListForm::default();
        for line in lines {
            form.add(line.len(), line.points());
        }
        form.is_of_games()
    }

    /// Games whose moves are numbered; each begins with 1.
    fn numbered_games(&self) -> Vec<&[Line]> {
        let begins = |line: &Line| line.words.first() == Some(&Word::Number(1));
        let mut games = Vec::new();
        let mut from = 0;
        for at in 1..self.lines.len() {
            let has_moves = self.lines[from..at].iter().any(|line| line.len() > 0);
            if begins(&self.lines[at]) && has_moves {
                games.push(&self.lines[from..at]);
                from = at;
            }
        }
        games.push(&self.lines[from..]);
        games
    }
}

/// The lines of a list, as far as they tell games of one line from one game of several.
#[derive(Default)]
pub(crate) struct ListForm {
    /// Numbers of moves.
    first: usize,
    last: usize,
    shortest: usize,
    longest: usize,
    lines: usize,
    /// All lines but the last are as long as the first.
    is_even: bool,
    seen: HashSet<Point>,
    /// A point stands in the list twice.
    repeats: bool,
}

impl ListForm {
    /// Adds a line of `length` moves.
    pub(crate) fn add(&mut self, length: usize, points: impl Iterator<Item = Point>) {
        if self.lines == 0 {
            (self.first, self.shortest, self.is_even) = (length, length, true);
        } else {
            self.is_even &= self.last == self.first;
        }
        self.lines += 1;
        self.last = length;
        self.shortest = self.shortest.min(length);
        self.longest = self.longest.max(length);
        for p in points {
            self.repeats |= !self.seen.insert(p);
        }
    }

    /// True if each line is a game.
    pub(crate) fn is_of_games(&self) -> bool {
        // Lines of one game are equally long, except for the last.
        let is_broken = self.is_even && self.longest == self.first && self.longest > 5;
        let is_short = self.shortest >= SHORTEST_OPENING && self.longest <= LONGEST_OPENING;
        self.lines > 1 && (self.repeats && self.shortest > 1 || is_short && !is_broken)
    }

    /// The comment by which each line of a list is a game.
    pub(crate) fn comment(&self) -> Option<String> {
        let is_unclear = self.lines > 1 && !self.is_of_games();
        is_unclear.then(|| format!("# {ONE_A_LINE}\n"))
    }
}

/// True if a text has a label such as `h8`.
fn has_label(text: &str) -> bool {
    let mut pairs = text.as_bytes().windows(2);
    pairs.any(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
}

/// True if a text has a label such as `h0`.
fn has_row_zero(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut letters = words.filter_map(|word| word.strip_suffix('0'));
    letters.any(|letter| letter.len() == 1 && letter.as_bytes()[0].is_ascii_alphabetic())
}

/// All numbers of a text, with their signs.
fn all_numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '-' && c != '+');
    words.filter(|word| word.contains(|c: char| c.is_ascii_digit()))
}

/// True if numbers are offsets: one has a sign, or all of them stand around 0. Points in brackets,
/// as programs print them, are coordinates.
fn are_offsets<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let (mut count, mut farthest, mut has_brackets) = (0, 0, false);
    for text in texts {
        has_brackets |= text.contains(['(', '[']);
        for number in all_numbers(text) {
            if number.starts_with(['-', '+']) {
                return true;
            }
            count += 1;
            farthest = farthest.max(number.parse().unwrap_or(i32::MAX));
        }
    }
    count >= 2 * FEWEST_OFFSETS && farthest <= FARTHEST_OFFSET && !has_brackets
}

/// The text behind a leading glyph of PGN, such as `$1`, the judgement of a move.
fn behind_glyph(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('$')?;
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < digits.len()).then_some(rest)
}

/// The words of a text of numbers in pairs.
fn numbers(text: &str, board: &Board, is_offsets: bool) -> Result<Vec<Word>, ParsePointError> {
    let fault = |text: &str| ParsePointError(text.trim().to_string());
    let mut words = Vec::new();
    let mut half: Option<(i32, &str)> = None;
    let is_gap = |c: char| c.is_whitespace() || ",;()[]<>|\"'".contains(c);
    // A dash may stand between two points.
    let is_word = |word: &&str| !matches!(*word, "" | "-") && behind_glyph(word) != Some("");
    for word in text.split(is_gap).filter(is_word) {
        let named = match word.to_ascii_lowercase().as_str() {
            PASS => Some(Word::Pass),
            SWAP => Some(Word::Swap),
            _ => None,
        };
        if let Some(named) = named.filter(|_| half.is_none()) {
            words.push(named);
            continue;
        }
        if RESULTS.contains(&word) {
            words.push(Word::Result(word.to_string()));
            continue;
        }
        let number: i32 = word.parse().map_err(|_| fault(word))?;
        let Some((x, first)) = half.take() else {
            half = Some((number, word));
            continue;
        };
        let centre = Point::centre(board.width(), board.height());
        let from = |at: u8| if is_offsets { i32::from(at) } else { 0 };
        let x = x.saturating_add(from(centre.x()));
        let y = number.saturating_add(from(centre.y()));
        let p = board.point(x, y);
        words.push(Word::Point(
            p.ok_or_else(|| fault(&format!("{first},{word}")))?,
        ));
    }
    match half {
        Some((_, word)) => Err(fault(word)),
        None => Ok(words),
    }
}

/// Reads the number at the start of `rest`: that of the next move or pair of moves, or a point
/// `7,7`. Returns the text behind it; `None` for any other number.
fn number<'a>(
    rest: &'a str,
    digits: usize,
    board: &Board,
    moves: &mut usize,
    words: &mut Vec<Word>,
) -> Option<&'a str> {
    let value: usize = rest[..digits].parse().ok()?;
    let behind = &rest[digits..];
    if let Some(second) = behind.strip_prefix(',') {
        let end = second
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(second.len());
        if end > 0 {
            let y = second[..end].parse().ok()?;
            words.push(Word::Point(board.point(value.try_into().ok()?, y)?));
            *moves += 1;
            return Some(&second[end..]);
        }
    }
    // The second move of the first pair, `1... i9`, begins no game.
    let is_second = behind.starts_with("..");
    if value == 1 && !is_second {
        *moves = 0;
    }
    // Moves are counted, or pairs of moves; a pair may be broken by a comment and counted again.
    let is_next = value == *moves + 1 || value == *moves / 2 + 1;
    is_next.then(|| {
        words.extend((!is_second).then_some(Word::Number(value)));
        behind.trim_start_matches(['.', ')', ':'])
    })
}

/// The game of lines that belong together.
fn game(
    lines: &[Line],
    start: &Board,
    warnings: &mut Vec<Warning>,
) -> Result<RecordedGame, RecordError> {
    let words = lines.iter().flat_map(|line| &line.words);
    game_of_words(words, start, &mut |line| {
        let what = "a variation in parentheses is no line of possible moves, and kept as a comment";
        let what = what.to_string();
        warnings.push(Warning::LeftOut { line, what });
    })
}

/// The game of words. `fail` takes the lines of variations that are kept as comments.
fn game_of_words<'a>(
    words: impl Iterator<Item = &'a Word>,
    start: &Board,
    fail: &mut dyn FnMut(usize),
) -> Result<RecordedGame, RecordError> {
    let mut board = start.clone();
    let mut game = RecordedGame::from_position(start.clone());
    // The last node but one of the main line.
    let mut before = Tree::ROOT;
    for word in words {
        let color = board.side_to_move();
        let last = game.last;
        let point = match word {
            Word::Point(p) if !board.is_empty(*p) => {
                let taken = ParseMovesError::Taken(p.label(board.height()));
                return Err(RecordError::Moves(taken.to_string()));
            }
            Word::Point(p) => Some(*p),
            Word::Pass => None,
            Word::Swap => {
                game.swap(color);
                board.set_side_to_move(!color);
                before = last;
                continue;
            }
            Word::Number(_) => continue,
            Word::Result(result) => {
                game.result.clone_from(result);
                continue;
            }
            Word::Comment(text) => {
                game.comment(text);
                continue;
            }
            Word::Variation(variation) => {
                let replaced = game.moves.last().copied();
                match replaced.and_then(|replaced| variation.game(&board, replaced)) {
                    Some(line) => game.tree.graft(before, &line.tree),
                    None => {
                        fail(variation.line);
                        game.comment(&variation.text);
                    }
                }
                continue;
            }
        };
        let made = Move { color, point };
        board.make(made);
        game.play(made);
        before = last;
    }
    Ok(game)
}

impl Variation {
    /// The moves in the place of the move `replaced`, which led to `board`; `None` if they are
    /// impossible, or tell more than moves.
    fn game(&self, board: &Board, replaced: Move) -> Option<RecordedGame> {
        let mut start = board.clone();
        if replaced.point.is_some() {
            start.undo();
        }
        start.set_side_to_move(replaced.color);
        let mut is_whole = true;
        let game = game_of_words(self.words.iter(), &start, &mut |_| is_whole = false).ok()?;
        let has_comment = game.tree.node(Tree::ROOT).find("C").is_some();
        let is_line = is_whole && game.result.is_empty() && !has_comment;
        (is_line && !game.moves.is_empty()).then_some(game)
    }
}

impl RecordedGame {
    /// Adds an exchange of colours by `color` at the end of the main line.
    pub(super) fn swap(&mut self, color: Color) {
        self.swaps.push(self.moves.len());
        self.play(Move { color, point: None });
        let name = if color == Color::Black { "B" } else { "W" };
        let node = self.last_node();
        node.properties.push(Property::new(name, SWAP));
    }

    /// Adds a comment on the last position.
    pub(super) fn comment(&mut self, text: &str) {
        let node = self.last_node();
        match node.properties.iter_mut().find(|p| p.name == "C") {
            Some(known) => {
                known.values[0].push('\n');
                known.values[0].push_str(text);
            }
            None => node.properties.push(Property::new("C", text)),
        }
    }
}
