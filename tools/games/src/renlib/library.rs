//! The tree of a library, held flat, because a library may have millions of moves, and few of them
//! with texts.

use std::collections::HashMap;
use std::iter::successors;

use super::Charset;
use tengen::types::Point;

/// A node to be added to the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The move; `None` for the root and for a pass.
    pub point: Option<Point>,
    /// Comment on the position after the move.
    pub comment: String,
    /// Text on the move's cell, shown before the move is made.
    pub cell_text: String,
}

/// A node without its texts. The root follows no node, so its index stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Link {
    point: Option<Point>,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

/// The texts of a node with any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Texts {
    comment: String,
    cell_text: Box<str>,
}

/// A tree of moves from the empty board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The links, the root first.
    links: Vec<Link>,
    texts: HashMap<u32, Texts>,
    charset: Charset,
    damaged_texts: usize,
}

impl Default for Library {
    fn default() -> Library {
        Library::new(Charset::UTF_8)
    }
}

impl Library {
    /// Index of the root.
    pub const ROOT: usize = 0;

    /// A library without moves, whose file is in `charset`.
    pub fn new(charset: Charset) -> Library {
        Library {
            links: vec![Link::default()],
            texts: HashMap::new(),
            charset,
            damaged_texts: 0,
        }
    }

    /// The charset of its file.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Chooses the charset of its file.
    pub fn set_charset(&mut self, charset: Charset) {
        self.charset = charset;
    }

    /// Number of texts with bytes outside the charset, each replaced by U+FFFD.
    pub fn damaged_texts(&self) -> usize {
        self.damaged_texts
    }

    pub(super) fn set_damaged_texts(&mut self, count: usize) {
        self.damaged_texts = count;
    }

    /// Number of nodes without the root.
    pub fn moves(&self) -> usize {
        self.links.len() - 1
    }

    /// The move of a node; `None` for the root and for a pass.
    pub fn point(&self, place: usize) -> Option<Point> {
        self.links[place].point
    }

    /// Comment on the position after a node's move.
    pub fn comment(&self, place: usize) -> &str {
        let texts = self.texts.get(&(place as u32));
        texts.map_or("", |texts| &texts.comment)
    }

    /// Text on the cell of a node's move, shown before the move is made.
    pub fn cell_text(&self, place: usize) -> &str {
        let texts = self.texts.get(&(place as u32));
        texts.map_or("", |texts| &texts.cell_text)
    }

    /// The first reply to a node.
    pub fn first_child(&self, place: usize) -> Option<usize> {
        known(self.links[place].first_child)
    }

    /// The next reply to the same node.
    pub fn next_sibling(&self, place: usize) -> Option<usize> {
        known(self.links[place].next_sibling)
    }

    /// The replies to a node, in their order.
    pub fn children(&self, place: usize) -> impl Iterator<Item = usize> {
        successors(self.first_child(place), |&child| self.next_sibling(child))
    }

    /// Adds a reply to the node at `parent` and returns its index.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        let place = self.links.len();
        let index = u32::try_from(place).expect("fewer nodes than memory has room for");
        self.links.push(Link {
            point: node.point,
            ..Link::default()
        });
        match known(self.links[parent].last_child) {
            Some(last) => self.links[last].next_sibling = index,
            None => self.links[parent].first_child = index,
        }
        self.links[parent].last_child = index;
        if !node.comment.is_empty() || !node.cell_text.is_empty() {
            let texts = Texts {
                comment: node.comment,
                cell_text: node.cell_text.into(),
            };
            self.texts.insert(index, texts);
        }
        place
    }

    /// Replaces the comment of a node.
    pub fn set_comment(&mut self, place: usize, comment: String) {
        if comment != self.comment(place) {
            self.texts.entry(place as u32).or_default().comment = comment;
        }
    }

    /// Replaces the text on the cell of a node's move.
    pub fn set_cell_text(&mut self, place: usize, text: &str) {
        if text != self.cell_text(place) {
            self.texts.entry(place as u32).or_default().cell_text = text.into();
        }
    }

    /// Adds to the comment of a node, on a line of its own.
    pub fn add_comment(&mut self, place: usize, comment: &str) {
        if !comment.is_empty() && comment != self.comment(place) {
            let all = &mut self.texts.entry(place as u32).or_default().comment;
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(comment);
        }
    }
}

fn known(index: u32) -> Option<usize> {
    (index != Library::ROOT as u32).then_some(index as usize)
}
