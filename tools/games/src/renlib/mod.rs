//! Files (`.lib`) of RenLib, renju players' program for their libraries.
//!
//! Source: RenLib 3.6 by Frank Arkbo (its files `MoveNode`, `LibraryFile`), for the facts of the
//! format. A header has 20 bytes: FF `RenLib` FF, version (major, minor), ten times FF; files of
//! the first programs have no header. The nodes of the tree follow, parents before children, one
//! line to its end before the next variation. A node begins with two bytes: the cell (16 times the
//! row from the top, plus the column from 1; 0 is no cell: the root or a pass) and flags. By its
//! flags, two more bytes of flags follow, then a comment and a text on the cell. A text ends with a
//! zero byte, and with one more if that makes its length even.

use std::borrow::Cow;

mod charset;
mod library;

pub use charset::Charset;
pub(crate) use charset::encoding_named;
pub use library::{Library, Node};
use tengen::types::Point;

/// Rows and columns of the format's boards.
pub const SIDE: u8 = 15;

const MAGIC: &[u8; 8] = b"\xffRenLib\xff";
const HEADER_BYTES: usize = 20;
/// The written version: the first with texts on cells.
const VERSION: [u8; 2] = [3, 4];
/// Cell of the centre; files without a header begin with it.
const CENTRE: u8 = 0x78;
/// Separates the title of a comment from the rest.
const PART: u8 = 8;

/// The node has a sibling after all nodes below the node.
const SIBLING: u8 = 0x80;
/// The node has no children.
const LEAF: u8 = 0x40;
/// A comment in the old form: its last byte has the high bit set.
const OLD_COMMENT: u8 = 0x20;
const COMMENT: u8 = 0x08;
/// The node is not a move.
const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
const MORE: u8 = 0x01;
/// In the second of them: a text on the cell.
const CELL_TEXT: u8 = 0x01;

/// The reason why a file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibError {
    /// The file is no library.
    #[error("this is no RenLib library")]
    Foreign,
    /// The file is of a later version.
    #[error("a RenLib library of the unknown version {0}.{1:02}")]
    Version(u8, u8),
    /// The file ends in the middle of a node.
    #[error("the library is cut short")]
    CutShort,
    /// A cell that does not exist.
    #[error("the library has a cell that does not exist, at byte {0}")]
    Cell(usize),
}

/// The nodes of a file, each behind its parent, as a stream. The whole file is checked before the
/// first of them, so a damaged one is refused and not cut.
pub struct Entries<'a> {
    nodes: RawNodes<'a>,
    charset: Charset,
    moves: usize,
    texts: usize,
    damaged_texts: usize,
    has_other_letters: bool,
    has_moves: bool,
    /// Moves before the next node, and before the siblings still to come.
    plies: usize,
    waiting: Vec<usize>,
}

/// A node of a file, or a comment on a position before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of moves on the way to the node.
    pub plies: usize,
    /// The move, `Some(None)` is a pass. `None` where the entry is a comment on the position after
    /// those moves.
    pub made: Option<Option<Point>>,
    /// Comment on the position after the move; every line ends with LF.
    pub comment: String,
    /// Text on the move's cell, shown before the move is made.
    pub cell_text: String,
}

impl<'a> Entries<'a> {
    /// The nodes of a file. Without a `charset`, the best guess from all texts together counts.
    ///
    /// # Errors
    /// When the file is no library, or damaged.
    pub fn new(bytes: &'a [u8], charset: Option<Charset>) -> Result<Entries<'a>, LibError> {
        let nodes = RawNodes::new(bytes)?;
        let (mut moves, mut texts, mut has_other_letters) = (0, 0, false);
        for node in nodes.clone() {
            let node = node?;
            let is_move = !node.is_no_move && (moves > 0 || node.cell != 0);
            if is_move && point(node.cell).is_none() {
                return Err(LibError::Cell(node.at));
            }
            moves += usize::from(is_move);
            for text in [node.comment.letters, node.cell_text] {
                texts += usize::from(!text.is_empty());
            }
            has_other_letters |=
                !(node.comment.in_charset().is_ascii() && node.cell_text.is_ascii());
        }
        let guess = || {
            let nodes = nodes.clone().map_while(Result::ok);
            Charset::of_texts(nodes.flat_map(|node| [node.comment.in_charset(), node.cell_text]))
        };
        Ok(Entries {
            charset: charset.unwrap_or_else(guess),
            nodes,
            moves,
            texts,
            damaged_texts: 0,
            has_other_letters,
            has_moves: false,
            plies: 0,
            waiting: Vec::new(),
        })
    }

    /// The charset of the texts.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Number of moves in the file.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Number of comments and texts on cells in the file.
    pub fn texts(&self) -> usize {
        self.texts
    }

    /// Number of texts so far with bytes outside the charset, each replaced by U+FFFD.
    pub fn damaged_texts(&self) -> usize {
        self.damaged_texts
    }

    /// True if a text has letters outside ASCII.
    pub fn has_other_letters(&self) -> bool {
        self.has_other_letters
    }

    /// A text with LF at the end of every line. Zero bytes end other texts, and have no meaning
    /// here.
    fn decoded(&mut self, bytes: &[u8]) -> String {
        let (letters, is_damaged) = self.charset.decode(bytes);
        self.damaged_texts += usize::from(is_damaged);
        let mut text = String::with_capacity(letters.len());
        let mut was_return = false;
        for letter in letters.chars().filter(|&letter| letter != '\0') {
            let letter = if letter == PART as char { '\n' } else { letter };
            match letter {
                '\r' => text.push('\n'),
                '\n' if was_return => {}
                letter => text.push(letter),
            }
            was_return = letter == '\r';
        }
        text
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let node = self.nodes.next()?.ok()?;
        let comment = match node.comment.is_old {
            false => self.decoded(node.comment.letters),
            true => {
                let letters = node.comment.letters.iter().map(|byte| byte & 0x7f);
                self.decoded(&letters.collect::<Vec<u8>>())
            }
        };
        let cell_text = self.decoded(node.cell_text);
        // A comment on a pass is about the position before the pass.
        let is_root = !self.has_moves && node.cell == 0;
        let made = match is_root || node.is_no_move {
            true => None,
            false => point(node.cell),
        };
        self.has_moves |= made.is_some();
        let plies = self.plies;
        if node.has_sibling {
            self.waiting.push(plies);
        }
        self.plies = match node.is_leaf {
            false => plies + usize::from(made.is_some()),
            true => self.waiting.pop().unwrap_or(0),
        };
        Some(Entry {
            plies,
            made,
            comment,
            cell_text,
        })
    }
}

impl Library {
    /// Reads a file. The charset is the best guess from all texts together.
    ///
    /// # Errors
    /// When the file is no library, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Library, LibError> {
        Library::read_in(bytes, None)
    }

    /// Reads a file in a known charset.
    ///
    /// # Errors
    /// As for [`read`](Library::read).
    pub fn read_in(bytes: &[u8], charset: Option<Charset>) -> Result<Library, LibError> {
        let mut entries = Entries::new(bytes, charset)?;
        let mut library = Library::new(entries.charset());
        let mut way = vec![Library::ROOT];
        for entry in entries.by_ref() {
            way.truncate(entry.plies + 1);
            let parent = way.last().copied().unwrap_or(Library::ROOT);
            match entry.made {
                None => library.add_comment(parent, &entry.comment),
                Some(point) => {
                    let node = Node {
                        point,
                        comment: entry.comment,
                        cell_text: entry.cell_text,
                    };
                    way.push(library.add(parent, node));
                }
            }
        }
        library.set_damaged_texts(entries.damaged_texts());
        Ok(library)
    }

    /// Number of texts with letters that `charset` lacks.
    pub fn texts_outside(&self, charset: Charset) -> usize {
        let texts = (0..=self.moves()).flat_map(|node| [self.comment(node), self.cell_text(node)]);
        texts.filter(|text| charset.encode(text).is_none()).count()
    }

    /// The charset of its file when it is written: its own, or UTF-8 if that lacks a letter.
    pub fn charset_to_write(&self) -> Charset {
        match self.texts_outside(self.charset()) {
            0 => self.charset(),
            _ => Charset::UTF_8,
        }
    }

    /// The bytes of a file, in [`charset_to_write`](Library::charset_to_write).
    pub fn write(&self) -> Vec<u8> {
        let charset = self.charset_to_write();
        let mut bytes = vec![0xff; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&VERSION);
        let mut open = vec![Library::ROOT];
        while let Some(place) = open.pop() {
            let (child, sibling) = (self.first_child(place), self.next_sibling(place));
            let (comment, cell_text) = (self.comment(place), self.cell_text(place));
            let mut flags = 0;
            flags |= if sibling.is_some() { SIBLING } else { 0 };
            flags |= if child.is_none() { LEAF } else { 0 };
            flags |= if comment.is_empty() { 0 } else { COMMENT };
            flags |= if cell_text.is_empty() { 0 } else { MORE };
            bytes.extend([cell(self.point(place)), flags]);
            if !cell_text.is_empty() {
                bytes.extend([0, CELL_TEXT]);
            }
            if !comment.is_empty() {
                let text = match comment.split_once('\n') {
                    Some((title, rest)) => {
                        format!("{title}{}{}", PART as char, rest.replace('\n', "\r\n"))
                    }
                    None => comment.to_string(),
                };
                push_text(&mut bytes, charset, &text);
            }
            if !cell_text.is_empty() {
                push_text(&mut bytes, charset, cell_text);
            }
            // The child is taken before the sibling.
            open.extend(sibling);
            open.extend(child);
        }
        bytes
    }
}

/// True if a file that begins with `head` is a library with a header. Files of the first programs
/// have no header and may begin like a text.
pub fn is_library(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// `Some(None)` for no cell, `None` for one that does not exist.
fn point(cell: u8) -> Option<Option<Point>> {
    if cell == 0 {
        return Some(None);
    }
    let (x, y) = ((cell % 16).checked_sub(1)?, cell / 16);
    (x < SIDE && y < SIDE).then(|| Some(Point::new(x, y)))
}

fn cell(point: Option<Point>) -> u8 {
    point.map_or(0, |p| 16 * p.y() + p.x() + 1)
}

fn push_text(bytes: &mut Vec<u8>, charset: Charset, text: &str) {
    let before = bytes.len();
    let letters = charset.encode(text).unwrap_or(Cow::Borrowed(b""));
    bytes.extend(letters.iter().filter(|&&byte| byte != 0));
    bytes.push(0);
    if (bytes.len() - before) % 2 == 1 {
        bytes.push(0);
    }
}

/// Adds a text to another, behind `separator`, unless it stands there already.
pub fn add_text(all: &mut String, text: &str, separator: &str) {
    let framed = |text: &str| format!("{separator}{text}{separator}");
    if all.is_empty() {
        *all = text.to_string();
    } else if !text.is_empty() && !framed(all).contains(&framed(text)) {
        all.push_str(separator);
        all.push_str(text);
    }
}

/// A node as it stands in a file.
struct RawNode<'a> {
    /// Byte offset in the file.
    at: usize,
    cell: u8,
    is_no_move: bool,
    is_leaf: bool,
    has_sibling: bool,
    comment: Comment<'a>,
    /// May be empty.
    cell_text: &'a [u8],
}

/// A comment as it stands in a file; may be empty.
#[derive(Clone, Copy)]
struct Comment<'a> {
    letters: &'a [u8],
    /// True for ASCII whose last byte has the high bit set.
    is_old: bool,
}

impl<'a> Comment<'a> {
    /// The letters that are in the charset of the library.
    fn in_charset(self) -> &'a [u8] {
        if self.is_old { b"" } else { self.letters }
    }
}

/// The nodes of a file up to the end of the tree, or to the first error.
#[derive(Clone)]
struct RawNodes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Number of siblings still to come.
    waiting: usize,
    is_done: bool,
}

impl<'a> Iterator for RawNodes<'a> {
    type Item = Result<RawNode<'a>, LibError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done || self.at >= self.bytes.len() {
            return None;
        }
        let node = self.node();
        self.is_done |= node.is_err();
        Some(node)
    }
}

impl<'a> RawNodes<'a> {
    fn new(bytes: &'a [u8]) -> Result<RawNodes<'a>, LibError> {
        let start = if bytes.starts_with(MAGIC) {
            let &[major, minor] = bytes.get(8..10).ok_or(LibError::CutShort)? else {
                return Err(LibError::CutShort);
            };
            if (major, minor) > (VERSION[0], VERSION[1]) {
                return Err(LibError::Version(major, minor));
            }
            HEADER_BYTES
        } else if bytes.first() == Some(&CENTRE) {
            0
        } else {
            return Err(LibError::Foreign);
        };
        Ok(RawNodes {
            bytes,
            at: start,
            waiting: 0,
            is_done: false,
        })
    }

    fn node(&mut self) -> Result<RawNode<'a>, LibError> {
        let at = self.at;
        let [cell, flags] = self.pair()?;
        let more = if flags & MORE == 0 {
            0
        } else {
            self.pair()?[1]
        };
        let is_old = flags & (COMMENT | OLD_COMMENT) == OLD_COMMENT;
        let letters = match flags & (COMMENT | OLD_COMMENT) {
            0 => &b""[..],
            OLD_COMMENT => self.text(|byte| byte & 0x80 != 0)?,
            _ => self.text(|byte| byte == 0)?,
        };
        let comment = Comment { letters, is_old };
        let mut cell_text: &[u8] = b"";
        if more & CELL_TEXT != 0 {
            cell_text = self.text(|byte| byte == 0)?;
        }
        let (is_leaf, has_sibling) = (flags & LEAF != 0, flags & SIBLING != 0);
        self.waiting += usize::from(has_sibling);
        if is_leaf {
            self.is_done = self.waiting == 0;
            self.waiting = self.waiting.saturating_sub(1);
        }
        Ok(RawNode {
            at,
            cell,
            is_no_move: flags & NO_MOVE != 0,
            is_leaf,
            has_sibling,
            comment,
            cell_text,
        })
    }

    fn pair(&mut self) -> Result<[u8; 2], LibError> {
        let pair = self.bytes[self.at..]
            .first_chunk()
            .ok_or(LibError::CutShort)?;
        self.at += 2;
        Ok(*pair)
    }

    /// The next bytes up to the first with `is_end`, with it. The reader goes on at an even
    /// distance.
    fn text(&mut self, is_end: impl Fn(u8) -> bool) -> Result<&'a [u8], LibError> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| is_end(byte));
        let letters = &rest[..=end.ok_or(LibError::CutShort)?];
        let length = letters.len().next_multiple_of(2);
        if length > rest.len() {
            return Err(LibError::CutShort);
        }
        self.at += length;
        Ok(letters)
    }
}
