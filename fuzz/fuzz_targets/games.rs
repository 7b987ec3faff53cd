//! Files of training games made of pieces of two runs, of old frames, gaps and junk, with a `.part`
//! beside them. What can be read has the counts that the frames name. What is opened opens again with
//! the same games and without further damage, can be read then, and grows by the game that is added;
//! what is refused stays as it is. Records that are read are written as the same, those of lines of JSON
//! with soft labels too.

#![no_main]

use std::fs;
use std::path::Path;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::rules::Rule;
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;
use tengen_tools::datagen::{
    Counts, DatagenSettings, FileSummary, GameFile, GameResult, NewLabels, SoftLabel, SoftOutcome,
    TrainingRecord, parse_label_line, read_data_file, summarize,
};
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// Whether the settings stand beside the file, as older versions kept them.
    is_old: bool,
    pieces: Vec<Piece<'a>>,
    /// Bytes cut off at the end.
    cut: u8,
    /// Number of the part's first game.
    first: Option<u16>,
    part: Vec<Record<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Piece<'a> {
    /// A file of games as it is written, of one of two runs; from a byte on it may be cut off, and a
    /// byte may be another one.
    Written {
        is_other: bool,
        frames: Vec<u8>,
        from: u8,
        flip: Option<(u16, u8)>,
    },
    /// A file of soft labels.
    Labels(Vec<Label>),
    Frame(Vec<Record<'a>>),
    Gap(u16),
    Bytes(&'a [u8]),
}

#[derive(Arbitrary, Debug)]
enum Record<'a> {
    Game {
        size: u8,
        result: u8,
        moves: u8,
        labels: Vec<Label>,
    },
    Bytes(&'a [u8]),
    /// A line of JSON.
    Line(&'a str),
}

/// A soft label.
#[derive(Arbitrary, Debug)]
struct Label {
    /// How many stones more than the label before.
    stones: u8,
    outcome: Option<(u16, u16)>,
    moves: u8,
}

fuzz_target!(|input: Input| {
    in_folder(|folder| {
        let path = folder.join("games.bin.zst");
        let beside = |extension: &str| folder.join(format!("games.bin.zst{extension}"));
        let pieces = input.pieces.iter().flat_map(|p| piece(p, folder));
        let mut file = pieces.collect::<Vec<u8>>();
        file.truncate(file.len().saturating_sub(input.cut.into()));
        fs::write(&path, &file).expect("a file in the folder");
        if input.is_old {
            let text = serde_json::to_vec(&settings()).expect("settings are plain data");
            fs::write(beside(".json"), text).expect("a file in the folder");
        }
        if let Some(first) = input.first {
            let mut part = u64::from(first).to_le_bytes().to_vec();
            part.extend(input.part.iter().flat_map(record));
            fs::write(beside(".part"), &part).expect("a file in the folder");
        }
        let mut records = Counts::default();
        if let Ok(summary) = read_data_file(&path, &mut |record| records.add(&record)) {
            let counts = |summary: &FileSummary| {
                let mut counts = Counts::default();
                summary
                    .sections
                    .iter()
                    .for_each(|s| counts += s.counts.total());
                counts
            };
            assert_eq!(counts(&summary), records);
            assert_eq!(counts(&sound(summarize(&path), "the same file")), records);
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
        assert!(!beside(".part").exists() && !(input.is_old && beside(".json").exists()));
        let games = sound(GameFile::open(&path, &settings()), "the finished file");
        assert_eq!((games.repair(), games.games()), (None, count + 1));
        sound(read_data_file(&path, &mut |_| {}), "the finished file");
    });
});

/// A file of games as it is written, with a frame of so many games each.
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
            from,
            flip,
        } => {
            let mut bytes = written(folder, *is_other, frames);
            if let Some((at, byte)) = *flip
                && let Some(place) = bytes.get_mut(usize::from(at))
            {
                *place = byte;
            }
            bytes.split_off(bytes.len().min((*from).into()))
        }
        Piece::Labels(labels) => {
            let path = folder.join("labels");
            let record = labelled(game(15, 3, 9), labels);
            if record.is_soft() {
                let mut labels = NewLabels::default();
                for _ in 0..2 {
                    sound(labels.add(&record), "a record with soft labels");
                }
                sound(labels.write(&path, "a fuzzer"), "a new file");
            }
            let bytes = fs::read(&path).unwrap_or_default();
            let _ = fs::remove_file(&path);
            bytes
        }
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
    let mut write = |record: TrainingRecord| {
        sound(record.write(&mut bytes), "a record in memory");
        let again = sound(TrainingRecord::read(&mut &bytes[..]), "a record");
        assert_eq!(again, Some(record));
    };
    match record {
        Record::Game {
            size,
            result,
            moves,
            labels,
        } => write(labelled(game(5 + size % 18, *result, *moves), labels)),
        Record::Line(text) => {
            if let Ok(record) = parse_label_line(text) {
                write(record);
            }
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

/// The game with the labels that fit its moves.
fn labelled(mut game: TrainingRecord, labels: &[Label]) -> TrainingRecord {
    let board = tengen::board::Board::new(game.size.into(), game.size.into());
    let board = board.expect("sizes from 5 to 22");
    let mut ply = 0;
    for label in labels {
        ply += usize::from(label.stones);
        if ply > game.moves.len() {
            break;
        }
        let outcome = label.outcome.map(|(win, draw)| SoftOutcome {
            win,
            draw: draw.min(u16::MAX - win),
        });
        let free = board.points().filter(|p| !game.moves[..ply].contains(p));
        let policy: Vec<_> = free
            .take(label.moves.into())
            .map(|p| (p, 1 + p.x()))
            .collect();
        if outcome.is_some() || !policy.is_empty() {
            game.soft_labels.push(SoftLabel {
                ply: ply as u16,
                outcome,
                policy,
            });
        }
        ply += 1;
    }
    game
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
        soft_labels: Vec::new(),
    }
}
