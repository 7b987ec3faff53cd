//! The bytes of a database's file, checked before the store takes them.
//!
//! redb trusts its file: a damaged one makes it panic, or ask for terabytes, which ends the process.
//! But each page's checksum stands beside its number in the page above, up to the header, whose slots
//! have checksums too. [`CheckedFile`] stands between redb and the file and hands over no page before
//! it has compared that checksum, so redb sees what redb wrote, or an error. Only pages that are asked
//! for are read, so the size of a database does not matter.
//!
//! The format is redb's third, described in `docs/design.md` of its sources.

mod checked;
mod header;
mod page;
mod tree;

pub(super) use checked::{CheckedFile, Storage};
pub(super) use header::{Header, HeaderFault, Slot};
pub(super) use page::{Content, Page, PageRef, Tree};
pub(super) use tree::{TreeFault, check_slot, table, value};

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Size of the least page in bytes; the header takes the first one.
pub(super) const PAGE_BYTES: u64 = 4096;

/// Fills `out` with the bytes of the file from `offset` on.
pub(super) fn read_at(mut file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(out)
}

/// The number in the first 4 bytes from `offset` on.
fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

/// The number in the first 8 bytes from `offset` on.
fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

/// The number in the first 16 bytes from `offset` on.
fn u128_at(bytes: &[u8], offset: usize) -> Option<u128> {
    Some(u128::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}
