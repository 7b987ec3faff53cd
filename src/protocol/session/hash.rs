//! Commands about the transposition table.

use std::path::Path;

use super::Session;
use crate::engine::GameKind;
use crate::engine::hash_file::{dump, load};

impl Session {
    /// The game that is played now; `None` without a board.
    pub(super) fn game(&self) -> Option<GameKind> {
        let board = self.board.as_ref()?;
        Some(GameKind {
            rule: self.settings.rule(),
            width: board.width(),
            height: board.height(),
        })
    }

    /// Gets the engine, if it is at home, and its table ready for the present game.
    pub(super) fn prepare(&mut self) {
        let (Some(game), Some(engine)) = (self.game(), &mut self.engine) else {
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
        // Held here too, the old table would outlive its place in the engine.
        self.table = None;
        engine.prepare(game);
        self.table = engine.table();
    }

    /// `YXSHOWHASHUSAGE`.
    pub(super) fn show_hash_usage(&mut self) {
        let usage = self.table.as_ref().map_or(0.0, |(table, _)| table.usage());
        let percent = 100.0 * usage;
        self.message(format!("Transposition table full: {percent:.1}%"));
    }

    /// `YXHASHCLEAR`.
    pub(super) fn clear_hash(&mut self) {
        self.table = None;
        if let Some(engine) = &mut self.engine {
            engine.clear_hash();
        }
    }

    /// `YXHASHDUMP`.
    pub(super) fn dump_hash(&mut self, path: &str) {
        let Some((table, origin)) = self.table.clone() else {
            return self.message("Hash table: there is nothing to write yet");
        };
        let text = match dump(&table, origin, Path::new(path)) {
            Ok(count) => format!("Hash table: {count} entries written to {path}"),
            Err(error) => format!("Hash table: {path} was not written: {error}"),
        };
        self.message(text);
    }

    /// `YXHASHLOAD`.
    pub(super) fn load_hash(&mut self, path: &str) {
        // Without a search the settings may have changed since the table was made.
        if self.search.is_none() {
            self.prepare();
        }
        let Some((table, origin)) = self.table.clone() else {
            return self.message("Hash table: send START first, the file belongs to a size");
        };
        let text = match load(&table, origin, Path::new(path)) {
            Ok(count) => format!("Hash table: {count} entries read from {path}"),
            Err(error) => format!("Hash table: {path} was not read: {error}"),
        };
        self.message(text);
    }
}
