use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;

use super::*;
use crate::board::Board;
use crate::patterns::Class;
use crate::position::Position;
use crate::rules::{foul, wins_at};
use crate::types::{Color, Point};

/// Settings for games that take a fraction of a second.
fn settings() -> DatagenSettings {
    DatagenSettings {
        rules: vec![Rule::Freestyle, Rule::Renju],
        sizes: vec![9, 11],
        nodes: 150,
        branches: 0,
        relabel_nodes: 0,
        opening: 6,
        varied: 8,
        draw_after: 60,
        hash_kib: 1024,
        seed: 7,
        evaluations: Vec::new(),
    }
}

/// Plays until the file at `path` has `games` games.
fn grow(path: &Path, games: u64, threads: usize) -> Totals {
    grow_by(&settings(), path, games, threads)
}

fn grow_by(settings: &DatagenSettings, path: &Path, games: u64, threads: usize) -> Totals {
    let file = GameFile::open(path, settings).unwrap();
    let threads = NonZeroUsize::new(threads).unwrap();
    let classical = Evaluation::Classical;
    run(settings, &classical, file, games, threads, &mut |_| {}).unwrap()
}

/// All records of a file of complete frames.
fn read(path: &Path) -> Vec<TrainingRecord> {
    let bytes = fs::read(path).unwrap();
    let unpacked = zstd::decode_all(&bytes[..]).unwrap();
    let mut stream = &unpacked[..];
    std::iter::from_fn(|| TrainingRecord::read(&mut stream).unwrap()).collect()
}

fn short_game(number: u8) -> TrainingRecord {
    TrainingRecord {
        size: 15,
        rule: Rule::Standard,
        opening: 0,
        result: GameResult::Draw,
        moves: vec![Point::new(number % 15, number / 15)],
        values: vec![Some(0)],
    }
}

#[test]
fn games_obey_the_rules_and_end_when_they_are_decided() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.bin.zst");
    let totals = grow(&path, 24, 1);
    let games = read(&path);
    let plies: usize = games.iter().map(|g| g.moves.len()).sum();
    assert_eq!(totals.games, 24);
    assert_eq!(
        totals.draws(),
        games
            .iter()
            .filter(|g| g.result == GameResult::Draw)
            .count() as u64
    );
    assert_eq!(totals.plies, plies as u64);
    for (number, game) in games.iter().enumerate() {
        assert_eq!((game.rule, game.size), settings().kind(number as u64));
        let size = u32::from(game.size);
        let mut board = Board::new(size, size).unwrap();
        for (ply, (&p, &value)) in game.moves.iter().zip(&game.values).enumerate() {
            assert!(ply >= usize::from(game.opening) || value.is_none());
            if game.rule == Rule::Renju && board.side_to_move() == Color::Black {
                assert_eq!(foul(&board, p), None, "game {number}, move {ply}");
            }
            board.play(p);
            assert!(!wins_at(&board, game.rule, p), "it ends before the five");
        }
        let mut position = Position::new(&board, game.rule);
        let side = position.side_to_move();
        match game.result {
            // A reply to a four is played even after `draw_after`.
            GameResult::Draw => assert!((60..=61).contains(&game.moves.len()), "game {number}"),
            GameResult::Win(winner) if winner == side => assert!(
                position.count(side, Class::Five) > 0 || position.has_straight_four(),
                "game {number}"
            ),
            GameResult::Unknown => panic!("no branches were asked for"),
            GameResult::Win(_) => {
                let replies = position.four_replies();
                assert!(replies.iter().all(|p| position.is_forbidden(side, p)));
            }
        }
    }
    assert!(
        games
            .iter()
            .any(|game| game.values.iter().flatten().count() > 3)
    );
    assert!(games.iter().any(|game| game.opening == 0) && games.iter().any(|g| g.opening > 3));
}

#[test]
fn the_file_depends_on_the_settings_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, cut] = ["one", "two", "cut"].map(|name| folder.path().join(name));
    grow(&one, 8, 1);
    grow(&two, 8, 3);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    grow(&cut, 3, 1);
    assert_eq!(grow(&cut, 8, 2).games, 5);
    assert_eq!(read(&cut), read(&one));
    // Nothing is left to do.
    assert_eq!(grow(&cut, 8, 1).games, 0);
    assert_eq!(read(&cut).len(), 8);
    let games = read(&one);
    assert!((1..8).all(|i| games[i].moves != games[0].moves));
}

#[test]
fn branches_stand_before_their_game() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, whole, cut] = ["plain", "whole", "cut"].map(|name| folder.path().join(name));
    let deep = DatagenSettings {
        nodes: 1_500,
        ..settings()
    };
    let branched = DatagenSettings {
        branches: 6,
        ..deep.clone()
    };
    grow_by(&deep, &plain, 4, 1);
    let totals = grow_by(&branched, &whole, 4, 2);
    let records = read(&whole);
    let (branches, games): (Vec<_>, Vec<_>) = records
        .iter()
        .partition(|r| r.result == GameResult::Unknown);
    assert_eq!(totals.branches, branches.len() as u64);
    assert!(branches.len() > 40, "{}", branches.len());
    // The games are the same as without.
    assert!(games.into_iter().eq(&read(&plain)));
    let mut waiting = Vec::new();
    let mut sampled = HashSet::new();
    for record in &records {
        if record.result == GameResult::Unknown {
            waiting.push(record);
            continue;
        }
        for branch in waiting.drain(..) {
            let shared = branch.moves.iter().zip(&record.moves);
            let shared = shared.take_while(|(a, b)| a == b).count();
            assert!(shared >= usize::from(record.opening));
            let first = branch.values.iter().position(Option::is_some).unwrap();
            assert!(first > usize::from(record.opening));
            let size = u32::from(branch.size);
            let board = Board::new(size, size).unwrap();
            let mut position = Position::new(&board, branch.rule);
            for (&p, value) in branch.moves.iter().zip(&branch.values) {
                if value.is_some() {
                    assert!(sampled.insert(position.key()), "a position sampled twice");
                }
                position.play(p);
            }
        }
        sampled.clear();
    }
    // A run that was interrupted among the branches of a game plays that game again.
    let part = folder.path().join("cut.part");
    let mut file = GameFile::open(&cut, &branched).unwrap();
    let second = records
        .iter()
        .position(|r| r.result != GameResult::Unknown)
        .unwrap()
        + 1;
    file.add(&records[..second]).unwrap();
    drop(file);
    let mut bytes = fs::read(&part).unwrap();
    records[second].write(&mut bytes).unwrap();
    fs::write(&part, bytes).unwrap();
    assert_eq!(grow_by(&branched, &cut, 4, 1).games, 3);
    assert_eq!(read(&cut), records);
}

#[test]
fn relabelled_branches_end_in_a_search_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let [relabelled, again] = ["relabelled", "again"].map(|name| folder.path().join(name));
    let settings = DatagenSettings {
        nodes: 500,
        branches: 4,
        relabel_nodes: 60,
        ..settings()
    };
    let totals = grow_by(&settings, &relabelled, 4, 1);
    grow_by(&settings, &again, 4, 3);
    assert_eq!(fs::read(&relabelled).unwrap(), fs::read(&again).unwrap());
    assert!(totals.branches > 100, "{}", totals.branches);
    let records = read(&relabelled);
    let mut sampled = HashSet::new();
    let mut values = HashSet::new();
    for (i, branch) in records.iter().enumerate() {
        if branch.result != GameResult::Unknown {
            sampled.clear();
            continue;
        }
        let game = records[i..]
            .iter()
            .find(|r| r.result != GameResult::Unknown);
        let size = u32::from(branch.size);
        let mut position = Position::new(&Board::new(size, size).unwrap(), branch.rule);
        let (last, before) = branch.moves.split_last().unwrap();
        for &p in before {
            assert!(!position.is_forbidden(position.side_to_move(), p));
            position.play(p);
        }
        assert!(position.board().is_empty(*last));
        assert!(sampled.insert(position.key()), "a position sampled twice");
        let shared = before.iter().zip(&game.unwrap().moves);
        assert!(shared.take_while(|(a, b)| a == b).count() >= usize::from(branch.opening));
        assert_eq!(
            branch.values.iter().position(Option::is_some),
            Some(before.len())
        );
        values.insert(branch.values[before.len()]);
    }
    assert!(values.len() > 20, "{}", values.len());
}

#[test]
fn an_interruption_loses_no_finished_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let part = folder.path().join("games.part");
    let open = || GameFile::open(&path, &settings()).unwrap();
    let mut file = open();
    for number in 0..5 {
        file.add(&[short_game(number)]).unwrap();
    }
    // The process ends here; nothing is packed yet.
    drop(file);
    assert!(!path.exists());
    assert_eq!(open().games(), 5);
    // The last game is cut off in the middle.
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() - 2]).unwrap();
    let mut file = open();
    assert_eq!(file.games(), 4);
    file.add(&[short_game(9)]).unwrap();
    let waiting = fs::read(&part).unwrap();
    file.finish().unwrap();
    assert!(!part.exists());
    let expected: Vec<TrainingRecord> = [0, 1, 2, 3, 9].map(short_game).into();
    assert_eq!(read(&path), expected);
    // The games are packed, but the part is not cleared: they count once.
    fs::write(&part, &waiting).unwrap();
    assert_eq!(open().games(), 5);
    // An incomplete frame is removed; its games are still in the part.
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    fs::write(&part, &waiting).unwrap();
    let file = open();
    assert_eq!(file.games(), 5);
    file.finish().unwrap();
    assert_eq!(read(&path), expected);
    assert!(folder.path().join("games.cut").exists());
}

/// A file of `frames` finished runs of three games, and where each frame begins.
fn framed(path: &Path, frames: u8) -> Vec<usize> {
    let mut starts = Vec::new();
    for frame in 0..frames {
        starts.push(fs::read(path).map_or(0, |bytes| bytes.len()));
        let mut file = GameFile::open(path, &settings()).unwrap();
        assert_eq!(file.repair(), None);
        for number in 0..3 {
            file.add(&[short_game(3 * frame + number)]).unwrap();
        }
        file.finish().unwrap();
    }
    starts
}

#[test]
fn damage_to_a_frame_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let [path, cut, second_cut] =
        ["games", "games.cut", "games.cut2"].map(|n| folder.path().join(n));
    let starts = framed(&path, 4);
    let sound = fs::read(&path).unwrap();
    let later: Vec<TrainingRecord> = (3..12).map(short_game).collect();
    for at in 0..starts[1] {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        let file = GameFile::open(&path, &settings()).unwrap();
        let repair = file.repair().unwrap_or_else(|| panic!("byte {at}")).clone();
        assert_eq!((repair.frames, repair.kept), (1, 9), "byte {at}");
        assert_eq!(repair.moved_to, cut);
        assert_eq!(fs::read(&cut).unwrap(), bytes[..starts[1]], "byte {at}");
        assert_eq!(read(&path), later);
        // The number of the lost games is not known; none of the others is used again.
        assert_eq!((file.games(), repair.lost), (9 + 1024, 1024));
        drop(file);
        fs::remove_file(folder.path().join("games.part")).unwrap();
        fs::remove_file(&cut).unwrap();
    }
    // The gap stays known, and the next damage has another file.
    fs::write(&cut, "of earlier").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    let repair = file.repair().unwrap();
    assert_eq!((file.games(), repair.kept, repair.lost), (6 + 1024, 6, 0));
    assert_eq!(repair.moved_to, second_cut);
    assert!(
        repair
            .to_string()
            .contains("games.cut2; games kept in other frames: 6")
    );
    assert_eq!(fs::read(&cut).unwrap(), b"of earlier");
    file.finish().unwrap();
    assert_eq!(read(&path), later[..6]);
}

#[test]
fn the_part_tells_how_many_games_damage_costs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let starts = framed(&path, 3);
    let mut file = GameFile::open(&path, &settings()).unwrap();
    file.add(&[short_game(9)]).unwrap();
    drop(file);
    let mut bytes = fs::read(&path).unwrap();
    bytes[starts[1] + 6] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    assert_eq!((file.games(), file.repair().unwrap().lost), (10, 3));
    file.finish().unwrap();
    let expected: Vec<TrainingRecord> = [0, 1, 2, 6, 7, 8, 9].map(short_game).into();
    assert_eq!(read(&path), expected);
    assert_eq!(GameFile::open(&path, &settings()).unwrap().games(), 10);
}

#[test]
fn frames_that_need_much_memory_count_as_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    framed(&path, 2);
    // A frame that unpacks to many zeros, and a record in a frame with a window of 64 MiB.
    let zeros = zstd::bulk::compress(&vec![0; 1 << 22], 19).unwrap();
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(26).unwrap();
    short_game(9).write(&mut encoder).unwrap();
    encoder.flush().unwrap();
    let window = encoder.finish().unwrap();
    let bytes = [zeros, window, fs::read(&path).unwrap()].concat();
    fs::write(&path, bytes).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    let repair = file.repair().unwrap();
    assert_eq!((repair.frames, repair.kept), (2, 6));
    file.finish().unwrap();
    assert_eq!(read(&path), (0..6).map(short_game).collect::<Vec<_>>());
}

#[test]
fn files_of_another_run_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, "something else").unwrap();
    let open = |settings: &DatagenSettings| GameFile::open(&path, settings);
    assert!(matches!(open(&settings()), Err(GameFileError::Foreign(..))));
    assert_eq!(fs::read(&path).unwrap(), b"something else");
    fs::remove_file(&path).unwrap();
    open(&settings()).unwrap();
    let other = DatagenSettings {
        nodes: 151,
        ..settings()
    };
    assert!(matches!(open(&other), Err(GameFileError::Settings(..))));
    // A part without the file that it continues.
    fs::write(folder.path().join("games.part"), 9u64.to_le_bytes()).unwrap();
    assert!(matches!(
        open(&settings()),
        Err(GameFileError::Gap(_, 9, 0))
    ));
}

/// A short `.part` was emptied, and a pipe was waited for.
#[test]
fn files_beside_a_new_one_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let part = folder.path().join("games.part");
    fs::write(&part, "mine").unwrap();
    let open = || GameFile::open(&path, &settings());
    assert!(matches!(open(), Err(GameFileError::Foreign(..))));
    assert_eq!(fs::read(&part).unwrap(), b"mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    fs::remove_file(&part).unwrap();
    for name in ["games", "games.part", "games.json"] {
        let other = folder.path().join(name);
        fs::create_dir(&other).unwrap();
        assert!(open().is_err(), "{name}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name}");
        fs::remove_dir(&other).unwrap();
    }
    open().unwrap();
}
