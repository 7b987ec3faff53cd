//! Records of games in the formats of other programs.

pub mod pgn;
pub mod psq;
pub mod read;
pub mod sgf;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::game::{GameRecord, PASS};
use crate::types::Point;

/// A folder of records: `games.pgn` with all results, and each game as `psq/000012.psq` and
/// `sgf/000012.sgf`. The journal is in the same folder.
pub struct Folder {
    root: PathBuf,
    pgn: File,
}

impl Folder {
    /// Opens the folder, making it if need be, and brings it to the state of `games`: what an
    /// interruption left undone is written again.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn open(root: &Path, games: &[GameRecord]) -> io::Result<Folder> {
        fs::create_dir_all(root.join("psq"))?;
        fs::create_dir_all(root.join("sgf"))?;
        let pgn = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .open(root.join("games.pgn"))?;
        let mut folder = Folder {
            root: root.to_path_buf(),
            pgn,
        };
        for game in games {
            folder.add(game)?;
        }
        Ok(folder)
    }

    /// Where the journal of such a folder is.
    pub fn journal(root: &Path) -> PathBuf {
        root.join("journal.jsonl")
    }

    /// Writes one game.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn add(&mut self, game: &GameRecord) -> io::Result<()> {
        self.pgn.write_all(pgn::write(game).as_bytes())?;
        let file = |kind: &str| self.root.join(kind).join(format!("{:06}.{kind}", game.id));
        fs::write(file("psq"), psq::write(game))?;
        fs::write(file("sgf"), sgf::write(game))
    }
}

/// The points of a game's turns; `None` is a pass. Turns that cannot be read would end the list;
/// games as played and those of journals have none.
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
