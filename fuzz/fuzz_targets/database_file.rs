//! Damaged files of a database. A damaged file is refused or read as it was written. A refused file
//! stays as it is, and so does a file repaired as a copy. After a change reported as done the file
//! is sound.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::board::{Board, parse_moves};
use tengen::rules::Rule;
use tengen_database::{
    Access, Database, DatabaseError, Drawing, Record, Situation, Writer, repair,
};
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;

/// Size of a page of redb.
const PAGE: usize = 4096;

#[derive(Arbitrary, Debug)]
struct Input {
    is_large: bool,
    damages: Vec<Damage>,
}

#[derive(Arbitrary, Debug)]
enum Damage {
    /// A byte among the first, which describe the file.
    Head(u16, u8),
    /// The byte of this number, or the next one that is not 0.
    Byte(u32, u8),
    Copy {
        from: u16,
        to: u16,
    },
    Fill {
        page: u16,
        byte: u8,
    },
    Cut(u32),
    Grow(u16),
}

/// A file and its contents.
struct Sample {
    bytes: Vec<u8>,
    contents: Contents,
}

type Contents = Vec<(String, Record)>;

static SAMPLES: LazyLock<[Sample; 2]> = LazyLock::new(|| [20, 1_000].map(sample));

// The database takes panics of redb for errors, so they must not end the process.
fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |input: Input| {
    let sample = &SAMPLES[usize::from(input.is_large)];
    let mut bytes = sample.bytes.clone();
    input.damages.iter().for_each(|damage| damage.apply(&mut bytes));
    let hold = std::panic::catch_unwind(|| {
        in_folder(|folder| {
            let path = folder.join("a.db");
            fs::write(&path, &bytes).expect("a file in the folder");
            if !is_usable(&path, &bytes, &sample.contents) {
                mend(&path, &bytes, &sample.contents);
            }
        });
    });
    if let Err(panic) = hold {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        eprintln!("{}", text.or(panic.downcast_ref().copied()).unwrap_or("panicked"));
        std::process::abort();
    }
});

/// Reads and changes the file; true if the file was sound.
fn is_usable(path: &Path, bytes: &[u8], known: &Contents) -> bool {
    let is_unchanged = || fs::read(path).expect("the file is there") == bytes;
    let Ok(database) = Database::open_existing(path, Access::Write) else {
        assert!(is_unchanged(), "a refused file was changed");
        return false;
    };
    match contents(&database) {
        Ok(found) => assert!(found == *known, "something else was read"),
        Err(_) => {
            drop(database);
            assert!(is_unchanged(), "a damaged file was changed");
            return false;
        }
    }
    let new = situation("a1 b1 c1");
    let record = Record {
        depth: 7,
        ..Record::default()
    };
    let is_done = database.write(|writer| writer.put(&new, &record)).is_ok();
    drop(database);
    if is_done {
        let database = sound(Database::open(path), "a file after a change");
        let count = sound(contents(&database), "what is in it").len();
        assert_eq!(count, known.len() + 1);
        assert_eq!(sound(database.get(&new), "the new record"), Some(record));
    }
    is_done
}

/// Puts the last sound state of a file that is not sound in its place.
fn mend(path: &Path, bytes: &[u8], known: &Contents) {
    let read = |path: &Path| fs::read(path).expect("the file is there");
    match repair(path) {
        Ok(repaired) => {
            let found = sound(contents(&repaired.database), "a new database");
            assert_eq!(found.len() as u64, repaired.count);
            assert!(found == *known, "something else was saved");
            assert!(
                read(&repaired.kept) == bytes,
                "the damaged file was changed"
            );
        }
        Err(_) => assert!(read(path) == bytes, "the damaged file was changed"),
    }
}

fn contents(database: &Database) -> Result<Contents, DatabaseError> {
    let mut all = Vec::new();
    database.each(&mut |board, rule, record| {
        all.push((format!("{rule:?} {board}"), record));
        true
    })?;
    Ok(all)
}

fn situation(moves: &str) -> Situation {
    let mut board = Board::new(15, 15).expect("a usual size");
    sound(parse_moves(&mut board, moves), "moves");
    Situation::new(&board, Rule::Renju)
}

/// A database of about as many positions, written in three changes.
fn sample(count: usize) -> Sample {
    in_folder(|folder| {
        let path = folder.join("sample.db");
        let database = sound(Database::open(&path), "a new database");
        let cell = |i: usize| format!("{}{}", (b'a' + (i % 15) as u8) as char, i / 15 % 15 + 1);
        for change in 0..3 {
            let put = |writer: &mut Writer| {
                for i in (change..count)
                    .step_by(3)
                    .filter(|i| i % 225 != (i * 7 + 113) % 225)
                {
                    let record = Record {
                        depth: i as i16,
                        drawings: Drawing::only("x".repeat(i % 90)),
                        ..Record::default()
                    };
                    writer.put(
                        &situation(&format!("{} {}", cell(i), cell(i * 7 + 113))),
                        &record,
                    )?;
                }
                let record = Record {
                    drawings: Drawing::only("large ".repeat(1_500)),
                    ..Record::default()
                };
                writer.put(&situation("h8"), &record)
            };
            sound(database.write::<_, DatabaseError>(put), "a change");
        }
        let contents = sound(contents(&database), "what was written");
        drop(database);
        let bytes = fs::read(&path).expect("the file is there");
        Sample { bytes, contents }
    })
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let len = bytes.len();
        if len < PAGE {
            return;
        }
        let page = |number: u16| usize::from(number) % (len / PAGE) * PAGE;
        match *self {
            Damage::Head(at, byte) => bytes[usize::from(at) % 320] ^= byte,
            Damage::Byte(number, byte) => {
                let at = number as usize % len;
                let place = (at..len).chain(0..at).find(|&at| bytes[at] != 0);
                bytes[place.unwrap_or(0)] ^= byte;
            }
            Damage::Copy { from, to } => bytes.copy_within(page(from)..page(from) + PAGE, page(to)),
            Damage::Fill { page: at, byte } => bytes[page(at)..][..PAGE].fill(byte),
            Damage::Cut(length) => bytes.truncate(length as usize % (len + 1)),
            Damage::Grow(more) => bytes.resize(len + usize::from(more), 0),
        }
    }
}
