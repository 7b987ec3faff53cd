//! Files of games: interruptions, damage, joined files.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::data_file::{Header, pack};
use super::game_file::FRAME_GAMES;
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
    }
}

fn header(settings: &DatagenSettings) -> Vec<u8> {
    let header = Header::new(Maker::Engine(settings.clone()));
    header.encode().unwrap()
}

fn packed(games: &[TrainingRecord]) -> Vec<u8> {
    let mut records = Vec::new();
    games
        .iter()
        .for_each(|game| game.write(&mut records).unwrap());
    pack(&records).unwrap()
}

/// A file of `frames` finished runs of three games, and where each frame begins.
fn framed(path: &Path, frames: u8) -> Vec<usize> {
    let mut starts = vec![0];
    for frame in 0..frames {
        let mut file = GameFile::open(path, &settings()).unwrap();
        assert_eq!(file.repair(), None);
        starts.push(fs::read(path).unwrap().len());
        for number in 0..3 {
            file.add(&[short_game(3 * frame + number)]).unwrap();
        }
        file.finish().unwrap();
    }
    starts
}

/// Games that wait for their frame are in memory alone, and are played again.
#[test]
fn an_interruption_costs_no_game_of_a_whole_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let open = || GameFile::open(&path, &settings()).unwrap();
    let numbers = 0..FRAME_GAMES as u8 + 5;
    let mut file = open();
    for number in numbers.clone() {
        file.add(&[short_game(number)]).unwrap();
    }
    assert_eq!(file.games(), FRAME_GAMES + 5);
    drop(file);
    let mut file = open();
    assert_eq!((file.games(), file.repair()), (FRAME_GAMES, None));
    for number in numbers.clone().skip(FRAME_GAMES as usize) {
        file.add(&[short_game(number)]).unwrap();
    }
    file.finish().unwrap();
    let expected: Vec<TrainingRecord> = numbers.map(short_game).collect();
    assert_eq!(read(&path), expected);
    // The header alone, and a part of it.
    let whole = header(&settings());
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let file = open();
        assert_eq!(file.games(), 0);
        assert_eq!(file.repair().is_some(), (1..whole.len()).contains(&length));
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn a_torn_or_damaged_last_frame_is_cut_off_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let last = framed(&path, 3)[3];
    let sound = fs::read(&path).unwrap();
    let check = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let file = GameFile::open(&path, &settings()).unwrap();
        let cut = bytes.len() - last;
        let text = format!(
            "{}: cut off an incomplete frame of {cut} bytes behind 6 games",
            path.display()
        );
        assert_eq!((file.games(), file.repair()), (6, Some(text)));
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), sound[..last]);
    };
    for length in last + 1..sound.len() {
        check(&sound[..length]);
        let summary = {
            fs::write(&path, &sound[..length]).unwrap();
            read_data_file(&path, &mut |_| {}).unwrap()
        };
        assert_eq!(summary.torn, Some(last));
        assert_eq!(summary.sections[0].counts.total().games, 6);
    }
    // A power failure may leave other bytes.
    let mut bytes = sound.clone();
    bytes[sound.len() - 3] ^= 1;
    check(&bytes);
    bytes[last..].fill(0);
    check(&bytes);
}

#[test]
fn damage_before_other_frames_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let starts = framed(&path, 3);
    let sound = fs::read(&path).unwrap();
    for at in (0..starts[3]).step_by(7) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xFF;
        fs::write(&path, &bytes).unwrap();
        for error in [
            read_data_file(&path, &mut |_| {}).unwrap_err().to_string(),
            GameFile::open(&path, &settings()).unwrap_err().to_string(),
        ] {
            assert!(
                error.contains(", byte ") && !error.contains('\n'),
                "{error}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn every_flipped_bit_is_noticed_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let mut units = framed(&path, 2);
    let sound = fs::read(&path).unwrap();
    units.push(sound.len());
    let games = read(&path);
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let unit = units.windows(2).find(|unit| at < unit[1]).unwrap();
        let mut records = Vec::new();
        let read = read_data_file(&path, &mut |record| records.push(record));
        let byte = match read {
            Err(DataFileError::Format(_, byte, _)) => byte,
            Ok(FileSummary {
                torn: Some(byte), ..
            }) => byte,
            // A bit without a meaning.
            Ok(_) if records == games => continue,
            read => panic!("byte {at}: {read:?}"),
        };
        assert!((unit[0]..unit[1]).contains(&byte), "byte {at}: {byte}");
    }
}

#[test]
fn frames_that_need_much_memory_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    // A frame that unpacks to many zeros, and a record in a frame with a window of 64 MiB.
    let zeros = zstd::bulk::compress(&vec![0; 1 << 22], 19).unwrap();
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(26).unwrap();
    short_game(9).write(&mut encoder).unwrap();
    encoder.flush().unwrap();
    let window = encoder.finish().unwrap();
    for frame in [zeros, window] {
        let start = header(&settings());
        fs::write(&path, [&start[..], &frame].concat()).unwrap();
        let error = read_data_file(&path, &mut |_| {}).unwrap_err().to_string();
        let place = format!(", byte {}: record 0 of a frame", start.len());
        assert!(error.contains(&place), "{error}");
    }
}

#[test]
fn files_of_another_run_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let open = |settings: &DatagenSettings| GameFile::open(&path, settings);
    for other in [
        b"something else".to_vec(),
        packed(&[short_game(0)]),
        packed(&[short_game(0)])[..9].to_vec(),
    ] {
        fs::write(&path, &other).unwrap();
        assert!(matches!(open(&settings()), Err(GameFileError::Format(_))));
        assert_eq!(fs::read(&path).unwrap(), other);
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(open(&settings()), Err(GameFileError::Io(..))));
    fs::remove_dir(&path).unwrap();
    open(&settings()).unwrap();
    let other = DatagenSettings {
        nodes: 151,
        ..settings()
    };
    assert!(matches!(open(&other), Err(GameFileError::Settings(..))));
}

#[test]
fn joined_files_keep_their_headers() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, both] = ["one", "two", "both"].map(|name| folder.path().join(name));
    framed(&one, 2);
    let mut file = GameFile::open(&two, &other_settings()).unwrap();
    file.add(&[short_game(20)]).unwrap();
    file.finish().unwrap();
    let joined = [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat();
    fs::write(&both, &joined).unwrap();
    let summary = read_data_file(&both, &mut |_| {}).unwrap();
    let of = |section: &Section| {
        let seed = section.maker.settings().unwrap().seed;
        (seed, section.counts.total().games)
    };
    let sections: Vec<_> = summary.sections.iter().map(of).collect();
    assert_eq!(sections, [(7, 6), (8, 1)]);
    for settings in [settings(), other_settings()] {
        let error = GameFile::open(&both, &settings).unwrap_err();
        assert!(matches!(error, GameFileError::Settings(..)), "{error}");
    }
    assert_eq!(fs::read(&both).unwrap(), joined);
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
    let of = |text: &str| [&pack(text.as_bytes()).unwrap()[..], &sound].concat();
    refuse(
        &of(r#"{"format":4,"source":"me"}"#),
        "byte 0: format 4, but this program knows only format 3",
    );
    refuse(
        &of(r#"{"format":3}"#),
        "a header that this program cannot read",
    );
    // Games of a rule that the header does not name.
    let mut game = short_game(1);
    game.rule = Rule::CaroExact;
    let bytes = [&sound[..], &packed(&[game])].concat();
    refuse(
        &bytes,
        &format!("byte {}: records of caro9-15", sound.len()),
    );
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let open = || GameFile::open(&path, &settings());
    let mut file = open().unwrap();
    file.add(&[short_game(0)]).unwrap();
    assert!(matches!(open(), Err(GameFileError::Busy(_))));
    // Readers need no lock.
    read_data_file(&path, &mut |_| {}).unwrap();
    file.finish().unwrap();
    assert_eq!(open().unwrap().games(), 1);
}

/// Generation 0 has no headers.
#[test]
fn games_of_others_get_a_header() {
    let folder = tempfile::tempdir().unwrap();
    let [bare, file, all] = ["bare", "file", "all"].map(|name| folder.path().join(name));
    let games = [0, 1, 2].map(short_game);
    fs::write(&bare, [packed(&games[..2]), packed(&games[2..])].concat()).unwrap();
    let merge_from =
        |source, out: &Path, file: &Path| merge(out, &[file.to_path_buf()], source, &mut |_| {});
    let error = merge_from(None, &file, &bare).unwrap_err().to_string();
    assert!(error.contains("games without a header"), "{error}");
    assert!(!file.exists());
    merge_from(Some("a friend"), &file, &bare).unwrap();
    assert_eq!(read(&file), games);
    let summary = read_data_file(&file, &mut |_| {}).unwrap();
    assert_eq!(summary.sections[0].maker, Maker::Other("a friend".into()));
    // A header that is there stays.
    let inventory = merge_from(Some("me"), &all, &file).unwrap();
    let row = inventory.rows().next().unwrap();
    assert_eq!(
        (row.counts.games, row.recipe.to_string()),
        (3, "by a friend".into())
    );
    assert_eq!(fs::read(&all).unwrap(), fs::read(&file).unwrap());
}
