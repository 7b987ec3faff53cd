//! Recorded games of any program: Smart Game Format, Piskvork's `.psq`, texts of moves and
//! diagrams. All commands read their games and positions here.

#[cfg(not(target_family = "wasm"))]
mod charset;
pub mod drawing;
mod game;
pub mod psq;
pub mod sgf;

#[cfg(test)]
mod tests;

#[cfg(not(target_family = "wasm"))]
pub use charset::text_of;
pub use game::{RecordError, RecordedGame, rule_named};

use std::path::Path;

use tengen::board::{Board, Move, parse_diagram, parse_moves};
use tengen::files::without_byte_order_mark;

/// The word for a pass in a text of moves.
const PASS: &str = "pass";

/// The form of a text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Smart Game Format: begins with `(`.
    Sgf,
    /// Piskvork's: begins with [`psq::HEAD`].
    Psq,
    /// The journal of a match: begins with a brace, and is read elsewhere.
    Journal,
    /// A diagram as drawn by [`Board`]'s `Display`: has full stops for free cells.
    Diagram,
    /// Moves such as `h8 i9 h7`: any other text.
    Moves,
}

impl Format {
    /// The format of a file's text: by the end of its name, `.sgf` or `.psq`, or else by the text.
    pub fn of_file(path: &Path, text: &str) -> Format {
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("sgf") {
            Format::Sgf
        } else if extension.eq_ignore_ascii_case("psq") {
            Format::Psq
        } else {
            Format::of(text)
        }
    }

    /// The format of `text`.
    pub fn of(text: &str) -> Format {
        let text = from_first_word(text);
        if text.starts_with('(') {
            Format::Sgf
        } else if text.starts_with(psq::HEAD) {
            Format::Psq
        } else if text.starts_with('{') {
            Format::Journal
        } else if text.contains('.') {
            Format::Diagram
        } else {
            Format::Moves
        }
    }
}

/// The text from its first word on, without a byte order mark and leading blanks.
pub fn from_first_word(text: &str) -> &str {
    without_byte_order_mark(text).trim_start()
}

/// The text of a file of games, expected to be UTF-8. For other charsets a browser would have to
/// load their tables with the engine. The page decodes SGF itself, because a browser knows the
/// charsets; in the other formats a wrong charset costs only names.
#[cfg(target_family = "wasm")]
pub fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Reads the games of a text: each game of an SGF text along its main line, a diagram as a game
/// without moves. Moves are played on `empty`; other formats name their board.
///
/// # Errors
/// With the fault, in the words of the format.
pub fn read(text: &str, format: Format, empty: &Board) -> Result<Vec<RecordedGame>, RecordError> {
    let text = from_first_word(text);
    Ok(match format {
        Format::Sgf => sgf::read(text)?,
        Format::Psq => vec![psq::read(text)?],
        Format::Journal => return Err(RecordError::Journal),
        Format::Diagram => vec![RecordedGame::from_position(parse_diagram(text)?)],
        Format::Moves => vec![of_moves(text, empty)?],
    })
}

/// The game of a text of moves on `empty`; the word `pass` passes.
///
/// # Errors
/// At the first word that is not a free point.
pub fn of_moves(text: &str, empty: &Board) -> Result<RecordedGame, RecordError> {
    let mut board = empty.clone();
    let mut game = RecordedGame::from_position(empty.clone());
    // Words are separated as in `parse_moves`; a comma may stand inside a word.
    for word in text.split(|c: char| c.is_whitespace() || c == ';') {
        let color = board.side_to_move();
        if word.trim_matches(',').eq_ignore_ascii_case(PASS) {
            let pass = Move { color, point: None };
            board.make(pass);
            game.moves.push(pass);
            continue;
        }
        let known = board.stones().len();
        parse_moves(&mut board, word)?;
        let played = board.stones()[known..].iter();
        game.moves.extend(played.map(|&stone| Move::from(stone)));
    }
    Ok(game)
}
