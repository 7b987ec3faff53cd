//! The state that follows from the setup of a game and its turns.

use std::time::Duration;

use super::{Action, GameSetup, TOLERANCE};
use crate::game::clock::Clock;
use crate::game::referee::{Ending, Options, Outcome, Reason, Referee};
use tengen::board::Board;
use tengen::openings::{NotPlayable, Phase, Player};
use tengen::rules::{Rule, forbidden_points};
use tengen::types::PointSet;

/// State that follows from the setup and the turns.
pub(super) struct GameState {
    pub(super) phase: Phase,
    /// The judge, once the opening is over.
    referee: Option<Referee>,
    /// The clocks by player.
    pub(super) clocks: [Clock; 2],
    pub(super) ending: Option<Ending>,
    /// True if a resignation or the clock ended the game between two turns.
    pub(super) ended_between_turns: bool,
    /// The player whose clock the end of the game stopped, and the time used in his turn. The clock
    /// was not charged with this time.
    pub(super) stopped: Option<(Player, Duration)>,
    /// The points forbidden to the side to move.
    pub(super) forbidden: PointSet,
}

impl GameState {
    pub(super) fn new(setup: &GameSetup, start: &Board) -> Result<GameState, NotPlayable> {
        let mut state = GameState {
            phase: Phase::new(setup.opening, start)?,
            referee: None,
            clocks: [Clock::new(setup.time), Clock::new(setup.time)],
            ending: ending_of(start, setup.rule),
            ended_between_turns: false,
            stopped: None,
            forbidden: PointSet::EMPTY,
        };
        state.update_derived(setup.rule);
        Ok(state)
    }

    /// Updates the referee and the forbidden points.
    pub(super) fn update_derived(&mut self, rule: Rule) {
        if self.referee.is_none() && self.phase.is_over() {
            let options = Options {
                passes: true,
                ..Options::default()
            };
            let board = self.phase.board().clone();
            self.referee = Some(Referee::new(board, rule, options));
        }
        self.forbidden = match (&self.referee, &self.ending) {
            (Some(referee), None) => {
                let board = referee.board();
                let points = forbidden_points(board, rule, board.side_to_move());
                points.into_iter().collect()
            }
            _ => PointSet::EMPTY,
        };
    }

    pub(super) fn board(&self) -> &Board {
        match &self.referee {
            Some(referee) => referee.board(),
            None => self.phase.board(),
        }
    }

    /// The player to move if the game goes on.
    pub(super) fn player(&self) -> Player {
        match self.phase.decider() {
            Some(player) => player,
            None => self.phase.holder(self.board().side_to_move()),
        }
    }

    /// Carries out an action judged as legal.
    pub(super) fn apply(&mut self, action: &Action, used: Duration, rule: Rule) {
        let player = self.player();
        let color = self.phase.color_of(player);
        match (action, &mut self.referee) {
            (Action::Choose(choice), _) => {
                self.phase.choose(choice).expect("judged before");
            }
            (Action::Put(p), Some(referee)) => {
                self.ending = referee.play(p.x().into(), p.y().into());
            }
            (Action::Pass, Some(referee)) => self.ending = referee.pass(),
            (_, None) => unreachable!("judged before: there is a judge after the opening"),
        }
        if let Err(fell) = self.clocks[player.index()].charge(used, TOLERANCE) {
            self.ending = Some(Ending::loss(color, Reason::Time, fell.to_string()));
            self.stopped = Some((player, used));
        }
        self.update_derived(rule);
    }
}

/// The end of the game in a set-up position; `None` if the game goes on.
fn ending_of(board: &Board, rule: Rule) -> Option<Ending> {
    let outcome = Outcome::of(board, rule)?;
    let reason = match outcome {
        Outcome::Draw => Reason::FullBoard,
        Outcome::Black | Outcome::White => Reason::Five,
    };
    Some(Ending::new(outcome, reason))
}
