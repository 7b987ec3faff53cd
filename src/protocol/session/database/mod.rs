//! The database of a session: which file it is, and what searches keep in it and take from it.
//!
//! Texts for people never begin with `DATABASE`: Yixin-Board reads cells out of such a line in any
//! letter case, and breaks down over words.

mod files;
mod records;

use std::error::Error;
use std::path::PathBuf;

use super::Session;
use crate::board::Board;
use crate::database::{Database, DatabaseError, Label, Record, Situation, Writer};
use crate::rules::Rule;
use crate::search::{Bound, SearchInfo};
use crate::types::{PointSet, Score, ScoreKind};

/// Name of the file where no other was named.
const FILE_NAME: &str = "tengen-positions.db";
/// Folder of our own below the manager's `folder`.
const FOLDER_NAME: &str = "tengen";
/// Depth from which the value of a search is kept, in plies.
const KEPT_DEPTH: u32 = 10;

/// The result of a command; its error becomes a text for the GUI's user.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

impl Session {
    /// The session is over: closes the file. A file that was not closed is checked for damage when
    /// it is opened again.
    pub fn close(&mut self) {
        let _ticket = self.backlog.begin_file_work();
        self.database = None;
    }

    /// The database in use. One that nobody named is opened if its file exists; `create` makes the
    /// file where there is none. `None` if there is none, or if the manager wants none.
    fn database(&mut self, create: bool) -> Result<Option<&Database>> {
        if self.settings.database().wanted == Some(false) {
            return Ok(None);
        }
        if self.database.is_none() {
            let path = self.default_path();
            if path.exists() || create {
                if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
                    std::fs::create_dir_all(folder)?;
                }
                self.database = Some(Database::open(&path)?);
            }
        }
        Ok(self.database.as_ref())
    }

    fn default_path(&self) -> PathBuf {
        match self.settings.folder() {
            Some(folder) => folder.join(FOLDER_NAME).join(FILE_NAME),
            None => PathBuf::from(FILE_NAME),
        }
    }

    /// Changes the database if that is allowed; creates its file if there is none.
    fn change_database<T>(
        &mut self,
        change: impl FnOnce(&mut Writer, Rule) -> std::result::Result<T, DatabaseError>,
    ) -> Result<T> {
        if self.settings.database().is_readonly {
            return Err("it is read-only".into());
        }
        let rule = self.settings.rule();
        let database = self.database(true)?.ok_or("there is none")?;
        Ok(database.write(|writer| change(writer, rule))?)
    }

    /// Keeps the results of a search of `board`, if a database is in use.
    pub(super) fn remember(&mut self, board: &Board, rule: Rule, lines: &[SearchInfo]) {
        let wanted = self.settings.database();
        let Some(database) = &self.database else {
            return;
        };
        if wanted.wanted == Some(false) || wanted.is_readonly {
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
        if let Err(error) = kept {
            log::error!("database: {error}");
        }
    }

    /// The moves of `board` that the database says not to play.
    pub(super) fn avoided(&self, board: &Board, rule: Rule) -> PointSet {
        let used = self.settings.database().wanted != Some(false);
        let Some(database) = self.database.as_ref().filter(|_| used) else {
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
}

/// Adds empty records for the positions on the way to `board` that have none, so that it is found
/// from the empty board.
fn add_ancestors(
    writer: &mut Writer,
    board: &Board,
    rule: Rule,
) -> std::result::Result<(), DatabaseError> {
    let mut before = board.clone();
    while before.last().is_some() {
        before.undo();
        let situation = Situation::new(&before, rule);
        if writer.get(&situation)?.is_some() {
            break;
        }
        writer.put(&situation, &Record::default())?;
    }
    Ok(())
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
