//! Records of games in the formats of other programs.

pub mod pgn;
pub mod psq;
pub mod read;
pub mod sgf;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::game::{GameRecord, PASS};
use tengen::files::{Kind, check_replaceable, create_file, no_kind, open_alone};
use tengen::types::Point;

/// A folder of records: `games.pgn` with all results, and each game by its number, as
/// `psq/000012.psq` and `sgf/000012.sgf`. The journal is in the same folder.
pub struct Folder {
    root: PathBuf,
    pgn: File,
}

impl Folder {
    /// Opens the folder, making it if need be, and brings its records to the state of `games`:
    /// those missing after an interruption are written again. Without `games` the folder must have
    /// no results yet.
    ///
    /// # Errors
    /// When the file system refuses, or a file is there that is no such record.
    pub fn open(root: &Path, games: &[GameRecord]) -> io::Result<Folder> {
        fs::create_dir_all(root.join("psq"))?;
        fs::create_dir_all(root.join("sgf"))?;
        let results: Kind = match games {
            [] => no_kind,
            _ => |head| head.starts_with(b"[Event "),
        };
        let path = root.join("games.pgn");
        let mut folder = Folder {
            pgn: open_results(&path, results).map_err(|e| named(&path, e))?,
            root: root.to_path_buf(),
        };
        for game in games {
            folder.add(game)?;
        }
        Ok(folder)
    }

    /// The path of the journal in such a folder.
    pub fn journal(root: &Path) -> PathBuf {
        root.join("journal.jsonl")
    }

    /// Writes one game.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn add(&mut self, game: &GameRecord) -> io::Result<()> {
        self.pgn.write_all(pgn::write(game).as_bytes())?;
        let kinds: [(&str, Kind, String); 2] = [
            (
                "psq",
                |head| head.starts_with(b"Piskvorky "),
                psq::write(game),
            ),
            ("sgf", |head| head.starts_with(b"(;"), sgf::write(game)),
        ];
        for (kind, replaces, text) in kinds {
            let name = format!("{:06}.{kind}", game.number());
            let path = self.root.join(kind).join(name);
            create_file(&path, replaces)
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .map_err(|e| named(&path, e))?;
        }
        Ok(())
    }
}

/// The file of all results, emptied, for this process alone to write.
fn open_results(path: &Path, replaces: Kind) -> io::Result<File> {
    check_replaceable(path, replaces)?;
    let Some(file) = open_alone(path)? else {
        return Err(io::Error::other("another match writes it"));
    };
    file.set_len(0)?;
    Ok(file)
}

/// The error with the file's name.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The points of a game's turns; `None` is a pass. An unreadable turn ends the list; games as
/// played, and games of journals, have none.
pub fn points(game: &GameRecord) -> Vec<Option<Point>> {
    game.turns
        .iter()
        .map_while(|turn| {
            if turn.label == PASS {
                return Some(None);
            }
            Point::from_label(&turn.label, game.width, game.height)
                .ok()
                .map(Some)
        })
        .collect()
}
