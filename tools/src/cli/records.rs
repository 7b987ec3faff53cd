//! The games and positions named by the arguments of a command: moves, files, standard input.

use std::io::{self, Read as _};
use std::path::Path;

use super::Error;
use crate::arena::record::read::read_journal;
use tengen::board::Board;
use tengen::files::{read_argument, read_regular_file};
use tengen_games::records::{Format, RecordError, RecordedGame, of_moves, read, text_of};

/// Stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The chosen game of a file, and the chosen part of it.
#[derive(Debug, clap::Args)]
pub(super) struct Extract {
    /// Number of the game in a file with several, from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// Take the position after this many moves of the game
    #[arg(long, value_name = "N", alias = "moves")]
    after: Option<usize>,
}

impl Extract {
    /// The chosen game of a file, or the game of moves on a board of this size, cut to the chosen
    /// part.
    pub(super) fn game(&self, words: Words, size: &Board) -> Result<RecordedGame, Error> {
        match words {
            Words::File(path) => self.of(&path.display().to_string(), read_games(path, size)?),
            Words::Moves(moves) => self.of("moves", vec![typed(&moves, size)?]),
        }
    }

    /// The chosen game of `games`, from the input `name`, cut to the chosen part.
    fn of(&self, name: &str, mut games: Vec<RecordedGame>) -> Result<RecordedGame, Error> {
        let place = self.game as usize - 1;
        if place >= games.len() {
            let (wanted, count) = (self.game, games.len());
            let text = format!("{name}: there is no game {wanted}, it has {count}");
            return Err(Error::Failed(text));
        }
        let mut game = games.swap_remove(place);
        if let Some(count) = self.after {
            let known = game.moves.len();
            if count > known {
                let text = format!("{name}: there is no move {count}, the game has {known}");
                return Err(Error::Failed(text));
            }
            game.moves.truncate(count);
        }
        Ok(game)
    }
}

/// The meaning of the words of a command line.
pub(super) enum Words<'a> {
    /// A file, or standard input.
    File(&'a Path),
    /// Moves.
    Moves(String),
}

impl Words<'_> {
    /// One word that names a file means that file; all others are moves.
    ///
    /// # Errors
    /// When another word stands beside the name of a file.
    pub(super) fn of(words: &[String]) -> Result<Words<'_>, Error> {
        match words {
            [word] if names_file(word) => Ok(Words::File(Path::new(word))),
            _ => match words.iter().find(|word| is_like_file(word)) {
                Some(word) => Err(Error::Usage(format!(
                    "{word} names a file, which must be the only argument"
                ))),
                None => Ok(Words::Moves(words.join(" "))),
            },
        }
    }
}

/// True if a word names a file, which may be missing, or standard input.
pub(super) fn names_file(word: &str) -> bool {
    word == STANDARD_INPUT || is_like_file(word) || Path::new(word).exists()
}

/// True if a word cannot be a move, because it has an extension or is a path.
fn is_like_file(word: &str) -> bool {
    word.contains(['.', '/', '\\'])
}

/// A file of games that was read.
pub(super) enum GameFile {
    /// The journal of a match (`.jsonl`).
    Journal(Vec<RecordedGame>),
    /// A text in any format of [`records`](tengen_games::records), from a file or standard input (`-`).
    Text(String),
}

impl GameFile {
    /// Reads the file.
    pub(super) fn read(path: &Path) -> Result<GameFile, Error> {
        let bytes = match extension_of(path).as_str() {
            "jsonl" => {
                let games = read_journal(path).map_err(Error::Failed)?;
                return Ok(GameFile::Journal(games));
            }
            "sgf" | "psq" => read_regular_file(path),
            _ if path == Path::new(STANDARD_INPUT) => {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes).map(|_| bytes)
            }
            _ => read_argument(path),
        };
        let bytes = bytes.map_err(|error| failed(path, error))?;
        Ok(GameFile::Text(text_of(&bytes).into_owned()))
    }

    /// Its games. Moves are played on `empty`; `path` is for errors.
    pub(super) fn games(self, path: &Path, empty: &Board) -> Result<Vec<RecordedGame>, Error> {
        match self {
            GameFile::Journal(games) => Ok(games),
            GameFile::Text(text) => {
                let games = read(&text, Format::of_file(path, &text), empty);
                games.map_err(|error| failed(path, error))
            }
        }
    }
}

/// The games of a file; see [`GameFile`].
pub(super) fn read_games(path: &Path, empty: &Board) -> Result<Vec<RecordedGame>, Error> {
    GameFile::read(path)?.games(path, empty)
}

/// The game of moves on the command line.
pub(super) fn typed(moves: &str, empty: &Board) -> Result<RecordedGame, Error> {
    let usage = |error: RecordError| Error::Usage(error.to_string());
    of_moves(moves, empty).map_err(usage)
}

fn failed(path: &Path, error: impl std::fmt::Display) -> Error {
    let name = match path == Path::new(STANDARD_INPUT) {
        true => "standard input".to_string(),
        false => path.display().to_string(),
    };
    Error::Failed(format!("{name}: {error}"))
}

fn extension_of(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}
