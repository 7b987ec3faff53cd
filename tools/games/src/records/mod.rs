//! Recorded games of any program. All commands, the page and the conversions read their games and
//! positions here, by [`read`]: the bytes of a file give its format, charset, games and warnings.
//!
//! Each format is a module that makes games of a text. A game is a tree of moves with comments,
//! labels and other properties; see [`RecordedGame`].

mod charset;
mod diagram;
pub mod drawing;
mod game;
mod json;
mod library;
mod moves;
mod pgn;
mod positions;
pub mod psq;
mod renjunet;
pub mod rule_names;
pub mod sgf;
mod structured;

#[cfg(test)]
mod tests;

pub use charset::Decoded;
pub use game::{LineError, RecordError, RecordedGame};
pub(crate) use moves::ListForm;
pub use moves::{MoveList, Offsets, of_moves};
pub use rule_names::rule_named;

use std::borrow::Cow;
use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use tengen::board::Board;
use tengen::types::Color;

/// Bytes of a text, outside of SGF, for each part that a game may have.
const BYTES_PER_PART: usize = 8;
/// Bytes of a compressed file's content for each part that a game may have.
const UNPACKED_PER_PART: usize = 64;
/// Bytes by which the database of RenjuNet is told.
const HEAD_BYTES: usize = 1 << 12;
/// Most bytes that a compressed file unpacks to.
const MOST_UNPACKED: u64 = 256 << 20;

/// Warnings of one file that are told.
const MOST_WARNINGS: usize = 20;

/// The format of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Smart Game Format.
    Sgf,
    /// Piskvork's game.
    Psq,
    /// Piskvork's `.rec`: two names, and a line for each move.
    Rec,
    /// Tags in brackets, then numbered moves: PlayOK's games, and results of our matches.
    Pgn,
    /// A saved game of Yixin.
    Sav,
    /// The block `BOARD` of the protocol.
    BoardBlock,
    /// The fragment of a page's address.
    Link,
    /// Points or moves in JSON.
    Json,
    /// A book of problems in JSON.
    Problems,
    /// Positions with known answers, one a line: [`corpus`](crate::corpus).
    Positions,
    /// A library of RenLib.
    Lib,
    /// RenjuNet's database, and XML of its form.
    RenjuNet,
    /// The journal of a match, read elsewhere.
    Journal,
    /// A drawn board.
    Diagram,
    /// Moves such as `h8 i9 h7`: one game, or one a line.
    Moves,
}

impl Format {
    /// The format's name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Rec => "rec",
            Format::Pgn => "pgn",
            Format::Sav => "sav",
            Format::BoardBlock => "board",
            Format::Link => "link",
            Format::Json => "json",
            Format::Problems => "problems",
            Format::Positions => "positions",
            Format::Lib => "lib",
            Format::RenjuNet => "rif",
            Format::Journal => "journal",
            Format::Diagram => "diagram",
            Format::Moves => "moves",
        }
    }

    /// The format of a text without leading blanks. `name` is the name of the file, whose end
    /// counts where the text alone says nothing.
    pub fn of(text: &str, name: &str) -> Format {
        if crate::sgf::begins_game(text) {
            return Format::Sgf;
        }
        if psq::begins(text) {
            return Format::Psq;
        }
        if text.starts_with(['{', '[', '('])
            && let Some(format) = json::format_of(text)
        {
            return format;
        }
        if structured::is_board_block(text) {
            Format::BoardBlock
        } else if structured::is_link(text) {
            Format::Link
        } else if structured::is_sav(text) {
            Format::Sav
        } else if psq::is_rec(text) {
            Format::Rec
        } else if crate::sgf::find_game(text).is_some() {
            Format::Sgf
        } else if diagram::is_diagram(text) {
            Format::Diagram
        } else if positions::begin(text) {
            Format::Positions
        } else if has_extension(name, "sgf") && !moves::begins_with_move(text) {
            Format::Sgf
        } else {
            Format::Moves
        }
    }
}

/// A part of a file that was not understood, or not believed. Nothing else is lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The charset named by the file does not fit its bytes.
    #[error("the text is not in {named}, the charset that it names; it was read as {used}")]
    Charset {
        /// The charset named by the file.
        named: &'static str,
        /// The charset by which the text was read.
        used: &'static str,
    },
    /// The charset named by the file is not known.
    #[error("CA[{name}] names no charset that is known; the text was read as {used}")]
    NoCharset {
        /// The name in the file.
        name: String,
        /// The charset by which the text was read.
        used: &'static str,
    },
    /// Bytes without a meaning in the charset.
    #[error("some bytes have no meaning in {0}")]
    Unreadable(&'static str),
    /// A rule that is not known here.
    #[error("'{0}' is no rule that is known here; --rule tells the rule")]
    Rule(String),
    /// An opening rule that leaves open how a game is won.
    #[error("'{0}' is a rule for openings, and does not tell how a game is won; --rule does")]
    OpeningRule(String),
    /// A part of the text that was left out.
    #[error("line {line}: {what}")]
    LeftOut {
        /// The line, from 1.
        line: usize,
        /// The part, and why.
        what: String,
    },
    /// A game of several that was left out.
    #[error("game {number} of the file is left out: {reason}")]
    Game {
        /// The number of the game, from 1.
        number: usize,
        /// The reason.
        reason: String,
    },
    /// An impossible move of the main line.
    #[error("move {number} {reason}: the game is read up to there{}", rest(*.lost))]
    Move {
        /// The number of the move, from 1; a pass counts.
        number: usize,
        /// The reason, as the end of a sentence.
        reason: String,
        /// Nodes after the move.
        lost: usize,
    },
    /// An impossible move or set-up of a side line.
    #[error("a variation after move {number}: a move {reason}; nodes left out: {lost}")]
    Variation {
        /// Moves before.
        number: usize,
        /// The reason, as the end of a sentence.
        reason: String,
        /// Nodes left out, that of the move included.
        lost: usize,
    },
    /// More warnings of this kind than anybody reads; holds their number.
    #[error("there are {0} more warnings")]
    More(usize),
    /// A value that was not understood.
    #[error("{name}[{value}] is not understood and does not count")]
    Value {
        /// The property.
        name: String,
        /// The value.
        value: String,
    },
    /// A point that is not set up.
    #[error("{name}[{value}]: a point {reason} is left out")]
    SetUp {
        /// The property.
        name: String,
        /// The value.
        value: String,
        /// The reason, behind the noun.
        reason: &'static str,
    },
    /// A record that calls itself one of another game.
    #[error("GM[{0}] names another game than Gomoku (GM[4]); it was read as Gomoku all the same")]
    Kind(String),
    /// A board that follows from the moves.
    #[error("the record names no board; {0}x{0} is the smallest usual one with all its moves")]
    Size(u32),
    /// Letters taken for points.
    #[error("the letters were read in pairs, as columns and rows counted from the top left")]
    Pairs,
    /// Numbers of a `.psq` file, or rows of labels, that do not begin at 1.
    #[error("a move has the number 0, so the numbers count from 0 instead of 1")]
    FromZero,
    /// Numbers taken for offsets.
    #[error("the numbers were read as offsets from the centre")]
    Offsets,
}

/// The number of moves or nodes left out behind a fault; empty for none.
fn rest(lost: usize) -> String {
    match lost {
        0 => String::new(),
        _ => format!(", and the rest ({lost}) is left out"),
    }
}

/// The choices of a reader.
#[derive(Clone, Debug)]
pub struct ReadOptions<'a> {
    /// Name of the file. The name's end counts where the content alone says nothing.
    pub name: &'a str,
    /// The empty board of records that name none.
    pub empty: &'a Board,
    /// The charset; `None` finds out.
    pub charset: Option<&'a str>,
    /// The side to move at the beginning of records that do not say so. `None` is Black, or in a
    /// position the side with fewer stones.
    pub first: Option<Color>,
    /// Records of Go and of other games are read too.
    pub any_game: bool,
    /// Most nodes, properties and values of a game; other texts have at most 8 bytes for each.
    pub most_parts: usize,
}

impl<'a> ReadOptions<'a> {
    /// The usual choices for a file of that name.
    pub fn new(name: &'a str, empty: &'a Board) -> ReadOptions<'a> {
        ReadOptions {
            name,
            empty,
            charset: None,
            first: None,
            any_game: false,
            most_parts: usize::MAX / BYTES_PER_PART,
        }
    }

    /// The empty board, with the side to move that begins.
    fn start(&self) -> Board {
        let mut start = self.empty.clone();
        start.set_side_to_move(self.first.unwrap_or(Color::Black));
        start
    }

    /// A game without moves that begins at `board`, whose side to move nothing tells.
    fn position(&self, mut board: Board) -> RecordedGame {
        let side = self.first.unwrap_or(board.side_with_fewer_stones());
        board.set_side_to_move(side);
        RecordedGame::from_position(board)
    }
}

/// A file of games that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The format.
    pub format: Format,
    /// Name of the charset, as in the Encoding Standard; `None` where all letters are ASCII.
    pub charset: Option<&'static str>,
    /// The games, at least one, unless they were handed out.
    pub games: Vec<RecordedGame>,
    /// Parts that were not understood, or not believed.
    pub warnings: Vec<Warning>,
}

/// Takes the games of a file one after the other, so that no more than one of them is held.
pub struct Sink<'a> {
    take: &'a mut TakeGame<'a>,
    /// The warnings about the present game.
    warnings: Vec<Warning>,
}

/// Takes a game with the warnings about it, and breaks if no other game is wanted.
pub type TakeGame<'a> = dyn FnMut(RecordedGame, Vec<Warning>) -> ControlFlow<()> + 'a;

/// Keeps the first warnings, and the number of the others.
pub fn limit(warnings: &mut Vec<Warning>) {
    let weight = |warning: &Warning| match warning {
        Warning::More(count) => *count,
        _ => 1,
    };
    let more: usize = warnings.iter().skip(MOST_WARNINGS).map(weight).sum();
    if more > 0 {
        warnings.truncate(MOST_WARNINGS);
        warnings.push(Warning::More(more));
    }
}

impl Sink<'_> {
    fn take(&mut self, mut game: RecordedGame) -> ControlFlow<()> {
        for fact in [
            &mut game.black,
            &mut game.white,
            &mut game.rule,
            &mut game.result,
        ] {
            if fact.contains(['\n', '\r', '\t']) {
                *fact = fact.replace(['\n', '\r', '\t'], " ");
            }
        }
        let mut warnings = std::mem::take(&mut self.warnings);
        limit(&mut warnings);
        (self.take)(game, warnings)
    }
}

/// Reads the bytes of a file of games. The content tells the format.
///
/// # Errors
/// With the kind of file, and the reason why there is no game in it.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Record, RecordError> {
    let mut games = Vec::new();
    let mut warnings = Vec::new();
    let mut record = read_each(bytes, options, &mut |game, found| {
        games.push(game);
        warnings.extend(found);
        ControlFlow::Continue(())
    })?;
    warnings.append(&mut record.warnings);
    limit(&mut warnings);
    Ok(Record {
        games,
        warnings,
        ..record
    })
}

/// The same; each game is handed to `take` as soon as it is read. The record has no games, and the
/// warnings that belong to none. RenjuNet's database is not held in memory.
///
/// # Errors
/// As for [`read`], and when the file cannot be read. Games before the fault were handed out.
pub fn read_each(
    input: impl BufRead,
    options: &ReadOptions,
    take: &mut TakeGame,
) -> Result<Record, RecordError> {
    let mut sink = Sink {
        take,
        warnings: Vec::new(),
    };
    let (format, charset) = read_into(input, options, &mut sink)?;
    Ok(Record {
        format,
        charset,
        games: Vec::new(),
        warnings: sink.warnings,
    })
}

fn read_into(
    mut input: impl BufRead,
    options: &ReadOptions,
    sink: &mut Sink,
) -> Result<(Format, Option<&'static str>), RecordError> {
    let is_renjunet = |head: &[u8]| {
        let head = &head[..head.len().min(HEAD_BYTES)];
        renjunet::begins(from_first_word(&String::from_utf8_lossy(head)))
    };
    if is_renjunet(input.fill_buf()?) {
        return renjunet::read(input, sink).map(|charset| (Format::RenjuNet, charset));
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let most = MOST_UNPACKED.min(options.most_parts.saturating_mul(UNPACKED_PER_PART) as u64);
    let bytes = unpacked(&bytes, most)?;
    // Out of a compressed file, or a pipe that gave little at first.
    if is_renjunet(&bytes) {
        return renjunet::read(&bytes[..], sink).map(|charset| (Format::RenjuNet, charset));
    }
    if library::is_library(&bytes, options.name) {
        return library::read(&bytes, options, sink).map(|charset| (Format::Lib, charset));
    }
    if let Some(kind) = foreign_kind(&bytes) {
        return Err(RecordError::Foreign(kind));
    }
    let decoded = charset::decode(&bytes, options.charset)?;
    let text = from_first_word(&decoded.text);
    if text.is_empty() {
        return Err(RecordError::Empty);
    }
    // Only where needed, as a file may be large.
    let text = match text.contains('\0') {
        true => Cow::Owned(text.replace('\0', "")),
        false => Cow::Borrowed(text),
    };
    let lines = match crate::sgf::begins_game(&text) {
        true => Cow::Borrowed(&*text),
        false => with_line_feeds(&text),
    };
    let format = Format::of(&lines, options.name);
    // The comments of SGF keep the ends of their lines.
    let text = if format == Format::Sgf {
        &*text
    } else {
        &*lines
    };
    sink.warnings = decoded.warnings;
    if format != Format::Sgf && text.len() / BYTES_PER_PART > options.most_parts {
        return Err(RecordError::TooLarge(options.most_parts * BYTES_PER_PART));
    }
    read_text(text, format, options, sink)
        .map_err(|error| with_size(error, text, format, options))?;
    Ok((format, decoded.charset))
}

/// The error, with the size of a board on which the text can be read, if the board is not named by
/// the text.
fn with_size(error: RecordError, text: &str, format: Format, options: &ReadOptions) -> RecordError {
    const SIDES: [u32; 2] = [20, 22];
    let is_named = !matches!(
        format,
        Format::Moves | Format::Json | Format::BoardBlock | Format::Link
    );
    if is_named || matches!(error, RecordError::Size(_)) {
        return error;
    }
    for side in SIDES {
        let empty = Board::new(side, side).expect("a size that the engine plays on");
        let is_larger = empty.width() > options.empty.width().max(options.empty.height());
        let mut has_game = false;
        let mut sink = Sink {
            take: &mut |_, _| {
                has_game = true;
                ControlFlow::Continue(())
            },
            warnings: Vec::new(),
        };
        let options = ReadOptions {
            empty: &empty,
            ..options.clone()
        };
        if is_larger && read_text(text, format, &options, &mut sink).is_ok() && has_game {
            return RecordError::Larger(Box::new(error), side);
        }
    }
    error
}

/// The text of a file in any charset, compressed by gzip or not, from its first word on.
///
/// # Errors
/// When the file cannot be unpacked.
pub fn text_of(bytes: &[u8]) -> Result<String, RecordError> {
    let bytes = unpacked(bytes, MOST_UNPACKED)?;
    let decoded = charset::decode(&bytes, None)?;
    Ok(from_first_word(&decoded.text).to_string())
}

/// Reads the games of a text in a known format.
fn read_text(
    text: &str,
    format: Format,
    options: &ReadOptions,
    sink: &mut Sink,
) -> Result<(), RecordError> {
    let games = match format {
        Format::Sgf => return sgf::read(text, options, sink),
        Format::Pgn => return pgn::read(text, options, sink),
        Format::Moves => return moves::read(text, options, sink),
        Format::Json | Format::Problems => return json::read(text, options, sink),
        Format::Positions => return positions::read(text, sink),
        Format::Psq => vec![psq::read(text, &mut sink.warnings)?],
        Format::Rec => vec![psq::read_rec(text, &mut sink.warnings)?],
        Format::Sav => vec![structured::read_sav(text)?],
        Format::BoardBlock => vec![structured::read_board_block(text, options)?],
        Format::Link => vec![structured::read_link(text, options)?],
        Format::Diagram => vec![diagram::read(text, options)?],
        Format::Journal | Format::Lib | Format::RenjuNet => return Err(RecordError::Journal),
    };
    for game in games {
        if sink.take(game).is_break() {
            break;
        }
    }
    Ok(())
}

/// The text from its first word on, without a byte order mark, leading blanks, and the NUL or ^Z at
/// the end of old files.
pub fn from_first_word(text: &str) -> &str {
    let is_mark = |c: char| c == '\u{feff}' || c.is_whitespace();
    let is_end = |c: char| matches!(c, '\0' | '\x1a' | '\n' | '\r');
    text.trim_start_matches(is_mark).trim_end_matches(is_end)
}

/// A text with line feeds at the ends of lines.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut lines = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\r') {
        lines.push_str(&rest[..at]);
        rest = rest[at..].trim_start_matches('\r');
        rest = rest.strip_prefix('\n').unwrap_or(rest);
        lines.push('\n');
    }
    Cow::Owned(lines + rest)
}

/// The content of a file compressed by gzip; other bytes as they are.
fn unpacked(bytes: &[u8], most: u64) -> Result<Cow<'_, [u8]>, RecordError> {
    if !bytes.starts_with(b"\x1f\x8b\x08") {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut content = Vec::new();
    let reader = flate2::read::MultiGzDecoder::new(bytes);
    let read = reader.take(most + 1).read_to_end(&mut content);
    match read {
        Ok(size) if size as u64 <= most => Ok(Cow::Owned(content)),
        _ => Err(RecordError::Gzip),
    }
}

/// The kind of a file that cannot hold games, by its first bytes.
fn foreign_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 15] = [
        (b"!<arch>\n", "a library of a compiler"),
        (b"\x7fELF", "a program"),
        (b"MZ\x90", "a program"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"Rar!", "a RAR archive"),
        (b"7z\xbc\xaf", "a 7z archive"),
        (b"\x28\xb5\x2f\xfd", "a file compressed by Zstandard"),
        (b"BZh", "a file compressed by bzip2"),
        (b"\xfd7zXZ", "a file compressed by xz"),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF8", "a picture"),
        (b"%PDF", "a PDF document"),
        (b"<!DOCTYPE html", "a web page"),
        (b"<html", "a web page"),
    ];
    let found = KINDS.iter().find(|(head, _)| {
        let start = bytes.get(..head.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(head))
    });
    found.map(|&(_, kind)| kind).or_else(|| {
        // UTF-16 has a zero in each letter of the alphabet, other texts have none before their end.
        let is_marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |at| at + 1);
        let is_wide = || is_marked || charset::wide(bytes).is_some();
        (bytes[..end].contains(&0) && !is_wide()).then_some("a binary file")
    })
}

/// True if the name of a file ends in a dot and this extension.
fn has_extension(name: &str, extension: &str) -> bool {
    let found = Path::new(name).extension();
    found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
