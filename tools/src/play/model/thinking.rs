//! The engine's part: its questions, its reports during a search, and the effects of its answers.

use std::time::{Duration, Instant};

use super::{Controller, Effect, Model};
use crate::play::game::{Action, Thought};
use tengen::engine::safety::emergency_move;
use tengen::engine::strength::Strength;
use tengen::openings::{Choice, Phase};
use tengen::search::{SearchInfo, SearchRequest, TimeSettings};
use tengen::types::{Color, Point, PointSet};

/// Time for a hint without any other bound.
const HINT: Duration = Duration::from_secs(2);

/// A task for the engine.
#[derive(Clone, Debug)]
pub struct SearchJob {
    /// The number that tells this job from earlier ones.
    pub id: u64,
    /// The question.
    pub task: SearchTask,
    /// The time for it.
    pub time: TimeSettings,
}

/// A question to the engine.
#[derive(Clone, Debug)]
pub struct SearchTask {
    /// Position, rule and limits.
    pub request: SearchRequest,
    /// The opening so far, if its rule asks for a choice instead of a move.
    pub opening: Option<Phase>,
    /// Playing strength of a move.
    pub strength: Strength,
}

/// An answer of the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// A move; `None` if there is none.
    pub point: Option<Point>,
    /// A step of an opening.
    pub choice: Option<Choice>,
    /// The last thoughts, best first.
    pub lines: Vec<SearchInfo>,
}

/// The reason for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is the engine's turn.
    Turn,
    /// A hint was requested.
    Hint,
}

/// A running search.
#[derive(Clone, Debug)]
pub struct Thinking {
    id: u64,
    /// The purpose.
    pub purpose: Purpose,
    /// The side to move; the values are for this side.
    pub color: Color,
    /// The time at which the search began.
    pub since: Instant,
    /// The deepest completed search so far.
    pub latest: Option<SearchInfo>,
}

/// An advice to the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The engine's choice.
    pub action: Action,
    /// The engine's thoughts; `None` if no search was needed.
    pub line: Option<SearchInfo>,
}

impl Hint {
    /// The named points.
    pub fn points(&self) -> Vec<Point> {
        match &self.action {
            Action::Choose(Choice::Offer(points)) => points.clone(),
            action => action.stones(),
        }
    }
}

impl Model {
    /// Lets the engine think if it is its turn.
    pub(super) fn go_on(&mut self, now: Instant) -> Vec<Effect> {
        let Some(player) = self.game.player() else {
            return Vec::new();
        };
        if self.controller(player) == Controller::Person || self.thinking.is_some() {
            return Vec::new();
        }
        if self.game.forbidden().len() == self.game.board().empty_count()
            && self.game.judge(&Action::Pass).is_ok()
        {
            // Every point is forbidden to Black.
            return self.act(Action::Pass, None, now);
        }
        self.start(Purpose::Turn, now)
    }

    pub(super) fn ask_hint(&mut self, now: Instant) -> Vec<Effect> {
        if self.game.player().is_none() {
            return self.refuse("the game is over");
        }
        if !self.is_persons_turn() {
            return self.refuse("it is the engine's turn; 'now' makes it move");
        }
        if self.thinking.is_some() {
            return self.refuse("the engine is already searching for a hint");
        }
        self.start(Purpose::Hint, now)
    }

    fn start(&mut self, purpose: Purpose, now: Instant) -> Vec<Effect> {
        let board = self.game.board().clone();
        // In an opening, a player may have to put a stone of the other colour.
        let color = board.side_to_move();
        let task = SearchTask {
            request: SearchRequest {
                max_depth: self.pace.depth,
                max_nodes: self.pace.nodes,
                is_analysis: matches!(purpose, Purpose::Hint),
                ..SearchRequest::new(board, self.game.setup().rule)
            },
            opening: self.game.step().map(|_| self.game.opening().clone()),
            strength: match purpose {
                Purpose::Turn => self.pace.strength,
                Purpose::Hint => Strength::FULL,
            },
        };
        let id = self.next_job;
        self.next_job += 1;
        self.thinking = Some(Thinking {
            id,
            purpose,
            color,
            since: now,
            latest: None,
        });
        let time = self.time(purpose);
        vec![Effect::Start(Box::new(SearchJob { id, task, time }))]
    }

    /// Time for a job that begins now.
    fn time(&self, purpose: Purpose) -> TimeSettings {
        let is_bounded = self.pace.depth.is_some() || self.pace.nodes.is_some();
        let pace = self.pace.turn.or((!is_bounded).then_some(HINT));
        let ms = |time: Duration| time.as_millis() as u64;
        match (purpose, self.game.player()) {
            (Purpose::Turn, Some(player)) if self.game.setup().time.is_limited() => {
                let clock = self.game.clock(player);
                let turn = [clock.turn_ms(), self.pace.turn.map(ms)];
                TimeSettings {
                    turn_ms: turn.into_iter().flatten().min(),
                    left_ms: Some(clock.time_left_ms()),
                    increment_ms: ms(self.game.setup().time.increment),
                    is_unmeasured: false,
                }
            }
            _ => TimeSettings {
                turn_ms: pace.map(ms),
                is_unmeasured: purpose == Purpose::Hint,
                ..TimeSettings::default()
            },
        }
    }

    /// Forgets the running search.
    pub(super) fn drop_search(&mut self) -> Vec<Effect> {
        match self.thinking.take() {
            Some(_) => vec![Effect::Drop],
            None => Vec::new(),
        }
    }

    /// A report on the job `id`.
    pub fn report(&mut self, id: u64, report: SearchInfo) {
        if let Some(thinking) = self.thinking.as_mut().filter(|t| t.id == id)
            && report.rank == 0
        {
            thinking.latest = Some(report);
        }
    }

    /// The job `id` is done; without an answer the search broke down.
    pub fn finished(&mut self, id: u64, answer: Option<Answer>, now: Instant) -> Vec<Effect> {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.id == id) else {
            return Vec::new();
        };
        let is_broken = answer.is_none();
        let answer = answer.unwrap_or_default();
        let line = answer.lines.first().cloned();
        let action = match (answer.choice, answer.point) {
            (Some(choice), _) => Some(Action::Choose(choice)),
            (None, point) => point.map(Action::Put),
        };
        let legal = action.filter(|action| self.game.judge(action).is_ok());
        let Some(action) = legal.or_else(|| self.emergency_action()) else {
            return self.refuse("the engine found nothing to do");
        };
        let effects = match thinking.purpose {
            Purpose::Hint => {
                self.hint = Some(Hint { action, line });
                Vec::new()
            }
            Purpose::Turn => {
                let thought = line.map(|line| Thought {
                    black_wins: line.black_wins(thinking.color),
                    score: line.score,
                    depth: line.depth,
                });
                let taken = match &action {
                    Action::Choose(Choice::Take(color)) => Some(*color),
                    _ => None,
                };
                let effects = self.act(action, thought, now);
                let other = taken.map(|color| self.controller(self.game.holder(!color)));
                if let (Some(color), Some(Controller::Person)) = (taken, other) {
                    self.tell(format_args!("Tengen takes {color}: you play {}", !color));
                }
                effects
            }
        };
        if is_broken {
            self.refuse("the search failed; this move is found without it");
        }
        effects
    }

    /// Some legal action without a search, for a failed engine.
    fn emergency_action(&self) -> Option<Action> {
        let legal = |action: &Action| self.game.judge(action).is_ok();
        if self.game.step().is_some() {
            return Some(Action::Choose(self.game.opening().any_choice()));
        }
        let excluded = PointSet::EMPTY;
        emergency_move(self.game.board(), self.game.setup().rule, &excluded)
            .map(Action::Put)
            .filter(legal)
    }
}
