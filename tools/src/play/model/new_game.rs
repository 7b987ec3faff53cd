//! Another game at the same table.

use std::mem::{replace, take};
use std::time::Instant;

use super::{Controller, Effect, Former, Model};
use crate::play::command::{Change, Side};
use crate::play::game::{Game, GameSetup, rule_of_game};
use tengen::openings::{OpeningRule, RuleKind};
use tengen::rules::Rule;

impl Model {
    /// Begins a game with the present setup and these changes.
    pub(super) fn new_game(&mut self, changes: &[Change], now: Instant) -> Vec<Effect> {
        let started = changed(self.game.setup(), changes)
            .and_then(|(setup, side)| Ok((Game::new(setup).map_err(|e| e.to_string())?, side)));
        let (game, side) = match started {
            Ok(started) => started,
            Err(error) => return self.refuse(error),
        };
        self.replace_game(game);
        if let Some(side) = side {
            self.set_side(side);
        }
        let effects = self.jump(now);
        if self.former.is_some() {
            self.tell("a new game; undo or resume: back to the game before");
        }
        effects
    }

    /// Puts a game without a file in the place of the present one. The present one can be
    /// [resumed](Model::resume).
    pub(super) fn replace_game(&mut self, game: Game) {
        let former = self.leave(game, self.controllers, self.games);
        if !former.game.is_untouched() {
            self.former = Some(Box::new(former));
        }
        self.games += 1;
        self.path = None;
        self.note_saved();
    }

    /// Goes back to the game before the last new or loaded one. Then the present one is the one
    /// before.
    pub(super) fn resume(&mut self, now: Instant) -> Vec<Effect> {
        let Some(former) = self.former.take() else {
            return self.refuse("there is no game before this one");
        };
        let left = self.leave(former.game, former.controllers, former.game_number);
        (self.path, self.saved) = (former.path, former.saved);
        self.names = former.names;
        self.former = (!left.game.is_untouched()).then(|| Box::new(left));
        let effects = self.jump(now);
        self.tell("this is the game before");
        effects
    }

    /// Takes up a game in the place of the present one.
    fn leave(&mut self, game: Game, controllers: [Controller; 2], number: u32) -> Former {
        Former {
            game: replace(&mut self.game, game),
            controllers: replace(&mut self.controllers, controllers),
            names: take(&mut self.names),
            path: self.path.take(),
            saved: take(&mut self.saved),
            game_number: replace(&mut self.game_number, number),
        }
    }
}

/// The setup with changes, and the side if it is one of them. If only one of rule and opening rule
/// changes and the two would not fit, the other follows.
fn changed(setup: &GameSetup, changes: &[Change]) -> Result<(GameSetup, Option<Side>), String> {
    let mut setup = *setup;
    let (mut rule, mut opening, mut side) = (None, None, None);
    for change in changes {
        match *change {
            Change::Rule(wanted) => rule = Some(wanted),
            Change::Opening(wanted) => opening = Some(wanted),
            Change::Size(width, height) => (setup.width, setup.height) = (width, height),
            Change::Side(wanted) => side = Some(wanted),
        }
    }
    let leaves_renju = rule.is_some_and(|rule| rule != Rule::Renju);
    setup.opening = match opening {
        Some(opening) => opening,
        None if leaves_renju && setup.opening.kind() == RuleKind::Renju => OpeningRule::Free,
        None => setup.opening,
    };
    setup.rule = rule_of_game(setup.opening, rule, setup.rule)?;
    Ok((setup, side))
}
