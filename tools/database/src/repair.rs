//! Putting the last sound state of a damaged file in its place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::{DatabaseError, Result};
use super::file::{Access, Trust, backup_path, copy};
use super::store::{Database, Writer};
use tengen::files::{no_kind, open_regular_file, sync_name};

/// A database in the place of a damaged one.
pub struct Repaired {
    /// The new file, open.
    pub database: Database,
    /// Number of positions in it.
    pub count: u64,
    /// The copy from which the file was repaired; `None` if the damaged file itself has a sound
    /// state.
    pub backup: Option<PathBuf>,
    /// The present place of the damaged file.
    pub kept: PathBuf,
}

/// Replaces the damaged file at `path` by its last sound commit, or else by its copy from before
/// the last session with changes. The damaged file is kept beside it.
///
/// # Errors
/// When neither can be read, the file is in use, or no file can be written to its folder. The file
/// then stays unchanged.
pub fn repair(path: &Path) -> Result<Repaired> {
    let backup = backup_path(path);
    let (source, backup) = match Database::open_trusting(path, Access::Read, Trust::EitherCommit) {
        Ok(source) => (source, None),
        Err(error) if error.is_of_the_file() => {
            let source = Database::open_existing(&backup, Access::Read);
            (source.map_err(|_| DatabaseError::Unreadable)?, Some(backup))
        }
        Err(error) => return Err(error),
    };
    // A link stays, and its target is replaced. Only a link is resolved, because Windows shows a
    // resolved path in another form than the user's.
    let place = match fs::symlink_metadata(path)?.is_symlink() {
        true => path.canonicalize()?,
        false => path.to_path_buf(),
    };
    let mut kept = PathBuf::new();
    let replace = |new: NamedTempFile| {
        kept = keep(&place)?;
        if let Err(error) = new.persist(&place) {
            fs::remove_file(&kept)?;
            return Err(error.error.into());
        }
        Ok(sync_name(&place)?)
    };
    // The source is closed then, as Windows replaces no open file.
    let fill = move |writer: &mut Writer| source.copy_to(writer);
    let mut database = Database::make(&place, fill, replace)?;
    database.set_path(path);
    Ok(Repaired {
        count: database.len()?,
        database,
        backup,
        kept,
    })
}

/// Gives a file an unused second name, or makes a copy where files have one name only.
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
        let made = match fs::hard_link(path, &kept) {
            Err(error) if !is_taken(&error) => copy(&mut open_regular_file(path)?, &kept, no_kind),
            made => made,
        };
        match made {
            Ok(()) => return Ok(kept),
            Err(error) if is_taken(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
