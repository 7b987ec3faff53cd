//! Commands that read or change records of the database, at the position after the moves of their
//! block.

use super::arguments::{RecordEdit, cell_text, record_edit, selection};
use super::{OpenDatabase, Result, add_ancestors};
use crate::{Label, Record, Situation};
use tengen::board::Board;
use tengen::protocol::reply::Reply;
use tengen::protocol::setup::{in_turn, locate};
use tengen::protocol::text::BoardEntry;
use tengen::search::Bound;
use tengen::types::Score;

/// Text on the cell of a move that is marked as best.
const BEST_MOVE: &str = "*";

impl OpenDatabase<'_> {
    /// Does `work` at the position after the moves of a block.
    fn at_position(
        &mut self,
        moves: &[BoardEntry],
        work: impl FnOnce(&mut OpenDatabase, &Board) -> Result<()>,
    ) {
        let board = self.session.board().ok_or("send START first");
        let done = match board.map(|board| in_turn(board, moves)) {
            Ok(board) => work(self, &board),
            Err(why) => Err(why.into()),
        };
        if let Err(why) = done {
            self.report_database_error(None, &*why);
        }
    }

    fn situation(&self, board: &Board) -> Situation {
        Situation::new(board, self.session.settings().rule())
    }

    /// `YXQUERYDATABASEALL`: the knowledge of the next moves.
    pub fn query_children(&mut self, moves: &[BoardEntry]) {
        self.query(moves, |db, board| db.show_children(board));
    }

    /// `YXQUERYDATABASEALLT`: the same, and the comment of the position.
    pub fn query_children_and_comment(&mut self, moves: &[BoardEntry]) {
        self.query(moves, |db, board| {
            db.show_children(board)?;
            db.show_comment(board)
        });
    }

    /// Shows the knowledge of the next moves. Yixin-Board may ask before there is a board.
    fn query(
        &mut self,
        moves: &[BoardEntry],
        show: impl FnOnce(&mut OpenDatabase, &Board) -> Result<()>,
    ) {
        self.session.message("DATABASE REFRESH");
        if self.session.board().is_some() {
            self.at_position(moves, show);
        }
        self.session.message("DATABASE DONE");
    }

    /// `YXQUERYDATABASEONE`: the knowledge of the position.
    pub fn query_record(&mut self, moves: &[BoardEntry]) {
        self.at_position(moves, |db, board| db.show_record(board));
    }

    /// `YXQUERYDATABASETEXT`: its comment.
    pub fn query_comment(&mut self, moves: &[BoardEntry]) {
        self.at_position(moves, |db, board| db.show_comment(board));
    }

    /// `YXEDITTVDDATABASE mask label value depth`.
    pub fn edit_record(&mut self, text: &str, moves: &[BoardEntry]) {
        let Some((edit, _)) = record_edit(text) else {
            return;
        };
        self.at_position(moves, |db, board| {
            db.change_record(board, |record| apply_edit(record, edit))
        });
    }

    /// `YXEDITTEXTDATABASE "comment"`.
    pub fn edit_comment(&mut self, comment: &str, moves: &[BoardEntry]) {
        self.at_position(moves, |db, board| {
            let seen = db.situation(board);
            db.change_record(board, |record| record.set_comment(&seen, comment))
        });
    }

    /// `YXEDITLABELDATABASE x,y text`: the text on a cell.
    pub fn edit_cell_text(&mut self, text: &str, moves: &[BoardEntry]) {
        let Some((cell, _)) = cell_text(text) else {
            return;
        };
        self.at_position(moves, |db, board| {
            let p = locate(board, cell.at).ok_or("no such cell")?;
            let place = db.situation(board).place(p);
            db.change_record(board, |record| record.set_cell_text(place, &cell.text))
        });
    }

    /// `YXSETBESTMOVEDATABASE`: marks the last move as best.
    pub fn mark_best(&mut self, moves: &[BoardEntry]) {
        self.set_mark(moves, BEST_MOVE);
    }

    /// `YXCLEARBESTMOVEDATABASE`: removes that mark.
    pub fn unmark_best(&mut self, moves: &[BoardEntry]) {
        self.set_mark(moves, "");
    }

    fn set_mark(&mut self, moves: &[BoardEntry], mark: &str) {
        self.at_position(moves, |db, board| {
            let mut before = board.clone();
            let last = before.last().ok_or("there is no move to mark")?.point;
            before.undo();
            let place = db.situation(&before).place(last);
            db.change_record(&before, |record| record.set_cell_text(place, mark))
        });
    }

    /// `YXDELETEDATABASEONE`: deletes the knowledge of the position.
    pub fn delete_record(&mut self, moves: &[BoardEntry]) {
        self.at_position(moves, |db, board| {
            let situation = db.situation(board);
            db.change_database(|writer, _| writer.delete(&situation))?;
            Ok(())
        });
    }

    /// `YXDELETEDATABASEALL`: deletes positions that follow.
    pub fn delete_after(&mut self, text: &str, moves: &[BoardEntry]) {
        let Some((selection, _)) = selection(text) else {
            return;
        };
        self.at_position(moves, |db, board| {
            let count =
                db.change_database(|writer, rule| writer.remove_after(board, rule, selection))?;
            db.session
                .message(format!("The database: {count} positions deleted"));
            Ok(())
        });
    }

    /// Changes the record of a position, which may be new.
    fn change_record(&mut self, board: &Board, change: impl FnOnce(&mut Record)) -> Result<()> {
        self.change_database(|writer, rule| {
            add_ancestors(writer, board, rule)?;
            let situation = Situation::new(board, rule);
            let mut record = writer.get(&situation)?.unwrap_or_default();
            change(&mut record);
            writer.put(&situation, &record)
        })
    }

    fn show_children(&mut self, board: &Board) -> Result<()> {
        let rule = self.session.settings().rule();
        let Some(database) = self.database(false)? else {
            return Ok(());
        };
        let situation = Situation::new(board, rule);
        let (here, children) = database.read(|reader| {
            let here = reader.get(&situation)?.unwrap_or_default();
            Ok((here, reader.children(board, rule)?))
        })?;
        for p in board.empty_points() {
            let text = here.cell_text(situation.place(p));
            let child = children.iter().find(|(q, _)| *q == p);
            if child.is_none() && text.is_none() {
                continue;
            }
            let blank = Record::default();
            let record = child.map_or(&blank, |(_, record)| record);
            // 0 is a cell without a record, -1 a record without a label.
            let label = match child {
                Some(_) => packed_label(record).map_or(-1, i64::from),
                None => 0,
            };
            let line = format!(
                "DATABASE {} {} {label} {} {} {} {} {}",
                p.x(),
                p.y(),
                record.value.raw(),
                record.depth,
                record.bound as u8,
                u8::from(record.has_comment()),
                text.unwrap_or_default(),
            );
            self.session.message(line.trim_end());
        }
        Ok(())
    }

    fn show_record(&mut self, board: &Board) -> Result<()> {
        let text = match self.record(board)? {
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
        self.session
            .message(format!("DATABASE ONE {text}").trim_end());
        Ok(())
    }

    fn show_comment(&mut self, board: &Board) -> Result<()> {
        let record = self.record(board)?.unwrap_or_default();
        let comment = record.comment(&self.situation(board));
        self.session.send(Reply::Comment(comment));
        Ok(())
    }

    fn record(&mut self, board: &Board) -> Result<Option<Record>> {
        let situation = self.situation(board);
        match self.database(false)? {
            Some(database) => Ok(database.get(&situation)?),
            None => Ok(None),
        }
    }
}

fn apply_edit(record: &mut Record, edit: RecordEdit) {
    if let Some(code) = edit.label {
        record.label = u8::try_from(code).ok().and_then(Label::new);
    }
    if let Some(value) = edit.value {
        let most = i64::from(Score::WIN.raw());
        record.value = Score::from_raw(value.clamp(-most, most) as i16);
        record.bound = Bound::Exact;
    }
    if let Some(depth) = edit.depth {
        record.depth = depth.clamp(0, i16::MAX.into()) as i16;
    }
}

/// The shown label as Yixin-Board wants it: up to four characters, the first in the highest byte.
fn packed_label(record: &Record) -> Option<u32> {
    let shown = record.shown_label()?;
    let code = shown
        .bytes()
        .take(4)
        .fold(0, |code, byte| code << 8 | u32::from(byte));
    Some(code)
}
