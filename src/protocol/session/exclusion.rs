//! Commands that exclude moves from the engine's play.

use super::Session;
use super::command::{Answer, Request};
use crate::board::Board;
use crate::protocol::setup::{in_turn, locate};
use crate::protocol::text::BoardEntry;
use crate::protocol::text::forbidden_cell;
use crate::types::Point;

impl Session {
    /// `YXBLOCK`: cells that the engine must not play.
    pub(super) fn exclude(&mut self, request: &Request) -> Answer {
        for p in self.points(&request.cells) {
            self.exclusions.block(p);
        }
        Ok(())
    }

    /// `YXBLOCKUNDO`: cells that the engine may play again.
    pub(super) fn allow(&mut self, request: &Request) -> Answer {
        for p in self.points(&request.cells) {
            self.exclusions.allow(p);
        }
        Ok(())
    }

    /// `YXBLOCKRESET`: all cells may be played again.
    pub(super) fn allow_all(&mut self, _: &Request) -> Answer {
        self.exclusions.allow_all();
        Ok(())
    }

    /// `YXBLOCKPATH`: moves to a position, and last the excluded move there.
    pub(super) fn exclude_after(&mut self, request: &Request) -> Answer {
        if let Some((before, p)) = last_move(self.current_board(), &request.cells) {
            self.exclusions.block_after(&before, p);
        }
        Ok(())
    }

    /// `YXBLOCKPATHUNDO`: the same, to allow the move again.
    pub(super) fn allow_after(&mut self, request: &Request) -> Answer {
        if let Some((before, p)) = last_move(self.current_board(), &request.cells) {
            self.exclusions.allow_after(&before, p);
        }
        Ok(())
    }

    /// `YXBLOCKPATHRESET`: forgets all of `YXBLOCKPATH`.
    pub(super) fn allow_all_after(&mut self, _: &Request) -> Answer {
        self.exclusions.allow_all_after();
        Ok(())
    }

    /// `YXFORBID`: excludes a cell for one side, or allows it again.
    pub(super) fn forbid(&mut self, request: &Request) -> Answer {
        let cell = forbidden_cell(&request.text)?;
        let p =
            locate(self.current_board(), cell.at).ok_or("those coordinates are off the board")?;
        self.exclusions.forbid(cell.side, p, cell.is_forbidden);
        Ok(())
    }

    /// The entries on the board.
    fn points(&self, entries: &[BoardEntry]) -> Vec<Point> {
        let points = entries
            .iter()
            .map(|entry| locate(self.current_board(), entry.at));
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
