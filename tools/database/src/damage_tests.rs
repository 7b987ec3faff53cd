//! Files that are damaged in every way: none ends the process, changes unasked, or lies.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::file::backup_path;
use super::tests::board;
use super::*;
use tengen::rules::Rule;

/// Size of a page of redb.
const PAGE: usize = 4096;
/// Longest time for all that is done with one file.
const LONGEST: Duration = Duration::from_secs(20);

/// All positions of a database with their records, in order.
type Contents = Vec<(String, Record)>;

fn situation(moves: &str) -> Situation {
    Situation::new(&board(moves), Rule::Renju)
}

fn record(i: usize) -> Record {
    Record {
        depth: i as i16,
        drawings: Drawing::only("x".repeat(i % 90)),
        ..Record::default()
    }
}

fn cell(i: usize) -> String {
    format!("{}{}", (b'a' + (i % 15) as u8) as char, i / 15 % 15 + 1)
}

/// A file with its contents now and before the last change.
struct Sample {
    bytes: Vec<u8>,
    /// The contents that a reader may find: two where the last change was cut short at its very
    /// end.
    known: Vec<Contents>,
    earlier: Contents,
}

/// Writes a third of `count` positions and the ways to them, and another comment on one.
fn change(database: &Database, count: usize, number: usize) -> Contents {
    let put = |writer: &mut Writer| {
        for i in (number..count).step_by(3) {
            let (first, second) = (i % 225, (i * 7 + 113) % 225);
            if first != second {
                let board = board(&format!("{} {}", cell(first), cell(second)));
                add_ancestors(writer, &board, Rule::Renju)?;
                writer.put(&Situation::new(&board, Rule::Renju), &record(i))?;
            }
        }
        let large = Record {
            drawings: Drawing::only("large ".repeat(1_500)),
            ..record(number)
        };
        writer.put(&situation("h8"), &large)
    };
    database.write::<_, DatabaseError>(put).unwrap();
    contents(database).unwrap()
}

/// Files of about `count` positions: a closed one, and, where the system lets others read an open
/// file, the remains of a kill after a change and at three times within one.
fn samples(count: usize) -> Vec<Sample> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let database = Database::open(&path).unwrap();
    let sample = |bytes: &[u8], known: &[&Contents], earlier: &Contents| Sample {
        bytes: bytes.to_vec(),
        known: known.iter().copied().cloned().collect(),
        earlier: earlier.clone(),
    };
    let first = change(&database, count, 0);
    let second = change(&database, count, 1);
    let killed = cfg!(unix).then(|| fs::read(&path).unwrap());
    let third = change(&database, count, 2);
    let mut samples = Vec::new();
    if let Some(killed) = killed {
        let after = fs::read(&path).unwrap();
        samples.push(sample(&killed, &[&second], &first));
        samples.push(sample(&after, &[&third], &second));
        let mut cut_short = after.clone();
        cut_short[..PAGE].copy_from_slice(&killed[..PAGE]);
        samples.push(sample(&cut_short, &[&second], &first));
        for page in (2..killed.len() / PAGE).step_by(2).map(|page| PAGE * page) {
            cut_short[page..page + PAGE].copy_from_slice(&killed[page..page + PAGE]);
        }
        samples.push(sample(&cut_short, &[&second], &first));
        // All was written but which of the two slots counts.
        let mut cut_short = after;
        cut_short[9] ^= 1;
        samples.push(sample(&cut_short, &[&third, &second], &first));
    }
    drop(database);
    samples.push(sample(&fs::read(&path).unwrap(), &[&third], &second));
    samples
}

fn contents(database: &Database) -> Result<Contents, DatabaseError> {
    let mut all = Vec::new();
    database.each(&mut |board, rule, record| {
        all.push((format!("{rule:?} {board}"), record));
        true
    })?;
    Ok(all)
}

/// The fate of a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Refused,
    /// The file was opened; reading or writing met the damage.
    Failed,
    /// All was read and written: nothing of importance was damaged.
    Sound,
}

/// Opens a file as a database and reads all that `known` has, or fails. The file does not change.
fn read_damaged(path: &Path, bytes: &[u8], known: &[Contents], access: Access) -> Outcome {
    let opened = Database::open_existing(path, access);
    let outcome = match opened.map(|database| contents(&database)) {
        Err(_) => Outcome::Refused,
        Ok(Err(_)) => Outcome::Failed,
        Ok(Ok(found)) => {
            assert!(known.contains(&found), "something else was read");
            Outcome::Sound
        }
    };
    assert!(fs::read(path).unwrap() == bytes, "the file changed");
    outcome
}

/// Replaces a file by a new one with `bytes`: ext4 writes a file that is emptied and refilled to
/// the disk at once.
fn place(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
}

/// Opens `bytes` as a database, reads all and, if `changes`, writes.
fn use_damaged(path: &Path, bytes: &[u8], known: &[Contents], changes: bool) -> Outcome {
    place(path, bytes);
    let outcome = read_damaged(path, bytes, known, Access::Read);
    assert_eq!(read_damaged(path, bytes, known, Access::Write), outcome);
    if outcome == Outcome::Refused || !changes {
        return outcome;
    }
    let database = Database::open_existing(path, Access::Write).unwrap();
    let new = situation("a1 b1 c1");
    let written = database.write(|writer| writer.put(&new, &record(1)));
    drop(database);
    let backup = backup_path(path);
    assert!(fs::read(&backup).unwrap() == bytes);
    fs::remove_file(backup).unwrap();
    if written.is_err() {
        return Outcome::Failed;
    }
    // A change reported as done is done.
    let database = Database::open_existing(path, Access::Read).unwrap();
    assert_eq!(database.get(&new).unwrap(), Some(record(1)));
    let count = contents(&database).unwrap().len() - 1;
    assert!(known.iter().any(|known| known.len() == count));
    outcome
}

/// Repairs a refused file, maybe beside a sound copy. True if the repair succeeds.
fn repair_damaged(path: &Path, bytes: &[u8], sample: &Sample, has_backup: bool) -> bool {
    place(path, bytes);
    let backup = backup_path(path);
    if has_backup {
        fs::write(&backup, &sample.bytes).unwrap();
    }
    let repaired = repair(path);
    let is_repaired = match repaired {
        Ok(repaired) => {
            let found = contents(&repaired.database).unwrap();
            assert_eq!(found.len() as u64, repaired.count);
            assert!(sample.known.contains(&found) || sample.earlier == found);
            assert!(fs::read(&repaired.kept).unwrap() == bytes);
            fs::remove_file(repaired.kept).unwrap();
            true
        }
        Err(_) => {
            assert!(!has_backup && fs::read(path).unwrap() == bytes);
            false
        }
    };
    if has_backup {
        assert!(fs::read(&backup).unwrap() == sample.bytes);
        fs::remove_file(backup).unwrap();
    }
    let files = fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(files.count(), 1, "something was left behind");
    is_repaired
}

/// A damage: some bytes, a block, a page, the end, or the content of another place.
fn damage(bytes: &mut Vec<u8>, random: &mut StdRng) {
    let len = bytes.len();
    // Most of a file is empty.
    let mut places = (0..20).map(|_| random.random_range(0..len));
    let at = places.find(|&at| bytes[at] != 0).unwrap_or(0);
    match random.random_range(0..12) {
        0 if at % 3 == 0 => bytes.truncate(len - 1),
        0 => bytes.truncate(at),
        1 => bytes.extend(vec![random.random::<u8>(); random.random_range(1..9_000)]),
        2 => bytes[at..(at + 512).min(len)].fill(random.random()),
        3 => {
            let from = at / PAGE * PAGE;
            let to = random.random_range(0..len / PAGE) * PAGE;
            let size = PAGE.min(len - from);
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
        6 => {
            let page = at / PAGE * PAGE;
            bytes[page..(page + PAGE).min(len)].fill(0);
        }
        7 => {
            let end = (at + random.random_range(1..9_000)).min(len);
            bytes[at..end]
                .iter_mut()
                .for_each(|byte| *byte = random.random());
        }
        8 => bytes[at] ^= 1 << random.random_range(0..8),
        _ => bytes[at] = !bytes[at],
    }
}

/// Tries `count` damages of small and large databases, closed and killed ones.
fn try_damages(count: u64) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("damaged.db");
    let samples = [samples(20), samples(2_000)];
    let mut outcomes = [0; 3];
    let mut repairs = [0; 2];
    let mut longest = Duration::ZERO;
    for seed in 0..count {
        let mut random = StdRng::seed_from_u64(seed);
        let samples = &samples[usize::from(seed % 4 == 0)];
        let sample = &samples[random.random_range(0..samples.len())];
        let mut bytes = sample.bytes.clone();
        damage(&mut bytes, &mut random);
        let begin = Instant::now();
        let outcome = use_damaged(&path, &bytes, &sample.known, seed % 8 == 1);
        outcomes[outcome as usize] += 1;
        if outcome != Outcome::Sound && seed % 8 == 1 {
            let is_repaired = repair_damaged(&path, &bytes, sample, seed % 16 == 1);
            repairs[usize::from(is_repaired)] += 1;
        }
        longest = longest.max(begin.elapsed());
    }
    println!("refused, failed, sound: {outcomes:?}; not repaired, repaired: {repairs:?}");
    println!("longest time for a file: {longest:?}");
    assert!(longest < LONGEST);
}

#[test]
fn every_sample_is_sound() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    for sample in [0, 20, 2_000].into_iter().flat_map(samples) {
        let outcome = use_damaged(&path, &sample.bytes, &sample.known, true);
        assert_eq!(outcome, Outcome::Sound);
    }
}

#[test]
fn no_byte_of_the_first_page_does_harm() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    for sample in samples(20) {
        let mut outcomes = [0; 3];
        // After the header the page is not used.
        for at in (0..320).chain((320..PAGE).step_by(64)) {
            for mask in [1, 4, 0xFF] {
                let mut bytes = sample.bytes.clone();
                bytes[at] ^= mask;
                outcomes[use_damaged(&path, &bytes, &sample.known, false) as usize] += 1;
            }
        }
        println!("refused, failed, sound: {outcomes:?}");
        assert!(outcomes[Outcome::Refused as usize] > 3 * 9, "{outcomes:?}");
    }
}

/// `DAMAGED_FILES=20000 cargo test --release -p tengen-database no_damage -- --nocapture` tries
/// more.
#[test]
fn no_damage_does_harm() {
    let count = std::env::var("DAMAGED_FILES").map(|count| count.parse().unwrap());
    try_damages(count.unwrap_or(400));
}
