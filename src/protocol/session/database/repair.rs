//! Commands that test and repair the file of the database.

use std::path::Path;
use std::sync::Arc;

use super::{CurrentDatabase, Result, Session};
use crate::database::{Access, Database, DatabaseError, salvage};
use crate::protocol::text::shown;

impl Session {
    /// `YXDBCHECK`: reads all of the file in use, or of the one that was refused.
    pub(crate) fn check_database(&mut self) {
        let result = self.check_file();
        self.report_about_database(result);
    }

    /// `YXDBFIX`: the same; a damaged file is replaced by what can be read of it.
    pub(crate) fn fix_database(&mut self) {
        let result = self.fix_file();
        self.report_about_database(result);
    }

    fn check_file(&mut self) -> Result<String> {
        if self.database.is_closed_for_damage {
            return Err(DatabaseError::Damaged.into());
        }
        if let Some(path) = &self.database.refused {
            Database::open_existing(path, Access::Read)?.check()?;
            return Ok("all is well".to_string());
        }
        self.database(false)?;
        let database = self.database.open.as_mut().ok_or("there is none")?;
        // Only confined sessions share a database, and they may not use this command.
        let database = Arc::get_mut(database).ok_or(DatabaseError::Closed)?;
        database.check()?;
        Ok("all is well".to_string())
    }

    fn fix_file(&mut self) -> Result<String> {
        if self.database.refused.is_none() {
            match self.check_file() {
                Ok(text) => return Ok(text),
                Err(why) => {
                    self.close_failed_database();
                    self.database.refused.as_ref().ok_or(why)?;
                }
            }
        }
        if self.access() == Access::Read {
            return Err(DatabaseError::ReadOnly.into());
        }
        let path = self.database.refused.clone().ok_or("there is none")?;
        if self
            .database
            .open
            .as_ref()
            .is_some_and(|open| open.path() == path)
        {
            self.database.open = None;
        }
        let salvaged = salvage(&path)?;
        self.database = CurrentDatabase {
            open: Some(Arc::new(salvaged.database)),
            path: Some(path),
            is_named: true,
            ..CurrentDatabase::default()
        };
        self.settings.apply("usedatabase", "1");
        let doubtful = match salvaged.doubtful {
            0 => String::new(),
            count => format!(" ({count} of them are perhaps old or wrong)"),
        };
        Ok(format!(
            "{} positions saved{doubtful}; the damaged file is {}",
            salvaged.count,
            shown(&salvaged.kept)
        ))
    }

    /// Reports the result of a command about the refused file, or else about the one in use.
    fn report_about_database(&mut self, result: Result<String>) {
        let refused = self.database.refused.clone();
        let path = refused.unwrap_or_else(|| self.database_path());
        self.report_about(&path, result);
    }

    /// Reports the result of a command about a file.
    pub(super) fn report_about(&mut self, path: &Path, result: Result<String>) {
        match result {
            Ok(text) => self.message(format!("The database: {text}")),
            Err(why) => self.report_database_error(Some(path), &*why),
        }
    }
}
