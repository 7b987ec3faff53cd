//! Commands that tell the engine which moves not to play.

use super::Session;
use crate::board::Board;
use crate::protocol::arguments::ForbiddenCell;
use crate::protocol::setup::{in_turn, locate};
use crate::protocol::text::BoardEntry;
use crate::types::Point;

impl Session {
    /// `YXBLOCK`: cells that the engine must not play.
    pub(super) fn exclude(&mut self, entries: &[BoardEntry]) {
        for p in self.points(entries) {
            self.exclusions.block(p);
        }
    }

    /// `YXBLOCKUNDO`: cells that it may play again.
    pub(super) fn allow(&mut self, entries: &[BoardEntry]) {
        for p in self.points(entries) {
            self.exclusions.allow(p);
        }
    }

    /// `YXBLOCKRESET`: all cells may be played again.
    pub(super) fn allow_all(&mut self) {
        self.exclusions.allow_all();
    }

    /// `YXBLOCKPATH`: moves to a position, and last the one that must not be played there.
    pub(super) fn exclude_after(&mut self, entries: &[BoardEntry]) {
        if let Some((before, p)) = last_move(self.board(), entries) {
            self.exclusions.block_after(&before, p);
        }
    }

    /// `YXBLOCKPATHUNDO`: the same for a move that may be played again.
    pub(super) fn allow_after(&mut self, entries: &[BoardEntry]) {
        if let Some((before, p)) = last_move(self.board(), entries) {
            self.exclusions.allow_after(&before, p);
        }
    }

    /// `YXBLOCKPATHRESET`: forgets all of `YXBLOCKPATH`.
    pub(super) fn allow_all_after(&mut self) {
        self.exclusions.allow_all_after();
    }

    /// `YXFORBID`: whether one side may play a cell.
    pub(super) fn forbid(&mut self, cell: ForbiddenCell) {
        match locate(self.board(), cell.at) {
            Some(p) => self.exclusions.forbid(cell.side, p, cell.is_forbidden),
            None => self.error("those coordinates are off the board"),
        }
    }

    /// The entries that lie on the board.
    fn points(&self, entries: &[BoardEntry]) -> Vec<Point> {
        let points = entries.iter().map(|entry| locate(self.board(), entry.at));
        points.flatten().collect()
    }
}

/// The position before the last of these moves, and that move.
fn last_move(board: &Board, entries: &[BoardEntry]) -> Option<(Board, Point)> {
    let (last, before) = entries.split_last()?;
    let before = in_turn(board, before);
    let p = locate(&before, last.at).filter(|&p| before.is_empty(p))?;
    Some((before, p))
}
