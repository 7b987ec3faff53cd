//! Damage in a file of games: what was found, and what was done about it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::beside::beside;
use super::frames::Scan;
use super::layout::Layout;

/// Damage that was found in a file of games, and what was done about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: {frames} damaged {} ({bytes} bytes) moved to {}; games kept in other frames: {kept}; {}",
    path.display(),
    if *frames == 1 { "frame" } else { "frames" },
    moved_to.display(),
    match lost {
        0 => "games missing at the end are played again".to_string(),
        lost => format!("up to {lost} games are lost, and their numbers are not used again"),
    }
)]
pub struct Repair {
    /// The file of games.
    pub path: PathBuf,
    /// The new file that has the damaged bytes.
    pub moved_to: PathBuf,
    /// Number of damaged frames.
    pub frames: u64,
    /// Length of the damaged frames.
    pub bytes: u64,
    /// Games in sound frames.
    pub kept: u64,
    /// Most games that the damaged frames had, without those at the end of the file that are played
    /// again.
    pub lost: u64,
}

/// Copies the damaged parts of `bytes`, if there are any, to a new file beside the one at `path`.
pub(super) fn save_damage(
    path: &Path,
    bytes: &[u8],
    scan: &Scan,
    layout: &Layout,
) -> io::Result<Option<Repair>> {
    if scan.damage.is_empty() {
        return Ok(None);
    }
    let (mut cut, moved_to) = create_cut(path)?;
    for damage in &scan.damage {
        cut.write_all(&bytes[damage.range.clone()])?;
    }
    // The bytes may leave the file only when they are on the disk elsewhere.
    cut.sync_all()?;
    let lengths = scan.damage.iter().map(|d| d.range.len() as u64);
    Ok(Some(Repair {
        path: path.to_path_buf(),
        moved_to,
        frames: scan.damage.iter().map(|d| d.pieces).sum(),
        bytes: lengths.sum(),
        kept: layout.kept,
        lost: layout.lost,
    }))
}

/// A new file for damaged bytes: `.cut`, `.cut2`, and so on. None is overwritten.
fn create_cut(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 1;
    loop {
        let cut = match number {
            1 => beside(path, ".cut"),
            number => beside(path, &format!(".cut{number}")),
        };
        match OpenOptions::new().write(true).create_new(true).open(&cut) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            file => return Ok((file?, cut)),
        }
    }
}
