//! The database of a session: its file, and the exchange of records with searches.
//!
//! Texts for people never begin with `DATABASE`: Yixin-Board reads cells out of such a line in any
//! letter case, and breaks down over words.

mod arguments;
mod files;
mod records;
mod repair;
mod table;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Access, Database, DatabaseError, Label, Record, Situation, Writer, add_ancestors};
use tengen::board::Board;
use tengen::protocol::reply::Reply;
use tengen::protocol::settings::Settings;
use tengen::protocol::text::{plain, shown};
use tengen::protocol::{Answer, PositionStore, Session};
use tengen::rules::Rule;
use tengen::search::{Bound, SearchInfo};
use tengen::types::{PointSet, Score, ScoreKind};

pub use table::COMMANDS;

/// Name of the file where no other was named.
const FILE_NAME: &str = "tengen-positions.db";
/// Folder of our own below the manager's `folder`.
const FOLDER_NAME: &str = "tengen";
/// The refusal of a command without a database. The command may name another file.
const NO_DATABASE: &str = "there is no database";
/// Depth from which the value of a search is kept, in plies.
const KEPT_DEPTH: u32 = 10;

/// The file of the database.
#[derive(Default)]
pub struct CurrentDatabase {
    /// `None` before it is needed, and after an error.
    open: Option<Arc<Database>>,
    /// The file that is used, once one was opened.
    path: Option<PathBuf>,
    /// True if a command named the file: then the manager's folder changes nothing.
    is_named: bool,
    /// The damaged or foreign file that was last refused: `YXDBFIX` repairs it.
    refused: Option<PathBuf>,
    /// True if `refused` is the database itself: only `YXDBFIX` opens the file again.
    is_closed_for_damage: bool,
    /// True if a search failed to open the database: no other search tries again.
    is_given_up: bool,
}

/// The result of a command; its error becomes a text for the GUI's user.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The database and its session.
struct OpenDatabase<'a> {
    database: &'a mut CurrentDatabase,
    session: &'a mut Session,
}

/// Does the work of a command.
fn with_open(session: &mut Session, work: impl FnOnce(&mut OpenDatabase)) -> Answer {
    session.with_store_of(|database, session| work(&mut OpenDatabase { database, session }));
    Ok(())
}

impl CurrentDatabase {
    /// A database that is open already, maybe for other sessions too, and stays the only one.
    pub fn shared(database: Arc<Database>) -> CurrentDatabase {
        CurrentDatabase {
            path: Some(database.path().to_path_buf()),
            is_named: true,
            open: Some(database),
            ..CurrentDatabase::default()
        }
    }
}

impl PositionStore for CurrentDatabase {
    fn prepare(&mut self, session: &mut Session) {
        let database = self;
        OpenDatabase { database, session }.open_wanted();
    }

    fn follow_setting(&mut self, session: &mut Session, key: &str) {
        let database = self;
        OpenDatabase { database, session }.follow_setting(key);
    }

    fn avoided(&self, settings: &Settings, board: &Board, rule: Rule) -> PointSet {
        let used = settings.database().wanted != Some(false);
        let Some(database) = self.open.as_ref().filter(|_| used) else {
            return PointSet::EMPTY;
        };
        let children = database.read(|reader| reader.children(board, rule));
        let children = children.unwrap_or_else(|error| {
            log::error!("database: {error}");
            Vec::new()
        });
        children
            .into_iter()
            .filter(|(_, record)| record.label == Some(Label::AVOID))
            .map(|(p, _)| p)
            .collect()
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }

    fn remember(&mut self, session: &mut Session, board: &Board, rule: Rule, lines: &[SearchInfo]) {
        let database = self;
        OpenDatabase { database, session }.remember(board, rule, lines);
    }

    fn close(&mut self) {
        self.open = None;
    }
}

impl OpenDatabase<'_> {
    /// The database in use, opened if its file exists; `create` makes a missing file. `None`
    /// without a file, or if the manager wants no database.
    fn database(&mut self, create: bool) -> Result<Option<&Database>> {
        if self.session.settings().database().wanted == Some(false) {
            return Ok(None);
        }
        if self.database.open.is_none() && self.session.is_confined() {
            return Err("no database is open for this board".into());
        }
        if self.database.open.is_none() {
            let path = self.database_path();
            if self.database.is_closed_for_damage {
                return Err(DatabaseError::Damaged.into());
            }
            if path.exists() || create {
                if create && let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                self.open_database(path)?;
            }
        }
        Ok(self.database.open.as_deref())
    }

    /// The same for a command that cannot do without.
    fn needed_database(&mut self, create: bool) -> Result<&Database> {
        Ok(self.database(create)?.ok_or(NO_DATABASE)?)
    }

    /// Opens a file as the database from now on, and creates the file if there is none. After an
    /// error the earlier database stays.
    fn open_database(&mut self, path: PathBuf) -> std::result::Result<(), DatabaseError> {
        let opened = match self.access() {
            Access::Read => Database::open_existing(&path, Access::Read),
            Access::Write => Database::open(&path),
        };
        match opened {
            Ok(database) => {
                *self.database = CurrentDatabase {
                    open: Some(Arc::new(database)),
                    path: Some(path),
                    is_named: self.database.is_named,
                    ..CurrentDatabase::default()
                };
                Ok(())
            }
            Err(error) => {
                if error.is_of_the_file() {
                    self.database.refused = Some(path);
                }
                Err(error)
            }
        }
    }

    /// A command named the database: searches use it, and the manager's folder changes nothing.
    fn use_as_named(&mut self) {
        self.database.is_named = true;
        self.session.set("usedatabase", "1");
    }

    /// `INFO usedatabase 1`: opens the database, if there is one, before a search with the
    /// database.
    fn open_wanted(&mut self) {
        let is_done = self.database.open.is_some() || self.database.is_given_up;
        if is_done || self.session.is_confined() || self.session.board().is_none() {
            return;
        }
        if self.session.settings().database().wanted != Some(true) {
            return;
        }
        let _work = self.session.begin_file_work();
        if let Err(why) = self.database(false) {
            let why = why.to_string();
            self.database.is_given_up = true;
            // No `ERROR`: the search goes on without.
            self.session.warn(plain(&format!("The database: {why}")));
        }
    }

    /// Closes the database if an error left it in an unknown state. A damaged one stays closed.
    fn close_failed_database(&mut self) {
        let failed = self.database.open.take_if(|open| open.has_failed());
        if let Some(failed) = failed.filter(|failed| failed.is_damaged()) {
            self.database.refused = Some(failed.path().to_path_buf());
            self.database.is_closed_for_damage = true;
        }
    }

    /// `INFO`: follows a setting of the database.
    fn follow_setting(&mut self, key: &str) {
        if ["folder", "usedatabase", "database_readonly"].contains(&key) {
            self.database.is_given_up = false;
        }
        let default = self.default_path();
        let moves = |path: &PathBuf| !self.database.is_named && *path != default;
        if self.database.path.as_ref().is_some_and(moves) {
            let _work = self.session.begin_file_work();
            *self.database = CurrentDatabase::default();
        }
        self.reopen_database();
    }

    /// `INFO database_readonly` holds for the open file too: nothing of the file changes from now
    /// on, not even at its closing.
    fn reopen_database(&mut self) {
        let access = self.access();
        let Some(open) = self.database.open.take_if(|open| open.access() != access) else {
            return;
        };
        let _work = self.session.begin_file_work();
        let path = open.path().to_path_buf();
        drop(open);
        if let Err(why) = self.open_database(path.clone()) {
            self.report_database_error(Some(&path), &why);
        }
    }

    /// Answers a failed command with the reason and, if the command names a file, the path.
    fn report_database_error(&mut self, path: Option<&Path>, why: &(dyn Error + 'static)) {
        self.close_failed_database();
        let of_path = path.map(|path| format!("{}: ", shown(path)));
        let is_damaged = matches!(why.downcast_ref(), Some(DatabaseError::Damaged));
        let hint = match is_damaged && self.database.refused.is_some() {
            true => "; YXDBFIX saves what can be read",
            false => "",
        };
        let text = format!("The database: {}{why}{hint}", of_path.unwrap_or_default());
        self.session.send(Reply::Error(plain(&text).into()));
    }

    /// The use of the file that the manager permits.
    fn access(&self) -> Access {
        match self.session.settings().database().is_readonly {
            true => Access::Read,
            false => Access::Write,
        }
    }

    /// The file that was named, or else the one where none was named.
    fn database_path(&self) -> PathBuf {
        match &self.database.path {
            Some(path) => path.clone(),
            None => self.default_path(),
        }
    }

    fn default_path(&self) -> PathBuf {
        match self.session.settings().folder() {
            Some(folder) => folder.join(FOLDER_NAME).join(FILE_NAME),
            None => PathBuf::from(FILE_NAME),
        }
    }

    /// Changes the database if that is allowed; creates its file if there is none.
    fn change_database<T>(
        &mut self,
        change: impl FnOnce(&mut Writer, Rule) -> std::result::Result<T, DatabaseError>,
    ) -> Result<T> {
        if self.session.settings().database().is_readonly {
            return Err(DatabaseError::ReadOnly.into());
        }
        let rule = self.session.settings().rule();
        let database = self.needed_database(true)?;
        Ok(database.write(|writer| change(writer, rule))?)
    }

    /// Keeps the results of a search of `board`, if a database is in use.
    fn remember(&mut self, board: &Board, rule: Rule, lines: &[SearchInfo]) {
        let wanted = self.session.settings().database();
        let Some(database) = &self.database.open else {
            return;
        };
        let is_read_only = wanted.is_readonly || database.access() == Access::Read;
        if wanted.wanted == Some(false) || is_read_only {
            return;
        }
        let worth: Vec<&SearchInfo> = lines
            .iter()
            .filter(|line| line.depth >= KEPT_DEPTH || line.score.is_decided())
            .filter(|line| line.pv.first().is_some_and(|&p| board.is_empty(p)))
            .collect();
        if worth.is_empty() {
            return;
        }
        let kept = database.write(|writer| {
            add_ancestors(writer, board, rule)?;
            writer.merge(&Situation::new(board, rule), Record::default())?;
            for line in worth {
                let mut next = board.clone();
                next.play(line.pv[0]);
                writer.merge(&Situation::new(&next, rule), record_after_first(line))?;
            }
            Ok::<_, DatabaseError>(())
        });
        if let Err(why) = kept {
            self.close_failed_database();
            // No `ERROR`: no command failed.
            self.session.message(plain(&format!(
                "The database: {why}; the search is not kept"
            )));
        }
    }
}

/// The record of the position after a line's first move.
fn record_after_first(line: &SearchInfo) -> Record {
    let (label, value) = match line.score.kind() {
        ScoreKind::Win(plies) => (
            Some(Label::WIN),
            Score::win_in(plies.saturating_sub(1) as usize),
        ),
        ScoreKind::Loss(plies) => (
            Some(Label::LOSS),
            Score::loss_in(plies.saturating_sub(1) as usize),
        ),
        ScoreKind::Value(_) => (None, line.score),
    };
    Record {
        label,
        value,
        depth: i16::try_from(line.depth.saturating_sub(1)).unwrap_or(i16::MAX),
        bound: Bound::Exact,
        ..Record::default()
    }
}
