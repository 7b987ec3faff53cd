//! Saving and loading.

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::{Controller, Effect, Model};
use crate::play::record;
use tengen::engine::strength::Strength;
use tengen::files::is_standard_input;
use tengen::types::Color;

/// Name of the engine in records; its version and [`STRENGTH`] follow.
const ENGINE: &str = "Tengen";
/// Before the engine's strength, 0 to 100, at the end of its name.
const STRENGTH: &str = ", strength ";
/// Name of a person in records.
const PERSON: &str = "Person";

impl Model {
    pub(super) fn save(&mut self, path: Option<PathBuf>, overwrite: bool) -> Vec<Effect> {
        let Some(path) = path.or_else(|| self.path.clone()) else {
            return self.refuse("save to which file?");
        };
        vec![Effect::Write {
            // The game's own file may be overwritten: it holds an earlier state of the same game.
            overwrite: overwrite || self.path.as_ref() == Some(&path),
            path,
            text: self.record(),
        }]
    }

    /// The game in Smart Game Format.
    pub fn record(&self) -> String {
        let names = Color::BOTH.map(|color| {
            let player = self.game.holder(color);
            match (self.controller(player), &*self.names[player.index()]) {
                (Controller::Person, "") => PERSON.to_string(),
                (Controller::Person, name) => name.to_string(),
                (Controller::Engine, _) => {
                    let strength = self.pace.strength.percent();
                    format!("{ENGINE} {}{STRENGTH}{strength}", env!("CARGO_PKG_VERSION"))
                }
            }
        });
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = seconds.map_or(0, |time| time.as_secs());
        record::write(&self.game, [&names[0], &names[1]], seconds)
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
        let loaded = bytes.and_then(|bytes| record::read(path, &bytes, self.game.setup()));
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(error) => return self.refuse(format_args!("{}: {error}", path.display())),
        };
        self.replace_game(loaded.game);
        // The players of our own records keep their sides, and the engine its strength.
        let was_engine = loaded.names.each_ref().map(|name| name.starts_with(ENGINE));
        if let Some(strength) = loaded.names.iter().find_map(|name| strength_of(name)) {
            self.pace.strength = strength;
        }
        if was_engine.contains(&true) || loaded.names.iter().all(|name| name == PERSON) {
            for (color, is_engine) in Color::BOTH.into_iter().zip(was_engine) {
                self.controllers[self.game.holder(color).index()] = match is_engine {
                    true => Controller::Engine,
                    false => Controller::Person,
                };
            }
        }
        for ((color, name), is_engine) in Color::BOTH.into_iter().zip(loaded.names).zip(was_engine)
        {
            if !is_engine {
                self.names[self.game.holder(color).index()] = name;
            }
        }
        // A file with more in it, or in another format, must not be overwritten unasked; a pipe cannot
        // be.
        let is_pipe = is_standard_input(path) || path.exists() && !path.is_file();
        self.path = (loaded.is_whole && !is_pipe).then(|| path.to_owned());
        self.note_saved();
        let effects = self.jump(now);
        let mut told = vec![format!("loaded {}", path.display())];
        if !loaded.notes.is_empty() {
            told[0] += &format!(": {}", loaded.notes.join("; "));
        }
        if self.former.is_some() {
            told.push("resume: back to the game before".to_string());
        }
        self.tell(told.join("; "));
        effects
    }

    /// Goes on with a kept game, as with one that was never saved. `is_newer_open` is true if another
    /// process plays a newer one.
    ///
    /// # Errors
    /// When the file holds no game; nothing changes then.
    pub fn read_kept(
        &mut self,
        path: &Path,
        bytes: Vec<u8>,
        is_newer_open: bool,
        now: Instant,
    ) -> Result<Vec<Effect>, String> {
        let effects = self.read(path, Ok(bytes), now);
        if let Some(notice) = self.notice.take_if(|notice| notice.is_error) {
            return Err(notice.text);
        }
        self.path = None;
        self.saved = Default::default();
        self.tell(match is_newer_open {
            false => "this is the game that was kept",
            true => "this is an older kept game; a newer game is open in another terminal",
        });
        Ok(effects)
    }

    /// Tells that the game is not kept on disk, for this reason.
    pub fn not_kept(&mut self, reason: &str) {
        self.refuse(format_args!("the game is not kept: {reason}"));
    }
}

/// The strength in the engine's name in a record.
fn strength_of(name: &str) -> Option<Strength> {
    let (_, strength) = name.strip_prefix(ENGINE)?.rsplit_once(STRENGTH)?;
    strength.parse().ok().map(Strength::new)
}
