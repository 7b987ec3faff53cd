//! Files that one process at a time writes.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::open_regular_file;

/// Opens or creates the file at `path` for this process alone to write, until the file is closed.
/// Others may read it. `None` while another process writes it.
///
/// # Errors
/// When the file cannot be opened or is no regular file.
pub fn open_alone(path: &Path) -> io::Result<Option<File>> {
    if path.exists() {
        // A pipe would be waited for.
        open_regular_file(path)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    lock(&mut options, path)
}

#[cfg(not(windows))]
fn lock(options: &mut OpenOptions, path: &Path) -> io::Result<Option<File>> {
    use std::fs::TryLockError;
    let file = options.open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        // A file system without locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(Some(file))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A lock of Windows would keep readers away too.
#[cfg(windows)]
fn lock(options: &mut OpenOptions, path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    /// `FILE_SHARE_READ`, and `ERROR_SHARING_VIOLATION`.
    const SHARE_READ: u32 = 1;
    const SHARING_VIOLATION: i32 = 32;
    match options.share_mode(SHARE_READ).open(path) {
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        file => file.map(Some),
    }
}
