//! Games on disk, in Smart Game Format. Any program reads the stones; two properties of our own
//! say how the opening went (`XO` its rule, `XC` choices that put no stone), and comments hold
//! times and values, so that a game goes on as it was left.

use std::fmt::Write as _;
use std::time::Duration;

use super::command;
use super::game::{Action, Game, GameSetup, Thought, Turn};
use crate::arena::clock::{TimeControl, parse_duration};
use crate::arena::record::sgf::{date, result};
use crate::arena::referee::Reason;
use crate::board::SizeError;
use crate::openings::{Alternative, Choice, NamedOpening, NotPlayable, OpeningRule, OpeningStep};
use crate::rules::Rule;
use crate::sgf::{self, Property, Writer};
use crate::types::{Color, MAX_SIDE, MIN_SIDE, Point, Score};

const OPENING_RULE: &str = "XO";
const CHOICES: &str = "XC";

/// Why a record was refused.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not in the format.
    #[error(transparent)]
    Sgf(#[from] sgf::ReadError),
    /// No game in it.
    #[error("there is no game in it")]
    Nothing,
    /// Not a size to play on.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The opening rule is unknown or does not fit the board.
    #[error("{0}")]
    Opening(String),
    /// Stones that no side played; holds the property.
    #[error("stones set up ({0}) are not supported")]
    SetUp(String),
    /// A turn that the rules do not allow.
    #[error("move {number}: {reason}")]
    Turn {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
}

impl From<NotPlayable> for RecordError {
    fn from(error: NotPlayable) -> RecordError {
        RecordError::Opening(error.to_string())
    }
}

/// A game as it was read.
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// Names of Black and White; may be empty.
    pub names: [String; 2],
}

/// The game as text. `names` are those of Black and White, `seconds` the time since 1970.
pub fn write(game: &Game, names: [&str; 2], seconds: u64) -> String {
    let setup = game.setup();
    let mut sgf = Writer::new(setup.width, setup.height, setup.rule);
    sgf.property("PB", names[0]).property("PW", names[1]);
    if let Some(ending) = game.ending() {
        sgf.property("RE", result(ending.outcome, ending.reason));
    }
    sgf.property("DT", date(seconds));
    if setup.opening != OpeningRule::Free {
        sgf.property(OPENING_RULE, setup.opening);
    }
    let named = NamedOpening::of(game.board()).filter(|_| setup.rule == Rule::Renju);
    if let Some(opening) = named {
        sgf.property("ON", opening);
    }
    write_time(&mut sgf, &setup.time);
    // Stones that stand before the first turn, in designated openings.
    let stones = game.board().stones();
    let put: usize = game.turns().iter().map(|turn| turn.stones().len()).sum();
    for stone in &stones[..stones.len() - put] {
        sgf.new_line().turn(stone.color, Some(stone.point));
    }
    let mut stones = stones[stones.len() - put..].iter();
    let mut choices = Vec::new();
    for turn in game.turns() {
        let points = turn.stones();
        if points.is_empty() && turn.action != Action::Pass {
            choices.push(turn.text(setup.height));
            continue;
        }
        sgf.values(CHOICES, &std::mem::take(&mut choices));
        if turn.action == Action::Pass {
            sgf.new_line().turn(turn.color, None);
        }
        for stone in stones.by_ref().take(points.len()) {
            sgf.new_line().turn(stone.color, Some(stone.point));
        }
        sgf.property("C", comment(turn));
    }
    sgf.values(CHOICES, &choices).new_line();
    sgf.finish()
}

/// Reads the first game of a text along its main line; `usual` says what it does not say itself.
///
/// # Errors
/// With what is wrong, and where.
pub fn read(text: &str, usual: &GameSetup) -> Result<Loaded, RecordError> {
    let games = sgf::games(text)?;
    let record = games.first().ok_or(RecordError::Nothing)?;
    let (width, height) = record.size()?;
    let sides = u32::from(MIN_SIDE)..=u32::from(MAX_SIDE);
    if !sides.contains(&width) || !sides.contains(&height) {
        return Err(SizeError { width, height }.into());
    }
    let rule = record.of_root("RU").and_then(rule);
    let opening = match record.of_root(OPENING_RULE) {
        Some(text) => text
            .parse()
            .map_err(|e: crate::openings::ParseOpeningRuleError| {
                RecordError::Opening(e.to_string())
            })?,
        None => OpeningRule::Free,
    };
    let time = read_time(record);
    let setup = GameSetup {
        rule: rule.unwrap_or(usual.rule),
        opening,
        width: width as u8,
        height: height as u8,
        time: time.unwrap_or(usual.time),
    };
    let mut reader = Reader {
        game: Game::new(setup)?,
        is_timed: time.is_some(),
        given: 0,
        number: 0,
        added: Vec::new(),
    };
    reader.given = reader.game.board().stones().len();
    for node in &record.nodes {
        reader.node(node)?;
    }
    if let Some((loser, reason)) = record.of_root("RE").and_then(forfeit) {
        let player = reader.game.holder(loser);
        reader.game.lose(player, reason);
    }
    let name = |property| record.of_root(property).unwrap_or_default().to_string();
    Ok(Loaded {
        game: reader.game,
        names: [name("PB"), name("PW")],
    })
}

/// A rule by its name here or by a name that other programs use.
fn rule(text: &str) -> Option<Rule> {
    let text = text.trim().to_lowercase();
    let known = text.parse().ok();
    known.or_else(|| {
        let rules = [("renju", Rule::Renju), ("caro", Rule::Caro)];
        rules
            .iter()
            .find(|(word, _)| text.contains(word))
            .map(|(_, rule)| *rule)
    })
}

/// Who lost by giving up or by the clock, which no move shows.
fn forfeit(result: &str) -> Option<(Color, Reason)> {
    let (winner, how) = result.trim().split_once('+')?;
    let loser = match winner {
        "B" => Color::White,
        "W" => Color::Black,
        _ => return None,
    };
    match how.chars().next()? {
        'R' => Some((loser, Reason::Resignation)),
        'T' => Some((loser, Reason::Time)),
        _ => None,
    }
}

/// `TM`, the seconds for the game, and `OT`, all other parts of the time control in words.
fn write_time(sgf: &mut Writer, time: &TimeControl) {
    let mut parts = Vec::new();
    if let Some(b) = time.byo_yomi {
        parts.push(format!("{}x{} byo-yomi", b.periods, b.length.as_secs_f64()));
    }
    if !time.increment.is_zero() {
        parts.push(format!("{} increment", time.increment.as_secs_f64()));
    }
    if let Some(turn) = time.turn {
        parts.push(format!("{} per move", turn.as_secs_f64()));
    }
    if time.is_limited() {
        sgf.property("TM", time.game.unwrap_or_default().as_secs_f64());
    }
    if !parts.is_empty() {
        sgf.property("OT", parts.join(", "));
    }
}

/// What [`write_time`] wrote, and what is plain in the records of others.
fn read_time(record: &sgf::SgfGame) -> Option<TimeControl> {
    let game = parse_duration(record.of_root("TM")?).ok()?;
    let mut time = TimeControl {
        game: (!game.is_zero()).then_some(game),
        ..TimeControl::default()
    };
    for part in record.of_root("OT").unwrap_or_default().split(", ") {
        let (number, kind) = part.split_once(' ').unwrap_or((part, ""));
        match kind {
            "byo-yomi" => time.byo_yomi = number.parse().ok(),
            "increment" => time.increment = parse_duration(number).unwrap_or_default(),
            "per move" => time.turn = parse_duration(number).ok(),
            _ => {}
        }
    }
    Some(time)
}

struct Reader {
    game: Game,
    /// Whether the record says how much time there was: without, what was used counts for nothing.
    is_timed: bool,
    /// Stones of a designated opening that are still to come in the record.
    given: usize,
    /// Moves so far.
    number: usize,
    /// The first of two stones that a player adds.
    added: Vec<Point>,
}

impl Reader {
    fn node(&mut self, node: &[Property]) -> Result<(), RecordError> {
        let find = |name: &str| node.iter().find(|p| p.name == name);
        if let Some(property) = find("AB").or(find("AW")) {
            return Err(RecordError::SetUp(property.name.clone()));
        }
        let told = find("C").map_or(Told::default(), |p| read_comment(p.value()));
        for (name, color) in [("B", Color::Black), ("W", Color::White)] {
            if let Some(property) = find(name) {
                self.turn(color, property.value(), &told)?;
            }
        }
        for text in find(CHOICES).map_or(&[][..], |p| &p.values) {
            let choice = command::parse_choice(text, self.game.board())
                .map_err(|reason| self.refused(reason))?;
            self.act(Action::Choose(choice), &Told::default())?;
        }
        Ok(())
    }

    /// A move as others record it, in the words of the opening rule.
    fn turn(&mut self, color: Color, place: &str, told: &Told) -> Result<(), RecordError> {
        self.number += 1;
        let board = self.game.board();
        if place.trim().is_empty() {
            return self.act(Action::Pass, told);
        }
        let cells = sgf::cells(place).map_err(|error| self.refused(error))?;
        let point = cells
            .first()
            .filter(|p| cells.len() == 1 && board.contains(p.x().into(), p.y().into()));
        let Some(&p) = point else {
            return Err(self.refused("it is off the board"));
        };
        if self.given > 0 {
            let stones = board.stones();
            let stone = stones[stones.len() - self.given];
            self.given -= 1;
            return match (stone.point, stone.color) == (p, color) {
                true => Ok(()),
                false => Err(self.refused("it is not of the opening that was agreed on")),
            };
        }
        let to_move = if self.added.is_empty() {
            board.side_to_move()
        } else {
            !board.side_to_move()
        };
        if color != to_move {
            return Err(self.refused("the sides do not take turns"));
        }
        match self.game.step() {
            None => self.act(Action::Put(p), told),
            Some(OpeningStep::Keep) => self.act(Action::Choose(Choice::Keep(p)), told),
            Some(OpeningStep::Take(Some(Alternative::Add))) => {
                self.added.push(p);
                let Ok(points) = <[Point; 2]>::try_from(self.added.clone()) else {
                    return Ok(());
                };
                self.added.clear();
                self.act(Action::Choose(Choice::Add(points)), told)
            }
            Some(_) => self.act(Action::Choose(Choice::Put(p)), told),
        }
    }

    fn act(&mut self, action: Action, told: &Told) -> Result<(), RecordError> {
        let used = if self.is_timed {
            told.used
        } else {
            Duration::ZERO
        };
        self.game
            .act(action, used, told.thought())
            .map_err(|reason| self.refused(reason))
    }

    fn refused(&self, reason: impl ToString) -> RecordError {
        RecordError::Turn {
            number: self.number,
            reason: reason.to_string(),
        }
    }
}

/// Time and values of a turn, for people and to be read again.
fn comment(turn: &Turn) -> String {
    let mut text = format!("{} ms", turn.used.as_millis());
    if let Some(thought) = turn.thought {
        let _ = write!(
            text,
            ", black wins {:.1} %, value {}, depth {}",
            100.0 * thought.black_wins,
            thought.score.raw(),
            thought.depth
        );
    }
    text
}

/// What a comment says about a turn.
#[derive(Default)]
struct Told {
    used: Duration,
    black_wins: Option<f64>,
    score: Option<i16>,
    depth: u32,
}

impl Told {
    fn thought(&self) -> Option<Thought> {
        Some(Thought {
            black_wins: self.black_wins?,
            score: Score::from_raw(self.score?),
            depth: self.depth,
        })
    }
}

/// Reads what [`comment`] wrote; of other comments nothing is understood, which does no harm.
fn read_comment(text: &str) -> Told {
    let mut told = Told::default();
    for part in text.split(", ") {
        if let Some(percent) = part.strip_prefix("black wins ") {
            let percent = percent.trim_end_matches(" %").parse::<f64>().ok();
            told.black_wins = percent.map(|p| (p / 100.0).clamp(0.0, 1.0));
        } else if let Some(value) = part.strip_prefix("value ") {
            told.score = value.parse().ok();
        } else if let Some(depth) = part.strip_prefix("depth ") {
            told.depth = depth.parse().unwrap_or(0);
        } else if let Some(ms) = part.strip_suffix(" ms") {
            told.used = parse_duration(&format!("{ms}ms")).unwrap_or_default();
        }
    }
    told
}
