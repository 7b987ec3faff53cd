//! Transposition tables as files, so that a later session can continue an analysis.
//!
//! A file begins with [`MAGIC`], the version of this format (one byte), and three texts, each
//! with its length in one byte before it: the engine's version, the rule, the size of the board.
//! Then follow the fingerprint of keys and classical evaluation, the fingerprint of the network (0:
//! none), the entries as a key and a data word each, two zero words, and the XXH64 checksum of all
//! before it. Numbers have 8 bytes, little-endian.

use std::hash::Hasher;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use twox_hash::XxHash64;

use crate::board::Board;
use crate::files::open_regular_file;
use crate::position::Position;
use crate::rules::Rule;
use crate::search::{Evaluator, SearchRequest, Tt};
use crate::types::Point;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"TengenTT";
/// Version of the format.
const FORMAT: u8 = 2;
/// Longest text in a header.
const MAX_TEXT: usize = 64;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum HashFileError {
    /// Error of the file system.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Not a file of this kind.
    #[error("this is no hash table of Tengen")]
    Foreign,
    /// Written by another version of the engine, whose scores are not comparable.
    #[error("it was written by another version of Tengen ({0})")]
    Version(String),
    /// Written for another rule or board size.
    #[error("it belongs to {found}, and this game is {wanted}")]
    Game {
        /// Rule and size in the file.
        found: String,
        /// Rule and size of the present game.
        wanted: String,
    },
    /// Written with another network, or with the classical evaluation.
    #[error("its values are another evaluator's")]
    Evaluation,
    /// Truncated or changed.
    #[error("the file is damaged")]
    Damaged,
}

/// The game that a table belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// Rule set.
    pub rule: Rule,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl GameKind {
    /// The game of a search.
    pub fn of(request: &SearchRequest) -> GameKind {
        GameKind {
            rule: request.rule,
            width: request.board.width(),
            height: request.board.height(),
        }
    }

    fn size(self) -> String {
        format!("{}x{}", self.width, self.height)
    }

    /// A number that changes whenever the keys or classical values of positions do, taken from a
    /// small position.
    fn fingerprint(self) -> u64 {
        let mut board = Board::new(self.width.into(), self.height.into())
            .expect("the size of a board that exists");
        for (x, y) in [(2, 2), (3, 2), (1, 3), (3, 1)] {
            board.play(Point::new(x, y));
        }
        let position = Position::new(&board, self.rule);
        let value = Evaluator::new(None, &board).evaluate(&position);
        board.hash() ^ u64::from(value.raw() as u16)
    }
}

/// Game and evaluation that the entries of a table belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The game that the positions belong to.
    pub game: GameKind,
    /// [`Evaluation::fingerprint`](super::Evaluation::fingerprint) of the evaluation.
    pub evaluation: u64,
}

/// True if a file that begins with `head` is one of tables, of this version or another.
pub fn is_hash_file(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Writes all entries of `tt` to `out`, which should be buffered. Returns their number.
///
/// # Errors
/// When `out` cannot be written.
pub fn write(tt: &Tt, origin: Origin, out: impl Write) -> io::Result<u64> {
    let Origin { game, evaluation } = origin;
    let mut out = Checksummed::new(out);
    out.write_all(MAGIC)?;
    out.write_all(&[FORMAT])?;
    for text in [
        env!("CARGO_PKG_VERSION"),
        game.rule.name(),
        &game.size() as &str,
    ] {
        out.write_all(&[text.len() as u8])?;
        out.write_all(text.as_bytes())?;
    }
    for fingerprint in [game.fingerprint(), evaluation] {
        out.write_all(&fingerprint.to_le_bytes())?;
    }
    let mut count = 0;
    for [key, data] in tt.raw_entries() {
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&data.to_le_bytes())?;
        count += 1;
    }
    out.write_all(&[0; 16])?;
    let sum = out.hasher.finish();
    out.inner.write_all(&sum.to_le_bytes())?;
    Ok(count)
}

/// Stores the entries of the file at `path` in `tt`. Returns their number.
///
/// # Errors
/// When the file cannot be read, is no hash file, is damaged, or belongs to another version, rule,
/// size or evaluation. Then no entry is stored.
pub fn load(tt: &Tt, origin: Origin, path: &Path) -> Result<u64, HashFileError> {
    // The first pass verifies the checksum, so that only a complete file is stored.
    read(path, origin, &mut |_| true)?;
    tt.grow_to_max();
    read(path, origin, &mut |words| tt.insert_raw(words))
}

fn read(
    path: &Path,
    Origin { game, evaluation }: Origin,
    take: &mut dyn FnMut([u64; 2]) -> bool,
) -> Result<u64, HashFileError> {
    let mut input = Checksummed::new(BufReader::new(open_regular_file(path)?));
    let mut magic = [0; MAGIC.len() + 1];
    let whole = input.read_exact(&mut magic);
    if whole.is_err() || !magic.starts_with(MAGIC) {
        return Err(HashFileError::Foreign);
    }
    if magic[MAGIC.len()] != FORMAT {
        return Err(HashFileError::Version("another file format".to_string()));
    }
    let version = input.text()?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(HashFileError::Version(version));
    }
    let (rule, size) = (input.text()?, input.text()?);
    if (&*rule, &*size) != (game.rule.name(), &*game.size()) {
        return Err(HashFileError::Game {
            found: format!("{rule} {size}"),
            wanted: format!("{} {}", game.rule.name(), game.size()),
        });
    }
    if input.word()? != game.fingerprint() {
        return Err(HashFileError::Version(format!("another {version}")));
    }
    if input.word()? != evaluation {
        return Err(HashFileError::Evaluation);
    }
    let mut count = 0;
    loop {
        let words = [input.word()?, input.word()?];
        if words == [0, 0] {
            break;
        }
        count += u64::from(take(words));
    }
    let sum = input.hasher.finish();
    if input.word()? != sum {
        return Err(HashFileError::Damaged);
    }
    Ok(count)
}

/// A file with a running checksum of the bytes that pass.
struct Checksummed<F> {
    inner: F,
    hasher: XxHash64,
}

impl<F> Checksummed<F> {
    fn new(inner: F) -> Checksummed<F> {
        Checksummed {
            inner,
            hasher: XxHash64::with_seed(0),
        }
    }
}

impl<F: Write> Write for Checksummed<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.hasher.write(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<F: Read> Read for Checksummed<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(bytes)?;
        self.hasher.write(&bytes[..n]);
        Ok(n)
    }
}

impl<F: Read> Checksummed<F> {
    /// The next bytes; a file that ends before them is damaged.
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], HashFileError> {
        let mut bytes = [0; N];
        self.read_exact(&mut bytes).map_err(cut_short)?;
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u64, HashFileError> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, HashFileError> {
        let [length] = self.bytes()?;
        let mut bytes = [0; MAX_TEXT];
        let text = bytes
            .get_mut(..usize::from(length))
            .ok_or(HashFileError::Damaged)?;
        self.read_exact(text).map_err(cut_short)?;
        String::from_utf8(text.to_vec()).map_err(|_| HashFileError::Damaged)
    }
}

fn cut_short(error: io::Error) -> HashFileError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => HashFileError::Damaged,
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::search::{Bound, TtEntry};
    use crate::types::Score;

    const GAME: GameKind = GameKind {
        rule: Rule::Renju,
        width: 15,
        height: 15,
    };
    const ORIGIN: Origin = Origin {
        game: GAME,
        evaluation: 5,
    };

    fn entry(depth: i32) -> TtEntry {
        TtEntry {
            best: Some(Point::new(7, 7)),
            depth,
            bound: Bound::Exact,
            score: Score::value(12),
            eval: Score::value(-3),
            was_pv: true,
        }
    }

    fn filled() -> Tt {
        let tt = Tt::new(64);
        for key in 1..=100_u64 {
            tt.store(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), entry(key as i32));
        }
        tt
    }

    fn dump(tt: &Tt, path: &Path) -> u64 {
        let mut bytes = Vec::new();
        let count = write(tt, ORIGIN, &mut bytes).unwrap();
        assert!(is_hash_file(&bytes));
        fs::write(path, bytes).unwrap();
        count
    }

    #[test]
    fn a_table_comes_back_whole_into_any_size() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("table of mine.tt");
        let written = dump(&filled(), &path);
        assert!(written > 90, "{written}");
        let other = Tt::new(256);
        assert_eq!(load(&other, ORIGIN, &path).unwrap(), written);
        let key = 77_u64.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert_eq!(other.probe(key), filled().probe(key));
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t");
        dump(&filled(), &path);
        let good = fs::read(&path).unwrap();
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 0x10;
            fs::write(&path, &bad).unwrap();
            let tt = Tt::new(64);
            assert!(load(&tt, ORIGIN, &path).is_err(), "byte {i}");
            assert_eq!(tt.raw_entries().count(), 0, "byte {i}");
        }
        for length in (0..good.len()).step_by(7) {
            fs::write(&path, &good[..length]).unwrap();
            let error = load(&Tt::new(64), ORIGIN, &path).unwrap_err();
            let foreign = matches!(error, HashFileError::Foreign);
            assert!(
                if length < 9 {
                    foreign
                } else {
                    matches!(error, HashFileError::Damaged)
                },
                "{length}: {error}"
            );
        }
    }

    #[test]
    fn tables_of_other_games_and_other_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t");
        dump(&filled(), &path);
        let freestyle = GameKind {
            rule: Rule::Freestyle,
            ..GAME
        };
        let small = GameKind { width: 14, ..GAME };
        for game in [freestyle, small] {
            let error = load(&Tt::new(64), Origin { game, ..ORIGIN }, &path).unwrap_err();
            assert!(matches!(error, HashFileError::Game { .. }), "{error}");
        }
        for evaluation in [0, 6] {
            let origin = Origin {
                evaluation,
                ..ORIGIN
            };
            let error = load(&Tt::new(64), origin, &path).unwrap_err();
            assert!(matches!(error, HashFileError::Evaluation), "{error}");
        }
        fs::write(&path, "START 15\nBEGIN\nand more text than that").unwrap();
        let error = load(&Tt::new(64), ORIGIN, &path).unwrap_err();
        assert!(matches!(error, HashFileError::Foreign));
        let error = load(&Tt::new(64), ORIGIN, &dir.path().join("none")).unwrap_err();
        assert!(matches!(error, HashFileError::Io(_)));
    }
}
