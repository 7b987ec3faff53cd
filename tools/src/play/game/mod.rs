mod state;

use std::ops::Range;
use std::time::Duration;

use crate::game::clock::{Clock, Face, TimeControl};
use crate::game::referee::{Ending, Reason, Referee};
use state::GameState;
use tengen::board::{Board, Stone};
use tengen::openings::{
    self, Choice, NotPlayable, OpeningRule, OpeningStep, Phase, Player, RuleKind,
};
use tengen::rules::{Foul, Rule, foul};
use tengen::types::{Color, Point, PointSet, Score};

/// Tolerance of the clock: a busy machine needs this time to notice a move.
const TOLERANCE: Duration = Duration::from_millis(100);

/// The setup of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// Rule of the game.
    pub rule: Rule,
    /// Rule of its opening.
    pub opening: OpeningRule,
    /// Columns, 5 to 22.
    pub width: u8,
    /// Rows, 5 to 22.
    pub height: u8,
    /// Time of each player.
    pub time: TimeControl,
}

/// The rule of a game with `opening`. Openings of renju are played only in renju, the others by the
/// rule `wanted`, or by the `usual` one.
///
/// # Errors
/// When `wanted` and `opening` do not fit.
pub fn rule_of_game(
    opening: OpeningRule,
    wanted: Option<Rule>,
    usual: Rule,
) -> Result<Rule, String> {
    match (opening.kind(), wanted) {
        (RuleKind::Renju, None | Some(Rule::Renju)) => Ok(Rule::Renju),
        (RuleKind::Renju, Some(rule)) => {
            Err(format!("{opening} is a rule of renju, not of {rule}"))
        }
        (RuleKind::Gomoku, wanted) => Ok(wanted.unwrap_or(usual)),
    }
}

impl GameSetup {
    /// The empty board.
    pub(super) fn board(&self) -> Board {
        Board::new(self.width.into(), self.height.into()).expect("sizes are checked when read")
    }
}

/// A player's action in his turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A step of the opening rule.
    Choose(Choice),
    /// A stone, once the opening is over.
    Put(Point),
    /// No stone; two passes in a row are a draw.
    Pass,
}

impl Action {
    /// The stones that it puts, in order.
    pub fn stones(&self) -> Vec<Point> {
        match self {
            Action::Put(p) | Action::Choose(Choice::Put(p) | Choice::Keep(p)) => vec![*p],
            Action::Choose(Choice::Add(points)) => points.to_vec(),
            Action::Choose(Choice::Take(_) | Choice::Declare(_) | Choice::Offer(_)) => Vec::new(),
            Action::Pass => Vec::new(),
        }
    }

    /// The action in words, with labels of a board of `height` rows.
    pub fn text(&self, height: u8) -> String {
        match self {
            Action::Choose(choice) => choice.text(height),
            Action::Put(p) => p.label(height),
            Action::Pass => "passes".to_string(),
        }
    }
}

/// The engine's thought about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// Expected points of Black, 0 to 1.
    pub black_wins: f64,
    /// Value for the side to move.
    pub score: Score,
    /// Completed depth in plies.
    pub depth: u32,
}

/// The time of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    /// Time that the player's clock lost, if the game has clocks.
    OnClock(Duration),
    /// Time from a record without clocks, in a game that goes on with clocks: no clock lost it.
    OffClock(Duration),
    /// Not in the record.
    Unknown,
}

impl Used {
    /// The time; `None` if nobody knows it.
    pub fn known(self) -> Option<Duration> {
        match self {
            Used::OnClock(time) | Used::OffClock(time) => Some(time),
            Used::Unknown => None,
        }
    }

    /// The part that the player's clock loses.
    fn charged(self) -> Duration {
        match self {
            Used::OnClock(time) => time,
            Used::OffClock(_) | Used::Unknown => Duration::ZERO,
        }
    }
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The player who decided.
    pub player: Player,
    /// His colour in this turn; a swap may change it.
    pub color: Color,
    /// His action.
    pub action: Action,
    /// The time used.
    pub used: Used,
    /// The engine's thought, if the engine decided.
    pub thought: Option<Thought>,
}

impl Turn {
    /// The stones put in this turn, in order.
    pub fn stones(&self) -> Vec<Point> {
        self.action.stones()
    }
}

/// The reason why an action is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over: 'new' begins another one, 'undo' takes back")]
    Over,
    /// The point is not free; holds the label.
    #[error("{0} is taken")]
    Taken(String),
    /// The point is forbidden to Black.
    #[error("{0} is forbidden for Black ({1})")]
    Forbidden(String, Foul),
    /// Too early for a pass.
    #[error("a pass is not allowed in the opening")]
    Pass,
    /// The opening rule does not allow it.
    #[error(transparent)]
    Opening(#[from] openings::Refusal),
}

/// A game between two players, from the first step of its opening to its end: the player to move,
/// the legal actions, the clocks, and the turns taken back.
pub struct Game {
    setup: GameSetup,
    /// The position before the first turn.
    start: Board,
    turns: Vec<Turn>,
    /// Turns taken back; the last one is redone first.
    undone: Vec<Turn>,
    state: GameState,
}

impl Game {
    /// A game at its beginning.
    ///
    /// # Errors
    /// When the opening rule cannot be played on the board.
    pub fn new(setup: GameSetup) -> Result<Game, NotPlayable> {
        Game::from_position(setup, setup.board())
    }

    /// A game from `start`, in place of the empty board of the setup.
    ///
    /// # Errors
    /// When the opening rule cannot be played there: all rules but `free` need an empty board.
    pub fn from_position(setup: GameSetup, start: Board) -> Result<Game, NotPlayable> {
        let setup = GameSetup {
            width: start.width(),
            height: start.height(),
            ..setup
        };
        Ok(Game {
            setup,
            state: GameState::new(&setup, &start)?,
            start,
            turns: Vec::new(),
            undone: Vec::new(),
        })
    }

    /// The position before the first turn: the empty board, or a set-up position.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Stones on the board before the first turn, in designated openings.
    pub fn given_stones(&self) -> &[Stone] {
        let put: usize = self.turns.iter().map(|turn| turn.stones().len()).sum();
        let stones = self.board().stones();
        &stones[self.start.stones().len()..stones.len() - put]
    }

    /// The stone put last; stones of a set-up position have no order.
    pub fn last_stone(&self) -> Option<Point> {
        let stones = self.board().stones();
        let played = stones.get(self.start.stones().len()..).unwrap_or_default();
        played.last().map(|stone| stone.point)
    }

    /// The numbers of the moves of each turn, as on the board and in records: a pass counts as a
    /// move, stones that were set up do not. A choice without a stone has no number.
    pub fn move_numbers(&self) -> Vec<Range<usize>> {
        let mut next = self.given_stones().len() + 1;
        let numbers = self.turns.iter().map(|turn| {
            let first = next;
            next += match turn.action {
                Action::Pass => 1,
                _ => turn.stones().len(),
            };
            first..next
        });
        numbers.collect()
    }

    /// The stones put in the game, each with the number of its move.
    pub fn numbered_stones(&self) -> Vec<(Point, usize)> {
        let given = self.given_stones().iter().map(|stone| stone.point).zip(1..);
        let put = self.turns.iter().zip(self.move_numbers());
        given
            .chain(put.flat_map(|(turn, numbers)| turn.stones().into_iter().zip(numbers)))
            .collect()
    }

    /// True if no turn was made or taken back.
    pub fn is_untouched(&self) -> bool {
        self.turns.is_empty() && self.undone.is_empty()
    }

    /// True if a turn can be redone.
    pub fn can_redo(&self) -> bool {
        self.state.ending.is_none() && !self.undone.is_empty()
    }

    /// The agreed terms.
    pub fn setup(&self) -> &GameSetup {
        &self.setup
    }

    /// The turns so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The position, without fifth stones that are only offered.
    pub fn board(&self) -> &Board {
        self.state.board()
    }

    /// The opening; it may be over.
    pub fn opening(&self) -> &Phase {
        &self.state.phase
    }

    /// The next step of the opening rule; `None` after its last step.
    pub fn step(&self) -> Option<OpeningStep> {
        self.state.phase.step()
    }

    /// The player to move; `None` when the game is over.
    pub fn player(&self) -> Option<Player> {
        self.state.ending.is_none().then(|| self.state.player())
    }

    /// The present holder of `color`.
    pub fn holder(&self, color: Color) -> Player {
        self.state.phase.holder(color)
    }

    /// The present colour of `player`.
    pub fn color_of(&self, player: Player) -> Color {
        self.state.phase.color_of(player)
    }

    /// The end of the game; `None` while the game goes on.
    pub fn ending(&self) -> Option<&Ending> {
        self.state.ending.as_ref()
    }

    /// The points forbidden to the side to move.
    pub fn forbidden(&self) -> &PointSet {
        &self.state.forbidden
    }

    /// The clock of `player` at the start of the present turn.
    pub fn clock(&self, player: Player) -> &Clock {
        &self.state.clocks[player.index()]
    }

    /// The clock of `player`, `used` after the present turn began; `None` in a game without clocks.
    /// After the end it shows the time left then.
    pub fn clock_face(&self, player: Player, used: Duration) -> Option<Face> {
        let running = self.player().map(|mover| (mover, used));
        let used = match running.or(self.state.stopped) {
            Some((mover, used)) if mover == player => used,
            _ => Duration::ZERO,
        };
        self.clock(player).face(used)
    }

    /// Checks that `action` is possible now. Forbidden points are refused, unless no other point is
    /// left.
    ///
    /// # Errors
    /// With the reason why not.
    pub fn judge(&self, action: &Action) -> Result<(), Refusal> {
        self.judge_form(action)?;
        if let Action::Put(p) = action {
            let all = self.state.forbidden.len() == self.board().empty_count();
            if self.state.forbidden.contains(*p) && !all {
                let foul = foul(self.board(), *p).unwrap_or_default();
                return Err(Refusal::Forbidden(p.label(self.setup.height), foul));
            }
        }
        Ok(())
    }

    /// The same check, but a forbidden point counts as possible: it loses.
    fn judge_form(&self, action: &Action) -> Result<(), Refusal> {
        if self.state.ending.is_some() {
            return Err(Refusal::Over);
        }
        match action {
            Action::Choose(choice) => Ok(self.state.phase.judge(choice)?),
            _ if !self.state.phase.is_over() => {
                let step = self.step().expect("the opening is not over");
                Err(openings::Refusal::WrongStep(step).into())
            }
            Action::Put(p) => {
                let is_free =
                    self.board().contains(p.x().into(), p.y().into()) && self.board().is_empty(*p);
                is_free
                    .then_some(())
                    .ok_or_else(|| Refusal::Taken(p.label(self.setup.height)))
            }
            Action::Pass if Referee::may_pass(self.board()) => Ok(()),
            Action::Pass => Err(Refusal::Pass),
        }
    }

    /// Does `action`, which took `used`, in the turn of [`player`](Game::player). A forbidden point
    /// or a fallen flag loses. Turns taken back are forgotten.
    ///
    /// # Errors
    /// When the action is not possible; nothing changes then.
    pub fn act(
        &mut self,
        action: Action,
        used: Used,
        thought: Option<Thought>,
    ) -> Result<(), Refusal> {
        self.judge_form(&action)?;
        self.undone.clear();
        self.push(action, used, thought);
        Ok(())
    }

    fn push(&mut self, action: Action, used: Used, thought: Option<Thought>) {
        let player = self.state.player();
        let color = self.state.phase.color_of(player);
        self.state.apply(&action, used.charged(), self.setup.rule);
        self.turns.push(Turn {
            player,
            color,
            action,
            used,
            thought,
        });
    }

    /// True if a resignation or the clock ended the game after its last turn.
    pub fn ended_between_turns(&self) -> bool {
        self.state.ended_between_turns
    }

    /// Takes the last turn back, including its time; `false` without a turn. In a game that [ended
    /// between turns](Game::ended_between_turns), only this end is undone.
    pub fn undo(&mut self) -> bool {
        if !self.state.ended_between_turns {
            match self.turns.pop() {
                Some(turn) => self.undone.push(turn),
                None => return false,
            }
        }
        self.state = GameState::new(&self.setup, &self.start).expect("it has begun before");
        for turn in &self.turns {
            let used = turn.used.charged();
            self.state.apply(&turn.action, used, self.setup.rule);
        }
        true
    }

    /// Redoes the turn taken back last; `false` without one, or if the game is over.
    pub fn redo(&mut self) -> bool {
        if self.state.ending.is_some() {
            return false;
        }
        let Some(turn) = self.undone.pop() else {
            return false;
        };
        self.push(turn.action, turn.used, turn.thought);
        true
    }

    /// Ends the game between two turns, `used` after the last one: `player` loses for `reason`. A
    /// loss on time uses up the player's time.
    pub fn lose(&mut self, player: Player, reason: Reason, used: Duration) {
        let loser = self.color_of(player);
        let used = match reason {
            Reason::Time => used.max(self.clock(player).allowed().unwrap_or_default()),
            _ => used,
        };
        self.end(Ending::loss(loser, reason, ""), used);
    }

    /// Ends the game if the player to move has used more time in this turn than he has.
    pub fn look_at_clock(&mut self, used: Duration) {
        let Some(player) = self.player() else { return };
        if let Err(fell) = self.clock(player).clone().charge(used, TOLERANCE) {
            let loser = self.color_of(player);
            self.end(Ending::loss(loser, Reason::Time, fell.to_string()), used);
        }
    }

    fn end(&mut self, ending: Ending, used: Duration) {
        if self.state.ending.is_none() {
            self.state.stopped = Some((self.state.player(), used));
            self.state.ending = Some(ending);
            self.state.ended_between_turns = true;
            self.state.update_derived(self.setup.rule);
        }
    }

    /// Black's expected points after each turn, if the engine reported them: the value of the
    /// position before the turn.
    pub fn black_wins(&self) -> Vec<Option<f64>> {
        let told = |turn: &Turn| turn.thought.map(|thought| thought.black_wins);
        self.turns.iter().map(told).collect()
    }
}
