//! Another game at the same table.

use std::time::Instant;

use super::{Effect, Model};
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
        self.game = game;
        self.earlier_games += 1;
        self.path = None;
        self.note_saved();
        if let Some(side) = side {
            self.set_side(side);
        }
        self.jump(now)
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
