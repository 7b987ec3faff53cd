//! Files of RenLib, the program in which renju players keep their libraries (`.lib`).
//!
//! Source: RenLib 3.6 by Frank Arkbo (its files `MoveNode`, `LibraryFile`), for the facts of the
//! format. A header of 20 bytes: FF `RenLib` FF, version (major, minor), ten times FF; files of
//! the first programs have none. Then the nodes of the tree, parents before children, one line to
//! its end before the next variation. A node has two bytes, the cell (16 times the row from the
//! top, plus the column from 1; 0 is no cell: the root or a pass) and flags, then by its flags two
//! more bytes of flags, a comment and a text that stands on the cell. Texts end with a zero byte,
//! and one more where that makes their length even.

use crate::types::Point;

/// Rows and columns of the boards that the format knows.
pub const SIDE: u8 = 15;

const MAGIC: &[u8; 8] = b"\xffRenLib\xff";
const HEADER_BYTES: usize = 20;
/// Version that is written: the first with texts on cells.
const VERSION: [u8; 2] = [3, 4];
/// Cell of the centre; files without a header begin with it.
const CENTRE: u8 = 0x78;
/// Separates the title of a comment from the rest.
const PART: u8 = 8;

/// The node has a sibling, which comes after everything below the node.
const SIBLING: u8 = 0x80;
/// Nothing is below the node.
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

/// Why a file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibError {
    /// Not a library.
    #[error("this is no RenLib library")]
    Foreign,
    /// Of a later version.
    #[error("a RenLib library of the unknown version {0}.{1:02}")]
    Version(u8, u8),
    /// It ends in the middle of something.
    #[error("the library is cut short")]
    CutShort,
    /// A cell that does not exist.
    #[error("the library has a cell that does not exist, at byte {0}")]
    Cell(usize),
}

/// A node of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The move; `None` for the root and for a pass.
    pub point: Option<Point>,
    /// Comment on the position after the move.
    pub comment: String,
    /// Text on the move's cell, as it is seen before the move is made.
    pub cell_text: String,
    /// Indices of the replies in [`Library::nodes`], in their order.
    pub children: Vec<usize>,
}

/// A tree of moves from the empty board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The root first.
    nodes: Vec<Node>,
}

impl Default for Library {
    fn default() -> Library {
        Library {
            nodes: vec![Node::default()],
        }
    }
}

impl Library {
    /// Index of the root.
    pub const ROOT: usize = 0;

    /// All nodes; the first is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with an index.
    pub fn node_mut(&mut self, place: usize) -> &mut Node {
        &mut self.nodes[place]
    }

    /// Adds a reply to the node at `parent` and returns its index.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        self.nodes.push(node);
        let place = self.nodes.len() - 1;
        self.nodes[parent].children.push(place);
        place
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is not a library, or damaged.
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
        };
        let mut library = Library::default();
        // Parents of the siblings that are still to come, and of the next node.
        let mut waiting = Vec::new();
        let mut parent = Some(Library::ROOT);
        while let Some(to) = parent.filter(|_| input.at < bytes.len()) {
            let at = input.at;
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
            let is_root = library.nodes.len() == 1 && cell == 0;
            let here = if is_root || flags & NO_MOVE != 0 {
                // A comment on a pass is about the position before it.
                let node = library.node_mut(to);
                if node.comment.is_empty() {
                    node.comment = comment;
                }
                to
            } else {
                library.add(
                    to,
                    Node {
                        point: point(cell).ok_or(LibError::Cell(at))?,
                        comment,
                        cell_text,
                        children: Vec::new(),
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
        // The node and whether a sibling follows it.
        let mut open = vec![(Library::ROOT, false)];
        while let Some((place, has_sibling)) = open.pop() {
            let node = &self.nodes[place];
            let mut flags = 0;
            flags |= if has_sibling { SIBLING } else { 0 };
            flags |= if node.children.is_empty() { LEAF } else { 0 };
            flags |= if node.comment.is_empty() { 0 } else { COMMENT };
            let has_text = !node.cell_text.is_empty();
            flags |= if has_text { MORE } else { 0 };
            bytes.extend([cell(node.point), flags]);
            if has_text {
                bytes.extend([0, CELL_TEXT]);
            }
            if !node.comment.is_empty() {
                let text = match node.comment.split_once('\n') {
                    Some((title, rest)) => {
                        format!("{title}{}{}", PART as char, rest.replace('\n', "\r\n"))
                    }
                    None => node.comment.clone(),
                };
                push_text(&mut bytes, &text);
            }
            if has_text {
                push_text(&mut bytes, &node.cell_text);
            }
            let last = node.children.last();
            let children = node.children.iter().rev();
            open.extend(children.map(|child| (*child, Some(child) != last)));
        }
        bytes
    }
}

/// Whether a file that begins with `head` is a library with a header. Those of the first programs
/// have none and begin as a text may.
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
}

impl Input<'_> {
    fn pair(&mut self) -> Result<[u8; 2], LibError> {
        let pair = self.bytes[self.at..]
            .first_chunk()
            .ok_or(LibError::CutShort)?;
        self.at += 2;
        Ok(*pair)
    }

    fn text(&mut self) -> Result<String, LibError> {
        let mut text = Vec::new();
        loop {
            let [a, b] = self.pair()?;
            if a != 0 {
                text.push(a);
            }
            if a == 0 || b == 0 {
                return Ok(decoded(&text));
            }
            text.push(b);
        }
    }

    fn old_text(&mut self) -> Result<String, LibError> {
        let mut text = Vec::new();
        loop {
            for byte in self.pair()? {
                text.push(byte & 0x7f);
                if byte & 0x80 != 0 {
                    return Ok(decoded(&text));
                }
            }
        }
    }
}

/// RenLib writes in the code page of its machine. What is not UTF-8 is read as Latin-1, which
/// loses nothing. Every line ends by LF; zero bytes, which end other texts, mean nothing.
fn decoded(text: &[u8]) -> String {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text.to_string(),
        Err(_) => text.iter().map(|&b| b as char).collect(),
    };
    text.replace('\0', "")
        .replace(PART as char, "\n")
        .replace("\r\n", "\n")
        .replace('\r', "\n")
}
