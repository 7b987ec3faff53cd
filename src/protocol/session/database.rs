//! The opening database of a session: which file it is, and what each command does with it.
//!
//! Texts for people never begin with `DATABASE`: Yixin-Board reads cells out of such a line in any
//! letter case, and breaks down over words.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Session;
use crate::board::Board;
use crate::database::renlib::Library;
use crate::database::{
    Database, DatabaseError, Label, Record, Situation, Writer, export_library, import_library,
    read_text, write_moves, write_text,
};
use crate::protocol::command::Entry;
use crate::protocol::database_words::{DatabaseBlock, DatabaseFile};
use crate::protocol::reply::Reply;
use crate::protocol::setup::{cleared, in_turn, locate};
use crate::rules::Rule;
use crate::search::{Bound, SearchInfo};
use crate::types::{PointSet, Score, ScoreKind};

/// Name of the file where no other was named.
const FILE_NAME: &str = "tengen-positions.db";
/// Folder of our own below the manager's `folder`.
const FOLDER_NAME: &str = "tengen";
/// Depth from which the value of a search is worth keeping, in plies.
const KEPT_DEPTH: u32 = 10;

/// The database that is in use, if any.
#[derive(Default)]
pub(super) struct Desk {
    open: Option<Database>,
}

/// Why a command could not be done, as text for a person.
type Refusal = String;

fn refusal(error: impl ToString) -> Refusal {
    error.to_string()
}

impl Session {
    /// The conversation is over: closes the file, which would otherwise be tested for damage when it
    /// is opened next.
    pub fn close(&mut self) {
        self.desk = Desk::default();
    }

    /// Does what a block asks at the position after its moves.
    pub(super) fn database_block(&mut self, block: DatabaseBlock, entries: &[Entry]) {
        let is_query_all = matches!(block, DatabaseBlock::QueryAll { .. });
        if is_query_all {
            self.message("DATABASE REFRESH");
        }
        if let Some(board) = self.board.clone() {
            let board = in_turn(&board, entries);
            if let Err(why) = self.at_position(block, &board) {
                self.message(format!("The database: {why}"));
            }
        }
        if is_query_all {
            self.message("DATABASE DONE");
        }
    }

    fn at_position(&mut self, block: DatabaseBlock, board: &Board) -> Result<(), Refusal> {
        let situation = Situation::new(board, self.settings.rule());
        match block {
            DatabaseBlock::QueryAll { with_comment } => {
                self.tell_children(board)?;
                if with_comment {
                    self.tell_comment(&situation)?;
                }
            }
            DatabaseBlock::QueryOne => self.tell_one(&situation)?,
            DatabaseBlock::QueryComment => self.tell_comment(&situation)?,
            DatabaseBlock::Edit {
                label,
                value,
                depth,
            } => self.edit(board, |record| {
                if let Some(code) = label {
                    record.label = u8::try_from(code).ok().and_then(Label::new);
                }
                if let Some(value) = value {
                    let most = i64::from(Score::WIN.raw());
                    record.value = Score::from_raw(value.clamp(-most, most) as i16);
                    record.bound = Bound::Exact;
                }
                if let Some(depth) = depth {
                    record.depth = depth.clamp(0, i16::MAX.into()) as i16;
                }
            })?,
            DatabaseBlock::EditComment(text) => self.edit(board, |record| record.comment = text)?,
            DatabaseBlock::EditCell { at, text } => {
                let p = locate(board, at).ok_or("no such cell")?;
                self.edit(board, |record| {
                    record.set_cell_text(situation.place(p), &text);
                })?;
            }
            DatabaseBlock::MarkBest(is_best) => {
                let mut before = board.clone();
                let last = before.last().ok_or("there is no move to mark")?.point;
                before.undo();
                let place = Situation::new(&before, self.settings.rule()).place(last);
                let text = if is_best { BEST_MOVE } else { "" };
                self.edit(&before, |record| record.set_cell_text(place, text))?;
            }
            DatabaseBlock::Delete => {
                self.change(|writer, _| writer.remove(&situation))?;
            }
            DatabaseBlock::DeleteAfter(selection) => {
                let count =
                    self.change(|writer, rule| writer.remove_after(board, rule, selection))?;
                self.message(format!("The database: {count} positions deleted"));
            }
        }
        Ok(())
    }

    /// Changes the record of a position, which may be new. Those on the way to it become known too,
    /// so that it can be found from the empty board.
    fn edit(&mut self, board: &Board, change: impl FnOnce(&mut Record)) -> Result<(), Refusal> {
        self.change(|writer, rule| {
            link(writer, board, rule)?;
            let situation = Situation::new(board, rule);
            let mut record = writer.get(&situation)?.unwrap_or_default();
            change(&mut record);
            writer.put(&situation, &record)
        })
    }

    /// Changes the database if that is allowed; makes its file if there is none.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Writer, Rule) -> Result<T, DatabaseError>,
    ) -> Result<T, Refusal> {
        if self.settings.database().is_readonly {
            return Err("it is read-only".to_string());
        }
        let rule = self.settings.rule();
        let database = self.database(true)?.ok_or("there is none")?;
        database
            .write(|writer| change(writer, rule))
            .map_err(refusal)
    }

    fn tell_children(&mut self, board: &Board) -> Result<(), Refusal> {
        let rule = self.settings.rule();
        let Some(database) = self.database(false)? else {
            return Ok(());
        };
        let situation = Situation::new(board, rule);
        let view = database.read(|reader| {
            let here = reader.get(&situation)?.unwrap_or_default();
            Ok((here, reader.children(board, rule)?))
        });
        let (here, children) = view.map_err(refusal)?;
        for p in board.empty_points() {
            let text = here.cell_text(situation.place(p));
            let child = children.iter().find(|(q, _)| *q == p);
            if child.is_none() && text.is_none() {
                continue;
            }
            let blank = Record::default();
            let record = child.map_or(&blank, |(_, record)| record);
            // 0 would be a cell of no record, -1 is a record without a label.
            let label = match child {
                Some(_) => packed(record).map_or(-1, i64::from),
                None => 0,
            };
            let line = format!(
                "DATABASE {} {} {label} {} {} {} {} {}",
                p.x(),
                p.y(),
                record.value.raw(),
                record.depth,
                record.bound as u8,
                u8::from(!record.comment.is_empty()),
                text.unwrap_or_default(),
            );
            self.message(line.trim_end());
        }
        Ok(())
    }

    fn tell_one(&mut self, situation: &Situation) -> Result<(), Refusal> {
        let text = match self.look_up(situation)? {
            Some(record) => format!(
                "{} {} {} {} {}",
                record.label.map_or(-1, |label| label.code().into()),
                record.value.raw(),
                record.depth,
                record.bound as u8,
                record.shown_label().unwrap_or_default()
            ),
            None => "0 0 0 0".to_string(),
        };
        self.message(format!("DATABASE ONE {text}").trim_end());
        Ok(())
    }

    fn tell_comment(&mut self, situation: &Situation) -> Result<(), Refusal> {
        let record = self.look_up(situation)?.unwrap_or_default();
        self.send(Reply::Comment(record.comment));
        Ok(())
    }

    fn look_up(&mut self, situation: &Situation) -> Result<Option<Record>, Refusal> {
        match self.database(false)? {
            Some(database) => database.get(situation).map_err(refusal),
            None => Ok(None),
        }
    }

    /// The database in use. One that nobody named is opened when it is there, or with `make` when
    /// something is to be written; none is used when the manager said so.
    fn database(&mut self, make: bool) -> Result<Option<&Database>, Refusal> {
        if self.settings.database().wanted == Some(false) {
            return Ok(None);
        }
        if self.desk.open.is_none() {
            let path = self.default_path();
            if path.exists() || make {
                if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
                    std::fs::create_dir_all(folder).map_err(refusal)?;
                }
                self.desk.open = Some(Database::open(&path).map_err(refusal)?);
            }
        }
        Ok(self.desk.open.as_ref())
    }

    fn default_path(&self) -> PathBuf {
        match self.settings.folder() {
            Some(folder) => folder.join(FOLDER_NAME).join(FILE_NAME),
            None => PathBuf::from(FILE_NAME),
        }
    }

    /// Does what a command says about a file.
    pub(super) fn database_file(&mut self, word: DatabaseFile, path: &str) {
        let path = Path::new(path);
        let done = match word {
            DatabaseFile::Open => self.open_database(path),
            DatabaseFile::Merge => self.merge_database(path),
            DatabaseFile::Split => self.split_database(path),
            DatabaseFile::ExportText { all } => self.export_lines(path, all, &mut |out, line| {
                write_text(out, line.board, line.rule, line.record)
            }),
            DatabaseFile::ExportMoves => {
                self.export_lines(path, true, &mut |out, line| write_moves(out, line.board))
            }
            DatabaseFile::ImportText => self.import_text(path),
            DatabaseFile::ImportLibrary => self.import_library(path),
            DatabaseFile::ExportLibrary => self.export_library(path),
        };
        match done {
            Ok(text) => self.message(format!("The database: {text}")),
            Err(why) => self.message(format!("The database: {}: {why}", path.display())),
        }
    }

    fn open_database(&mut self, path: &Path) -> Result<String, Refusal> {
        let is_same = self.desk.open.as_ref().is_some_and(|d| d.path() == path);
        if !is_same {
            // Two windows on one file are refused, so the old one closes first.
            let new = Database::open(path).map_err(refusal)?;
            self.desk.open = Some(new);
        }
        self.settings.apply("usedatabase", "1");
        self.message(format!("DATABASE LOAD START {}", path.display()));
        self.message("DATABASE LOAD DONE");
        let database = self.desk.open.as_ref().expect("just opened");
        let count = database.len().map_err(refusal)?;
        Ok(format!("{count} positions in {}", path.display()))
    }

    fn merge_database(&mut self, path: &Path) -> Result<String, Refusal> {
        if !path.exists() {
            return Err("there is no such file".to_string());
        }
        let other = Database::open(path).map_err(refusal)?;
        let count = self.change(|writer, _| {
            let mut count = 0;
            let mut result = Ok(());
            other.each(&mut |board, rule, record| {
                count += 1;
                result = writer.merge(&Situation::new(board, rule), record);
                result.is_ok()
            })?;
            result.map(|()| count)
        })?;
        Ok(format!("{count} positions merged"))
    }

    /// Copies the present position, the way to it and what follows.
    fn split_database(&mut self, path: &Path) -> Result<String, Refusal> {
        if path.exists() {
            return Err("the file exists already".to_string());
        }
        let (board, rule) = self.here()?;
        let source = self.database(false)?.ok_or("there is none")?;
        let mut records = Vec::new();
        source
            .read(|reader| {
                let situation = Situation::new(&board, rule);
                records.extend(reader.get(&situation)?.map(|r| (situation, r)));
                reader.walk(&board, rule, &mut |next, record| {
                    records.push((Situation::new(next, rule), record));
                    true
                })
            })
            .map_err(refusal)?;
        let target = Database::open(path).map_err(refusal)?;
        target
            .write(|writer| {
                link(writer, &board, rule)?;
                for (situation, record) in &records {
                    writer.put(situation, record)?;
                }
                Ok::<_, DatabaseError>(())
            })
            .map_err(refusal)?;
        Ok(format!(
            "{} positions written to {}",
            records.len(),
            path.display()
        ))
    }

    fn export_lines(
        &mut self,
        path: &Path,
        all: bool,
        write: &mut dyn FnMut(&mut dyn Write, Line) -> io::Result<bool>,
    ) -> Result<String, Refusal> {
        let here = if all { None } else { Some(self.here()?) };
        let database = self.database(false)?.ok_or("there is none")?;
        let mut out = BufWriter::new(File::create(path).map_err(refusal)?);
        let mut count = 0;
        let mut result = Ok(());
        let mut take = |board: &Board, rule, record: &Record| {
            let line = Line {
                board,
                rule,
                record,
            };
            match write(&mut out, line) {
                Ok(written) => count += usize::from(written),
                Err(error) => result = Err(error),
            }
            result.is_ok()
        };
        match here {
            None => database.each(&mut |board, rule, record| take(board, rule, &record)),
            Some((board, rule)) => database.read(|reader| {
                reader.walk(&board, rule, &mut |next, record| {
                    take(&stored(next, rule), rule, &record)
                })
            }),
        }
        .map_err(refusal)?;
        result.and_then(|()| out.flush()).map_err(refusal)?;
        Ok(format!("{count} positions written to {}", path.display()))
    }

    fn import_text(&mut self, path: &Path) -> Result<String, Refusal> {
        let file = BufReader::new(File::open(path).map_err(refusal)?);
        if self.settings.database().is_readonly {
            return Err("it is read-only".to_string());
        }
        let database = self.database(true)?.ok_or("there is none")?;
        let count = database.write(|writer| read_text(file, writer));
        Ok(format!("{} positions read", count.map_err(refusal)?))
    }

    fn import_library(&mut self, path: &Path) -> Result<String, Refusal> {
        let bytes = std::fs::read(path).map_err(refusal)?;
        let library = Library::read(&bytes).map_err(refusal)?;
        let count = self.change(|writer, rule| import_library(&library, rule, writer))?;
        Ok(format!("{count} moves of a library read"))
    }

    fn export_library(&mut self, path: &Path) -> Result<String, Refusal> {
        let (board, rule) = self.here()?;
        let database = self.database(false)?.ok_or("there is none")?;
        let library = database.read(|reader| export_library(reader, &board, rule));
        let library = library
            .map_err(refusal)?
            .ok_or("RenLib knows only 15x15 and sides that take turns")?;
        std::fs::write(path, library.write()).map_err(refusal)?;
        Ok(format!(
            "{} moves written to {}",
            library.nodes().len() - 1,
            path.display()
        ))
    }

    /// `YXSAVEDATABASE`: every change is on the disk already.
    pub(super) fn save_database(&mut self) {
        let Some(database) = &self.desk.open else {
            return self.message("The database: there is none");
        };
        let path = database.path().display().to_string();
        self.message(format!("DATABASE SAVE START {path}"));
        self.message("DATABASE SAVE DONE");
        self.message(format!("The database: saved in {path}"));
    }

    /// `YXDBCHECK`, `YXDBFIX`.
    pub(super) fn check_database(&mut self) {
        let text = match self.desk.open.as_mut().map(Database::check) {
            None => "there is none".to_string(),
            Some(Ok(true)) => "all is well".to_string(),
            Some(Ok(false)) => "it was damaged; what could be mended is mended".to_string(),
            Some(Err(error)) => error.to_string(),
        };
        self.message(format!("The database: {text}"));
    }

    /// The present position, from which the exports of a part begin.
    fn here(&self) -> Result<(Board, Rule), Refusal> {
        let board = self.board.clone().ok_or("send START first")?;
        Ok((board, self.settings.rule()))
    }

    /// Keeps what a search of `board` found about its moves, if a database is in use.
    pub(super) fn remember(&mut self, board: &Board, rule: Rule, lines: &[SearchInfo]) {
        let wanted = self.settings.database();
        let Some(database) = &self.desk.open else {
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
            link(writer, board, rule)?;
            writer.merge(&Situation::new(board, rule), Record::default())?;
            for line in worth {
                let mut next = board.clone();
                next.play(line.pv[0]);
                writer.merge(&Situation::new(&next, rule), found(line))?;
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
        let Some(database) = self.desk.open.as_ref().filter(|_| used) else {
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

/// Text on the cell of a move that was marked as best.
const BEST_MOVE: &str = "*";

/// One position of an export, in its stored orientation.
struct Line<'a> {
    board: &'a Board,
    rule: Rule,
    record: &'a Record,
}

/// `board` in the orientation in which it is stored, which is the one of its texts on cells.
fn stored(board: &Board, rule: Rule) -> Board {
    let situation = Situation::new(board, rule);
    let mut turned = cleared(board);
    for stone in board.stones() {
        turned.put(situation.turn(stone.point), stone.color);
    }
    turned.set_side_to_move(board.side_to_move());
    turned
}

/// Makes the positions on the way to `board` known, if only as such.
fn link(writer: &mut Writer, board: &Board, rule: Rule) -> Result<(), DatabaseError> {
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
fn found(line: &SearchInfo) -> Record {
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

/// The shown label as Yixin-Board wants it: up to four characters, the first in the highest byte.
fn packed(record: &Record) -> Option<u32> {
    let shown = record.shown_label()?;
    let code = shown
        .bytes()
        .take(4)
        .fold(0, |code, byte| code << 8 | u32::from(byte));
    Some(code)
}
