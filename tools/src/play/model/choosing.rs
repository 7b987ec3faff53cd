//! Points and words become the choices of an opening rule.

use std::time::Instant;

use super::{Effect, Model};
use crate::play::game::Action;
use tengen::openings::{Alternative, Choice, OpeningStep};
use tengen::types::Point;

impl Model {
    /// Takes points named by a person, one after the other.
    pub(super) fn points(&mut self, points: &[Point], now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        for &p in points {
            effects.extend(self.point(p, now));
            if self.notice.as_ref().is_some_and(|notice| notice.is_error) {
                break;
            }
        }
        effects
    }

    fn point(&mut self, p: Point, now: Instant) -> Vec<Effect> {
        let choice = match self.game.step() {
            None => return self.persons_action(Action::Put(p), now),
            Some(OpeningStep::Keep) => Choice::Keep(p),
            Some(
                OpeningStep::Offer { count }
                | OpeningStep::Take(Some(Alternative::Offer { count })),
            ) => {
                return self.pick(p, count.into(), Choice::Offer, now);
            }
            Some(OpeningStep::Take(Some(Alternative::Add))) => {
                let add = |points: Vec<Point>| Choice::Add([points[0], points[1]]);
                return self.pick(p, 2, add, now);
            }
            Some(OpeningStep::Put(_) | OpeningStep::Take(None) | OpeningStep::Declare { .. }) => {
                Choice::Put(p)
            }
        };
        self.persons_action(Action::Choose(choice), now)
    }

    /// Takes one of the `count` points of a choice; a point named again is taken out.
    fn pick(
        &mut self,
        p: Point,
        count: usize,
        choice: impl Fn(Vec<Point>) -> Choice,
        now: Instant,
    ) -> Vec<Effect> {
        if !self.is_persons_turn() {
            return self.refuse("it is the engine's turn; 'now' makes it move");
        }
        if let Some(place) = self.picked.iter().position(|&q| q == p) {
            self.picked.remove(place);
            return Vec::new();
        }
        let mut points = self.picked.clone();
        points.push(p);
        if points.len() == count {
            return self.persons_action(Action::Choose(choice(points)), now);
        }
        if let Err(reason) = self.game.opening().judge_first(&points) {
            return self.refuse(reason);
        }
        self.picked = points;
        Vec::new()
    }

    /// Takes the decider's present colour, or the other one.
    pub(super) fn keep_or_swap(&mut self, swap: bool, now: Instant) -> Vec<Effect> {
        let Some(player) = self.game.player() else {
            return self.refuse("the game is over");
        };
        let held = self.game.color_of(player);
        let color = if swap { !held } else { held };
        self.persons_action(Action::Choose(Choice::Take(color)), now)
    }
}
