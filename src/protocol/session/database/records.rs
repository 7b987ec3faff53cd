//! Commands that read or change records of the database, at the position after the moves of their
//! block.

use super::{Result, Session, add_ancestors};
use crate::board::Board;
use crate::database::{Label, Record, Selection, Situation};
use crate::protocol::database_arguments::{CellText, RecordEdit};
use crate::protocol::reply::Reply;
use crate::protocol::setup::{in_turn, locate};
use crate::protocol::text::BoardEntry;
use crate::search::Bound;
use crate::types::Score;

/// Text on the cell of a move that is marked as best.
const BEST_MOVE: &str = "*";

impl Session {
    /// Does `work` at the position after the moves of a block.
    fn at_position(
        &mut self,
        moves: &[BoardEntry],
        work: impl FnOnce(&mut Session, &Board) -> Result<()>,
    ) {
        let board = self.board.as_ref().ok_or("send START first");
        let done = match board.map(|board| in_turn(board, moves)) {
            Ok(board) => work(self, &board),
            Err(why) => Err(why.into()),
        };
        if let Err(why) = done {
            self.report_database_error(None, &*why);
        }
    }

    fn situation(&self, board: &Board) -> Situation {
        Situation::new(board, self.settings.rule())
    }

    /// `YXQUERYDATABASEALL`: what is known of the next moves.
    pub(crate) fn query_children(&mut self, moves: &[BoardEntry]) {
        self.query(moves, Session::show_children);
    }

    /// `YXQUERYDATABASEALLT`: the same, and the comment of the position.
    pub(crate) fn query_children_and_comment(&mut self, moves: &[BoardEntry]) {
        self.query(moves, |session, board| {
            session.show_children(board)?;
            session.show_comment(board)
        });
    }

    /// Shows what is known of the next moves. Yixin-Board may ask before there is a board.
    fn query(
        &mut self,
        moves: &[BoardEntry],
        show: impl FnOnce(&mut Session, &Board) -> Result<()>,
    ) {
        self.message("DATABASE REFRESH");
        if self.board.is_some() {
            self.at_position(moves, show);
        }
        self.message("DATABASE DONE");
    }

    /// `YXQUERYDATABASEONE`: what is known of the position.
    pub(crate) fn query_record(&mut self, moves: &[BoardEntry]) {
        self.at_position(moves, Session::show_record);
    }

    /// `YXQUERYDATABASETEXT`: its comment.
    pub(crate) fn query_comment(&mut self, moves: &[BoardEntry]) {
        self.at_position(moves, Session::show_comment);
    }

    /// `YXEDITTVDDATABASE mask label value depth`.
    pub(crate) fn edit_record(&mut self, edit: RecordEdit, moves: &[BoardEntry]) {
        self.at_position(moves, |session, board| {
            session.change_record(board, |record| apply_edit(record, edit))
        });
    }

    /// `YXEDITTEXTDATABASE "comment"`.
    pub(crate) fn edit_comment(&mut self, comment: String, moves: &[BoardEntry]) {
        self.at_position(moves, |session, board| {
            session.change_record(board, |record| record.comment = comment)
        });
    }

    /// `YXEDITLABELDATABASE x,y text`: the text on a cell.
    pub(crate) fn edit_cell_text(&mut self, cell: CellText, moves: &[BoardEntry]) {
        self.at_position(moves, |session, board| {
            let p = locate(board, cell.at).ok_or("no such cell")?;
            let place = session.situation(board).place(p);
            session.change_record(board, |record| record.set_cell_text(place, &cell.text))
        });
    }

    /// `YXSETBESTMOVEDATABASE`: marks the last move as best.
    pub(crate) fn mark_best(&mut self, moves: &[BoardEntry]) {
        self.set_mark(moves, BEST_MOVE);
    }

    /// `YXCLEARBESTMOVEDATABASE`: removes that mark.
    pub(crate) fn unmark_best(&mut self, moves: &[BoardEntry]) {
        self.set_mark(moves, "");
    }

    fn set_mark(&mut self, moves: &[BoardEntry], mark: &str) {
        self.at_position(moves, |session, board| {
            let mut before = board.clone();
            let last = before.last().ok_or("there is no move to mark")?.point;
            before.undo();
            let place = session.situation(&before).place(last);
            session.change_record(&before, |record| record.set_cell_text(place, mark))
        });
    }

    /// `YXDELETEDATABASEONE`: deletes what is known of the position.
    pub(crate) fn delete_record(&mut self, moves: &[BoardEntry]) {
        self.at_position(moves, |session, board| {
            let situation = session.situation(board);
            session.change_database(|writer, _| writer.delete(&situation))?;
            Ok(())
        });
    }

    /// `YXDELETEDATABASEALL`: deletes positions that follow.
    pub(crate) fn delete_after(&mut self, selection: Selection, moves: &[BoardEntry]) {
        self.at_position(moves, |session, board| {
            let count = session
                .change_database(|writer, rule| writer.remove_after(board, rule, selection))?;
            session.message(format!("The database: {count} positions deleted"));
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
        let rule = self.settings.rule();
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
                u8::from(!record.comment.is_empty()),
                text.unwrap_or_default(),
            );
            self.message(line.trim_end());
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
        self.message(format!("DATABASE ONE {text}").trim_end());
        Ok(())
    }

    fn show_comment(&mut self, board: &Board) -> Result<()> {
        let record = self.record(board)?.unwrap_or_default();
        self.send(Reply::Comment(record.comment));
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
