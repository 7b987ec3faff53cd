//! Games are kept on disk while they are played, so that none ends with its terminal or process.
//!
//! Each game has a file of its own, written whole after each turn, and beside the file a lock, held
//! by the process that plays the game: so no two processes write one file.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use super::game::Turn;
use super::model::{Effect, Model};
use crate::arena::record::sgf::date;
use crate::game::referee::Ending;
use tengen::files::{
    any_kind, no_kind, open_alone, read_regular_file, remove_abandoned, write_file,
};

/// Most files; the oldest ones are removed.
const MOST_FILES: usize = 20;
/// Extension of a game, and of the lock beside it.
const GAME: &str = "sgf";
const LOCK: &str = "lock";

/// A game on disk.
struct KeptGame {
    /// [`Model::game_number`].
    number: u32,
    path: PathBuf,
    _lock: File,
    turns: Vec<Turn>,
    ending: Option<Ending>,
}

/// The games of this process that are kept in a folder.
pub struct Keeper {
    folder: PathBuf,
    games: Vec<KeptGame>,
}

impl Keeper {
    /// Keeps games in this folder, which is made when needed.
    pub fn new(folder: PathBuf) -> Keeper {
        Keeper {
            folder,
            games: Vec::new(),
        }
    }

    /// The file of the present game, if it holds all of the game.
    pub fn file_of(&self, model: &Model) -> Option<&Path> {
        let game = model.game();
        let is_it = |kept: &&KeptGame| {
            kept.number == model.game_number() && kept.turns.starts_with(game.turns())
        };
        self.games.iter().rev().find(is_it).map(|kept| &*kept.path)
    }

    /// Keeps the present game if any part of the game is not on disk. Turns that are only taken
    /// back stay in the file, and a finished game keeps its file where another end is played.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&mut self, model: &Model) -> io::Result<()> {
        let game = model.game();
        if game.turns().is_empty() || !model.is_unsaved() {
            return Ok(());
        }
        let is_it = |kept: &KeptGame| kept.number == model.game_number();
        let known = self.games.iter().rposition(is_it);
        if let Some(kept) = known.map(|known| &self.games[known]) {
            let is_longer = kept.turns.len() > game.turns().len();
            let is_known =
                is_longer || game.ending().is_none() || game.ending() == kept.ending.as_ref();
            if kept.turns.starts_with(game.turns()) && is_known {
                return Ok(());
            }
        }
        let known = known.filter(|&known| self.games[known].ending.is_none());
        let index = match known {
            Some(known) => known,
            None => {
                self.begin(model.game_number())?;
                self.games.len() - 1
            }
        };
        let kept = &mut self.games[index];
        write_file(&kept.path, any_kind, |file| {
            file.write_all(model.record().as_bytes())
        })?;
        kept.turns = game.turns().to_vec();
        kept.ending = game.ending().cloned();
        Ok(())
    }

    /// Begins a file with the first free name.
    fn begin(&mut self, number: u32) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        self.remove_old();
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
        let day = date(seconds.map_or(0, |time| time.as_secs()));
        for n in 1_u32.. {
            let path = self.folder.join(format!("{day}-{n}.{GAME}"));
            if path.exists() {
                continue;
            }
            let Some(lock) = open_alone(&path.with_extension(LOCK))? else {
                continue;
            };
            // Another process may have had the lock, and have written the file, in between.
            match write_file(&path, no_kind, |_| Ok::<_, io::Error>(())) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                written => written?,
            }
            self.games.push(KeptGame {
                number,
                path,
                _lock: lock,
                turns: Vec::new(),
                ending: None,
            });
            break;
        }
        Ok(())
    }

    /// The kept games, the latest first.
    fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == GAME) {
                // One that another process has just removed has no time.
                files.extend(
                    fs::metadata(&path)
                        .and_then(|data| data.modified())
                        .map(|at| (at, path)),
                );
            }
        }
        files.sort_unstable();
        Ok(files.into_iter().rev().map(|(_, path)| path).collect())
    }

    /// Removes the oldest games that nobody plays. A failure leaves them where they are.
    fn remove_old(&self) {
        let files = self.files().unwrap_or_default();
        for path in files.iter().skip(MOST_FILES - 1) {
            let lock = path.with_extension(LOCK);
            if let Ok(Some(_held)) = open_alone(&lock) {
                let _ = remove_abandoned(path);
                let _ = fs::remove_file(path);
                let _ = fs::remove_file(&lock);
            }
        }
    }

    /// Goes on with the latest kept game that no other process plays.
    ///
    /// # Errors
    /// When there is none, or when its file cannot be read, with the reason; the model is unchanged
    /// then.
    pub fn resume(&mut self, model: &mut Model, now: Instant) -> Result<Vec<Effect>, String> {
        let unread = |path: &Path, error: String| format!("{}: {error}", path.display());
        let files = match self.files() {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(unread(&self.folder, error.to_string()));
            }
            files => files.unwrap_or_default(),
        };
        let is_any = !files.is_empty();
        let mut is_newer_open = false;
        for path in files {
            let lock = open_alone(&path.with_extension(LOCK));
            let Some(lock) = lock.map_err(|error| unread(&path, error.to_string()))? else {
                is_newer_open = true;
                continue;
            };
            let bytes =
                read_regular_file(&path).map_err(|error| unread(&path, error.to_string()))?;
            if bytes.is_empty() {
                // Its process was killed before the first turn was written.
                continue;
            }
            let effects = model
                .read_kept(&path, bytes, is_newer_open, now)
                .map_err(|text| unread(&path, text))?;
            self.games.push(KeptGame {
                number: model.game_number(),
                path,
                _lock: lock,
                turns: model.game().turns().to_vec(),
                ending: model.game().ending().cloned(),
            });
            return Ok(effects);
        }
        Err(match is_any {
            true => "another process plays the kept game".to_string(),
            false => format!("no game is kept in {}", self.folder.display()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::clock::TimeControl;
    use crate::play::command::{Side, parse};
    use crate::play::game::GameSetup;
    use crate::play::model::Pace;
    use tengen::engine::strength::Strength;
    use tengen::openings::OpeningRule;
    use tengen::rules::Rule;

    /// A process in which two people play.
    struct Process {
        model: Model,
        keeper: Keeper,
    }

    impl Process {
        fn new(folder: &Path) -> Process {
            let setup = GameSetup {
                rule: Rule::Freestyle,
                opening: OpeningRule::Free,
                width: 15,
                height: 15,
                time: TimeControl::default(),
            };
            let pace = Pace {
                turn: None,
                depth: Some(1),
                nodes: None,
                strength: Strength::FULL,
            };
            let model = Model::new(setup, Side::Both, pace, Instant::now()).unwrap();
            Process {
                model,
                keeper: Keeper::new(folder.join("games")),
            }
        }

        fn say(&mut self, line: &str) {
            let command = parse(line, self.model.game().board()).unwrap();
            self.model.command(command, Instant::now());
            self.keeper.keep(&self.model).unwrap();
        }

        fn resume(&mut self) -> Result<String, String> {
            let resumed = self.keeper.resume(&mut self.model, Instant::now());
            resumed.map_err(|error| error.to_string())?;
            Ok(self.stones())
        }

        fn stones(&self) -> String {
            let stones = self.model.game().board().stones().iter();
            let labels: Vec<String> = stones.map(|stone| stone.point.label(15)).collect();
            labels.join(" ")
        }

        /// Ends without a word.
        fn kill(self) {}
    }

    fn games(folder: &Path) -> usize {
        let entries = fs::read_dir(folder.join("games")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.extension().is_some_and(|e| e == GAME))
            .count()
    }

    #[test]
    fn a_game_outlives_its_process() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Process::new(folder.path());
        assert!(
            first
                .resume()
                .unwrap_err()
                .starts_with("no game is kept in ")
        );
        first.say("board");
        assert!(!folder.path().join("games").exists(), "nothing to keep");
        first.say("h8 i9 h7");
        let mut second = Process::new(folder.path());
        assert_eq!(
            second.resume().unwrap_err(),
            "another process plays the kept game"
        );
        first.kill();
        assert_eq!(second.resume().unwrap(), "h8 i9 h7");
        let told = |process: &Process| process.model.notice().unwrap().text.clone();
        assert_eq!(told(&second), "this is the game that was kept");
        assert!(second.model.is_unsaved() && second.model.path().is_none());
        second.say("a1");
        assert_eq!(games(folder.path()), 1, "the game goes on in its file");
        second.kill();
        assert_eq!(Process::new(folder.path()).resume().unwrap(), "h8 i9 h7 a1");
    }

    /// The game that comes back is not the newest one, so its reader learns why.
    #[test]
    fn a_newer_game_of_another_process_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut older = Process::new(folder.path());
        older.say("h8");
        older.kill();
        let path = folder.path().join("games");
        let file = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let file = file
            .filter(|path| path.extension().is_some_and(|e| e == GAME))
            .last();
        let hour = std::time::Duration::from_secs(3600);
        let file = File::options().write(true).open(file.unwrap()).unwrap();
        file.set_modified(SystemTime::now() - hour).unwrap();
        let mut newer = Process::new(folder.path());
        newer.say("a1");
        let mut third = Process::new(folder.path());
        assert_eq!(third.resume().unwrap(), "h8");
        let told = &third.model.notice().unwrap().text;
        assert!(
            told.contains("a newer game is open in another terminal"),
            "{told}"
        );
    }

    /// Another game, or another end of a finished one, has a file of its own.
    #[test]
    fn no_game_takes_the_file_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Process::new(folder.path());
        process.say("h8 i9");
        let file = process
            .keeper
            .file_of(&process.model)
            .unwrap()
            .to_path_buf();
        let text = || fs::read_to_string(&file).unwrap();
        process.say("undo");
        assert!(text().contains(";W[ig]"), "what is only taken back stays");
        process.say("i8");
        assert!(text().contains(";W[ih]") && !text().contains(";W[ig]"));
        process.say("resign");
        let finished = text();
        assert!(finished.contains("RE[W+R]"), "{finished}");
        process.say("undo");
        assert_eq!(text(), finished);
        process.say("j8");
        assert_eq!((text(), games(folder.path())), (finished.clone(), 2));
        process.say("new renju");
        process.say("a1");
        assert_eq!(games(folder.path()), 3);
        process.say("resume");
        process.say("k8");
        assert_eq!((text(), games(folder.path())), (finished, 3));
        let mut other = Process::new(folder.path());
        other.say("c3");
        assert_eq!(games(folder.path()), 4);
        process.kill();
        assert_eq!(Process::new(folder.path()).resume().unwrap(), "h8 i8 j8 k8");
    }

    #[test]
    fn old_games_are_removed_but_none_that_is_played() {
        let folder = tempfile::tempdir().unwrap();
        let mut played = Process::new(folder.path());
        played.say("h8");
        for _ in 0..MOST_FILES + 5 {
            let mut process = Process::new(folder.path());
            process.say("a1");
        }
        assert!((MOST_FILES..=MOST_FILES + 1).contains(&games(folder.path())));
        assert!(played.keeper.file_of(&played.model).unwrap().exists());
    }

    /// A folder that cannot be written is told, and the game goes on.
    #[test]
    fn a_game_that_cannot_be_kept_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games"), "a file").unwrap();
        let mut process = Process::new(folder.path());
        let h8 = parse("h8", process.model.game().board()).unwrap();
        process.model.command(h8, Instant::now());
        assert!(process.keeper.keep(&process.model).is_err());
        assert!(process.keeper.file_of(&process.model).is_none());
        assert_eq!(process.stones(), "h8");
    }
}
