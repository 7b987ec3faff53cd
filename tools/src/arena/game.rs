//! One game between two engines.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adjudication::{Adjudication, EvalStreaks};
use super::conversation::{Failure, Session};
use super::message::{Eval, ReportedSearch};
use super::negotiation::{Agreed, BrokenOff, Fault, MoveTime, negotiate};
use super::openings::BookOpening;
use super::reply::Reply;
use crate::game::clock::Clock;
use crate::game::referee::{Ending, Options, Outcome, Reason, Referee};
use tengen::board::Board;
use tengen::openings::{NamedOpening, OpeningRule};
use tengen::rules::Rule;
use tengen::types::{Color, Point};

/// The conditions that all games of a match share.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The rule.
    pub rule: Rule,
    /// The board, empty.
    pub board: Board,
    /// The judge's options.
    pub referee: Options,
    /// Early endings.
    pub adjudication: Adjudication,
    /// The way games begin where no opening is given.
    pub opening_rule: OpeningRule,
}

/// One turn of a record. Times and numbers of the search are missing for moves of the opening and
/// where the engine reported nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedTurn {
    /// The point's label, or `pass`.
    #[serde(rename = "p")]
    pub label: String,
    /// Time used, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Value for the player.
    #[serde(rename = "ev", default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<Eval>,
    /// Depth in plies.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Deepest ply.
    #[serde(rename = "sd", default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes a second.
    #[serde(rename = "nps", default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<u64>,
    /// The move's time limit in ms, if there was one. Journals of older versions lack it.
    #[serde(rename = "lim", default, skip_serializing_if = "Option::is_none")]
    pub allowed_ms: Option<f64>,
}

/// The label of a pass in a [`RecordedTurn`].
pub const PASS: &str = "pass";

impl RecordedTurn {
    /// A turn without times: `None` is a pass.
    pub fn bare(point: Option<Point>, height: u8) -> RecordedTurn {
        RecordedTurn {
            label: point.map_or_else(|| PASS.to_string(), |p| p.label(height)),
            ms: None,
            eval: None,
            depth: None,
            seldepth: None,
            nodes: None,
            speed: None,
            allowed_ms: None,
        }
    }

    fn thought(
        point: Option<Point>,
        height: u8,
        time: MoveTime,
        thought: &ReportedSearch,
    ) -> RecordedTurn {
        RecordedTurn {
            ms: Some(milliseconds(time.used)),
            allowed_ms: time.allowed.map(milliseconds),
            eval: thought.eval,
            depth: thought.depth,
            seldepth: thought.seldepth,
            nodes: thought.nodes,
            speed: thought.speed,
            ..RecordedTurn::bare(point, height)
        }
    }
}

/// In ms, to the microsecond.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// A played game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// All turns, those of the opening first.
    pub turns: Vec<RecordedTurn>,
    /// The end.
    pub ending: Ending,
    /// The engines, in the given order, that cannot be used again: the process is gone, or may
    /// still print lines.
    pub broken: [bool; 2],
    /// The course of the opening under the match's opening rule, if it has one.
    pub agreed: Option<Agreed>,
    /// Number of turns that belong to the opening.
    pub opening_turns: usize,
}

/// Plays one game from `opening`, or by the opening rule. `sessions` are the engines that begin as
/// Black and as White. Both get `seed` for random choices in the opening.
///
/// # Errors
/// When the game has no result: an engine could not be started, or the match was stopped.
pub fn play(
    conditions: &Conditions,
    opening: Option<&BookOpening>,
    seed: u64,
    sessions: [&mut Session; 2],
    watch: &mut dyn FnMut(&RecordedTurn),
) -> Result<PlayedGame, NoGame> {
    let height = conditions.board.height();
    let mut board = conditions.board.clone();
    let mut turns = Vec::new();
    for &p in opening.map_or(&[][..], |o| &o.moves) {
        board.play(p);
        turns.push(RecordedTurn::bare(Some(p), height));
    }
    let game = RunningGame {
        conditions,
        seed,
        referee: Referee::new(board, conditions.rule, conditions.referee),
        clocks: [0, 1].map(|i| Clock::new(sessions[i].spec().limits.time)),
        told: [false; 2],
        agreed: None,
        opening_turns: turns.len(),
        history: opening.map_or_else(Vec::new, |o| o.moves.iter().copied().map(Some).collect()),
        streaks: EvalStreaks::default(),
        turns,
    };
    game.run(sessions, watch)
}

/// The reason for which a game has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGame {
    /// The side of the engine that was waited for.
    pub side: Color,
    /// [`Failure::Stopped`], or a failure to start.
    pub failure: Failure,
}

struct RunningGame<'a> {
    conditions: &'a Conditions,
    seed: u64,
    referee: Referee,
    /// The engines' clocks, in the given order, as in the following fields.
    clocks: [Clock; 2],
    /// True once the engine got a request for a move in this game.
    told: [bool; 2],
    agreed: Option<Agreed>,
    opening_turns: usize,
    /// Moves since the empty board; `None` is a pass.
    history: Vec<Option<Point>>,
    streaks: EvalStreaks,
    turns: Vec<RecordedTurn>,
}

impl RunningGame<'_> {
    fn run(
        mut self,
        mut sessions: [&mut Session; 2],
        watch: &mut dyn FnMut(&RecordedTurn),
    ) -> Result<PlayedGame, NoGame> {
        let mut broken = [false; 2];
        let ending = 'game: {
            for color in Color::BOTH {
                let seat = color.index();
                let started = sessions[seat].start_game(
                    self.conditions.board.width(),
                    self.conditions.board.height(),
                    self.conditions.rule,
                    &self.clocks[seat],
                );
                if let Err(failure) = started {
                    broken[seat] = true;
                    break 'game verdict(color, failure)?;
                }
            }
            if self.conditions.opening_rule != OpeningRule::Free
                && self.turns.is_empty()
                && let Some(ending) = self.open(&mut sessions, &mut broken, watch)?
            {
                break 'game ending;
            }
            loop {
                let side = self.referee.board().side_to_move();
                let seat = self.seat(side);
                match self.turn(side, sessions[seat], watch) {
                    Ok(None) => {}
                    Ok(Some(ending)) => break 'game ending,
                    Err(failure) => {
                        broken[seat] = true;
                        break 'game verdict(side, failure)?;
                    }
                }
            }
        };
        Ok(PlayedGame {
            turns: self.turns,
            ending,
            broken,
            agreed: self.agreed,
            opening_turns: self.opening_turns,
        })
    }

    /// The place of the engine that plays `color` now.
    fn seat(&self, color: Color) -> usize {
        let swapped = self.agreed.as_ref().is_some_and(|agreed| agreed.swapped);
        color.index() ^ usize::from(swapped)
    }

    /// Lets the engines play the opening by the match's rule. `Some` ends the game.
    fn open(
        &mut self,
        sessions: &mut [&mut Session; 2],
        broken: &mut [bool; 2],
        watch: &mut dyn FnMut(&RecordedTurn),
    ) -> Result<Option<Ending>, NoGame> {
        let rule = self.conditions.opening_rule;
        let board = self.referee.board().clone();
        let negotiated = negotiate(rule, &board, self.seed, sessions, &mut self.clocks)
            .expect("the rule fits the board, or the match would not have begun");
        for stone in negotiated.board.stones() {
            let turn = RecordedTurn::bare(Some(stone.point), board.height());
            watch(&turn);
            self.turns.push(turn);
            self.history.push(Some(stone.point));
        }
        self.opening_turns = self.turns.len();
        let options = self.conditions.referee;
        self.referee = Referee::new(negotiated.board, self.conditions.rule, options);
        self.agreed = Some(negotiated.agreed);
        if let Some(BrokenOff { player, fault }) = negotiated.broken_off {
            let seat = player.index();
            let color = Color::BOTH[usize::from(self.seat(Color::Black) != seat)];
            return match fault {
                Fault::Failure(failure) => {
                    broken[seat] = true;
                    verdict(color, failure).map(Some)
                }
                Fault::Loss(reason, detail) => Ok(Some(Ending::loss(color, reason, detail))),
            };
        }
        Ok(negotiated.reply.and_then(|first| {
            let (x, y) = first.at;
            let side = self.referee.board().side_to_move();
            self.played(side, Reply::Move(x, y), first.time, &first.thought, watch)
        }))
    }

    /// Asks `side` for its move and plays it.
    fn turn(
        &mut self,
        side: Color,
        session: &mut Session,
        watch: &mut dyn FnMut(&RecordedTurn),
    ) -> Result<Option<Ending>, Failure> {
        let seat = self.seat(side);
        let request = self.request(side, session.spec().send_board);
        self.told[seat] = true;
        let allowed = self.clocks[seat].allowed();
        let answer = session.ask(&request, &self.clocks[seat])?;
        let tolerance = session.spec().limits.tolerance;
        if let Err(fell) = self.clocks[seat].charge(answer.elapsed, tolerance) {
            return Ok(Some(Ending::loss(side, Reason::Time, fell.to_string())));
        }
        let time = MoveTime {
            used: answer.elapsed,
            allowed,
        };
        Ok(self.played(side, answer.reply, time, &answer.thought, watch))
    }

    /// Judges the answer of `side` and plays it. `Some` ends the game.
    fn played(
        &mut self,
        side: Color,
        reply: Reply,
        time: MoveTime,
        thought: &ReportedSearch,
        watch: &mut dyn FnMut(&RecordedTurn),
    ) -> Option<Ending> {
        let (point, ending) = match reply {
            Reply::Move(x, y) => {
                let ending = self.referee.play(x, y);
                (self.referee.board().point(x, y), ending)
            }
            Reply::Pass => (None, self.referee.pass()),
            Reply::Claim(at) => return Some(self.referee.claim(at)),
        };
        if ending.as_ref().is_some_and(|e| e.reason == Reason::Illegal) {
            return ending;
        }
        let height = self.conditions.board.height();
        let turn = RecordedTurn::thought(point, height, time, thought);
        watch(&turn);
        self.turns.push(turn);
        self.history.push(point);
        let adjudication = &self.conditions.adjudication;
        ending.or_else(|| self.streaks.note(adjudication, side, thought.eval))
    }

    /// The command that asks `side` for a move.
    fn request(&self, side: Color, always_board: bool) -> String {
        let wire = |p: Option<Point>| p.map_or_else(|| "-1,-1".to_string(), |p| p.to_string());
        if self.told[self.seat(side)] && !always_board {
            let last = *self.history.last().expect("the opponent has moved");
            return format!("TURN {}\n", wire(last));
        }
        match self.history[..] {
            [] => "BEGIN\n".to_string(),
            // Not after an opening by a rule: the stone may be the engine's own from before a swap,
            // and is then on its board already.
            [only] if !always_board && self.agreed.is_none() => format!("TURN {}\n", wire(only)),
            _ => {
                let mut text = "BOARD\n".to_string();
                for (i, &p) in self.history.iter().enumerate() {
                    let own = Color::BOTH[i % 2] == side;
                    let _ = writeln!(text, "{},{}", wire(p), if own { 1 } else { 2 });
                }
                text.push_str("DONE\n");
                text
            }
        }
    }
}

/// The end of a game in which `loser`'s engine failed.
fn verdict(loser: Color, failure: Failure) -> Result<Ending, NoGame> {
    let reason = match failure {
        Failure::Stopped
        | Failure::Shortage(_)
        | Failure::Spawn(_)
        | Failure::Start(_)
        | Failure::Refused { .. } => {
            let side = loser;
            return Err(NoGame { side, failure });
        }
        Failure::Silent { .. } => Reason::Time,
        Failure::Exited(_) => Reason::Crash,
        Failure::Deaf | Failure::Disconnected(_) => Reason::Disconnect,
        Failure::Memory { .. } => Reason::Memory,
        Failure::Unasked(_) => Reason::Unasked,
    };
    Ok(Ending::loss(loser, reason, failure.to_string()))
}

/// A finished game: one line of a journal, and the source of the other records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number within the match, from 0.
    pub id: u64,
    /// Number of the pair of games that share an opening with sides changed, from 0.
    pub pair: u64,
    /// Round of the schedule, from 0.
    pub round: u32,
    /// Player of the black stones.
    pub black: String,
    /// Player of the white stones.
    pub white: String,
    /// Name of the rule.
    pub rule: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// The opening's place in its file, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<usize>,
    /// Number of turns that belong to the opening.
    #[serde(default)]
    pub opening_turns: usize,
    /// The course of the opening under the match's opening rule, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<Agreed>,
    /// All turns.
    pub turns: Vec<RecordedTurn>,
    /// The winner.
    pub outcome: Outcome,
    /// The reason.
    pub reason: Reason,
    /// Details for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Time of the end, in seconds since 1970.
    #[serde(default)]
    pub ended: u64,
    /// Peak memory of Black's and White's process trees, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<[u64; 2]>,
}

impl GameRecord {
    /// A number that equal games share: of the same players with the same colours and moves. Others
    /// have it with a probability of 2^-64.
    pub fn course(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.black, &self.white).hash(&mut hasher);
        self.turns
            .iter()
            .for_each(|turn| turn.label.hash(&mut hasher));
        hasher.finish()
    }

    /// Half points of Black: 2 for a win, 1 for a draw.
    pub fn black_half_points(&self) -> u32 {
        match self.outcome {
            Outcome::Black => 2,
            Outcome::Draw => 1,
            Outcome::White => 0,
        }
    }

    /// Half points of the player with this colour.
    pub fn half_points(&self, color: Color) -> u32 {
        match color {
            Color::Black => self.black_half_points(),
            Color::White => 2 - self.black_half_points(),
        }
    }

    /// The name of the player with this colour.
    pub fn player(&self, color: Color) -> &str {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The colour of `player` in a game against `opponent`; `None` in a game of others.
    pub fn color_against(&self, player: &str, opponent: &str) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|&color| (self.player(color), self.player(!color)) == (player, opponent))
    }

    /// Half points of the player scheduled to have Black: he began, and played White after a swap.
    pub fn first_half_points(&self) -> u32 {
        match &self.agreed {
            Some(agreed) if agreed.swapped => 2 - self.black_half_points(),
            _ => self.black_half_points(),
        }
    }

    /// The players scheduled to have Black and White.
    pub fn scheduled_players(&self) -> [&str; 2] {
        match &self.agreed {
            Some(agreed) if agreed.swapped => [&self.white, &self.black],
            _ => [&self.black, &self.white],
        }
    }

    /// The outcome without swaps: a win of Black is a win of the player scheduled to have Black.
    pub fn scheduled_outcome(&self) -> Outcome {
        match self.first_half_points() {
            0 => Outcome::White,
            1 => Outcome::Draw,
            _ => Outcome::Black,
        }
    }

    /// The one of renju's 26 openings with which the game began.
    pub fn named_opening(&self) -> Option<NamedOpening> {
        let mut board = Board::new(self.width.into(), self.height.into()).ok()?;
        for turn in self.turns.iter().take(3) {
            let p = Point::from_label(&turn.label, self.width, self.height).ok()?;
            if !board.is_empty(p) {
                return None;
            }
            board.play(p);
        }
        NamedOpening::of(&board)
    }

    /// The game's number for people, from 1.
    pub fn number(&self) -> u64 {
        self.id.saturating_add(1)
    }

    /// `black wins by five`, `draw by full board`.
    pub fn verdict(&self) -> String {
        let how = match self.outcome {
            Outcome::Black => "black wins",
            Outcome::White => "white wins",
            Outcome::Draw => "draw",
        };
        let mut text = format!("{how}: {}", self.reason);
        if !self.detail.is_empty() {
            let _ = write!(text, " ({})", self.detail);
        }
        text
    }
}
