//! Files named by users: reading regular ones, and writing new ones without destroying others.

mod alone;
mod new_file;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

pub use alone::open_alone;
pub use new_file::{
    Kind, NewFile, any_kind, check_replaceable, create_file, make_file, no_kind, remove_abandoned,
    sync_name, temporary_beside, write_file,
};

/// Ends of the names of records of games.
const RECORDS: [&str; 7] = ["sgf", "psq", "rec", "pgn", "lib", "rif", "jsonl"];

/// True for the name of a record of games, which no manager passes to an engine.
pub fn is_record_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    RECORDS.contains(&&*extension.to_ascii_lowercase())
}

/// Opens the file at `path`, or at the end of its links, for reading. Pipes, devices and folders
/// are refused: opening a pipe waits for its other end, and a device may never end.
///
/// # Errors
/// When the file cannot be opened or is no regular file.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        let error = "it is not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
    }
    File::open(path)
}

/// The bytes of the file at `path`, under the conditions of [`open_regular_file`].
///
/// # Errors
/// When the file cannot be opened or read, or is no regular file.
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// True for a name of standard input as an argument.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdin")
}

/// Opens the file or pipe at `path`, or standard input (`-`), for arguments of a command line: a
/// shell puts a pipe in place of `<(command)`. Waits for the pipe's writer.
///
/// # Errors
/// When the file cannot be opened, or is a device or a folder.
pub fn open_argument(path: &Path) -> io::Result<Box<dyn Read>> {
    if is_standard_input(path) {
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(match is_pipe(path)? {
        true => File::open(path)?,
        false => open_regular_file(path)?,
    }))
}

/// The bytes of the file or pipe at `path`, under the conditions of [`open_argument`].
///
/// # Errors
/// When the file cannot be opened or read, or is a device or a folder.
pub fn read_argument(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_argument(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of the file or pipe at `path`, under the conditions of [`read_argument`], without a
/// leading byte order mark, which editors of Windows write.
///
/// # Errors
/// Those of [`read_argument`], and when the text is not UTF-8.
pub fn read_text_argument(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read_argument(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))?;
    Ok(without_byte_order_mark(&text).to_string())
}

/// The text without a leading byte order mark (U+FEFF), which editors of Windows write.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::FileTypeExt;
    Ok(fs::metadata(path)?.file_type().is_fifo())
}

/// On other systems no path names a shell's pipe.
#[cfg(not(unix))]
fn is_pipe(_: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "text").unwrap();
        assert_eq!(read_regular_file(&file).unwrap(), b"text");
        assert_eq!(read_text_argument(&file).unwrap(), "text");
        fs::write(&file, "\u{feff}text").unwrap();
        assert_eq!(read_text_argument(&file).unwrap(), "text");
        let error = open_regular_file(dir.path()).unwrap_err();
        assert_eq!(error.to_string(), "it is not a regular file");
        let missing = open_regular_file(&dir.path().join("none")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        #[cfg(unix)]
        for device in ["/dev/zero", "/dev/null"] {
            assert!(read_regular_file(Path::new(device)).is_err());
            assert!(read_text_argument(Path::new(device)).is_err());
        }
    }
}
