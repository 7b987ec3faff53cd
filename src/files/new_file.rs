//! Files that appear at once and whole, and never in the place of a file of another kind.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::open_regular_file;

/// Bytes of an old file that decide its kind.
const HEAD_BYTES: u64 = 1 << 16;

/// The end of the names of temporary files.
const TEMPORARY_SUFFIX: &str = ".part";
/// Random letters in the name of a temporary file.
const RANDOM_LETTERS: usize = 6;
/// Longest name in bytes that a temporary file's name may contain: systems allow 255 bytes in all.
const LONGEST_NAME: usize = 200;

/// True if a new file may replace a file that begins with these bytes. The function gets at most 64
/// KiB. An empty file is always replaced, because it holds nothing to lose.
pub type Kind = fn(&[u8]) -> bool;

/// Replaces no file but an empty one.
pub fn no_kind(_: &[u8]) -> bool {
    false
}

/// Replaces any file, at the user's word.
pub fn any_kind(_: &[u8]) -> bool {
    true
}

/// A file being written under another name in the same folder. [`finish`](NewFile::finish) gives
/// the file its name; dropped unfinished, it leaves nothing behind.
pub struct NewFile {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
    replaces: Kind,
}

impl NewFile {
    /// Begins a file for `path`, or for the end of the links at `path`. The file replaces only one
    /// of the kind `replaces`.
    ///
    /// # Errors
    /// When the folder cannot be written, or when something else is at `path`: a file of another
    /// kind, a write-protected file, a pipe, a device, a folder, or a link that leads nowhere.
    pub fn begin(path: &Path, replaces: Kind) -> io::Result<NewFile> {
        let old = replaceable(path, replaces)?;
        let path = match old {
            Some(_) => path.canonicalize()?,
            None => path.to_path_buf(),
        };
        let file = temporary_file(&path, old.is_some())?;
        if let Some(old) = old {
            // Set here and not by the builder, because the user's mask takes some from the
            // builder's. A file system without permissions refuses; then there are none to keep.
            let _ = file.as_file().set_permissions(old.permissions());
        }
        Ok(NewFile {
            out: BufWriter::new(file),
            path,
            replaces,
        })
    }

    /// Appends the rest of `file`, without reading it where the system can copy by itself. The
    /// permissions of `file` are taken over.
    ///
    /// # Errors
    /// When `file` cannot be read or the new file not be written.
    pub fn append(&mut self, file: &mut File) -> io::Result<()> {
        self.out.flush()?;
        let out = self.out.get_mut().as_file_mut();
        let _ = out.set_permissions(file.metadata()?.permissions());
        io::copy(file, out)?;
        Ok(())
    }

    /// Puts the file in its place once all of it is on the disk.
    ///
    /// # Errors
    /// When the file cannot be written, or when a file of another kind has come to its place. An
    /// old file stays unchanged then.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(|error| error.into_error())?;
        file.as_file().sync_all()?;
        let placed = match replaceable(&self.path, self.replaces)? {
            Some(_) => file.persist(&self.path),
            None => file.persist_noclobber(&self.path),
        };
        placed?;
        sync_name(&self.path)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file at `path` by `write`; see [`NewFile`].
///
/// # Errors
/// Those of [`NewFile`] and of `write`. An old file stays unchanged then.
pub fn write_file<T, E: From<io::Error>>(
    path: &Path,
    replaces: Kind,
    write: impl FnOnce(&mut NewFile) -> Result<T, E>,
) -> Result<T, E> {
    let mut file = NewFile::begin(path, replaces)?;
    let value = write(&mut file)?;
    file.finish()?;
    Ok(value)
}

/// Makes a file at the free `path` by `make`. The function gets another path in the same folder,
/// creates the file there and closes it.
///
/// # Errors
/// When something is at `path`, and those of `make`. Nothing is left behind then.
pub fn make_file<T, E: From<io::Error>>(
    path: &Path,
    make: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    if fs::symlink_metadata(path).is_ok() {
        refused(ErrorKind::AlreadyExists, "the file exists already")?;
    }
    let reserved = Builder::new()
        .prefix(".")
        .suffix(TEMPORARY_SUFFIX)
        .make_in(folder_of(path), |path| match fs::symlink_metadata(path) {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => Ok(()),
        })
        .map_err(unnamed)?;
    let place = reserved.into_temp_path();
    let value = make(&place)?;
    place.persist_noclobber(path).map_err(|error| error.error)?;
    sync_name(path)?;
    Ok(value)
}

/// An empty file with a temporary name in the folder of `path`, for a writer that opens and renames
/// the file itself. Dropped before the renaming, it leaves nothing behind.
///
/// # Errors
/// When the folder cannot be written.
pub fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    temporary_file(path, false)
}

/// The same; a private file is for its owner alone until its permissions are changed.
fn temporary_file(path: &Path, is_private: bool) -> io::Result<NamedTempFile> {
    let prefix = temporary_prefix(path);
    let mut builder = Builder::new();
    builder
        .prefix(&prefix)
        .suffix(TEMPORARY_SUFFIX)
        .rand_bytes(RANDOM_LETTERS);
    if !is_private {
        usual_permissions(&mut builder);
    }
    builder.tempfile_in(folder_of(path)).map_err(unnamed)
}

/// Removes the temporary files of [`NewFile`] left beside `path` by killed processes. Only for a
/// process that alone may write the file: the temporary file of another process would be removed
/// too.
///
/// # Errors
/// When the folder cannot be read or a file not be removed.
pub fn remove_abandoned(path: &Path) -> io::Result<()> {
    let prefix = temporary_prefix(path);
    let length = prefix.len() + RANDOM_LETTERS + TEMPORARY_SUFFIX.len();
    if prefix == "." {
        return Ok(());
    }
    for entry in fs::read_dir(folder_of(path))? {
        let entry = entry?;
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        if bytes.len() == length
            && bytes.starts_with(prefix.as_encoded_bytes())
            && bytes.ends_with(TEMPORARY_SUFFIX.as_bytes())
        {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The prefix of the names of temporary files for `path`: a dot and the file's name with a dot, or
/// only the dot if the name is too long.
fn temporary_prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    if let Some(name) = path.file_name().filter(|name| name.len() <= LONGEST_NAME) {
        prefix.push(name);
        prefix.push(".");
    }
    prefix
}

/// An error of `tempfile` without the name of the temporary file: the user never named that file.
fn unnamed(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// Creates a file at `path` to be written piece by piece. An old file of the kind `replaces` is
/// emptied.
///
/// # Errors
/// When the file cannot be created, or when something else is at `path`, as with
/// [`NewFile::begin`].
pub fn create_file(path: &Path, replaces: Kind) -> io::Result<File> {
    check_replaceable(path, replaces)?;
    File::create(path)
}

/// Checks that a new file may take the place at `path`.
///
/// # Errors
/// When something is there that [`create_file`] would refuse to empty.
pub fn check_replaceable(path: &Path, replaces: Kind) -> io::Result<()> {
    replaceable(path, replaces).map(drop)
}

/// The file at `path`; `None` without one.
///
/// # Errors
/// When the file cannot be read or may not be replaced.
fn replaceable(path: &Path, replaces: Kind) -> io::Result<Option<Metadata>> {
    let old = match fs::metadata(path) {
        Ok(old) => old,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return match fs::symlink_metadata(path) {
                Ok(_) => refused(ErrorKind::NotFound, "it is a link that leads nowhere"),
                Err(_) => Ok(None),
            };
        }
        Err(error) => return Err(error),
    };
    let mut head = Vec::new();
    let file = open_regular_file(path)?;
    if old.permissions().readonly() {
        return refused(ErrorKind::PermissionDenied, "it is write-protected");
    }
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    if head.is_empty() || replaces(&head) {
        Ok(Some(old))
    } else {
        let why = "a file of another kind is there, which is left as it is";
        refused(ErrorKind::AlreadyExists, why)
    }
}

fn refused<T>(kind: ErrorKind, why: &str) -> io::Result<T> {
    Err(io::Error::new(kind, why))
}

/// The folder of the file at `path`.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Gives a new file all permissions that the user's mask leaves. Other temporary files are their
/// owner's alone.
#[cfg(unix)]
fn usual_permissions(builder: &mut Builder) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

/// A new file has the permissions of its folder.
#[cfg(not(unix))]
fn usual_permissions(_: &mut Builder) {}

/// Makes the new name of the file at `path` survive a loss of power. A folder that cannot be opened
/// for this does no harm to the file.
///
/// # Errors
/// When the folder cannot be written to the disk.
#[cfg(unix)]
pub fn sync_name(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path)) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

/// Does nothing: names last by themselves.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn sync_name(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ours(head: &[u8]) -> bool {
        head.starts_with(b"ours")
    }

    fn put(path: &Path, text: &str) -> io::Result<()> {
        write_file(path, is_ours, |out| out.write_all(text.as_bytes()))
    }

    /// Names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn abandoned_temporaries_are_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let abandon = |name: &str| {
            let new = NewFile::begin(&dir.path().join(name), no_kind).unwrap();
            let temporary = new.out.into_inner().unwrap().into_temp_path();
            temporary.keep().unwrap();
        };
        abandon("a");
        assert_eq!(names(dir.path()).len(), 1);
        remove_abandoned(&path).unwrap();
        assert!(names(dir.path()).is_empty());
        abandon("b");
        for name in ["a", "a.part", ".a.part", ".a.123456", ".a.1234567.part"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        remove_abandoned(&path).unwrap();
        assert_eq!(names(dir.path()).len(), 6);
    }

    #[test]
    fn only_files_of_the_kind_and_empty_ones_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        for text in ["ours", "ours too", ""] {
            put(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        put(&path, "theirs").unwrap();
        let error = put(&path, "ours").unwrap_err();
        assert!(error.to_string().contains("of another kind"), "{error}");
        assert!(create_file(&path, is_ours).is_err());
        assert!(put(dir.path(), "ours").is_err());
        let error = put(&dir.path().join("none/a"), "ours").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(!error.to_string().contains(".part"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        put(&path, "ours").unwrap();
        let failed = write_file(&path, is_ours, |out| {
            out.write_all(b"ours, half of it")?;
            Err::<(), _>(io::Error::other("as a test"))
        });
        assert!(failed.is_err());
        // A file that came to the place meanwhile stays too.
        let late = dir.path().join("b");
        let file = NewFile::begin(&late, is_ours).unwrap();
        fs::write(&late, "theirs").unwrap();
        assert!(file.finish().is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours");
        assert_eq!(fs::read_to_string(&late).unwrap(), "theirs");
        assert_eq!(names(dir.path()), ["a", "b"]);
    }

    #[test]
    fn a_file_is_made_only_where_there_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let make = |text: &'static str| {
            make_file(&path, |path| {
                fs::write(path, text)?;
                if text.is_empty() {
                    return Err(io::Error::other("as a test"));
                }
                Ok(text.len())
            })
        };
        assert!(make("").is_err());
        assert_eq!(names(dir.path()), [""; 0]);
        assert_eq!(make("new").unwrap(), 3);
        assert!(make("newer").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let [path, link, astray] = ["a", "link", "astray"].map(|name| dir.path().join(name));
        put(&path, "ours").unwrap();
        let plain = dir.path().join("plain");
        File::create(&plain).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
        symlink("a", &link).unwrap();
        // More than the usual mask leaves, and less.
        for kept in [0o664, 0o666, 0o640] {
            fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
            put(&link, "ours again").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "ours again");
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(mode(&path) & 0o777, kept);
        }
        fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
        assert!(put(&link, "ours").is_err());
        symlink("nowhere", &astray).unwrap();
        assert!(put(&astray, "ours").is_err());
        for device in ["/dev/null", "/dev/full"] {
            assert!(put(Path::new(device), "ours").is_err());
        }
        assert_eq!(names(dir.path()), ["a", "astray", "link", "plain"]);
    }
}
