use std::io::{BufReader, Read, repeat};

use super::tests::{put, situation, temporary};
use super::*;
use tengen::types::Point;

const LINE: &str = "renju\t15x15\th8 i9\tW\t0\t0\t-\tgood\t-\n";

/// Reads a text into a new database. Returns the record of h8 i9, or the error.
fn read(text: impl Read) -> Result<Record, String> {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let result = database.write(|writer| read_text(BufReader::new(text), writer));
    match result {
        Ok(count) => assert_eq!(count, 1),
        Err(why) => return Err(why.to_string()),
    }
    Ok(database.get(&situation("h8 i9")).unwrap().unwrap())
}

/// The text of a database that knows `record` of h8 i9.
fn written(record: &Record) -> String {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    put(&database, "h8 i9", record);
    let mut text = Vec::new();
    let write = &mut |board: &_, rule, record| write_text(&mut text, board, rule, &record).unwrap();
    database.each(write).unwrap();
    String::from_utf8(text).unwrap()
}

/// A carriage return was left out.
#[test]
fn every_letter_of_a_text_comes_back() {
    for letters in ["one\r\ntwo\rthree\r", "\\r \\n \\s", "\t-\u{FEFF}\u{2028}"] {
        let record = Record {
            drawings: Drawing::only(letters),
            cells: vec![(Point::new(0, 0), letters.to_string())],
            ..Record::default()
        };
        let text = written(&record);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.contains('\r'), "{text:?}");
        assert_eq!(read(text.as_bytes()).unwrap(), record);
    }
}

#[test]
fn an_endless_line_is_refused_by_its_number() {
    let text = LINE.as_bytes().chain(repeat(b'x').take(64 << 20));
    assert_eq!(read(text).unwrap_err(), "line 2: it has more than 4 MiB");
    let tabs = LINE
        .as_bytes()
        .chain(repeat(b'\t').take(1 << 20))
        .chain(&b"x"[..]);
    assert!(read(tabs).unwrap_err().starts_with("line 2: nine fields"));
}

#[test]
fn the_longest_comment_comes_back() {
    let record = Record {
        drawings: Drawing::only("\n".repeat(1 << 20)),
        ..Record::default()
    };
    assert_eq!(read(written(&record).as_bytes()).unwrap(), record);
}

#[test]
fn bytes_that_are_no_text_are_refused_by_their_line() {
    let latin = LINE.as_bytes().chain(&b"# caf\xe9\n"[..]);
    assert_eq!(read(latin).unwrap_err(), "line 2: it is not UTF-8");
}

/// Editors put it before a text.
#[test]
fn a_byte_order_mark_is_skipped() {
    let marked = |text: &str| format!("\u{FEFF}{text}");
    for text in [LINE.to_string(), format!("# a comment\r\n{LINE}")] {
        assert_eq!(
            read(marked(&text).as_bytes()).unwrap().drawings[0].comment,
            "good"
        );
        assert!(is_text_file(marked(&text).as_bytes()));
    }
    assert!(is_moves_file(marked("h8i9\n").as_bytes()));
    let inside = format!("{LINE}{}", marked(LINE));
    assert_eq!(
        read(inside.as_bytes()).unwrap_err(),
        "line 2: an unknown rule"
    );
}
