use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use super::{CHOICE_COMMENTS, CHOICES, Loaded, OFF_CLOCK, OPENING_RULE, write};
use crate::game::clock::{TimeControl, parse_duration};
use crate::game::referee::Reason;
use crate::play::command::parse_choice;
use crate::play::game::{Action, Game, GameSetup, Thought, Used, rule_of_game};
use tengen::board::Move;
use tengen::openings::{Alternative, Choice, OpeningRule, OpeningStep, ParseOpeningRuleError};
use tengen::types::{Color, Point, Score};
use tengen_games::records::{self, ReadOptions};
use tengen_games::sgf::{Node, Property, SET_UP, Tree};

/// Reads the first game of a file in any format of [`records`]. `usual` stands in for a setup that
/// the file does not give.
///
/// # Errors
/// With the fault and its place.
pub fn read(path: &Path, bytes: &[u8], usual: &GameSetup) -> Result<Loaded, String> {
    let words = |error: &dyn Display| error.to_string();
    let empty = usual.board();
    let name = path.to_string_lossy();
    let read = records::read(bytes, &ReadOptions::new(&name, &empty)).map_err(|e| words(&e))?;
    let count = read.games.len();
    let record = read
        .games
        .into_iter()
        .next()
        .ok_or("there is no game in it")?;
    let of_root = |name| record.tree.node(Tree::ROOT).find(name).map(Property::value);
    let opening = match of_root(OPENING_RULE) {
        Some(text) => text.parse().map_err(|e: ParseOpeningRuleError| words(&e))?,
        None => OpeningRule::Free,
    };
    let nodes = || record.tree.main_line().map(|place| record.tree.node(place));
    let is_turn = |node: &&Node| node.made.is_some() || node.find(CHOICES).is_some();
    let late = nodes().skip_while(|node| !is_turn(node)).skip(1);
    let set_ups = SET_UP.into_iter().filter(|&name| name != "PL");
    for node in late {
        if let Some(name) = set_ups.clone().find(|name| node.find(name).is_some()) {
            return Err(format!(
                "a position set up after a move ({name}) is not supported"
            ));
        }
    }
    let mut start = record.start.clone();
    let has_turn = nodes().any(|node| node.find("PL").is_some());
    if opening == OpeningRule::Free && !has_turn && start.stones().is_empty() {
        // Some programs record games begun by White without telling so.
        if let Some(first) = record.moves.first() {
            start.set_side_to_move(first.color);
        }
    }
    let time = read_time(of_root("TM"), of_root("OT"));
    let setup = GameSetup {
        rule: rule_of_game(opening, record.known_rule(), usual.rule)?,
        opening,
        width: start.width(),
        height: start.height(),
        time: time.unwrap_or(usual.time),
    };
    let mut reader = Reader {
        game: Game::from_position(setup, start).map_err(|e| words(&e))?,
        has_other_clocks: time.is_none() && setup.time.is_limited(),
        given: 0,
        number: 0,
        added: Vec::new(),
    };
    let game = &reader.game;
    reader.given = game.board().stones().len() - game.start().stones().len();
    for node in nodes() {
        reader.node(node)?;
    }
    if let Some((loser, reason)) = forfeit(&record.result) {
        let player = reader.game.holder(loser);
        reader.game.lose(player, reason, Duration::ZERO);
    }
    let names = [record.black, record.white];
    let again = write(&reader.game, [&names[0], &names[1]], 0);
    let is_same = |text| undated(text) == undated(&again);
    let mut notes: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    if count > 1 {
        notes.push(format!("it holds {count} games, and this is the first"));
    }
    Ok(Loaded {
        game: reader.game,
        is_whole: count == 1 && std::str::from_utf8(bytes).is_ok_and(is_same),
        names,
        notes,
    })
}

/// The text without its date.
fn undated(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = text.split_once("DT[")?;
    Some((before, rest.split_once(']')?.1))
}

/// The loser by resignation or by the clock; no move shows such a loss.
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

/// Reads the time in the form of the writer's `write_time`, and plain times in the records of
/// others: `TM` and `OT`.
fn read_time(game: Option<&str>, others: Option<&str>) -> Option<TimeControl> {
    let game = parse_duration(game?).ok()?;
    let mut time = TimeControl {
        game: (!game.is_zero()).then_some(game),
        ..TimeControl::default()
    };
    for part in others.unwrap_or_default().split(", ") {
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
    /// True if the record gives no time limit, but the game goes on with one: the used times count
    /// for nothing.
    has_other_clocks: bool,
    /// Stones of a designated opening still to come in the record.
    given: usize,
    /// Moves so far.
    number: usize,
    /// The first of two stones that a player adds.
    added: Vec<Point>,
}

impl Reader {
    fn node(&mut self, node: &Node) -> Result<(), String> {
        let find = |name: &str| node.find(name);
        let told = find("C").map_or(Told::default(), |p| read_comment(p.value()));
        if let Some(made) = node.made {
            self.turn(made, &told)?;
        }
        let comments = find(CHOICE_COMMENTS).map_or(&[][..], |p| &p.values);
        for (i, text) in find(CHOICES)
            .map_or(&[][..], |p| &p.values)
            .iter()
            .enumerate()
        {
            let choice =
                parse_choice(text, self.game.board()).map_err(|reason| self.refused(reason))?;
            let told = comments
                .get(i)
                .map_or(Told::default(), |text| read_comment(text));
            self.act(Action::Choose(choice), &told)?;
        }
        Ok(())
    }

    /// A move in the records of others, in the words of the opening rule.
    fn turn(&mut self, made: Move, told: &Told) -> Result<(), String> {
        self.number += 1;
        let board = self.game.board();
        let color = made.color;
        let Some(p) = made.point else {
            return self.act(Action::Pass, told);
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

    fn act(&mut self, action: Action, told: &Told) -> Result<(), String> {
        let used = match told.used {
            None => Used::Unknown,
            Some(time) if told.is_off_clock || self.has_other_clocks => Used::OffClock(time),
            Some(time) => Used::OnClock(time),
        };
        self.game
            .act(action, used, told.thought())
            .map_err(|reason| self.refused(reason))
    }

    fn refused(&self, reason: impl Display) -> String {
        format!("move {}: {reason}", self.number)
    }
}

/// The facts of a comment about a turn.
#[derive(Default)]
struct Told {
    used: Option<Duration>,
    is_off_clock: bool,
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

/// Reads a comment in the form of the writer's `comment`. Nothing is understood of other comments,
/// and that does no harm.
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
            told.used = parse_duration(&format!("{ms}ms")).ok();
        } else if part == OFF_CLOCK {
            told.is_off_clock = true;
        }
    }
    told
}
