//! Files beside a file of games, and the settings of files of older versions, which stand in one.

use std::io;
use std::path::{Path, PathBuf};

use super::DatagenSettings;
use tengen::files::read_regular_file;

/// `path` with `extension` appended to the file's name.
pub(super) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(extension);
    PathBuf::from(name)
}

/// The file with the settings of an old file of games.
pub(super) struct OldSettings {
    pub text: String,
    /// `None` where the text is something else.
    pub settings: Option<DatagenSettings>,
}

impl OldSettings {
    /// Where they stand for the file of games at `path`.
    pub fn path(path: &Path) -> PathBuf {
        beside(path, ".json")
    }

    /// Those of the file of games at `path`; `None` where there is no such file.
    pub fn read(path: &Path) -> io::Result<Option<OldSettings>> {
        match read_regular_file(&OldSettings::path(path)) {
            Ok(bytes) => Ok(Some(OldSettings {
                text: String::from_utf8_lossy(&bytes).trim_end().to_string(),
                settings: serde_json::from_slice(&bytes).ok(),
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
