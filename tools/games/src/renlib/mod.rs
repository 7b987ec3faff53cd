//! Files (`.lib`) of RenLib, renju players' program for their libraries.
//!
//! Source: RenLib 3.6 by Frank Arkbo (its files `MoveNode`, `LibraryFile`), for the facts of the
//! format. A header has 20 bytes: FF `RenLib` FF, version (major, minor), ten times FF; files of
//! the first programs have no header. The nodes of the tree follow, parents before children, one
//! line to its end before the next variation. A node begins with two bytes: the cell (16 times the
//! row from the top, plus the column from 1; 0 is no cell: the root or a pass) and flags. By its
//! flags, two more bytes of flags follow, then a comment and a text on the cell. A text ends with a
//! zero byte, and with one more if that makes its length even.

use std::collections::TryReserveError;

mod library;

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
    /// Reads a file.
    ///
    /// # Errors
    /// When the file is no library, damaged, or too large.
    pub fn read(bytes: &[u8]) -> Result<Library, LibError> {
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
        let mut input = Input {
            bytes,
            at: start.min(bytes.len()),
            memory: MAX_BYTES,
        };
        let mut library = Library::default();
        // Parents of the siblings still to come, and of the next node.
        let mut waiting = Vec::new();
        let mut parent = Some(Library::ROOT);
        while let Some(to) = parent.filter(|_| input.at < bytes.len()) {
            let at = input.at;
            input.take_memory(NODE_BYTES)?;
            library.reserve()?;
            waiting.try_reserve(1)?;
            let [cell, flags] = input.pair()?;
            let more = if flags & MORE == 0 {
                0
            } else {
                input.pair()?[1]
            };
            let comment = if flags & COMMENT != 0 {
                input.text()?
            } else if flags & OLD_COMMENT != 0 {
                input.old_text()?
            } else {
                String::new()
            };
            let cell_text = if more & CELL_TEXT != 0 {
                input.text()?
            } else {
                String::new()
            };
            let is_root = library.moves() == 0 && cell == 0;
            let here = if is_root || flags & NO_MOVE != 0 {
                // A comment on a pass is about the position before the pass.
                if library.comment(to).is_empty() {
                    library.set_comment(to, comment);
                }
                to
            } else {
                library.add(
                    to,
                    Node {
                        point: point(cell).ok_or(LibError::Cell(at))?,
                        comment,
                        cell_text,
                    },
                )
            };
            if flags & SIBLING != 0 {
                waiting.push(to);
            }
            parent = if flags & LEAF == 0 {
                Some(here)
            } else {
                waiting.pop()
            };
        }
        Ok(library)
    }

    /// The bytes of a file.
    pub fn write(&self) -> Vec<u8> {
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
                push_text(&mut bytes, &text);
            }
            if !cell_text.is_empty() {
                push_text(&mut bytes, cell_text);
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

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    let before = bytes.len();
    bytes.extend(text.bytes().filter(|&b| b != 0));
    bytes.push(0);
    if (bytes.len() - before) % 2 == 1 {
        bytes.push(0);
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Bytes left for the tree.
    memory: usize,
}

impl<'a> Input<'a> {
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

    /// The next bytes up to the first with `is_end`. The reader goes on at an even distance.
    fn letters(&mut self, is_end: impl Fn(u8) -> bool) -> Result<&'a [u8], LibError> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| is_end(byte));
        let letters = &rest[..=end.ok_or(LibError::CutShort)?];
        let length = letters.len().next_multiple_of(2);
        if length > rest.len() {
            return Err(LibError::CutShort);
        }
        self.at += length;
        // A letter of Latin-1 becomes two bytes.
        self.take_memory(Library::TEXTS_BYTES + 2 * letters.len())?;
        Ok(letters)
    }

    fn text(&mut self) -> Result<String, LibError> {
        let letters = self.letters(|byte| byte == 0)?;
        match std::str::from_utf8(letters) {
            Ok(text) => decoded(text.chars(), letters.len()),
            Err(_) => decoded(letters.iter().map(|&b| b as char), letters.len()),
        }
    }

    fn old_text(&mut self) -> Result<String, LibError> {
        let letters = self.letters(|byte| byte & 0x80 != 0)?;
        decoded(letters.iter().map(|b| (b & 0x7f) as char), letters.len())
    }
}

/// RenLib writes in the code page of its machine. Text outside UTF-8 is read as Latin-1, which
/// loses nothing. Every line ends with LF. Zero bytes end other texts, and have no meaning here.
fn decoded(letters: impl Iterator<Item = char>, bytes: usize) -> Result<String, LibError> {
    let mut text = String::new();
    text.try_reserve(2 * bytes)?;
    let mut was_return = false;
    for letter in letters.filter(|&letter| letter != '\0') {
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
