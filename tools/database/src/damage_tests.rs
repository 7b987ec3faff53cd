//! Files that are damaged in every way: none ends the process, changes unasked, or lies.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::tests::board;
use super::*;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::types::Point;

/// All positions of a database with their records, in order.
type Contents = Vec<(String, Record)>;

fn situation(moves: &str) -> Situation {
    Situation::new(&board(moves), Rule::Renju)
}

fn record(i: usize) -> Record {
    Record {
        depth: i as i16,
        comment: "x".repeat(i % 90),
        ..Record::default()
    }
}

fn cell(i: usize) -> String {
    format!("{}{}", (b'a' + (i % 15) as u8) as char, i / 15 % 15 + 1)
}

/// Writes a database of `count` positions or some fewer, and the ways to them, in several changes.
/// Returns what it has.
fn write_sample(path: &Path, count: usize) -> Contents {
    let database = Database::open(path).unwrap();
    let mut written = HashSet::new();
    for change in 0..3 {
        let put = |writer: &mut Writer| {
            for i in (change..count).step_by(3) {
                let (first, second) = (i % 225, (i * 7 + 113) % 225);
                if first == second {
                    continue;
                }
                // Of a record that was changed, the old one could be saved.
                let board = board(&format!("{} {}", cell(first), cell(second)));
                let new = Situation::new(&board, Rule::Renju);
                if written.insert(new.key().to_vec()) {
                    add_ancestors(writer, &board, Rule::Renju)?;
                    writer.put(&new, &record(i))?;
                }
            }
            let large = Record {
                comment: "large ".repeat(1_500),
                ..record(change)
            };
            writer.put(&situation("h8"), &large)
        };
        database.write::<_, DatabaseError>(put).unwrap();
    }
    contents(&database).unwrap()
}

fn contents(database: &Database) -> Result<Contents, DatabaseError> {
    let mut all = Vec::new();
    database.each(&mut |board, rule, record| {
        all.push((format!("{rule:?} {board}"), record));
        true
    })?;
    Ok(all)
}

/// What became of a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Refused,
    /// It was opened; reading or writing met the damage.
    Failed,
    /// All was read and written: nothing of importance was damaged.
    Sound,
}

/// Opens `bytes` as a database of `known` positions, reads all and, if `changes`, writes.
fn use_damaged(path: &Path, bytes: &[u8], known: &Contents, changes: bool) -> Outcome {
    fs::write(path, bytes).unwrap();
    let is_unchanged = || fs::read(path).unwrap() == bytes;
    let database = match Database::open_existing(path, Access::Write) {
        Ok(database) => database,
        Err(_) => {
            assert!(is_unchanged());
            return Outcome::Refused;
        }
    };
    let found = contents(&database);
    if let Ok(found) = &found {
        assert_eq!(found, known);
    }
    let h8 = database.get(&situation("h8"));
    if !changes && found.is_ok() {
        drop(database);
        assert!(h8.is_ok() && is_unchanged());
        return Outcome::Sound;
    }
    let new = situation("a1 b1 c1");
    let written = database.write(|writer| writer.put(&new, &record(1)));
    if found.is_err() {
        assert!(database.has_failed() && h8.is_err() && written.is_err());
        assert!(contents(&database).is_err());
        drop(database);
        assert!(is_unchanged());
        return Outcome::Failed;
    }
    drop(database);
    // What was reported as done is done.
    match (written, Database::open_existing(path, Access::Read)) {
        (Ok(()), Ok(database)) => {
            assert_eq!(database.get(&new).unwrap(), Some(record(1)));
            assert_eq!(contents(&database).unwrap().len(), known.len() + 1);
            Outcome::Sound
        }
        (Ok(()), Err(error)) => panic!("after a change: {error}"),
        (Err(_), _) => Outcome::Failed,
    }
}

/// Saves what is left of a file that was refused, of which all but a few of `known` positions must
/// be there if there is no more than one damaged byte.
fn save(path: &Path, bytes: &[u8], known: &Contents, is_one_byte: bool) {
    fs::write(path, bytes).unwrap();
    let (kept, found, doubtful) = match salvage(path) {
        Ok(saved) => {
            let found = contents(&saved.database).unwrap();
            assert_eq!(found.len(), saved.count);
            (Some(saved.kept), found, saved.doubtful)
        }
        Err(_) => {
            assert!(fs::read(path).unwrap() == bytes);
            (None, Vec::new(), 0)
        }
    };
    let (right, others): (Contents, Contents) = found.into_iter().partition(|e| known.contains(e));
    let wrong = others
        .iter()
        .filter(|(_, record)| !record.is_blank())
        .count();
    assert!(wrong <= doubtful, "{wrong} wrong, {doubtful} doubtful");
    // A damaged end of an entry is the beginning of the next; and one record was changed.
    let missing = known.len() - right.len();
    assert!(missing <= 3 || !is_one_byte, "{missing} missing");
    if let Some(kept) = kept {
        assert!(fs::read(&kept).unwrap() == bytes);
        fs::remove_file(kept).unwrap();
    }
    let files = fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(files.count(), 1, "something was left behind");
}

/// A damage: some bytes, a block, the end, or what another place has.
fn damage(bytes: &mut Vec<u8>, random: &mut StdRng) {
    let len = bytes.len();
    // Most of a file is empty.
    let mut places = (0..20).map(|_| random.random_range(0..len));
    let at = places.find(|&at| bytes[at] != 0).unwrap_or(0);
    match random.random_range(0..10) {
        0 if at % 3 == 0 => bytes.truncate(len - 1),
        0 => bytes.truncate(at),
        1 => bytes.extend(vec![random.random::<u8>(); random.random_range(1..9_000)]),
        2 => bytes[at..(at + 512).min(len)].fill(random.random()),
        3 => {
            let from = at / 4096 * 4096;
            let to = random.random_range(0..len / 4096) * 4096;
            let size = 4096.min(len - from);
            bytes.copy_within(from..from + size, to);
        }
        4 if at % 2 == 0 => {
            let start = random.random_range(9..300);
            let size = random.random_range(1..20);
            bytes[start..start + size].fill(if at % 4 == 0 { 0xFF } else { 0 });
        }
        4 => {
            for _ in 0..random.random_range(1..4) {
                bytes[random.random_range(0..320)] = random.random();
            }
        }
        5 => {
            for _ in 0..random.random_range(2..9) {
                bytes[random.random_range(0..len)] = random.random();
            }
        }
        6 => bytes[at] ^= 1 << random.random_range(0..8),
        _ => bytes[at] = !bytes[at],
    }
}

/// Tries `count` damages of a small and of a larger database. Returns how many had which outcome.
fn try_damages(count: u64, seed: u64) -> [usize; 3] {
    let dir = tempfile::tempdir().unwrap();
    let damaged_dir = tempfile::tempdir().unwrap();
    let path = damaged_dir.path().join("damaged.db");
    let samples = [20, 2_000].map(|count| {
        let path = dir.path().join(count.to_string());
        let known = write_sample(&path, count);
        (fs::read(&path).unwrap(), known)
    });
    let mut outcomes = [0; 3];
    for i in 0..count {
        let mut random = StdRng::seed_from_u64(seed + i);
        let (bytes, known) = &samples[usize::from(i % 8 == 0)];
        let sound = bytes;
        let mut bytes = sound.clone();
        damage(&mut bytes, &mut random);
        let outcome = use_damaged(&path, &bytes, known, true);
        outcomes[outcome as usize] += 1;
        if outcome != Outcome::Sound && i % 4 == 0 {
            let differ = |(one, other): &(&u8, &u8)| one != other;
            let count = sound.iter().zip(&bytes).filter(differ).count();
            let is_one_byte = count <= 1 && bytes.len() + 1 >= sound.len();
            save(&path, &bytes, known, is_one_byte);
        }
    }
    outcomes
}

#[test]
fn no_byte_of_the_first_page_does_harm() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let known = write_sample(&path, 20);
    let bytes = fs::read(&path).unwrap();
    let mut outcomes = [0; 3];
    for at in 0..4096 {
        let mut bytes = bytes.clone();
        bytes[at] = !bytes[at];
        // After the header the page is not used, so that each byte there does the same.
        let changes = at < 320 || at % 64 == 0;
        outcomes[use_damaged(&path, &bytes, &known, changes) as usize] += 1;
    }
    println!(
        "{} bytes; refused, failed, sound: {outcomes:?}",
        bytes.len()
    );
    // Magic number, flags, sizes and both slots; the rest of the page is not used.
    assert!(outcomes[0] >= 9 + 1 + 20 + 2 * 128, "{outcomes:?}");
}

#[test]
fn no_damage_does_harm() {
    println!("refused, failed, sound: {:?}", try_damages(3_000, 0));
}

/// Whichever page of a file is lost: walks find all that is saved.
#[test]
fn what_is_saved_has_a_way_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let empty = Board::new(7, 7).unwrap();
    let fill = |writer: &mut Writer| {
        for cell in empty.points().skip(2) {
            let mut board = empty.clone();
            for p in [Point::new(0, 0), cell, Point::new(1, 0)] {
                board.play(p);
            }
            add_ancestors(writer, &board, Rule::Renju)?;
            let record = Record {
                comment: "x".repeat(400),
                ..Record::default()
            };
            writer.put(&Situation::new(&board, Rule::Renju), &record)?;
        }
        Ok::<_, DatabaseError>(())
    };
    drop(Database::create(&path, fill).unwrap());
    let sound = fs::read(&path).unwrap();
    let mut counts = HashSet::new();
    for page in 1..sound.len() / 4096 {
        let mut bytes = sound.clone();
        bytes[4096 * page..4096 * (page + 1)].fill(0);
        fs::write(&path, &bytes).unwrap();
        let Ok(saved) = salvage(&path) else {
            continue;
        };
        let mut walked = 0;
        let walk = |reader: &Reader| {
            reader.walk(&empty, Rule::Renju, &mut |_, _| {
                walked += 1;
                true
            })
        };
        saved.database.read(walk).unwrap();
        assert_eq!(walked + 1, saved.count, "page {page}");
        counts.insert(saved.count);
        fs::remove_file(saved.kept).unwrap();
    }
    assert!(counts.len() > 2, "{counts:?}");
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| dir.path().join(name));
    assert!(salvage::copy_to_new(&from, &to).is_err());
    assert!(!to.exists());
    fs::write(&from, "damaged").unwrap();
    salvage::copy_to_new(&from, &to).unwrap();
    assert_eq!(fs::read(&to).unwrap(), b"damaged");
    assert!(salvage::copy_to_new(&from, &to).is_err());
    assert_eq!(fs::read(&to).unwrap(), b"damaged");
}

/// The same at length: `cargo test --lib -- --ignored --nocapture hundred_thousand_damages`.
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_damages_do_no_harm() {
    println!(
        "refused, failed, sound: {:?}",
        try_damages(100_000, 1 << 32)
    );
}
