//! Databases as text. The export of an import is imported and exported as the same.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tengen_database::{Database, read_text, write_text};
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;

fuzz_target!(|text: &[u8]| {
    in_folder(|folder| {
        let database = sound(Database::open(&folder.join("first")), "a new database");
        if database.write(|writer| read_text(text, writer)).is_err() {
            return;
        }
        let lines = exported(&database);
        assert_eq!(exported(&imported(&folder.join("second"), &lines)), lines);
    });
});

/// The lines of all positions.
fn exported(database: &Database) -> Vec<String> {
    let mut lines = Vec::new();
    let all = database.each(&mut |board, rule, record| {
        let mut line = Vec::new();
        let written = write_text(&mut line, board, rule, &record);
        assert!(
            sound(written, "a line in memory"),
            "a position without a line"
        );
        lines.push(String::from_utf8(line).expect("texts are UTF-8"));
        true
    });
    sound(all, "an export");
    lines
}

fn imported(path: &Path, lines: &[String]) -> Database {
    let database = sound(Database::open(path), "a new database");
    let read = database.write(|writer| read_text(lines.concat().as_bytes(), writer));
    assert_eq!(sound(read, "an import"), lines.len());
    database
}
