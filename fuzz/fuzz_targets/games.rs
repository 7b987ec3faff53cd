//! Files of training games made of frames, sound and not, gaps and junk, with a `.part` beside them.
//! What is opened opens again with the same games and without further damage, and grows by the game
//! that is added; what is refused stays as it is. Records that are read are written as the same.

#![no_main]

use std::fs;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::datagen::{DatagenSettings, GameFile, GameResult, TrainingRecord};
use tengen::rules::Rule;
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    pieces: Vec<Piece<'a>>,
    /// Bytes cut off at the end.
    cut: u8,
    /// Number of the part's first game.
    first: Option<u16>,
    part: Vec<Record<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Piece<'a> {
    Frame(Vec<Record<'a>>),
    Gap(u16),
    Bytes(&'a [u8]),
}

#[derive(Arbitrary, Debug)]
enum Record<'a> {
    Game { size: u8, result: u8, moves: u8 },
    Bytes(&'a [u8]),
}

fuzz_target!(|input: Input| {
    in_folder(|folder| {
        let path = folder.join("games.bin.zst");
        let beside = |extension: &str| folder.join(format!("games.bin.zst{extension}"));
        sound(GameFile::open(&path, &settings()), "a new file");
        let mut file = input.pieces.iter().flat_map(piece).collect::<Vec<u8>>();
        file.truncate(file.len().saturating_sub(input.cut.into()));
        fs::write(&path, &file).expect("a file in the folder");
        if let Some(first) = input.first {
            let mut part = u64::from(first).to_le_bytes().to_vec();
            part.extend(input.part.iter().flat_map(record));
            fs::write(beside(".part"), &part).expect("a file in the folder");
        }
        let Ok(mut games) = GameFile::open(&path, &settings()) else {
            return assert_eq!(fs::read(&path).expect("the file is there"), file);
        };
        let count = games.games();
        sound(games.add(&[game(15, 0, 3)]), "a game more");
        drop(games);
        let games = sound(GameFile::open(&path, &settings()), "the same file");
        assert_eq!(games.repair(), None);
        assert_eq!(games.games(), count + 1);
        sound(games.finish(), "the end");
        assert!(!beside(".part").exists());
        let games = sound(GameFile::open(&path, &settings()), "the finished file");
        assert_eq!((games.repair(), games.games()), (None, count + 1));
    });
});

fn settings() -> DatagenSettings {
    DatagenSettings {
        rules: vec![Rule::Renju],
        sizes: vec![15],
        nodes: 100,
        branches: 0,
        relabel_nodes: 0,
        opening: 3,
        varied: 10,
        draw_after: 200,
        hash_kib: 64,
        seed: 1,
        evaluations: Vec::new(),
    }
}

fn piece(piece: &Piece) -> Vec<u8> {
    match piece {
        Piece::Frame(records) => {
            let mut compressor = Compressor::new(1).expect("zstd has a level 1");
            let checksum = compressor.set_parameter(CParameter::ChecksumFlag(true));
            checksum.expect("zstd has checksums");
            let records: Vec<u8> = records.iter().flat_map(record).collect();
            compressor.compress(&records).expect("memory is enough")
        }
        Piece::Gap(games) => {
            let mut bytes = vec![0x57, 0x2A, 0x4D, 0x18, 4, 0, 0, 0];
            bytes.extend(u32::from(*games).to_le_bytes());
            bytes
        }
        Piece::Bytes(bytes) => bytes.to_vec(),
    }
}

fn record(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    match *record {
        Record::Game {
            size,
            result,
            moves,
        } => {
            let game = game(5 + size % 18, result, moves);
            sound(game.write(&mut bytes), "a record in memory");
            let again = sound(TrainingRecord::read(&mut &bytes[..]), "a record");
            assert_eq!(again, Some(game));
        }
        Record::Bytes(any) => {
            if let Ok(Some(read)) = TrainingRecord::read(&mut &any[..]) {
                let mut again = Vec::new();
                sound(read.write(&mut again), "a record in memory");
                assert!(any.starts_with(&again));
            }
            bytes = any.to_vec();
        }
    }
    bytes
}

fn game(size: u8, result: u8, moves: u8) -> TrainingRecord {
    let board = tengen::board::Board::new(size.into(), size.into()).expect("sizes from 5 to 22");
    let moves: Vec<_> = board.points().take(moves.into()).collect();
    TrainingRecord {
        size,
        rule: Rule::Renju,
        opening: 0,
        result: if result % 4 == 3 {
            GameResult::Unknown
        } else {
            GameResult::Draw
        },
        values: moves.iter().map(|p| Some(p.x() as i8)).collect(),
        moves,
    }
}
