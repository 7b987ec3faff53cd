//! Trees of pages, each compared with its checksum before anything of it is used.

use std::collections::HashSet;
use std::fs::File;
use std::io;

use super::header::Slot;
use super::page::{Content, Page, PageRef, Table, Tree};

/// Levels of a tree: with two pages below each there are more than any file has.
const MAX_LEVELS: usize = 64;

/// Why a tree cannot be read.
#[derive(Debug)]
pub(crate) enum TreeFault {
    /// A page is not what was written.
    Damaged,
    /// The system cannot read it.
    Io(io::Error),
}

impl From<io::Error> for TreeFault {
    fn from(error: io::Error) -> TreeFault {
        TreeFault::Io(error)
    }
}

type Result<T> = std::result::Result<T, TreeFault>;

/// Where the entries of a table begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableRoot {
    /// `None` if there are none.
    pub(crate) root: Option<PageRef>,
    /// What they are.
    pub(crate) tree: Tree,
}

/// The bytes of a page that is as it was written.
pub(crate) fn sound_page(file: &File, page: &PageRef, tree: Tree) -> Result<Vec<u8>> {
    let bytes = page.read(file)?;
    match page.fits(&Page::new(&bytes, tree)) {
        true => Ok(bytes),
        false => Err(TreeFault::Damaged),
    }
}

/// Compares every page below a slot with its checksum.
pub(crate) fn check_slot(file: &File, slot: &Slot, file_len: u64) -> Result<()> {
    let roots = [slot.user_root, slot.system_root].into_iter().flatten();
    let mut open: Vec<(PageRef, Tree)> = roots.map(|root| (root, Tree::Tables)).collect();
    let mut seen = HashSet::new();
    while let Some((page, tree)) = open.pop() {
        if !seen.insert(page.offset) {
            return Err(TreeFault::Damaged);
        }
        let bytes = sound_page(file, &page, tree)?;
        let children = Page::new(&bytes, tree).children(file_len);
        open.extend(children.ok_or(TreeFault::Damaged)?);
    }
    Ok(())
}

/// The table of that name below a slot. `None` if there is none, or if it is of another kind than
/// ours are.
pub(crate) fn table(
    file: &File,
    slot: &Slot,
    name: &str,
    file_len: u64,
) -> Result<Option<TableRoot>> {
    let tables = TableRoot {
        root: slot.user_root,
        tree: Tree::Tables,
    };
    let Some(definition) = value(file, tables, name.as_bytes(), file_len)? else {
        return Ok(None);
    };
    let Some(table) = Table::from_bytes(&definition) else {
        return Ok(None);
    };
    let root = match table.root {
        None => None,
        Some(root) => Some(PageRef::root_at(root, 0, file_len).ok_or(TreeFault::Damaged)?),
    };
    Ok(Some(TableRoot {
        root,
        tree: table.tree,
    }))
}

/// The value of a key in a table whose keys are compared byte by byte.
pub(crate) fn value(
    file: &File,
    table: TableRoot,
    key: &[u8],
    file_len: u64,
) -> Result<Option<Vec<u8>>> {
    let Some(mut page) = table.root else {
        return Ok(None);
    };
    for _ in 0..MAX_LEVELS {
        let bytes = sound_page(file, &page, table.tree)?;
        let content = Page::new(&bytes, table.tree).content();
        match content.ok_or(TreeFault::Damaged)? {
            Content::Leaf(leaf) => {
                let entries = (0..leaf.count).filter_map(|i| leaf.entry(i));
                let mut found = entries.filter(|(other, _)| *other == key);
                return Ok(found.next().map(|(_, value)| value.to_vec()));
            }
            Content::Branch(branch) => {
                let is_below = |i: &usize| branch.key(*i).is_none_or(|last| key <= last);
                let i = (0..=branch.count)
                    .find(is_below)
                    .expect("the last has none");
                page = branch.child(i, file_len).ok_or(TreeFault::Damaged)?;
            }
        }
    }
    Err(TreeFault::Damaged)
}
