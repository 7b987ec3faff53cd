//! The games to train on, in memory as the bytes of their records.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use tengen::files::open_regular_file;
use tengen::rules::Rule;
use tengen::streams::eprint_line;
use tengen::types::{Point, Symmetry};
use tengen_tools::datagen::{DataFileError, Inventory, TrainingRecord, data_files, read_data_file};

/// One opening in this many is held out, with all its games (2 %).
const HELD_OUT: u64 = 50;
/// Openings of fewer stones are so few that each has many games, so all are trained on.
const MIN_HELD_OUT_STONES: usize = 2;
/// Bytes at the beginning and at the end of a file that enter its fingerprint.
const SAMPLED: u64 = 1 << 16;

/// The games of one rule.
pub struct Games {
    bytes: Vec<u8>,
    /// Start of each game for training, in bytes.
    training: Vec<usize>,
    /// Start of each held-out game, in bytes.
    held_out: Vec<usize>,
}

/// The reason for which games cannot be read, with the file.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The folder, or a file for its fingerprint, cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A file cannot be read, or is not one of games.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// There is no `.bin.zst` file.
    #[error("{0}: no .bin.zst files in it")]
    Nothing(PathBuf),
}

impl Games {
    /// The games of each rule of `rules` in `paths`: files, or folders of `.bin.zst` files, taken
    /// in the order of their names. Writes a summary of the reading to standard error.
    ///
    /// # Errors
    /// When a file cannot be read to its end.
    pub fn load(paths: &[PathBuf], rules: &[Rule]) -> Result<Vec<Games>, GamesError> {
        let mut all: Vec<Games> = rules.iter().map(|_| Games::empty()).collect();
        let mut inventory = Inventory::default();
        for file in files(paths)? {
            let summary = read_data_file(&file, &mut |game| {
                if let Some(index) = rules.iter().position(|&rule| rule == game.rule) {
                    all[index].add(&game);
                }
            })?;
            if let Some(offset) = summary.torn {
                let file = file.display();
                eprint_line(format_args!(
                    "{file}: the frame at byte {offset} is not complete yet; left out"
                ));
            }
            inventory.add(&summary);
        }
        for row in inventory
            .rows()
            .filter(|row| rules.contains(&row.kind.rule))
        {
            eprint_line(row);
        }
        Ok(all)
    }

    fn empty() -> Games {
        Games {
            bytes: Vec::new(),
            training: Vec::new(),
            held_out: Vec::new(),
        }
    }

    fn add(&mut self, game: &TrainingRecord) {
        let start = self.bytes.len();
        game.write(&mut self.bytes)
            .expect("writing to memory does not fail");
        if is_held_out(game) {
            self.held_out.push(start);
        } else {
            self.training.push(start);
        }
    }

    /// Starts of the games for training.
    pub fn training(&self) -> &[usize] {
        &self.training
    }

    /// Starts of the held-out games.
    pub fn held_out(&self) -> &[usize] {
        &self.held_out
    }

    /// The game that begins at `start`.
    pub fn game(&self, start: usize) -> TrainingRecord {
        TrainingRecord::read(&mut &self.bytes[start..])
            .ok()
            .flatten()
            .expect("the bytes were written by add")
    }
}

/// The files named by `paths`. A folder without any is an error.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, GamesError> {
    let mut files = Vec::new();
    for path in paths {
        let named = data_files(path).map_err(|error| GamesError::Io(path.clone(), error))?;
        if named.is_empty() {
            return Err(GamesError::Nothing(path.clone()));
        }
        files.extend(named);
    }
    Ok(files)
}

/// A number that depends on the names, sizes, and first and last bytes of the files named by
/// `paths`, in the order of reading.
///
/// # Errors
/// When one of them cannot be read.
pub fn fingerprint(paths: &[PathBuf]) -> Result<u64, GamesError> {
    let mut hasher = DefaultHasher::new();
    for path in files(paths)? {
        let sampled = sample(&path).map_err(|error| GamesError::Io(path.clone(), error))?;
        (path.file_name(), sampled).hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// The size of a file, and its first and last bytes.
fn sample(path: &Path) -> io::Result<(u64, Vec<u8>)> {
    let mut file = open_regular_file(path)?;
    let size = file.metadata()?.len();
    let mut bytes = Vec::new();
    for start in [0, size.saturating_sub(SAMPLED)] {
        file.seek(SeekFrom::Start(start))?;
        file.by_ref().take(SAMPLED).read_to_end(&mut bytes)?;
    }
    Ok((size, bytes))
}

/// True if a game is held out. Its opening alone decides. So all games from an opening are on one
/// side, turned, mirrored and in any order of its stones, and with them the opening's branches,
/// because a branch begins with the same stones.
fn is_held_out(game: &TrainingRecord) -> bool {
    let opening = &game.moves[..usize::from(game.opening)];
    opening.len() >= MIN_HELD_OUT_STONES
        && hash(&opening_key(opening, game.size)).is_multiple_of(HELD_OUT)
}

/// The same bytes for all openings with the same stones, in any order and on a board turned in any
/// way.
fn opening_key(opening: &[Point], size: u8) -> Vec<u8> {
    let turned = |number: u8| {
        let symmetry = Symmetry::new(number);
        let mut stones: Vec<[u8; 3]> = opening
            .iter()
            .enumerate()
            .map(|(ply, &p)| {
                let p = symmetry.map(p, size, size);
                [(ply % 2) as u8, p.x(), p.y()]
            })
            .collect();
        stones.sort_unstable();
        stones.concat()
    };
    let key = (0..Symmetry::count(size, size)).map(turned).min();
    let mut key = key.expect("a board has symmetries");
    key.push(size);
    key
}

/// FNV-1a hash, without its lowest bits.
fn hash(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash >> 20
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tengen::types::Color;
    use tengen_tools::datagen::GameResult;

    fn game(rule: Rule, plies: u8) -> TrainingRecord {
        TrainingRecord {
            size: 15,
            rule,
            opening: 0,
            result: GameResult::Win(Color::Black),
            moves: (0..plies).map(|i| Point::new(i, i)).collect(),
            values: vec![Some(5); usize::from(plies)],
        }
    }

    fn packed(games: &[TrainingRecord]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for game in games {
            game.write(&mut bytes).unwrap();
        }
        zstd::encode_all(&bytes[..], 1).unwrap()
    }

    /// The header of a file.
    pub(crate) fn header() -> Vec<u8> {
        zstd::encode_all(&br#"{"format":3,"source":"a test"}"#[..], 1).unwrap()
    }

    #[test]
    fn every_frame_of_every_file_is_read_and_split_by_rule() {
        let folder = tempfile::tempdir().unwrap();
        let mut two_frames = header();
        two_frames.extend(packed(&[game(Rule::Renju, 3), game(Rule::Freestyle, 4)]));
        two_frames.extend(packed(&[game(Rule::Renju, 5)]));
        std::fs::write(folder.path().join("a.bin.zst"), two_frames).unwrap();
        std::fs::write(folder.path().join("notes.txt"), "no games").unwrap();
        let rules = [Rule::Renju, Rule::Standard];
        let games = Games::load(&[folder.path().to_path_buf()], &rules).unwrap();
        let mut starts = [games[0].training(), games[0].held_out()].concat();
        starts.sort();
        let plies: Vec<usize> = starts
            .into_iter()
            .map(|start| games[0].game(start).moves.len())
            .collect();
        assert_eq!(plies, [3, 5]);
        assert!(games[1].training().is_empty() && games[1].held_out().is_empty());
    }

    #[test]
    fn a_fingerprint_is_of_names_sizes_and_both_ends() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["a.bin.zst", "b.bin.zst"].map(|name| folder.path().join(name));
        let mut bytes = vec![0; 3 * SAMPLED as usize];
        let mut seen = Vec::new();
        let mut note = |paths: &[&Path]| {
            let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
            seen.push(fingerprint(&paths).unwrap());
        };
        std::fs::write(&one, &bytes).unwrap();
        note(&[folder.path()]);
        for end in [0, bytes.len() - 1] {
            bytes[end] = 1;
            std::fs::write(&one, &bytes).unwrap();
            note(&[folder.path()]);
        }
        bytes.insert(SAMPLED as usize, 0);
        std::fs::write(&one, &bytes).unwrap();
        note(&[folder.path()]);
        std::fs::write(&other, "").unwrap();
        note(&[folder.path()]);
        note(&[&other, &one]);
        std::fs::remove_file(&one).unwrap();
        note(&[folder.path()]);
        let mut different = seen.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), seen.len());
        // Files are the same elsewhere too.
        std::fs::write(&one, &bytes).unwrap();
        let copy = tempfile::tempdir().unwrap();
        for file in [&one, &other] {
            std::fs::copy(file, copy.path().join(file.file_name().unwrap())).unwrap();
        }
        assert_eq!(fingerprint(&[copy.path().into()]).unwrap(), seen[4]);
    }

    #[test]
    fn an_opening_and_all_that_begins_with_it_is_on_one_side() {
        let mut held_out = 0;
        for number in 0..400u32 {
            let opening = [
                Point::new((number % 14) as u8, 14),
                Point::new(14, (number / 14 % 14) as u8),
                Point::new((number / 40) as u8, 2),
            ];
            let mut games = Games::empty();
            for plies in 4..9 {
                // A game and a branch from each side of the board, the black stones swapped in
                // half.
                let symmetry = Symmetry::new(plies % 8);
                let mut stones = opening.map(|p| symmetry.map(p, 15, 15));
                if plies % 2 == 0 {
                    stones.swap(0, 2);
                }
                for result in [GameResult::Unknown, GameResult::Win(Color::White)] {
                    let mut record = game(Rule::Renju, plies);
                    (record.opening, record.result) = (3, result);
                    record.moves[..3].copy_from_slice(&stones);
                    let mut free = (0..15).map(|i| Point::new(i, 7));
                    for ply in 3..record.moves.len() {
                        let next = free.find(|p| !record.moves[..ply].contains(p));
                        record.moves[ply] = next.unwrap();
                    }
                    games.add(&record);
                }
            }
            let counts = [games.training().len(), games.held_out().len()];
            assert!(counts == [10, 0] || counts == [0, 10], "{counts:?}");
            held_out += counts[1] / 10;
        }
        assert!((2..20).contains(&held_out), "{held_out}");
    }

    #[test]
    fn games_without_an_opening_are_trained_on() {
        let mut games = Games::empty();
        (1..200).for_each(|plies| games.add(&game(Rule::Renju, plies % 15 + 1)));
        assert!(games.held_out().is_empty());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_path_buf();
        let load = || Games::load(std::slice::from_ref(&path), &[Rule::Renju]);
        assert!(matches!(load(), Err(GamesError::Nothing(_))));
        let file = path.join("a.bin.zst");
        std::fs::write(&file, "not zstd").unwrap();
        assert!(matches!(load(), Err(GamesError::File(_))));
        let wrong = zstd::encode_all(&[15u8, 9, 0, 0, 0, 0][..], 1).unwrap();
        std::fs::write(&file, [header(), wrong].concat()).unwrap();
        let error = load()
            .err()
            .expect("a rule number that nobody knows")
            .to_string();
        assert!(
            error.contains(&format!("a.bin.zst, byte {}: record 0", header().len())),
            "{error}"
        );
    }
}
