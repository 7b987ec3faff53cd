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
use std::collections::TryReserveError;

mod charset;
mod library;

pub use charset::Charset;
pub use library::{Library, Node};
use tengen::types::Point;

/// Rows and columns of the format's boards.
pub const SIDE: u8 = 15;

/// Most bytes of a file, and most memory of its tree: 2.8 million moves without texts.
pub const MAX_BYTES: usize = 64 << 20;
/// Memory for a node: in the tree, and for its index on a walk through the tree.
const NODE_BYTES: usize = Library::NODE_BYTES + size_of::<usize>();

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
    /// The tree needs more memory than allowed, or than there is.
    #[error("the library is too large: it needs more than 64 MiB of memory, or than there is")]
    TooLarge,
}

impl From<TryReserveError> for LibError {
    fn from(_: TryReserveError) -> LibError {
        LibError::TooLarge
    }
}

impl Library {
    /// Reads a file. The charset of its texts is the one that all of them together resemble.
    ///
    /// # Errors
    /// When the file is no library, damaged, or too large.
    pub fn read(bytes: &[u8]) -> Result<Library, LibError> {
        Library::read_in(bytes, None)
    }

    /// The same in a charset that is known.
    ///
    /// # Errors
    /// As for [`read`](Library::read).
    pub fn read_in(bytes: &[u8], charset: Option<Charset>) -> Result<Library, LibError> {
        let nodes = RawNodes::new(bytes)?;
        let charset = match charset {
            Some(charset) => charset,
            None => {
                let nodes = nodes.clone().map_while(Result::ok);
                let texts: Vec<[&[u8]; 2]> = nodes
                    .map(|node| [node.comment.in_charset(), node.cell_text])
                    .filter(|texts| texts.iter().any(|text| !text.is_ascii()))
                    .collect();
                Charset::of_texts(texts.iter().flatten().copied())
            }
        };
        let mut library = Library::new(charset);
        // Parents of the siblings still to come, and of the next node.
        let mut waiting = Vec::new();
        let mut to = Library::ROOT;
        for node in nodes {
            let node = node?;
            library.reserve()?;
            waiting.try_reserve(1)?;
            let comment = match node.comment {
                Comment {
                    is_old: false,
                    letters,
                } => library.decoded(letters)?,
                Comment { letters, .. } => {
                    let letters: Vec<u8> = letters.iter().map(|byte| byte & 0x7f).collect();
                    library.decoded(&letters)?
                }
            };
            let cell_text = library.decoded(node.cell_text)?;
            let is_root = library.moves() == 0 && node.cell == 0;
            let here = if is_root || node.is_no_move {
                // A comment on a pass is about the position before the pass.
                library.add_comment(to, &comment);
                to
            } else {
                let point = point(node.cell).ok_or(LibError::Cell(node.at))?;
                let node = Node {
                    point,
                    comment,
                    cell_text,
                };
                library.add(to, node)
            };
            if node.has_sibling {
                waiting.push(to);
            }
            to = match node.is_leaf {
                false => here,
                true => waiting.pop().unwrap_or(Library::ROOT),
            };
        }
        Ok(library)
    }

    /// A text as it is in the tree: every line ends with LF. Zero bytes end other texts, and have no
    /// meaning here.
    fn decoded(&mut self, bytes: &[u8]) -> Result<String, LibError> {
        let (letters, is_damaged) = self.charset().decode(bytes);
        self.count_damaged_text(is_damaged);
        let mut text = String::new();
        text.try_reserve(letters.len())?;
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
        Ok(text)
    }

    /// Number of texts with letters that `charset` lacks.
    pub fn texts_outside(&self, charset: Charset) -> usize {
        let texts = (0..=self.moves()).flat_map(|node| [self.comment(node), self.cell_text(node)]);
        texts.filter(|text| charset.encode(text).is_none()).count()
    }

    /// The bytes of a file, in the library's charset, or in UTF-8 if that lacks a letter.
    pub fn write(&self) -> Vec<u8> {
        let lacks_letters = self.texts_outside(self.charset()) > 0;
        let charset = if lacks_letters {
            Charset::UTF_8
        } else {
            self.charset()
        };
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
    /// Where it stands.
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
    /// Bytes left for the tree.
    memory: usize,
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
            memory: MAX_BYTES,
            waiting: 0,
            is_done: false,
        })
    }

    fn node(&mut self) -> Result<RawNode<'a>, LibError> {
        let at = self.at;
        self.take_memory(NODE_BYTES)?;
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

    fn take_memory(&mut self, bytes: usize) -> Result<(), LibError> {
        self.memory = self.memory.checked_sub(bytes).ok_or(LibError::TooLarge)?;
        Ok(())
    }

    fn pair(&mut self) -> Result<[u8; 2], LibError> {
        let pair = self.bytes[self.at..]
            .first_chunk()
            .ok_or(LibError::CutShort)?;
        self.at += 2;
        Ok(*pair)
    }

    /// The next bytes up to the first with `is_end`, with it. The reader goes on at an even distance.
    fn text(&mut self, is_end: impl Fn(u8) -> bool) -> Result<&'a [u8], LibError> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| is_end(byte));
        let letters = &rest[..=end.ok_or(LibError::CutShort)?];
        let length = letters.len().next_multiple_of(2);
        if length > rest.len() {
            return Err(LibError::CutShort);
        }
        self.at += length;
        // A letter of one byte becomes up to three of UTF-8.
        self.take_memory(Library::TEXTS_BYTES + 3 * letters.len())?;
        Ok(letters)
    }
}
