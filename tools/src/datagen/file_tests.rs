//! Files of games: interruptions, damage, old files, joined files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::counts::CountsByKind;
use super::format::{FormatError, Header};
use super::frames::{compress, counted};
use super::layout::FRAME_GAMES;
use super::tests::{read, settings as two_rules};
use super::*;
use tengen::types::Point;

fn settings() -> DatagenSettings {
    DatagenSettings {
        rules: vec![Rule::Standard],
        sizes: vec![15],
        ..two_rules()
    }
}

fn other_settings() -> DatagenSettings {
    DatagenSettings {
        seed: 8,
        ..settings()
    }
}

fn short_game(number: u8) -> TrainingRecord {
    TrainingRecord {
        size: 15,
        rule: Rule::Standard,
        opening: 0,
        result: GameResult::Draw,
        moves: vec![Point::new(number % 15, number / 15)],
        values: vec![Some(0)],
        soft_labels: Vec::new(),
    }
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
    assert!(read(&path).is_empty());
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

/// Such a part grew on, and its games became one frame at the end.
#[test]
fn a_part_of_a_whole_frame_is_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let part = folder.path().join("games.part");
    let open = || GameFile::open(&path, &settings()).unwrap();
    let mut file = open();
    for _ in 1..FRAME_GAMES {
        file.add(&[short_game(0)]).unwrap();
    }
    drop(file);
    // The process ends between the last game of a frame and the frame.
    let mut bytes = fs::read(&part).unwrap();
    short_game(1).write(&mut bytes).unwrap();
    fs::write(&part, bytes).unwrap();
    let mut file = open();
    assert_eq!(file.games(), FRAME_GAMES);
    file.add(&[short_game(2)]).unwrap();
    drop(file);
    let summary = summarize(&path).unwrap();
    let packed = 0..FRAME_GAMES;
    assert_eq!(sections(&summary), [(Some(7), vec![packed])]);
    assert_eq!(summary.sections[0].waiting.total().games, 1);
}

/// An old part cannot be added to, and was emptied before its games were written again.
#[test]
fn games_of_an_old_part_are_in_the_file_before_they_leave_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    old_file(&path, 1);
    let mut bytes = 3u64.to_le_bytes().to_vec();
    short_game(3).write(&mut bytes).unwrap();
    fs::write(folder.path().join("games.part"), bytes).unwrap();
    drop(GameFile::open(&path, &settings()).unwrap());
    assert_eq!(read(&path), (0..4).map(short_game).collect::<Vec<_>>());
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
    let header = Header::new(&settings()).encode().len();
    let all: Vec<TrainingRecord> = (0..12).map(short_game).collect();
    for at in 0..starts[1] {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        let error = read_data_file(&path, &mut |_| {}).unwrap_err().to_string();
        assert!(
            error.contains(", byte ") && !error.contains('\n'),
            "{error}"
        );
        let file = GameFile::open(&path, &settings()).unwrap();
        let repair = file.repair().unwrap_or_else(|| panic!("byte {at}")).clone();
        assert_eq!((repair.frames, &repair.moved_to), (1, &cut), "byte {at}");
        // The frames know their numbers, so the lost games are known. A lost header is written again.
        let (lost, damaged) = match at < header {
            true => (0, 0..header),
            false => (3, header..starts[1]),
        };
        assert_eq!((repair.lost, repair.kept), (lost, 12 - lost), "byte {at}");
        assert_eq!(fs::read(&cut).unwrap(), bytes[damaged], "byte {at}");
        assert_eq!(read(&path), all[lost as usize..]);
        assert_eq!(file.games(), 12);
        file.finish().unwrap();
        read_data_file(&path, &mut |_| {}).unwrap();
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
    assert_eq!((file.games(), repair.kept, repair.lost), (9, 6, 0));
    assert_eq!(repair.moved_to, second_cut);
    assert!(
        repair
            .to_string()
            .contains("games.cut2; games kept in other frames: 6")
    );
    assert_eq!(fs::read(&cut).unwrap(), b"of earlier");
    file.finish().unwrap();
    assert_eq!(read(&path), all[3..9]);
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
    bytes[starts[1] + 60] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    assert_eq!((file.games(), file.repair().unwrap().lost), (10, 3));
    file.finish().unwrap();
    let expected: Vec<TrainingRecord> = [0, 1, 2, 6, 7, 8, 9].map(short_game).into();
    assert_eq!(read(&path), expected);
    assert_eq!(GameFile::open(&path, &settings()).unwrap().games(), 10);
}

/// The part's first game was then a gap, and the run could not be continued any more.
#[test]
fn lost_games_before_the_part_stay_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let starts = framed(&path, 2);
    let open = || GameFile::open(&path, &settings()).unwrap();
    let mut file = open();
    file.add(&[short_game(6)]).unwrap();
    drop(file);
    let mut bytes = fs::read(&path).unwrap();
    bytes[starts[1] + 60] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let file = open();
    assert_eq!((file.games(), file.repair().unwrap().lost), (7, 3));
    drop(file);
    let file = open();
    assert_eq!((file.games(), file.repair()), (7, None));
    file.finish().unwrap();
    assert_eq!(read(&path), [0, 1, 2, 6].map(short_game));
    read_data_file(&path, &mut |_| {}).unwrap();
}

/// They went into a frame that no reader takes.
#[test]
fn foreign_games_in_a_part_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let part = folder.path().join("games.part");
    let mut file = GameFile::open(&path, &settings()).unwrap();
    file.add(&[short_game(0)]).unwrap();
    drop(file);
    let mut bytes = fs::read(&part).unwrap();
    let foreign = TrainingRecord {
        rule: Rule::Renju,
        ..short_game(1)
    };
    foreign.write(&mut bytes).unwrap();
    short_game(2).write(&mut bytes).unwrap();
    fs::write(&part, bytes).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    assert_eq!(file.games(), 1);
    file.finish().unwrap();
    assert_eq!(read(&path), [short_game(0)]);
    read_data_file(&path, &mut |_| {}).unwrap();
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
    let mut bytes = fs::read(&path).unwrap();
    for frame in [zeros, window] {
        let id = Header::new(&settings()).id;
        bytes.extend(counted(id, 6, &CountsByKind::default(), &frame));
    }
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

/// A file as older versions wrote it: frames of three games, and settings beside it.
fn old_file(path: &Path, frames: u8) -> Vec<usize> {
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for frame in 0..frames {
        starts.push(bytes.len());
        let mut records = Vec::new();
        for number in 0..3 {
            short_game(3 * frame + number).write(&mut records).unwrap();
        }
        bytes.extend(zstd::encode_all(&records[..], 3).unwrap());
    }
    fs::write(path, bytes).unwrap();
    let text = serde_json::to_string(&settings()).unwrap();
    fs::write(json(path), text).unwrap();
    starts
}

fn json(path: &Path) -> PathBuf {
    path.with_extension("json")
}

/// Settings and numbers of the games of each section.
fn sections(summary: &FileSummary) -> Vec<(Option<u64>, Vec<std::ops::Range<u64>>)> {
    let seed = |section: &Section| Some(section.origin.as_ref()?.settings()?.seed);
    let sections = summary.sections.iter();
    sections.map(|s| (seed(s), s.numbers.clone())).collect()
}

#[test]
fn old_files_are_read_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    old_file(&path, 2);
    let summary = summarize(&path).unwrap();
    assert!(summary.is_old);
    assert_eq!(sections(&summary), [(Some(7), vec![0..3, 3..6])]);
    let mut part = 6u64.to_le_bytes().to_vec();
    short_game(6).write(&mut part).unwrap();
    fs::write(folder.path().join("games.part"), part).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    assert_eq!((file.repair(), file.games()), (None, 7));
    file.finish().unwrap();
    assert!(!json(&path).exists());
    assert_eq!(read(&path), (0..7).map(short_game).collect::<Vec<_>>());
    let summary = read_data_file(&path, &mut |_| {}).unwrap();
    assert!(!summary.is_old && !summary.is_unfinished);
    assert_eq!(sections(&summary), [(Some(7), vec![0..3, 3..6, 6..7])]);
    assert_eq!(sections(&summarize(&path).unwrap()), sections(&summary));
    // Merged they get a header as well.
    let [old, merged] = ["old", "merged"].map(|name| folder.path().join(name));
    old_file(&old, 2);
    let merge = || merge(&merged, std::slice::from_ref(&old), &mut |_| {});
    merge().unwrap();
    assert!(json(&old).exists());
    let summary = read_data_file(&merged, &mut |_| {}).unwrap();
    assert_eq!(sections(&summary), [(Some(7), vec![0..3, 3..6])]);
    // Without settings they can be read, but not continued or merged.
    fs::remove_file(&merged).unwrap();
    fs::remove_file(json(&old)).unwrap();
    assert!(matches!(merge(), Err(MergeError::Unknown(_))));
    old_file(&path, 2);
    fs::remove_file(json(&path)).unwrap();
    let summary = summarize(&path).unwrap();
    assert_eq!(sections(&summary), [(None, vec![0..3, 3..6])]);
    assert!(GameFile::open(&path, &settings()).is_err());
}

/// The settings beside the file are removed once the file has them, even if it has no game of theirs.
#[test]
fn settings_beside_games_of_another_run_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut bytes = b"junk".to_vec();
    bytes.extend(Header::new(&other_settings()).encode());
    fs::write(&path, bytes).unwrap();
    fs::write(json(&path), serde_json::to_string(&settings()).unwrap()).unwrap();
    let mut file = GameFile::open(&path, &settings()).unwrap();
    assert!(file.repair().is_some() && !json(&path).exists());
    file.add(&[short_game(0)]).unwrap();
    // An interruption before the game is packed.
    drop(file);
    let file = GameFile::open(&path, &settings()).unwrap();
    assert_eq!((file.repair(), file.games()), (None, 1));
    file.finish().unwrap();
    assert_eq!(read(&path), [short_game(0)]);
}

#[test]
fn numbers_of_lost_games_of_old_files_are_not_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let starts = old_file(&path, 4);
    let mut bytes = fs::read(&path).unwrap();
    bytes[starts[1]] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let file = GameFile::open(&path, &settings()).unwrap();
    let repair = file.repair().unwrap();
    assert_eq!((repair.frames, repair.kept, repair.lost), (1, 9, 1024));
    assert_eq!(file.games(), 12 + 1021);
    file.finish().unwrap();
    let numbers = vec![0..3, 1027..1030, 1030..1033];
    assert_eq!(sections(&summarize(&path).unwrap()), [(Some(7), numbers)]);
    let later = [0, 1, 2, 6, 7, 8, 9, 10, 11].map(short_game);
    assert_eq!(read(&path), later);
}

#[test]
fn joined_files_keep_their_headers_and_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, both] = ["one", "two", "both"].map(|name| folder.path().join(name));
    framed(&one, 2);
    let mut file = GameFile::open(&two, &other_settings()).unwrap();
    file.add(&[short_game(20)]).unwrap();
    file.finish().unwrap();
    let join = || [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat();
    fs::write(&both, join()).unwrap();
    for (settings, games) in [(settings(), 6), (other_settings(), 1)] {
        let mut file = GameFile::open(&both, &settings).unwrap();
        assert_eq!((file.repair(), file.games()), (None, games));
        file.add(&[short_game(30)]).unwrap();
        file.finish().unwrap();
    }
    let summary = read_data_file(&both, &mut |_| {}).unwrap();
    let expected = [
        (Some(7), vec![0..3, 3..6, 6..7]),
        (Some(8), vec![0..1, 1..2]),
    ];
    assert_eq!(sections(&summary), expected);
    assert_eq!(sections(&summarize(&both).unwrap()), expected);
    // A lost header is written again.
    let header = Header::new(&settings()).encode().len();
    fs::write(
        &two,
        [
            fs::read(&two).unwrap(),
            fs::read(&one).unwrap()[header..].to_vec(),
        ]
        .concat(),
    )
    .unwrap();
    assert!(read_data_file(&two, &mut |_| {}).is_err());
    assert_eq!(GameFile::open(&two, &settings()).unwrap().games(), 6);
    let expected = [
        (Some(8), std::iter::once(0..1).collect()),
        (Some(7), vec![0..3, 3..6]),
    ];
    assert_eq!(
        sections(&read_data_file(&two, &mut |_| {}).unwrap()),
        expected
    );
    // A part belongs to the run that left it.
    let mut file = GameFile::open(&both, &settings()).unwrap();
    file.add(&[short_game(40)]).unwrap();
    drop(file);
    let other = GameFile::open(&both, &other_settings());
    assert!(matches!(other, Err(GameFileError::OtherPart(_))));
    assert_eq!(GameFile::open(&both, &settings()).unwrap().games(), 8);
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let starts = framed(&path, 2);
    let sound = fs::read(&path).unwrap();
    let header = Header::new(&settings()).encode().len();
    let units = [0, header, starts[1], sound.len()];
    let unit = |at: usize| *units.iter().rfind(|&&start| start <= at).unwrap() as u64;
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        match read_data_file(&path, &mut |_| {}) {
            Err(DataFileError::Format(_, byte, _)) => assert_eq!(byte, unit(at), "byte {at}"),
            read => panic!("byte {at}: {read:?}"),
        }
        fs::write(&path, &sound[..at]).unwrap();
        let is_whole = units.contains(&at);
        match read_data_file(&path, &mut |_| {}) {
            Ok(_) if is_whole => {}
            Err(DataFileError::Format(_, byte, _)) if !is_whole => assert_eq!(byte, unit(at)),
            read => panic!("{at} bytes: {read:?}"),
        }
        // While a run may go on, its last frame may be incomplete.
        fs::write(folder.path().join("games.part"), "").unwrap();
        let summary = read_data_file(&path, &mut |_| {}).unwrap();
        assert_eq!(summary.incomplete, (!is_whole).then_some(unit(at)));
        fs::remove_file(folder.path().join("games.part")).unwrap();
    }
}

#[test]
fn other_versions_and_other_games_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    framed(&path, 1);
    let sound = fs::read(&path).unwrap();
    let refuse = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        let error = read_data_file(&path, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        let error = GameFile::open(&path, &settings()).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    };
    // A header of version 3, with its check.
    let header = Header::new(&settings()).encode();
    let mut other = header.clone();
    other[12] = 3;
    let end = other.len() - 8;
    let check = twox_hash::XxHash64::oneshot(0, &other[8..end]);
    other[end..].copy_from_slice(&check.to_le_bytes());
    refuse(&[&other, &sound[header.len()..]].concat(), "format 3");
    // Games of a rule that the header does not name.
    let mut game = short_game(1);
    game.rule = Rule::CaroExact;
    let (mut records, mut counts) = (Vec::new(), CountsByKind::default());
    game.write(&mut records).unwrap();
    counts.add(&game);
    let frame = compress(Header::new(&settings()).id, 3, &counts, &records).unwrap();
    let bytes = [&sound[..], &frame].concat();
    refuse(
        &bytes,
        &format!("byte {}: records of caro9 on 15x15", sound.len()),
    );
    // Games whose header is lost.
    let frame = compress(99, 3, &counts, &records).unwrap();
    refuse(&[&sound[..], &frame].concat(), "without their header");
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let open = || GameFile::open(&path, &settings());
    let mut file = open().unwrap();
    file.add(&[short_game(0)]).unwrap();
    assert!(matches!(open(), Err(GameFileError::Busy(_))));
    drop(file);
    let file = open().unwrap();
    assert_eq!(file.games(), 1);
    file.finish().unwrap();
    assert_eq!(open().unwrap().games(), 1);
}

#[test]
fn format_errors_name_what_is_wrong() {
    assert_eq!(
        FormatError::Version(7).to_string(),
        "format 7, but this program knows only formats 1 and 2"
    );
}
