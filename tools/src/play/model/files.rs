//! Saving and loading.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::{Controller, Effect, Model};
use crate::play::record;
use tengen::files::is_standard_input;
use tengen::types::Color;

/// Name of the engine in records; its version follows.
const ENGINE: &str = "Tengen";

impl Model {
    pub(super) fn save(&mut self, path: Option<PathBuf>, overwrite: bool) -> Vec<Effect> {
        let Some(path) = path.or_else(|| self.path.clone()) else {
            return self.refuse("save to which file?");
        };
        let names = Color::BOTH.map(|color| match self.controller(self.game.holder(color)) {
            Controller::Person => "Person".to_string(),
            Controller::Engine => format!("{ENGINE} {}", env!("CARGO_PKG_VERSION")),
        });
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
        let text = record::write(
            &self.game,
            [&names[0], &names[1]],
            seconds.map_or(0, |time| time.as_secs()),
        );
        vec![Effect::Write {
            // The game's own file may be overwritten: it holds an earlier state of the same game.
            overwrite: overwrite || self.path.as_ref() == Some(&path),
            path,
            text,
        }]
    }

    /// The result of an [`Effect::Write`].
    pub fn written(&mut self, path: &Path, result: Result<(), String>) {
        match result {
            Ok(()) => {
                self.path = Some(path.to_owned());
                self.note_saved();
                self.tell(format_args!("saved to {}", path.display()));
            }
            Err(error) => {
                self.refuse(format_args!("{}: {error}", path.display()));
            }
        }
    }

    /// The result of an [`Effect::Read`]. An unreadable game changes nothing.
    pub fn read(
        &mut self,
        path: &Path,
        bytes: Result<Vec<u8>, String>,
        now: Instant,
    ) -> Vec<Effect> {
        let loaded = bytes.and_then(|bytes| {
            record::read(path, &bytes, self.game.setup()).map_err(|error| error.to_string())
        });
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => return self.refuse(format_args!("{}: {error}", path.display())),
        };
        self.game = loaded.game;
        self.earlier_games += 1;
        // A player against the engine keeps his side, whatever the present setting.
        let was_engine = loaded.names.map(|name| name.starts_with(ENGINE));
        if was_engine.contains(&true) {
            for (color, is_engine) in Color::BOTH.into_iter().zip(was_engine) {
                self.controllers[self.game.holder(color).index()] = match is_engine {
                    true => Controller::Engine,
                    false => Controller::Person,
                };
            }
        }
        // A file with more in it, or in another format, must not be overwritten unasked; a pipe cannot
        // be.
        let is_pipe = is_standard_input(path) || path.exists() && !path.is_file();
        self.path = (loaded.is_whole && !is_pipe).then(|| path.to_owned());
        self.note_saved();
        let effects = self.jump(now);
        let name = path.display();
        match loaded.notes.is_empty() {
            true => self.tell(format_args!("loaded {name}")),
            false => self.tell(format_args!("loaded {name}: {}", loaded.notes.join("; "))),
        }
        effects
    }
}
