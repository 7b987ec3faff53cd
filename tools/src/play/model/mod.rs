//! The state of a game at a terminal apart from the board: players, the running search, hints,
//! messages, and the effects of commands.

mod choosing;
mod files;
mod new_game;
mod thinking;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::command::{Command, Side};
use super::game::{Action, Game, GameSetup, Turn, Used};
use crate::game::clock::Face;
use crate::game::referee::{Ending, Reason};
use tengen::engine::strength::Strength;
use tengen::openings::{NotPlayable, Player};
use tengen::types::{Color, Point};

pub use thinking::{Answer, Hint, Purpose, SearchJob, SearchTask, Thinking};

/// The controller that decides for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// Somebody at the terminal.
    Person,
    /// The engine.
    Engine,
}

/// The engine's pace: the bounds of its thinking about one move, and its strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Time for a move; `None` if only the other fields bound it.
    pub turn: Option<Duration>,
    /// Deepest iteration in plies.
    pub depth: Option<u32>,
    /// Nodes of a search.
    pub nodes: Option<u64>,
    /// Playing strength; hints always have full strength.
    pub strength: Strength,
}

/// Parts of the display that a person may switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// Win rates, their graph, and the engine's lines.
    pub values: bool,
    /// The numbers of the moves on the stones.
    pub numbers: bool,
}

/// A message to be shown once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text, one sentence.
    pub text: String,
    /// True for a report that something was not done.
    pub is_error: bool,
}

/// A wish of the model; see [`Driver`](super::driver::Driver).
#[derive(Clone, Debug)]
pub enum Effect {
    /// Start this search; the answer of an earlier one is dropped.
    Start(Box<SearchJob>),
    /// End the running search soon; its answer is wanted.
    Stop,
    /// End the running search; its answer is not wanted.
    Drop,
    /// Write a file, and report the result.
    Write {
        /// The path.
        path: PathBuf,
        /// The text.
        text: String,
        /// True if an existing file is overwritten.
        overwrite: bool,
    },
    /// Read a file, and report its content.
    Read(PathBuf),
    /// Leave.
    Quit,
}

/// The whole state of a game at a terminal.
pub struct Model {
    game: Game,
    controllers: [Controller; 2],
    /// The players' names in the record that was read; empty if it has none.
    names: [String; 2],
    pace: Pace,
    display: Display,
    thinking: Option<Thinking>,
    hint: Option<Hint>,
    /// Points chosen so far for a choice of several.
    picked: Vec<Point>,
    notice: Option<Notice>,
    /// The time at which the present turn began.
    turn_began: Instant,
    /// The id of the next job.
    next_job: u64,
    /// The file that the game was last saved to, or loaded from.
    path: Option<PathBuf>,
    /// The game's turns and ending in that file.
    saved: (Vec<Turn>, Option<Ending>),
    /// The number of the game among those begun and loaded, from 0.
    game_number: u32,
    /// Games begun and loaded so far.
    games: u32,
    /// The game before the last new or loaded one.
    former: Option<Box<Former>>,
}

/// A game that was left for another one.
struct Former {
    game: Game,
    controllers: [Controller; 2],
    names: [String; 2],
    path: Option<PathBuf>,
    saved: (Vec<Turn>, Option<Ending>),
    game_number: u32,
}

impl Model {
    /// A game at its beginning; `side` names the persons' first colours.
    ///
    /// # Errors
    /// When the opening rule cannot be played on the board.
    pub fn new(
        setup: GameSetup,
        side: Side,
        pace: Pace,
        now: Instant,
    ) -> Result<Model, NotPlayable> {
        let mut model = Model {
            game: Game::new(setup)?,
            controllers: [Controller::Person; 2],
            names: Default::default(),
            pace,
            display: Display {
                values: true,
                numbers: false,
            },
            thinking: None,
            hint: None,
            picked: Vec::new(),
            notice: None,
            turn_began: now,
            next_job: 0,
            path: None,
            saved: (Vec::new(), None),
            game_number: 0,
            games: 1,
            former: None,
        };
        model.set_side(side);
        Ok(model)
    }

    /// Starts the clock and the engine; called once, at the beginning.
    pub fn begin(&mut self, now: Instant) -> Vec<Effect> {
        self.turn_began = now;
        self.go_on(now)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The number of the game among those begun and loaded, from 0. A game that is resumed keeps
    /// its number.
    pub fn game_number(&self) -> u32 {
        self.game_number
    }

    /// The controller of `player`.
    pub fn controller(&self, player: Player) -> Controller {
        self.controllers[player.index()]
    }

    /// True if a person decides now.
    pub fn is_persons_turn(&self) -> bool {
        let player = self.game.player();
        player.is_some_and(|player| self.controller(player) == Controller::Person)
    }

    /// The bounds of the engine's thinking if no clock has any.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The shown parts.
    pub fn display(&self) -> Display {
        self.display
    }

    /// Shows these parts.
    pub fn show(&mut self, display: Display) {
        self.display = display;
    }

    /// The file that the game was last saved to, or loaded from.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The running search, if any.
    pub fn thinking(&self) -> Option<&Thinking> {
        self.thinking.as_ref()
    }

    /// The engine's advice in this turn.
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// Points chosen so far for a choice of several; the choice is not complete yet.
    pub fn picked(&self) -> &[Point] {
        &self.picked
    }

    /// The latest message, until the next command.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }

    /// The latest message; it is removed.
    pub fn take_notice(&mut self) -> Option<Notice> {
        self.notice.take()
    }

    /// Time used in the present turn; nothing after the end.
    pub fn used(&self, now: Instant) -> Duration {
        match self.game.player() {
            Some(_) => now.saturating_duration_since(self.turn_began),
            None => Duration::ZERO,
        }
    }

    /// The clock of `player`; `None` in a game without clocks.
    pub fn clock(&self, player: Player, now: Instant) -> Option<Face> {
        self.game.clock_face(player, self.used(now))
    }

    /// True if the game differs from its file.
    pub fn is_unsaved(&self) -> bool {
        let (turns, ending) = &self.saved;
        (self.game.turns(), self.game.ending()) != (turns, ending.as_ref())
    }

    /// Notes that the file holds the present game.
    fn note_saved(&mut self) {
        self.saved = (self.game.turns().to_vec(), self.game.ending().cloned());
    }

    /// Carries out a person's command.
    pub fn command(&mut self, command: Command, now: Instant) -> Vec<Effect> {
        self.notice = None;
        match command {
            Command::Points(points) => self.points(&points, now),
            Command::Pass => self.persons_action(Action::Pass, now),
            Command::Swap | Command::Stay | Command::Choose(_) if !self.picked.is_empty() => {
                self.refuse("a stone is chosen already: choose the next one, or undo takes it back")
            }
            Command::Swap => self.keep_or_swap(true, now),
            Command::Stay => self.keep_or_swap(false, now),
            Command::Choose(choice) => self.persons_action(Action::Choose(choice), now),
            Command::Undo => self.undo(now),
            Command::Redo => self.redo(now),
            Command::Hint => self.ask_hint(now),
            Command::MoveNow => match &self.thinking {
                Some(_) => vec![Effect::Stop],
                None => self.refuse("the engine is not thinking"),
            },
            Command::Resign => self.resign(now),
            Command::Save { path, overwrite } => self.save(path, overwrite),
            Command::Load(path) => vec![Effect::Read(path)],
            Command::New(changes) => self.new_game(&changes, now),
            Command::Resume => self.resume(now),
            Command::Side(side) => self.change(Some(side), None, now),
            Command::Strength(strength) => {
                self.pace.strength = strength;
                self.tell("this holds from the engine's next move on");
                Vec::new()
            }
            Command::Values => {
                self.display.values = !self.display.values;
                self.tell(match self.display.values {
                    true => "the engine's values are shown",
                    false => "the engine's values are hidden",
                });
                Vec::new()
            }
            Command::Numbers => {
                self.display.numbers = !self.display.numbers;
                Vec::new()
            }
            Command::Quit => vec![Effect::Quit],
            // The user interface shows these.
            Command::Board | Command::Moves | Command::Help => Vec::new(),
        }
    }

    /// Changes the persons' sides and the engine's strength at once, where they are given.
    pub fn change(
        &mut self,
        side: Option<Side>,
        strength: Option<Strength>,
        now: Instant,
    ) -> Vec<Effect> {
        let mut effects = self.drop_search();
        if let Some(side) = side {
            self.set_side(side);
        }
        self.pace.strength = strength.unwrap_or(self.pace.strength);
        effects.extend(self.go_on(now));
        effects
    }

    /// Time passes: a flag may fall. Call this from time to time.
    pub fn tick(&mut self, now: Instant) -> Vec<Effect> {
        let used = self.used(now);
        self.game.look_at_clock(used);
        match self.game.ending() {
            Some(_) if self.thinking.is_some() => self.drop_search(),
            _ => Vec::new(),
        }
    }

    /// A person's turn of the game.
    fn persons_action(&mut self, action: Action, now: Instant) -> Vec<Effect> {
        if self.game.player().is_some() && !self.is_persons_turn() {
            return self.refuse("it is the engine's turn; 'now' makes it move");
        }
        if let Err(reason) = self.game.judge(&action) {
            return self.refuse(reason);
        }
        let mut effects = self.drop_search();
        effects.extend(self.act(action, None, now));
        effects
    }

    /// Does an action judged as possible, and goes on with the game.
    fn act(
        &mut self,
        action: Action,
        thought: Option<super::game::Thought>,
        now: Instant,
    ) -> Vec<Effect> {
        let used = Used::OnClock(self.used(now));
        if let Err(reason) = self.game.act(action, used, thought) {
            return self.refuse(reason);
        }
        self.new_turn(now);
        self.go_on(now)
    }

    /// Forgets the state of the last turn.
    fn new_turn(&mut self, now: Instant) {
        self.hint = None;
        self.picked.clear();
        self.turn_began = now;
    }

    /// Takes back the point picked last, or a resignation or a loss on time. Otherwise takes back a
    /// person's last decision and all later turns, so that a person decides again.
    fn undo(&mut self, now: Instant) -> Vec<Effect> {
        if self.picked.pop().is_some() {
            return Vec::new();
        }
        if self.game.ended_between_turns() {
            self.game.undo();
            return self.jump(now);
        }
        let persons = self.controllers.contains(&Controller::Person);
        let mut taken = 0;
        while self.game.undo() {
            taken += 1;
            if self.is_persons_turn() || !persons {
                return self.jump(now);
            }
        }
        for _ in 0..taken {
            self.game.redo();
        }
        match &self.former {
            None => self.refuse("there is nothing to take back"),
            Some(_) if self.game.can_redo() => {
                self.refuse("there is nothing to take back; resume: back to the game before")
            }
            Some(_) => self.resume(now),
        }
    }

    fn redo(&mut self, now: Instant) -> Vec<Effect> {
        if !self.game.redo() {
            return self.refuse("there is nothing to play again");
        }
        while !self.is_persons_turn() && self.game.redo() {}
        self.jump(now)
    }

    /// The position has changed.
    fn jump(&mut self, now: Instant) -> Vec<Effect> {
        let mut effects = self.drop_search();
        self.new_turn(now);
        effects.extend(self.go_on(now));
        effects
    }

    /// The person to move gives up, or the engine's opponent.
    fn resign(&mut self, now: Instant) -> Vec<Effect> {
        let Some(mover) = self.game.player() else {
            return self.refuse("the game is over");
        };
        let is_person = |player: &Player| self.controller(*player) == Controller::Person;
        let Some(loser) = [mover, !mover].into_iter().find(is_person) else {
            return self.refuse("no person plays who could resign");
        };
        let used = self.used(now);
        self.game.lose(loser, Reason::Resignation, used);
        self.jump(now)
    }

    /// Gives the present colours to persons and the engine.
    fn set_side(&mut self, side: Side) {
        for color in Color::BOTH {
            let is_person = match side {
                Side::Black => color == Color::Black,
                Side::White => color == Color::White,
                Side::Both => true,
                Side::None => false,
            };
            self.controllers[self.game.holder(color).index()] = match is_person {
                true => Controller::Person,
                false => Controller::Engine,
            };
        }
    }

    fn refuse(&mut self, reason: impl ToString) -> Vec<Effect> {
        self.notice = Some(Notice {
            text: reason.to_string(),
            is_error: true,
        });
        Vec::new()
    }

    fn tell(&mut self, text: impl ToString) {
        self.notice = Some(Notice {
            text: text.to_string(),
            is_error: false,
        });
    }
}
