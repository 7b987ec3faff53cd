//! Saving what is left in a damaged file.
//!
//! The tree of records is walked as far as its checksums prove it. Where a page is damaged, some range
//! of keys is missing: all pages of the file are then searched for records in that range, damaged or
//! left over from earlier changes.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::access::Access;
use super::error::{DatabaseError, Result};
use super::file::{Content, Header, PAGE_BYTES, Page, PageRef, Slot, Tree, read_at, table};
use super::key::{self, Situation};
use super::opening::{POSITIONS_NAME, RECORDS, lock};
use super::record::Record;
use super::store::{Database, Writer};
use super::way::{add_some_way, is_alternating};
use tengen::files::{open_regular_file, sync_name};

/// Levels of a tree at most.
const MAX_LEVELS: usize = 64;
/// Bytes of a page that no other page mentions, at most.
const MAX_STRAY_BYTES: usize = 16 << 20;

/// What was left in a damaged file.
pub struct Salvaged {
    /// A new database with it, in the place of the damaged file.
    pub database: Database,
    /// How many positions that is, with those that stand in the place of lost ones on the way to others.
    pub count: usize,
    /// How many of them lay in damaged pages or in pages that nothing mentions: they may be old, or
    /// wrong.
    pub doubtful: usize,
    /// Where the damaged file is now.
    pub kept: PathBuf,
}

/// Replaces the file at `path` by a new database of all records in it that can still be read. The file
/// itself is kept beside it.
///
/// # Errors
/// When nothing can be read, the file is in use, or no file can be written beside it. It is then as it
/// was before.
pub fn salvage(path: &Path) -> Result<Salvaged> {
    let named = path;
    // Windows would show a resolved path in another form than it was named in.
    let path = &match fs::symlink_metadata(named)?.is_symlink() {
        true => named.canonicalize()?,
        false => named.to_path_buf(),
    };
    let file = open_regular_file(path)?;
    lock(&file, Access::Write)?;
    let (mut count, mut doubtful) = (0, 0);
    let mut kept = PathBuf::new();
    let fill = |writer: &mut Writer| {
        let wreck = Wreck {
            len: file.metadata()?.len(),
            file,
        };
        (count, doubtful) = wreck.save(writer)?;
        if count == 0 {
            return Err(DatabaseError::Unreadable);
        }
        add_lost_ways(writer)?;
        count = writer.len()?;
        Ok(())
    };
    let replace = |new: NamedTempFile| {
        kept = keep(path)?;
        if let Err(error) = new.persist(path) {
            fs::remove_file(&kept)?;
            return Err(error.error.into());
        }
        Ok(sync_name(path)?)
    };
    let mut database = Database::make(path, fill, replace)?;
    database.set_path(named);
    Ok(Salvaged {
        database,
        count,
        doubtful,
        kept,
    })
}

/// Adds ways to the positions that were reached by lost ones alone. Which way they went is lost too.
fn add_lost_ways(writer: &mut Writer) -> Result<()> {
    let mut last = Vec::new();
    while let Some(key) = writer.key_after(&last)? {
        let (board, rule) = key::position(&key).expect("the key of a position");
        if is_alternating(&board) {
            add_some_way(writer, &board, rule)?;
        }
        last = key;
    }
    Ok(())
}

/// Gives a file a second name, which nobody uses, or copies it where files have one name only.
fn keep(path: &Path) -> Result<PathBuf> {
    let mut number = 0;
    loop {
        number += 1;
        let mut kept = path.as_os_str().to_owned();
        kept.push(match number {
            1 => ".damaged".to_string(),
            _ => format!(".damaged-{number}"),
        });
        let kept = PathBuf::from(kept);
        let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        match fs::hard_link(path, &kept) {
            Ok(()) => return Ok(kept),
            Err(error) if is_taken(&error) => continue,
            Err(_) => {}
        }
        match copy_to_new(path, &kept) {
            Ok(()) => return Ok(kept),
            Err(error) if is_taken(&error) => continue,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Copies a file to a place where there is none. A copy that is not whole does not stay.
pub(super) fn copy_to_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut copy = OpenOptions::new().write(true).create_new(true).open(to)?;
    let copied = open_regular_file(from)
        .and_then(|mut from| io::copy(&mut from, &mut copy))
        .and_then(|_| copy.sync_all());
    drop(copy);
    if copied.is_err() {
        fs::remove_file(to)?;
    }
    copied
}

/// A damaged file.
struct Wreck {
    file: File,
    len: u64,
}

/// What a walk along the tree of records found.
#[derive(Default)]
struct Walk {
    /// Offsets of all its pages.
    pages: HashSet<u64>,
    /// Number of sound leaves.
    sound_leaves: usize,
    /// Leaves that are not as they were written.
    damaged_leaves: Vec<PageRef>,
    /// Where keys are missing.
    gaps: Vec<Range>,
}

/// The keys after the first, up to and with the second; without one, to the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Range(Option<Vec<u8>>, Option<Vec<u8>>);

impl Range {
    fn contains(&self, key: &[u8]) -> bool {
        self.0.as_deref().is_none_or(|first| first < key)
            && self.1.as_deref().is_none_or(|last| key <= last)
    }
}

/// Takes the key and the value of an entry.
type Take<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> Result<()>;

impl Wreck {
    /// Writes all that can be read. Returns the number of records, and of those that nothing proves.
    fn save(&self, writer: &mut Writer) -> Result<(usize, usize)> {
        let mut count = 0;
        let mut doubtful = 0;
        let mut walk = Walk::default();
        match self.best_root()? {
            None => walk.gaps.push(Range::default()),
            Some(root) => {
                let take: Take = &mut |key, value| {
                    if Record::from_bytes(value).is_some() && key::position(key).is_some() {
                        // A damaged branch may lead to an old page with the same keys too.
                        count += usize::from(!writer.has_bytes(key)?);
                        writer.put_bytes(key, value)?;
                    }
                    Ok(())
                };
                self.walk(&mut walk, root, true, Range::default(), 0, take)?;
            }
        }
        walk.gaps.sort();
        walk.gaps.dedup();
        if walk.gaps.is_empty() {
            return Ok((count, 0));
        }
        let take: Take = &mut |key, value| {
            let is_missing = walk.gaps.iter().any(|gap| gap.contains(key));
            if is_missing && is_record(key, value) && !writer.has_bytes(key)? {
                writer.put_bytes(key, value)?;
                doubtful += 1;
            }
            Ok(())
        };
        for page in &walk.damaged_leaves {
            take_entries(&page.read(&self.file)?, take)?;
        }
        self.search(&walk.pages, take)?;
        Ok((count + doubtful, doubtful))
    }

    /// The root of the records, of the slot below which fewest are missing.
    fn best_root(&self) -> Result<Option<PageRef>> {
        let mut start = vec![0; self.len.min(Header::BYTES as u64) as usize];
        read_at(&self.file, 0, &mut start)?;
        let mut best = None;
        let mut best_rank = None;
        for slot in Header::slots_of(&start, self.len) {
            let Some(root) = self.root_of_records(&slot) else {
                continue;
            };
            let mut walk = Walk::default();
            self.walk(&mut walk, root, true, Range::default(), 0, &mut |_, _| {
                Ok(())
            })?;
            let rank = (walk.gaps.is_empty(), walk.sound_leaves > 0);
            if best_rank.is_none_or(|best| best < rank) {
                (best, best_rank) = (Some(root), Some(rank));
            }
        }
        Ok(best)
    }

    /// The page of tables may be damaged, or the slot: the root's checksum still proves the rest.
    fn root_of_records(&self, slot: &Slot) -> Option<PageRef> {
        if let Ok(Some(found)) = table(&self.file, slot, POSITIONS_NAME, self.len) {
            return found.root;
        }
        let page = slot.user_root?.read(&self.file).ok()?;
        let children = Page::new(&page, Tree::Tables).children(self.len)?;
        let mut records = children.into_iter().filter(|(_, tree)| *tree == RECORDS);
        // The table of facts comes first in the alphabet.
        records.next_back().map(|(root, _)| root)
    }

    /// Hands the entries of all sound leaves below `page` to `take`. `is_meant`: a sound page refers
    /// to it, so that it is one of the tree even if it is damaged.
    fn walk(
        &self,
        walk: &mut Walk,
        page: PageRef,
        is_meant: bool,
        range: Range,
        level: usize,
        take: Take,
    ) -> Result<()> {
        if !is_meant && page.len > MAX_STRAY_BYTES {
            walk.gaps.push(range);
            return Ok(());
        }
        let mut bytes = page.read(&self.file)?;
        if is_meant {
            mend_head(&page, &mut bytes);
        }
        let view = Page::new(&bytes, RECORDS);
        let is_sound = page.fits(&view);
        let is_new = (is_sound || is_meant) && level < MAX_LEVELS && walk.pages.insert(page.offset);
        match view.content() {
            // Also where not this page but its checksum is damaged, in the page above.
            Some(Content::Leaf(_)) if !is_sound => {
                walk.damaged_leaves.push(page);
                walk.gaps.push(range);
            }
            Some(Content::Leaf(leaf)) if is_new => {
                walk.sound_leaves += 1;
                for (key, value) in (0..leaf.count).filter_map(|i| leaf.entry(i)) {
                    take(key, value)?;
                }
            }
            Some(Content::Branch(branch)) if is_new => {
                for i in 0..=branch.count {
                    let mut below = range.clone();
                    if is_sound {
                        let first = i.checked_sub(1).and_then(|i| branch.key(i));
                        below.0 = first.map(<[u8]>::to_vec).or(below.0);
                        below.1 = branch.key(i).map(<[u8]>::to_vec).or(below.1);
                    }
                    match branch.child(i, self.len) {
                        Some(child) => {
                            self.walk(walk, child, is_sound, below, level + 1, take)?;
                        }
                        None => walk.gaps.push(below),
                    }
                }
            }
            _ => walk.gaps.push(range),
        }
        Ok(())
    }

    /// Hands the entries of all leaves that are not among `known` pages to `take`.
    fn search(&self, known: &HashSet<u64>, take: Take) -> Result<()> {
        let mut first = [0; PAGE_BYTES as usize];
        for offset in (PAGE_BYTES..self.len).step_by(first.len()) {
            if known.contains(&offset) {
                continue;
            }
            let left = self.len - offset;
            let page = &mut first[..left.min(PAGE_BYTES) as usize];
            read_at(&self.file, offset, page)?;
            let Some(Content::Leaf(leaf)) = Page::new(page, RECORDS).content() else {
                continue;
            };
            // Of a larger page all is read, if its length is believable.
            match leaf
                .len()
                .filter(|&len| len > page.len() && len as u64 <= left)
            {
                Some(len) if len <= MAX_STRAY_BYTES => {
                    let mut page = vec![0; len];
                    read_at(&self.file, offset, &mut page)?;
                    take_entries(&page, take)?;
                }
                _ => take_entries(page, take)?,
            }
        }
        Ok(())
    }
}

/// Mends one byte at the head of a page, without which nothing of it could be read: its kind and its
/// number of entries. The checksum tells which value it had.
fn mend_head(reference: &PageRef, bytes: &mut [u8]) {
    const HEAD_BYTES: usize = 4;
    if reference.fits(&Page::new(bytes, RECORDS)) {
        return;
    }
    for at in 0..HEAD_BYTES {
        let found = bytes[at];
        for value in 0..=u8::MAX {
            bytes[at] = value;
            if reference.fits(&Page::new(bytes, RECORDS)) {
                return;
            }
        }
        bytes[at] = found;
    }
}

/// Hands the entries of a leaf that is perhaps damaged to `take`.
fn take_entries(page: &[u8], take: Take) -> Result<()> {
    let Some(Content::Leaf(leaf)) = Page::new(page, RECORDS).content() else {
        return Ok(());
    };
    let mut entries = (0..leaf.count).filter_map(|i| leaf.entry(i));
    entries.try_for_each(|(key, value)| take(key, value))
}

/// Whether this is a record as it is stored: the key of a position in its stored orientation.
fn is_record(key: &[u8], value: &[u8]) -> bool {
    Record::from_bytes(value).is_some()
        && key::position(key).is_some_and(|(board, rule)| Situation::new(&board, rule).key() == key)
}
