//! The games and positions named by the arguments of a command: moves, files, standard input.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Cursor, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use super::Error;
use super::error::warn;
use crate::arena::record::read::read_journal;
use tengen::board::Board;
use tengen::files::{is_standard_input, open_argument};
use tengen::types::Color;
use tengen_games::records::{
    self, Format, ReadOptions, Record, RecordedGame, TakeGame, Warning, of_moves,
};

/// The reading of files, and the chosen part of them.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Extract {
    /// Number of the game in a file with several, from 1 [default: the first; for 'solve' all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Take the position after this many moves of the game [default: the last position, or the
    /// first of a record that begins with a set-up]
    #[arg(long, value_name = "N", alias = "moves")]
    after: Option<usize>,
    /// Side that makes the first move, where a record does not say so [default: black, in a
    /// position the side with fewer stones]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    first: Option<Color>,
    /// Charset of files, such as gbk, shift_jis or utf-8 [default: what the file names, or a guess]
    #[arg(long, value_name = "NAME")]
    charset: Option<String>,
    /// Read records of Go and of other games as well
    #[arg(long)]
    any_game: bool,
}

/// A side by its name.
fn side(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "black" | "b" => Ok(Color::Black),
        "white" | "w" => Ok(Color::White),
        _ => Err("expected black or white".to_string()),
    }
}

impl Extract {
    /// The chosen game of a file, or the game of moves on a board of this size, cut to the chosen
    /// part.
    pub(super) fn game(&self, words: Words, size: &Board) -> Result<RecordedGame, Error> {
        match words {
            Words::File(path) => self.game_of(path, size),
            Words::Moves(moves) => {
                let mut games = self.chosen("moves", vec![self.typed(&moves, size)?])?;
                Ok(games.swap_remove(0))
            }
        }
    }

    /// The chosen game of a file, of which no more than one game is held, cut to the chosen part.
    fn game_of(&self, path: &Path, size: &Board) -> Result<RecordedGame, Error> {
        let name = name_of(path);
        let wanted = self.game.unwrap_or(1);
        let mut chosen = None;
        let mut count = 0;
        let read = self.each(path, size, &mut |game, warnings| {
            count += 1;
            if count == wanted {
                tell(path, &warnings);
                chosen = Some(game);
            }
            // Without a choice the games are counted.
            match self.game == Some(count) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        match (read, &chosen) {
            (Ok(record), _) => tell(path, &record.warnings),
            (Err(error), None) => return Err(error),
            // Other games of the file are no reason to refuse this one.
            (Err(error), Some(_)) => warn(&error.to_string()),
        }
        let Some(game) = chosen else {
            let text = format!("{name}: there is no game {wanted}, it has {count}");
            return Err(Error::Failed(text));
        };
        if count > 1 && self.game.is_none() {
            warn(&format!(
                "{name}: it holds {count} games, and this is the first; --game chooses"
            ));
        }
        self.cut(&name, game)
    }

    /// Hands the games of a file to `take`, one after the other. Moves are played on a board of
    /// this size. The record has no games.
    pub(super) fn each(
        &self,
        path: &Path,
        size: &Board,
        take: &mut TakeGame,
    ) -> Result<Record, Error> {
        self.each_of(path, open_file(path)?, size, take)
    }

    /// The same for the content of the file at `path`.
    fn each_of(
        &self,
        path: &Path,
        mut input: impl BufRead,
        size: &Board,
        take: &mut TakeGame,
    ) -> Result<Record, Error> {
        // A pipe gives its bytes once, so its first line is kept.
        let mut first = Vec::new();
        if input
            .fill_buf()
            .map_err(|error| failed(path, error))?
            .starts_with(b"{")
        {
            let read = input.read_until(b'\n', &mut first);
            read.map_err(|error| failed(path, error))?;
        }
        let mut input = (&first[..]).chain(input);
        if Format::of(&String::from_utf8_lossy(&first), "") == Format::Journal {
            let mut bytes = Vec::new();
            let read = input.read_to_end(&mut bytes);
            read.map_err(|error| failed(path, error))?;
            return journal_of(path, &bytes, take);
        }
        let name = path.to_string_lossy();
        let options = ReadOptions {
            charset: self.charset.as_deref(),
            first: self.first,
            any_game: self.any_game,
            ..ReadOptions::new(&name, size)
        };
        records::read_each(input, &options, take).map_err(|error| failed(path, error))
    }

    /// The games in the bytes of the file at `path`.
    pub(super) fn record_of(
        &self,
        path: &Path,
        bytes: &[u8],
        size: &Board,
    ) -> Result<Record, Error> {
        let mut games = Vec::new();
        let mut warnings = Vec::new();
        let record = self.each_of(path, bytes, size, &mut |game, found| {
            games.push(game);
            warnings.extend(found);
            ControlFlow::Continue(())
        })?;
        warnings.extend(record.warnings);
        Ok(Record {
            games,
            warnings,
            ..record
        })
    }

    /// The chosen games of the input `name`, at least one, each cut to the chosen part.
    pub(super) fn chosen(
        &self,
        name: &str,
        mut games: Vec<RecordedGame>,
    ) -> Result<Vec<RecordedGame>, Error> {
        if let Some(wanted) = self.game {
            let count = games.len();
            if wanted as usize > count {
                let text = format!("{name}: there is no game {wanted}, it has {count}");
                return Err(Error::Failed(text));
            }
            games = vec![games.swap_remove(wanted as usize - 1)];
        }
        games.into_iter().map(|game| self.cut(name, game)).collect()
    }

    /// A game of the input `name`, cut to the chosen part.
    pub(super) fn cut(&self, name: &str, mut game: RecordedGame) -> Result<RecordedGame, Error> {
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

    /// True if the game with this number in its file, from 1, is among the chosen ones.
    pub(super) fn chooses(&self, number: u32) -> bool {
        self.game.is_none_or(|wanted| wanted == number)
    }

    fn first(&self) -> Color {
        self.first.unwrap_or(Color::Black)
    }

    /// The number in its file of the chosen game at `place`, from 1.
    pub(super) fn number(&self, place: u32) -> u32 {
        self.game.unwrap_or(place)
    }

    /// The game of moves on the command line.
    pub(super) fn typed(&self, moves: &str, size: &Board) -> Result<RecordedGame, Error> {
        let mut start = size.clone();
        start.set_side_to_move(self.first());
        of_moves(moves, &start).map_err(|error| {
            // A word alone may be a misspelt name.
            let file = match moves.contains(' ') {
                true => "",
                false => "; there is no such file either",
            };
            Error::Usage(format!("{error}{file}"))
        })
    }

    /// A game cut to the position meant: a record that begins with a set-up is a problem with a
    /// solution, so the first position counts if no other is chosen.
    pub(super) fn at_position(&self, mut game: RecordedGame) -> RecordedGame {
        if self.after.is_none() && !game.start.stones().is_empty() {
            game.moves.clear();
        }
        game
    }
}

/// The meaning of the words of a command line.
pub(super) enum Words<'a> {
    /// A file, standard input, or a link.
    File(&'a Path),
    /// Moves.
    Moves(String),
}

impl Words<'_> {
    /// A single name of a file means the file; all other words are moves.
    ///
    /// # Errors
    /// When another word stands beside the name of a file.
    pub(super) fn of(words: &[OsString]) -> Result<Words<'_>, Error> {
        match words {
            [word] if names_file(word) => Ok(Words::File(Path::new(word))),
            _ => match words.iter().find(|word| is_like_file(word)) {
                Some(word) => Err(Error::Usage(format!(
                    "{} names a file, which must be the only argument",
                    word.display()
                ))),
                None => Ok(Words::Moves(joined(words))),
            },
        }
    }
}

/// Hands the games of a match's journal to `take`.
fn journal_of(path: &Path, bytes: &[u8], take: &mut TakeGame) -> Result<Record, Error> {
    let games = read_journal(path, bytes).map_err(Error::Failed)?;
    for game in games {
        if take(game, Vec::new()).is_break() {
            break;
        }
    }
    Ok(handed_out(Format::Journal))
}

/// A record whose games were handed out.
pub(super) fn handed_out(format: Format) -> Record {
    Record {
        format,
        charset: None,
        games: Vec::new(),
        warnings: Vec::new(),
    }
}

/// Moves on a command line as one text.
pub(super) fn joined(words: &[OsString]) -> String {
    words.join(OsStr::new(" ")).to_string_lossy().into_owned()
}

/// True if a word names a file, which may be missing, or standard input.
pub(super) fn names_file(word: &OsStr) -> bool {
    let path = Path::new(word);
    is_standard_input(path) || is_like_file(word) || path.exists()
}

/// True if a word cannot be a move: it has an extension, is a path, or is no text.
fn is_like_file(word: &OsStr) -> bool {
    word.to_str()
        .is_none_or(|word| word.contains(['.', '/', '\\']))
}

/// The bytes of a file, or of standard input (`-`).
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = open_file(path)?.read_to_end(&mut bytes);
    read.map_err(|error| failed(path, error))?;
    Ok(bytes)
}

/// A file, standard input (`-`), or the text of a link, to be read.
fn open_file(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    let is_link = |text: &&str| text.contains("://") && !path.exists();
    if let Some(link) = path.to_str().filter(is_link) {
        return Ok(Box::new(Cursor::new(link.to_string())));
    }
    let file = open_argument(path).map_err(|error| failed(path, error))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Tells of the parts of a file that were not understood.
pub(super) fn tell(path: &Path, warnings: &[Warning]) {
    for warning in warnings {
        warn(&format!("{}: {warning}", name_of(path)));
    }
}

impl Words<'_> {
    /// The file's name in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Words::File(path) => name_of(path),
            Words::Moves(_) => "moves".to_string(),
        }
    }
}

/// The name of a file in messages.
pub(super) fn name_of(path: &Path) -> String {
    match is_standard_input(path) {
        true => "standard input".to_string(),
        false => path.display().to_string(),
    }
}

fn failed(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::Failed(format!("{}: {error}", name_of(path)))
}
