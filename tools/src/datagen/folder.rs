//! Folders of files of games.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::beside::beside;
use super::data_file::{FileSummary, summarize};
use super::inventory::Inventory;

/// The files of games that `path` names: itself, or the `.bin.zst` files of a folder in the order of
/// their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn data_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in path.read_dir()? {
        let file = entry?.path();
        let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name.ends_with(".bin.zst") && !name.starts_with('.') {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// What a folder has that several processes fill. A file is read again only when it has changed.
pub struct FolderInventory {
    folder: PathBuf,
    known: BTreeMap<PathBuf, (Stamp, FileSummary)>,
}

/// Length and time of the last change of a file and its part; `None` where there is none.
type Stamp = [Option<(u64, SystemTime)>; 2];

impl FolderInventory {
    /// Of this folder, of which nothing is known yet.
    pub fn new(folder: &Path) -> FolderInventory {
        FolderInventory {
            folder: folder.to_path_buf(),
            known: BTreeMap::new(),
        }
    }

    /// What the files have now, those that cannot be read left out.
    pub fn read(&mut self) -> Inventory {
        let mut before = std::mem::take(&mut self.known);
        let mut inventory = Inventory::default();
        for path in data_files(&self.folder).unwrap_or_default() {
            let stamp = stamp(&path);
            let known = before.remove(&path).filter(|(known, _)| *known == stamp);
            let summary = known.map_or_else(|| summarize(&path), |(_, summary)| Ok(summary));
            if let Ok(summary) = summary {
                inventory.add(&summary);
                self.known.insert(path, (stamp, summary));
            }
        }
        inventory
    }
}

fn stamp(path: &Path) -> Stamp {
    let of = |metadata: Metadata| Some((metadata.len(), metadata.modified().ok()?));
    [path, &beside(path, ".part")].map(|path| path.metadata().ok().and_then(of))
}
