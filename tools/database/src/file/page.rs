//! Pages: leaves with entries, and branches with the numbers and checksums of the pages below.

use std::fs::File;
use std::io;
use std::ops::Range;

use twox_hash::XxHash3_128;

use super::{PAGE_BYTES, read_at, u32_at, u64_at, u128_at};

/// The largest page has 2 to this power times [`PAGE_BYTES`].
const MAX_ORDER: u32 = 20;
const LEAF: u8 = 1;
const BRANCH: u8 = 2;
/// Bytes of a page's number, checksum and number of entries where a tree begins.
pub(super) const ROOT_BYTES: usize = 32;

/// Where a page lies, and the checksum that the page above has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageRef {
    /// Of its first byte in the file.
    pub(crate) offset: u64,
    /// In bytes.
    pub(crate) len: usize,
    checksum: u128,
}

impl PageRef {
    /// The page with this number. `None` if it does not lie within `file_len` bytes.
    fn new(number: u64, checksum: u128, file_len: u64) -> Option<PageRef> {
        let order = (number >> 59) as u32;
        if order > MAX_ORDER {
            return None;
        }
        let index = number & (0xF_FFFF >> order);
        let region = number >> 20 & 0xF_FFFF;
        let len = PAGE_BYTES << order;
        let offset = PAGE_BYTES + (region << 32) + index * len;
        (offset + len <= file_len).then_some(PageRef {
            offset,
            len: usize::try_from(len).ok()?,
            checksum,
        })
    }

    /// The root at `offset` of `bytes`: number, checksum.
    pub(super) fn root_at(bytes: &[u8], offset: usize, file_len: u64) -> Option<PageRef> {
        let number = u64_at(bytes, offset)?;
        PageRef::new(number, u128_at(bytes, offset + 8)?, file_len)
    }

    /// Its bytes, unchecked.
    pub(crate) fn read(&self, file: &File) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.len];
        read_at(file, self.offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Whether `page` has the checksum that the page above has for it.
    pub(crate) fn fits(&self, page: &Page) -> bool {
        page.checksum() == Some(self.checksum)
    }
}

/// What the entries of a tree are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// Names and definitions of tables.
    Tables,
    /// Keys and values, with the widths of those that have a fixed one.
    Entries {
        /// Bytes of each key.
        key: Option<usize>,
        /// Bytes of each value.
        value: Option<usize>,
    },
}

impl Tree {
    fn widths(self) -> (Option<usize>, Option<usize>) {
        match self {
            Tree::Tables => (None, None),
            Tree::Entries { key, value } => (key, value),
        }
    }
}

/// A page, sound or not: nothing of it is read beyond its end.
#[derive(Clone, Copy)]
pub(crate) struct Page<'a> {
    bytes: &'a [u8],
    tree: Tree,
}

/// The two kinds of pages.
pub(crate) enum Content<'a> {
    /// Entries.
    Leaf(Leaf<'a>),
    /// Pages below.
    Branch(Branch<'a>),
}

impl<'a> Page<'a> {
    /// `bytes` as a page of such a tree.
    pub(crate) fn new(bytes: &'a [u8], tree: Tree) -> Page<'a> {
        Page { bytes, tree }
    }

    /// What it holds; `None` if it is neither a leaf nor a branch.
    pub(crate) fn content(&self) -> Option<Content<'a>> {
        let bytes = self.bytes;
        let count = usize::from(u16::from_le_bytes(*bytes.get(2..)?.first_chunk()?));
        let (key_width, value_width) = self.tree.widths();
        match bytes[0] {
            LEAF => Some(Content::Leaf(Leaf {
                bytes,
                count,
                key_width,
                value_width,
            })),
            BRANCH => Some(Content::Branch(Branch {
                bytes,
                count,
                key_width,
            })),
            _ => None,
        }
    }

    fn checksum(&self) -> Option<u128> {
        let end = match self.content()? {
            Content::Leaf(leaf) => leaf.value_end(leaf.count.checked_sub(1)?),
            Content::Branch(branch) => branch.key_end(branch.count.checked_sub(1)?),
        };
        Some(XxHash3_128::oneshot(self.bytes.get(..end?)?))
    }

    /// The pages to which it refers, each with its tree. `None` if one of them does not lie within
    /// `file_len` bytes or this is no page.
    pub(crate) fn children(&self, file_len: u64) -> Option<Vec<(PageRef, Tree)>> {
        match self.content()? {
            Content::Branch(branch) => (0..=branch.count)
                .map(|i| Some((branch.child(i, file_len)?, self.tree)))
                .collect(),
            Content::Leaf(leaf) if self.tree == Tree::Tables => {
                let mut roots = Vec::new();
                for i in 0..leaf.count {
                    let table = Table::from_bytes(leaf.entry(i)?.1)?;
                    if let Some(root) = table.root {
                        roots.push((PageRef::root_at(root, 0, file_len)?, table.tree));
                    }
                }
                Some(roots)
            }
            Content::Leaf(_) => Some(Vec::new()),
        }
    }
}

/// A page with entries.
pub(crate) struct Leaf<'a> {
    bytes: &'a [u8],
    /// Number of entries.
    pub(crate) count: usize,
    key_width: Option<usize>,
    value_width: Option<usize>,
}

impl<'a> Leaf<'a> {
    /// The key and the value of an entry. `None` if they do not lie in the page.
    pub(crate) fn entry(&self, i: usize) -> Option<(&'a [u8], &'a [u8])> {
        let last = self.count.checked_sub(1)?;
        let (key_start, value_start) = match i.checked_sub(1) {
            None => (self.keys_start(), self.key_end(last)?),
            Some(before) => (self.key_end(before)?, self.value_end(before)?),
        };
        let key = self.bytes.get(key_start..self.key_end(i)?)?;
        Some((key, self.bytes.get(value_start..self.value_end(i)?)?))
    }

    /// Bytes of the page that are used, if the ends of its entries are in order.
    pub(crate) fn len(&self) -> Option<usize> {
        let mut end = self.keys_start();
        let keys = (0..self.count).map(|i| self.key_end(i));
        for next in keys.chain((0..self.count).map(|i| self.value_end(i))) {
            end = next.filter(|&next| end <= next)?;
        }
        Some(end)
    }

    fn keys_start(&self) -> usize {
        let tables = [self.key_width, self.value_width];
        4 + 4 * self.count * tables.iter().filter(|width| width.is_none()).count()
    }

    fn key_end(&self, i: usize) -> Option<usize> {
        match self.key_width {
            Some(width) => self.keys_start().checked_add(width.checked_mul(i + 1)?),
            None => Some(u32_at(self.bytes, 4 + 4 * i)? as usize),
        }
    }

    fn value_end(&self, i: usize) -> Option<usize> {
        let Some(width) = self.value_width else {
            let before = self.key_width.map_or(self.count, |_| 0);
            return Some(u32_at(self.bytes, 4 + 4 * (before + i))? as usize);
        };
        let keys_end = self.key_end(self.count.checked_sub(1)?)?;
        keys_end.checked_add(width.checked_mul(i + 1)?)
    }
}

/// A page with the pages below.
pub(crate) struct Branch<'a> {
    bytes: &'a [u8],
    /// Number of keys; there is one child more.
    pub(crate) count: usize,
    key_width: Option<usize>,
}

impl<'a> Branch<'a> {
    /// A page below. `None` if it does not lie within `file_len` bytes.
    pub(crate) fn child(&self, i: usize, file_len: u64) -> Option<PageRef> {
        let checksum = u128_at(self.bytes, 8 + 16 * i)?;
        let number = u64_at(self.bytes, 8 + 16 * (self.count + 1) + 8 * i)?;
        PageRef::new(number, checksum, file_len)
    }

    /// The last key that may stand below child `i`; the last child has none.
    pub(crate) fn key(&self, i: usize) -> Option<&'a [u8]> {
        if i >= self.count {
            return None;
        }
        let start = match i.checked_sub(1) {
            None => self.ends_start() + self.key_width.map_or(4 * self.count, |_| 0),
            Some(before) => self.key_end(before)?,
        };
        self.bytes.get(start..self.key_end(i)?)
    }

    fn ends_start(&self) -> usize {
        8 + 24 * (self.count + 1)
    }

    fn key_end(&self, i: usize) -> Option<usize> {
        match self.key_width {
            Some(width) => self.ends_start().checked_add(width.checked_mul(i + 1)?),
            None => Some(u32_at(self.bytes, self.ends_start() + 4 * i)? as usize),
        }
    }
}

/// The definition of a table.
pub(super) struct Table<'a> {
    /// Where its tree begins, as [`PageRef::root_at`] reads it; `None` if it is empty.
    pub(super) root: Option<&'a [u8]>,
    /// What its entries are.
    pub(super) tree: Tree,
}

impl<'a> Table<'a> {
    /// Reads a definition. Tables with many values for a key are none that a database of positions
    /// has, and as unreadable as damaged ones.
    pub(super) fn from_bytes(bytes: &'a [u8]) -> Option<Table<'a>> {
        const ONE_VALUE: u8 = 3;
        const ROOT: Range<usize> = 10..10 + ROOT_BYTES;
        if bytes.first() != Some(&ONE_VALUE) {
            return None;
        }
        let root = bytes.get(ROOT)?;
        let width = |at: usize| match bytes.get(at)? {
            0 => Some(None),
            _ => Some(Some(u32_at(bytes, at + 1)? as usize)),
        };
        Some(Table {
            root: (bytes[ROOT.start - 1] != 0).then_some(root),
            tree: Tree::Entries {
                key: width(ROOT.end)?,
                value: width(ROOT.end + 5)?,
            },
        })
    }
}
