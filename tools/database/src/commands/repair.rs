//! Commands that test and repair the file of the database.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen::protocol::text::shown;

use super::{CurrentDatabase, NO_DATABASE, OpenDatabase, Result};
use crate::{Access, Database, DatabaseError, repair};

/// The answer about a sound file.
const ALL_IS_WELL: &str = "all is well";

impl OpenDatabase<'_> {
    /// `YXDBCHECK`: reads all of the file in use, or of the one that was refused.
    pub fn check_database(&mut self) {
        let result = self.check_file();
        self.report_about_database(result);
    }

    /// `YXDBFIX`: the same; a damaged file is replaced by its last sound state.
    pub fn fix_database(&mut self) {
        let result = self.fix_file();
        self.report_about_database(result);
    }

    fn check_file(&mut self) -> Result<String> {
        if self.database.is_closed_for_damage {
            return Err(DatabaseError::Damaged.into());
        }
        if let Some(path) = &self.database.refused {
            Database::open_existing(path, Access::Read)?.check()?;
            return Ok(ALL_IS_WELL.to_string());
        }
        self.database(false)?;
        let database = self.database.open.as_mut().ok_or(NO_DATABASE)?;
        // Only confined sessions share a database, and they may not use this command.
        let database = Arc::get_mut(database).ok_or(DatabaseError::Closed)?;
        database.check()?;
        Ok(ALL_IS_WELL.to_string())
    }

    fn fix_file(&mut self) -> Result<String> {
        match self.database.refused.clone() {
            Some(path) => self.fix_refused_file(path),
            None => self.fix_file_in_use(),
        }
    }

    fn fix_file_in_use(&mut self) -> Result<String> {
        match self.check_file() {
            Ok(text) => Ok(text),
            Err(why) => {
                self.close_failed_database();
                let path = self.database.refused.clone().ok_or(why)?;
                self.replace_damaged(path)
            }
        }
    }

    /// The file that was refused may be another one by now, or have been mended: a sound one is
    /// opened.
    fn fix_refused_file(&mut self, path: PathBuf) -> Result<String> {
        self.database.open.take_if(|open| open.path() == path);
        let checked = Database::open_existing(&path, Access::Read);
        match checked.and_then(|mut database| database.check()) {
            Ok(()) => {
                let text = format!("{ALL_IS_WELL}; {} is open now", shown(&path));
                self.open_database(path)?;
                self.use_as_named();
                Ok(text)
            }
            Err(why) if why.is_of_the_file() || self.database.is_closed_for_damage => {
                self.replace_damaged(path)
            }
            Err(why) => Err(why.into()),
        }
    }

    /// Puts the last sound state of the damaged file at `path` in its place, and opens that.
    fn replace_damaged(&mut self, path: PathBuf) -> Result<String> {
        if self.access() == Access::Read {
            return Err(DatabaseError::ReadOnly.into());
        }
        let repaired = repair(&path)?;
        *self.database = CurrentDatabase {
            open: Some(Arc::new(repaired.database)),
            path: Some(path),
            ..CurrentDatabase::default()
        };
        self.use_as_named();
        let source = match repaired.backup {
            Some(backup) => format!(
                "from {}, the copy of before the last changes",
                shown(&backup)
            ),
            None => "as the last sound change left them".to_string(),
        };
        let kept = shown(&repaired.kept);
        Ok(format!(
            "{} positions saved, {source}; the damaged file is {kept}",
            repaired.count
        ))
    }

    /// Reports the result of a command about the refused file, or else about the one in use.
    fn report_about_database(&mut self, result: Result<String>) {
        let refused = self.database.refused.clone();
        let path = refused.unwrap_or_else(|| self.database_path());
        self.report_about(&path, result);
    }

    /// Reports the result of a command about a file.
    pub fn report_about(&mut self, path: &Path, result: Result<String>) {
        match result {
            Ok(text) => self.session.message(format!("The database: {text}")),
            Err(why) => self.report_database_error(Some(path), &*why),
        }
    }
}
