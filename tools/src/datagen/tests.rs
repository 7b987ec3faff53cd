use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use tengen::board::Board;
use tengen::patterns::Class;
use tengen::position::Position;
use tengen::rules::{foul, wins_at};
use tengen::types::Color;

/// Settings for games that take a fraction of a second.
pub(super) fn settings() -> DatagenSettings {
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
        shard: 0,
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
    let stop = AtomicBool::new(false);
    run(
        settings,
        &classical,
        file,
        games,
        threads,
        &stop,
        &mut |_| {},
    )
    .unwrap()
}

/// All records of a file of complete frames.
pub(super) fn read(path: &Path) -> Vec<TrainingRecord> {
    let mut records = Vec::new();
    let summary = read_data_file(path, &mut |record| records.push(record)).unwrap();
    assert_eq!(summary.torn, None);
    records
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
        let position = Position::new(&board, game.rule);
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
fn a_run_that_is_stopped_leaves_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let [stopped, whole] = ["stopped", "whole"].map(|name| folder.path().join(name));
    let stop = AtomicBool::new(false);
    let file = GameFile::open(&stopped, &settings()).unwrap();
    let totals = run(
        &settings(),
        &Evaluation::Classical,
        file,
        1_000_000,
        NonZeroUsize::new(3).unwrap(),
        &stop,
        &mut |totals| stop.store(totals.games >= 3, Ordering::Relaxed),
    );
    let games = totals.unwrap().games;
    assert!(games >= 3);
    assert_eq!(read(&stopped).len() as u64, games);
    grow(&stopped, games + 2, 2);
    grow(&whole, games + 2, 1);
    assert_eq!(read(&stopped), read(&whole));
}

#[test]
fn games_of_caro_are_decided() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let caro = DatagenSettings {
        rules: vec![Rule::Caro, Rule::CaroExact],
        branches: 2,
        relabel_nodes: 60,
        ..settings()
    };
    let totals = grow_by(&caro, &path, 12, 1);
    assert!(totals.games == 12 && totals.draws() < 12 && totals.branches > 50);
    let mut by_rule = [0; 2];
    for game in read(&path).iter().filter(|record| record.is_game()) {
        by_rule[game.rule.index() - Rule::Caro.index()] += 1;
        let size = u32::from(game.size);
        let mut position = Position::new(&Board::new(size, size).unwrap(), game.rule);
        game.moves.iter().for_each(|&p| position.play(p));
        if let GameResult::Win(winner) = game.result {
            let side = position.side_to_move();
            assert!(
                position.count(winner, Class::Five) > 0
                    || winner == side && position.has_straight_four()
            );
        }
    }
    assert_eq!(by_rule, [6, 6]);
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
    // A run goes on behind its finished games.
    let mut file = GameFile::open(&cut, &branched).unwrap();
    let second = records.iter().position(TrainingRecord::is_game).unwrap() + 1;
    file.add(&records[..second]).unwrap();
    file.finish().unwrap();
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
