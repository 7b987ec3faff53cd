//! Commands about the transposition table.

use super::Session;
use super::command::{Answer, Request};
use crate::engine::GameKind;
use crate::engine::hash_file::{is_hash_file, load, write};
use crate::files::write_file;
use crate::protocol::text::{plain, shown};

impl Session {
    /// The kind of the current game; `None` without a board.
    pub(super) fn game(&self) -> Option<GameKind> {
        let board = self.board.as_ref()?;
        Some(GameKind {
            rule: self.settings.rule(),
            width: board.width(),
            height: board.height(),
        })
    }

    /// Applies the settings to the engine and prepares its table for the current game, unless the
    /// engine works.
    pub(super) fn prepare(&mut self) {
        self.configure();
        if let (Some(game), Some(engine)) = (self.game(), self.engine.idle()) {
            engine.prepare(game);
            self.table = engine.table();
        }
    }

    /// Applies the settings to the engine and drops the session's share of the table: a second
    /// owner would keep the old table allocated beside a new one.
    pub(super) fn configure(&mut self) {
        let Some(engine) = self.engine.idle().filter(|_| self.board.is_some()) else {
            return;
        };
        if engine.options() != self.settings.options() {
            engine.set_options(self.settings.options());
        }
        if engine.params() != self.settings.params() {
            engine.set_params(self.settings.params().clone());
        }
        if engine.evaluation() != self.settings.evaluation() {
            engine.set_evaluation(self.settings.evaluation().clone());
        }
        self.table = None;
    }

    /// `YXSHOWHASHUSAGE`: the filled part of the table.
    pub(super) fn show_hash_usage(&mut self, _: &Request) -> Answer {
        let usage = self.table.as_ref().map_or(0.0, |(table, _)| table.usage());
        let percent = 100.0 * usage;
        self.message(format!("Transposition table full: {percent:.1}%"));
        Ok(())
    }

    /// `YXHASHCLEAR`: forget earlier searches.
    pub(super) fn clear_hash(&mut self, _: &Request) -> Answer {
        self.table = None;
        if let Some(engine) = self.engine.idle() {
            engine.clear_hash();
        }
        Ok(())
    }

    /// `YXHASHDUMP`: write the table to a file.
    pub(super) fn dump_hash(&mut self, request: &Request) -> Answer {
        let Some((table, origin)) = self.table.clone() else {
            self.message("Hash table: there is nothing to write yet");
            return Ok(());
        };
        let shown = shown(request.path());
        let written = write_file(request.path(), is_hash_file, |out| {
            write(&table, origin, out)
        });
        let text = match written {
            Ok(count) => format!("Hash table: {count} entries written to {shown}"),
            Err(error) => format!("Hash table: {shown} was not written: {error}"),
        };
        self.message(plain(&text));
        Ok(())
    }

    /// `YXHASHLOAD`: read the table from a file.
    pub(super) fn load_hash(&mut self, request: &Request) -> Answer {
        // The settings may have changed since the table was made.
        if self.search.is_none() {
            self.prepare();
        }
        let Some((table, origin)) = self.table.clone() else {
            self.message("Hash table: send START first, the file belongs to a size");
            return Ok(());
        };
        let shown = shown(request.path());
        let text = match load(&table, origin, request.path()) {
            Ok(count) => format!("Hash table: {count} entries read from {shown}"),
            Err(error) => format!("Hash table: {shown} was not read: {error}"),
        };
        self.message(plain(&text));
        Ok(())
    }
}
