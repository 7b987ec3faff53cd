//! The sentences that the page translates: `web/src/engine/reasons.json` names each as the programs
//! say it.

use std::collections::{BTreeMap, BTreeSet};

use tengen::board::{Board, ParseMovesError};
use tengen::types::Point;
use tengen_database::DatabaseError;
use tengen_games::records::{LineError, RecordError};
use tengen_games::renlib::LibError;
use tengen_games::sgf::ReadError;

use crate::common::Session;

/// The table: sentences by the key of the page's words. `{name}` stands for a part that differs.
fn table() -> BTreeMap<String, Vec<String>> {
    serde_json::from_str(include_str!("../../../web/src/engine/reasons.json")).unwrap()
}

/// True if a sentence has the form of one in the table.
fn has_form(sentence: &str, form: &str) -> bool {
    let mut parts = form
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let Some(mut rest) = sentence.strip_prefix(parts.next().unwrap()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        // The last part is the end of the sentence; the others come as early as they can.
        let found = match i + 1 == parts.len() {
            true => rest.len().checked_sub(part.len()),
            false => rest.find(part),
        };
        let Some(at) =
            found.filter(|&at| rest.is_char_boundary(at) && rest[at..].starts_with(part))
        else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

/// Every reason why a file is refused, with the key of its words. The page converts without
/// options, so that no charset is named.
fn refused_files() -> Vec<(&'static str, String)> {
    let wrong_word = Point::from_label("z99", 15, 15).unwrap_err().to_string();
    let fault = |problem: &str| LineError {
        line: 3,
        problem: problem.to_string(),
    };
    let moved = |reason: &str| RecordError::Move {
        number: 3,
        reason: reason.to_string(),
    };
    let errors = [
        ("reason.empty", RecordError::Empty),
        (
            "reason.larger",
            RecordError::Larger(Box::new(moved("is off the board")), 20),
        ),
        ("reason.other-kind", RecordError::Foreign("a PNG picture")),
        ("reason.damaged", RecordError::Gzip),
        ("reason.too-large", RecordError::TooLarge(4)),
        ("reason.too-large", RecordError::LargeLibrary(4)),
        ("reason.other-kind", RecordError::Lib(LibError::Foreign)),
        (
            "reason.other-kind",
            RecordError::Lib(LibError::Version(9, 1)),
        ),
        ("reason.damaged", RecordError::Lib(LibError::CutShort)),
        ("reason.damaged", RecordError::Lib(LibError::Cell(9))),
        ("reason.damaged", RecordError::Xml(4, "no tag".to_string())),
        ("reason.other-kind", RecordError::NoGames),
        ("reason.other-kind", RecordError::Charset("x".to_string())),
        (
            "reason.no-moves",
            RecordError::NoRecord("it has no moves".to_string()),
        ),
        ("link.point", RecordError::NoRecord(wrong_word.clone())),
        (
            "reason.other-kind",
            RecordError::NoRecord("JSON: x".to_string()),
        ),
        ("reason.other-kind", RecordError::Sgf(ReadError::NoGame)),
        ("reason.too-large", RecordError::Sgf(ReadError::TooLarge(4))),
        (
            "link.size",
            RecordError::Sgf(ReadError::Size("x".to_string())),
        ),
        (
            "link.point",
            RecordError::Sgf(ReadError::Point("x".to_string())),
        ),
        (
            "reason.other-game",
            RecordError::OtherGame("chess (x)".to_string()),
        ),
        ("reason.other-kind", RecordError::PsqHead),
        ("reason.other-kind", RecordError::Journal),
        ("reason.other-kind", RecordError::NoMoves),
        (
            "link.size",
            RecordError::Size(Board::new(99, 99).unwrap_err()),
        ),
        (
            "reason.damaged",
            RecordError::Diagram {
                row: 2,
                reason: "x".to_string(),
            },
        ),
        ("link.point", RecordError::Moves(wrong_word)),
        (
            "link.taken",
            RecordError::Moves(ParseMovesError::Taken("h8".to_string()).to_string()),
        ),
        ("reason.line", RecordError::Line(fault("there is no move"))),
        ("reason.move", moved("is off the board")),
        ("reason.move", moved("is on a taken point")),
        (
            "reason.line",
            RecordError::PsqMove {
                line: 4,
                before: 3,
                text: "x".to_string(),
            },
        ),
        (
            "reason.line",
            RecordError::PsqEnd {
                line: 4,
                text: "x".to_string(),
            },
        ),
    ];
    let sentences = errors
        .iter()
        .map(|(code, error)| (*code, error.to_string()));
    // Of these lines the page translates what follows the number.
    let after_the_line = [
        ("reason.no-moves", "there is no move"),
        ("reason.point", "7,7 is off the board or taken"),
        (
            "reason.other-kind",
            "expected a move, the names of both players or a last number, found 'x'",
        ),
    ];
    sentences
        .chain(after_the_line.map(|(code, text)| (code, text.to_string())))
        .collect()
}

/// A new kind of reason does not compile here until it stands above.
fn is_listed(error: &RecordError) -> bool {
    use RecordError::*;
    match error {
        // The message of the system.
        Io(_) => false,
        Empty
        | Larger(..)
        | Foreign(_)
        | Gzip
        | TooLarge(_)
        | LargeLibrary(_)
        | Lib(_)
        | Xml(..)
        | NoGames
        | Charset(_)
        | NoRecord(_)
        | Sgf(_)
        | OtherGame(_)
        | PsqHead
        | Journal
        | NoMoves
        | Size(_)
        | Diagram { .. }
        | Moves(_)
        | Line(_)
        | Move { .. }
        | PsqMove { .. }
        | PsqEnd { .. } => true,
    }
}

/// What sessions answer, with the keys.
fn answered_errors() -> Vec<(&'static str, String)> {
    let mut session = Session::start(15);
    let mut asked = |lines: &[&str]| {
        for line in lines {
            session.send(line);
        }
        loop {
            let line = session.answer();
            if let Some(why) = line.strip_prefix("ERROR ") {
                return why.to_string();
            }
            if line.starts_with("UNKNOWN") {
                return line;
            }
        }
    };
    let won = "YXBOARD 0,0,1 1,0,1 2,0,1 3,0,1 4,0,1 0,1,2 1,1,2 2,1,2 3,1,2 DONE";
    let cells: Vec<String> = (0..225)
        .map(|i| format!("{},{},3", i % 15, i / 15))
        .collect();
    let full = format!("YXBOARD {} DONE", cells.join(" "));
    let one_left = format!("YXBOARD {} DONE", cells[1..].join(" "));
    vec![
        ("reason.game-over", asked(&[won, "TENGENSOLVE vcf"])),
        ("reason.board-full", asked(&[&full, "TENGENSOLVE vcf"])),
        ("reason.board-full", asked(&[&one_left, "YXBALANCETWO 0"])),
        ("reason.no-moves", asked(&["TENGENREVIEW DONE"])),
        ("reason.point", asked(&["TENGENREVIEW 7,7 7,7 DONE"])),
        (
            "reason.point",
            asked(&["RESTART", "BOARD 7,7,1 DONE", "TURN 7,7"]),
        ),
        ("reason.point", asked(&["TURN 30,7"])),
        ("reason.database", asked(&["YXDBCHECK"])),
        ("reason.unknown-command", asked(&["HELLO"])),
    ]
}

/// Errors of the database after `The database: `.
fn database_errors() -> Vec<(&'static str, String)> {
    use DatabaseError::*;
    vec![
        ("reason.in-use", InUse.to_string()),
        ("reason.damaged", Damaged.to_string()),
        ("reason.damaged", Closed.to_string()),
        ("reason.read-only", ReadOnly.to_string()),
        (
            "reason.damaged",
            format!("{Damaged}; YXDBFIX saves what can be read"),
        ),
    ]
}

/// Sentences beyond the reach of this test, each found in the source of its file.
fn constant_sentences() -> Vec<(&'static str, String)> {
    let thinking = include_str!("../../../src/protocol/session/thinking.rs");
    let settings = include_str!("../../../src/protocol/settings.rs");
    let solve = include_str!("../../games/src/commands/solve.rs");
    let database = include_str!("../../database/src/commands/mod.rs");
    [
        ("reason.search-failed", thinking, "the search broke down"),
        (
            "reason.search-failed",
            solve,
            "the system gives no thread for the search",
        ),
        (
            "reason.no-files",
            settings,
            "files cannot be reached from here",
        ),
        (
            "reason.no-database",
            database,
            "no database is open for this board",
        ),
        ("reason.no-database", database, "there is no database"),
    ]
    .map(|(code, file, text)| {
        assert!(
            file.contains(&format!("\"{text}\"")),
            "nothing says: {text}"
        );
        (code, text.to_string())
    })
    .to_vec()
}

#[test]
fn the_page_has_a_code_for_every_reason() {
    assert!(is_listed(&RecordError::Empty));
    let table = table();
    let mut unsaid: BTreeSet<&String> = table.values().flatten().collect();
    let said = [
        refused_files(),
        answered_errors(),
        database_errors(),
        constant_sentences(),
    ];
    for (code, sentence) in said.concat() {
        let form = table[code].iter().find(|form| has_form(&sentence, form));
        let form = form.unwrap_or_else(|| panic!("{code} does not have: {sentence}"));
        unsaid.remove(form);
    }
    assert!(unsaid.is_empty(), "nothing says these: {unsaid:#?}");
}
