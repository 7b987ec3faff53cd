//! A temporary folder, empty at the beginning of each input.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use tempfile::TempDir;

/// The folder around an input's folder, so `..` stays inside too.
static OUTER: LazyLock<TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a folder for temporary files"));

/// Calls `work` with an empty folder.
pub fn in_folder<T>(work: impl FnOnce(&Path) -> T) -> T {
    let outer = OUTER.path().join("input");
    let folder = outer.join("files");
    // Removes the leftovers of an input that crashed or ran too long.
    let _ = fs::remove_dir_all(&outer);
    fs::create_dir_all(&folder).expect("a new folder");
    let value = work(&folder);
    let _ = fs::remove_dir_all(&outer);
    value
}

/// Calls `work` with an empty folder as the working directory.
pub fn inside_folder<T>(work: impl FnOnce() -> T) -> T {
    let home = env::current_dir().expect("a working directory");
    in_folder(|folder| {
        env::set_current_dir(folder).expect("the folder is there");
        let value = work();
        env::set_current_dir(&home).expect("it was there before");
        value
    })
}
