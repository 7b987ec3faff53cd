//! Files of training games made of pieces of two runs, games of others and junk. A readable file
//! has the counts in its frames. A file that opens grows by an added game, and then opens again
//! with the same games and can be read. A refused file stays as it is.

#![no_main]

use std::fs;
use std::path::Path;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::rules::Rule;
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;
use tengen_tools::datagen::{
    Counts, DatagenSettings, GameFile, GameResult, TrainingRecord, read_data_file,
};
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// Bytes cut off at the end.
    cut: u8,
    pieces: Vec<Piece<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Piece<'a> {
    /// A file of games as it is written, of one of two runs; it may be cut off from a byte on, and
    /// one byte may be changed.
    Written {
        is_other: bool,
        frames: Vec<u8>,
        flip: Option<(u16, u8)>,
    },
    Frame(Vec<Record<'a>>),
    /// The header of games of others.
    Header,
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
        let pieces = input.pieces.iter().flat_map(|p| piece(p, folder));
        let mut file = pieces.collect::<Vec<u8>>();
        file.truncate(file.len().saturating_sub(input.cut.into()));
        fs::write(&path, &file).expect("a file in the folder");
        let mut records = Counts::default();
        if let Ok(summary) = read_data_file(&path, &mut |record| records.add(&record)) {
            let mut counts = Counts::default();
            let sections = summary.sections.iter();
            sections.for_each(|section| counts += section.counts.total());
            assert_eq!(counts, records);
        }
        let Ok(mut games) = GameFile::open(&path, &settings()) else {
            return assert_eq!(fs::read(&path).expect("the file is there"), file);
        };
        let count = games.games();
        sound(games.add(&[game(15, 0, 3)]), "a game more");
        sound(games.finish(), "the end");
        let games = sound(GameFile::open(&path, &settings()), "the finished file");
        assert_eq!((games.repair(), games.games()), (None, count + 1));
        let summary = sound(read_data_file(&path, &mut |_| {}), "the finished file");
        assert_eq!(summary.torn, None);
    });
});

/// A file of games as it is written, with a frame for each number of games in `frames`.
fn written(folder: &Path, is_other: bool, frames: &[u8]) -> Vec<u8> {
    let path = folder.join("written");
    let settings = DatagenSettings {
        seed: 1 + u64::from(is_other),
        ..settings()
    };
    for games in frames.iter().take(3) {
        let mut file = sound(GameFile::open(&path, &settings), "a new file");
        for moves in 0..games % 4 {
            sound(file.add(&[game(15, 0, moves)]), "a game");
        }
        sound(file.finish(), "the end");
    }
    let bytes = fs::read(&path).unwrap_or_default();
    let _ = fs::remove_file(&path);
    bytes
}

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
        shard: 0,
        evaluations: Vec::new(),
    }
}

fn piece(piece: &Piece, folder: &Path) -> Vec<u8> {
    match piece {
        Piece::Written {
            is_other,
            frames,
            flip,
        } => {
            let mut bytes = written(folder, *is_other, frames);
            if let Some((at, byte)) = *flip
                && let Some(place) = bytes.get_mut(usize::from(at))
            {
                *place = byte;
            }
            bytes
        }
        Piece::Frame(records) => frame(&records.iter().flat_map(record).collect::<Vec<u8>>()),
        Piece::Header => frame(br#"{"format":3,"source":"a fuzzer"}"#),
        Piece::Bytes(bytes) => bytes.to_vec(),
    }
}

fn frame(content: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(1).expect("zstd has a level 1");
    let checksum = compressor.set_parameter(CParameter::ChecksumFlag(true));
    checksum.expect("zstd has checksums");
    compressor.compress(content).expect("memory is enough")
}

fn record(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    match record {
        Record::Game {
            size,
            result,
            moves,
        } => {
            let game = game(5 + size % 18, *result, *moves);
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
