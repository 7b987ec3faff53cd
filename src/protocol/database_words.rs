//! The commands of the opening database as values, and how their heads are read.

use super::text::{Coord, integer};
use crate::database::{Selection, Verdict};

/// What a block of moves asks the database for, or changes in it, at the position after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseBlock {
    /// `YXQUERYDATABASEALL`, and `…ALLT` with the comment: what is known one move on.
    QueryAll {
        /// Whether the comment is wanted too.
        with_comment: bool,
    },
    /// `YXQUERYDATABASEONE`: what is known of the position.
    QueryOne,
    /// `YXQUERYDATABASETEXT`: its comment.
    QueryComment,
    /// `YXEDITTVDDATABASE mask label value depth`.
    Edit {
        /// A character's code, or none to clear it; absent to leave it.
        label: Option<i64>,
        /// Absent to leave it.
        value: Option<i64>,
        /// Absent to leave it.
        depth: Option<i64>,
    },
    /// `YXEDITTEXTDATABASE "comment"`.
    EditComment(String),
    /// `YXEDITLABELDATABASE x,y text`: the text on a cell; empty to take it away.
    EditCell {
        /// The cell.
        at: Coord,
        /// Its text.
        text: String,
    },
    /// `YXDELETEDATABASEONE`.
    Delete,
    /// `YXDELETEDATABASEALL`: positions that follow.
    DeleteAfter(Selection),
    /// `YXSETBESTMOVEDATABASE`, `YXCLEARBESTMOVEDATABASE`: whether the last move is marked as best.
    MarkBest(bool),
}

/// Database commands with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseFile {
    /// `YXSETDATABASE`: use this one from now on.
    Open,
    /// `YXDBMERGE`: add what another one knows.
    Merge,
    /// `YXDBSPLIT`: put what follows from the present position into a new one.
    Split,
    /// `YXDBTOTXTALL`, `YXDBTOTXT`: a text of everything, or of what follows from the present
    /// position.
    ExportText {
        /// Everything.
        all: bool,
    },
    /// `YXDBTOPOS`: the moves of everything alone.
    ExportMoves,
    /// `YXTXTTODB`.
    ImportText,
    /// `YXLIBTODB`: add a library of RenLib.
    ImportLibrary,
    /// `YXDBTOLIB`: what follows from the present position as a library of RenLib.
    ExportLibrary,
}

/// The head of a block, read.
#[derive(Debug, PartialEq, Eq)]
pub enum Head<'a> {
    /// Complete, and what stands behind it on the line.
    Ready(DatabaseBlock, &'a str),
    /// The comment goes on in the next line; what there is of it, with the quote at its head.
    Open(String),
    /// Arguments that make no sense: the block does nothing.
    Bad,
}

/// Reads a head: `word` in upper case, and the rest of the line. `None` for other words.
pub fn head<'a>(word: &str, rest: &'a str) -> Option<Head<'a>> {
    let ready = |block| Some(Head::Ready(block, rest));
    match word {
        "YXQUERYDATABASEALL" => ready(DatabaseBlock::QueryAll {
            with_comment: false,
        }),
        "YXQUERYDATABASEALLT" => ready(DatabaseBlock::QueryAll { with_comment: true }),
        "YXQUERYDATABASEONE" => ready(DatabaseBlock::QueryOne),
        "YXQUERYDATABASETEXT" => ready(DatabaseBlock::QueryComment),
        "YXDELETEDATABASEONE" => ready(DatabaseBlock::Delete),
        "YXSETBESTMOVEDATABASE" => ready(DatabaseBlock::MarkBest(true)),
        "YXCLEARBESTMOVEDATABASE" => ready(DatabaseBlock::MarkBest(false)),
        "YXEDITTVDDATABASE" => Some(edit(rest)),
        "YXEDITTEXTDATABASE" => Some(comment(rest)),
        "YXEDITLABELDATABASE" => Some(cell(rest)),
        "YXDELETEDATABASEALL" => Some(delete(rest)),
        _ => None,
    }
}

/// `mask label value depth`; of the mask's bits 1 is the label, 2 the value, 4 the depth.
fn edit(rest: &str) -> Head<'_> {
    let mut rest = rest;
    let mut numbers = [0; 4];
    for number in &mut numbers {
        let (word, after) = split(rest);
        match integer(word) {
            Some(n) => *number = n,
            None => return Head::Bad,
        }
        rest = after;
    }
    let [mask, label, value, depth] = numbers;
    let wanted = |bit, number| (mask & bit != 0).then_some(number);
    Head::Ready(
        DatabaseBlock::Edit {
            label: wanted(1, label),
            value: wanted(2, value),
            depth: wanted(4, depth),
        },
        rest,
    )
}

/// A comment in quotes, with `\"` and `\\` for a quote and a backslash.
pub fn comment(rest: &str) -> Head<'_> {
    let Some(quoted) = rest.strip_prefix('"') else {
        return Head::Bad;
    };
    let mut text = String::new();
    let mut chars = quoted.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Head::Ready(DatabaseBlock::EditComment(text), &quoted[i + 1..]),
            '\\' => text.extend(chars.next().map(|(_, c)| c)),
            c => text.push(c),
        }
    }
    Head::Open(rest.to_string())
}

fn cell(rest: &str) -> Head<'_> {
    let (word, after) = split(rest);
    let Some(at) = Coord::parse(word).filter(|_| word.contains(',')) else {
        return Head::Bad;
    };
    let (text, behind) = split(after);
    // Without a text the block begins here.
    let is_text = !text.is_empty() && Coord::parse(text).is_none() && !is_done(text);
    let (text, rest) = if is_text { (text, behind) } else { ("", after) };
    Head::Ready(
        DatabaseBlock::EditCell {
            at,
            text: text.to_string(),
        },
        rest,
    )
}

/// The verdict, with `RECURSIVE` at its end or behind it, and for `WLINSTEP` the number of plies. Nothing at all
/// means everything that follows.
fn delete(line: &str) -> Head<'_> {
    let (word, rest) = split(line);
    if word.is_empty() || word.contains(',') || is_done(word) {
        let selection = Selection {
            verdict: Verdict::Any,
            is_recursive: true,
        };
        return Head::Ready(DatabaseBlock::DeleteAfter(selection), line);
    }
    let word = word.to_ascii_uppercase();
    let (kind, joined) = match word.strip_suffix("RECURSIVE") {
        Some(kind) => (kind, true),
        None => (&*word, false),
    };
    let (next, behind) = split(rest);
    let (is_recursive, rest) = if next.eq_ignore_ascii_case("RECURSIVE") {
        (true, behind)
    } else {
        (joined, rest)
    };
    let (number, behind) = split(rest);
    let (verdict, rest) = match kind {
        "NONWL" => (Verdict::NotWinOrLoss, rest),
        "NONWLD" => (Verdict::NotDecided, rest),
        "W" => (Verdict::Win, rest),
        "L" => (Verdict::Loss, rest),
        "WL" => (Verdict::WinOrLoss, rest),
        "WLD" => (Verdict::Decided, rest),
        "WLNOSTEP" => (Verdict::WithoutPlies, rest),
        "WLINSTEP" => match integer(number).and_then(|n| u32::try_from(n).ok()) {
            Some(plies) => (Verdict::WithinPlies(plies), behind),
            None => return Head::Bad,
        },
        _ => return Head::Bad,
    };
    let selection = Selection {
        verdict,
        is_recursive,
    };
    Head::Ready(DatabaseBlock::DeleteAfter(selection), rest)
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn is_done(word: &str) -> bool {
    word.eq_ignore_ascii_case("DONE")
}
