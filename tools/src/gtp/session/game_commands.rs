//! Commands about the game: board, moves, clocks, rule.

use std::time::Duration;

use cpu_time::ProcessTime;

use super::Session;
use super::table;
use crate::game::referee;
use crate::gtp::clock::TimeSystem;
use crate::gtp::game::Game;
use crate::gtp::reply::Answer;
use crate::gtp::vertex::{column_note, parse_color, parse_vertex};
use tengen::board::{Board, Move};
use tengen::rules::Rule;
use tengen::types::Color;

type Outcome = Result<Answer, String>;

/// Time systems and their times in seconds, or numbers of stones or periods.
const TIME_SYSTEMS: [&str; 6] = [
    "none",
    "absolute MAIN",
    "canadian MAIN PERIOD STONES",
    "byoyomi MAIN PERIOD PERIODS",
    "fischer MAIN INCREMENT",
    "fischer-capped MAIN INCREMENT MOST-MAIN MOST-MOVE",
];

/// Longest time distinguished from no limit: a thousand days, in seconds.
const MOST_SECONDS: f64 = 86_400_000.0;

impl Session {
    /// `quit`: nothing follows.
    pub(super) fn quit(&mut self, _: &[String]) -> Outcome {
        self.is_over = true;
        Ok(Answer::NOTHING)
    }

    /// `known_command`.
    pub(super) fn known_command(&mut self, arguments: &[String]) -> Outcome {
        let name = arguments.first().map_or("", String::as_str);
        let is_known = table::find(&name.to_lowercase()).is_some();
        Ok(is_known.to_string().into())
    }

    /// `list_commands`.
    pub(super) fn list_commands(&mut self, _: &[String]) -> Outcome {
        let names: Vec<&str> = table::names().collect();
        Ok(names.join("\n").into())
    }

    /// `boardsize`, `rectangular_boardsize`: an empty board of that size.
    pub(super) fn boardsize(&mut self, arguments: &[String]) -> Outcome {
        let sides: Result<Vec<u32>, _> = arguments.iter().map(|word| word.parse()).collect();
        let board = match *sides.map_err(|_| "syntax error: no size")? {
            [side] => Board::new(side, side),
            [width, height] => Board::new(width, height),
            _ => return Err("syntax error: no size".to_string()),
        };
        self.game = Game::new(board.map_err(|_| "unacceptable size")?);
        self.clocks.new_game();
        Ok(Answer::NOTHING)
    }

    /// `clear_board`: a new game.
    pub(super) fn clear_board(&mut self, _: &[String]) -> Outcome {
        self.game.clear();
        self.clocks.new_game();
        Ok(Answer::NOTHING)
    }

    /// `komi`: without effect in this game.
    pub(super) fn komi(&mut self, arguments: &[String]) -> Outcome {
        let komi = arguments.first().and_then(|word| word.parse::<f64>().ok());
        komi.map(|_| Answer::NOTHING)
            .ok_or_else(|| "syntax error: no number".to_string())
    }

    /// `play`: a move of either side.
    pub(super) fn play(&mut self, arguments: &[String]) -> Outcome {
        let [color, vertex] = arguments else {
            return Err("syntax error: a colour and a vertex are needed".to_string());
        };
        self.game.play(self.read_move(color, vertex)?, self.rule)?;
        Ok(Answer::NOTHING)
    }

    /// A colour and a vertex of the board.
    pub(super) fn read_move(&self, color: &str, vertex: &str) -> Result<Move, String> {
        parse_color(color)
            .zip(parse_vertex(vertex, self.game.board()))
            .map(|(color, point)| Move { color, point })
            .ok_or_else(|| format!("invalid color or coordinate{}", column_note(vertex)))
    }

    /// `undo`: take the last move back.
    pub(super) fn undo(&mut self, _: &[String]) -> Outcome {
        match self.game.undo() {
            true => Ok(Answer::NOTHING),
            false => Err("cannot undo".to_string()),
        }
    }

    /// `time_settings`: main time, length of a period, stones of a period.
    pub(super) fn time_settings(&mut self, arguments: &[String]) -> Outcome {
        let [main, period, stones] = arguments else {
            return Err("syntax error: three numbers are needed".to_string());
        };
        self.clocks.set(TimeSystem {
            main: seconds(main)?,
            period: seconds(period)?,
            stones: number(stones)?,
            ..TimeSystem::default()
        });
        Ok(Answer::NOTHING)
    }

    /// `kgs-time_settings`, `kata-time_settings`: the same by the name of the time system.
    ///
    /// Source: KataGo, docs/GTP_Extensions.md; the first four names are those of KGS.
    pub(super) fn named_time_settings(&mut self, arguments: &[String]) -> Outcome {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let system = match words[..] {
            ["none"] => TimeSystem {
                // A period without stones is no limit.
                period: Duration::from_secs(1),
                ..TimeSystem::default()
            },
            ["absolute", main] => TimeSystem {
                main: seconds(main)?,
                ..TimeSystem::default()
            },
            ["canadian", main, period, stones] => TimeSystem {
                main: seconds(main)?,
                period: seconds(period)?,
                stones: number(stones)?,
                ..TimeSystem::default()
            },
            ["byoyomi", main, period, periods] => TimeSystem {
                main: seconds(main)?,
                period: seconds(period)?,
                stones: number(periods)?.min(1),
                counts_periods: true,
                ..TimeSystem::default()
            },
            ["fischer", main, increment] => TimeSystem {
                main: seconds(main)?,
                increment: seconds(increment)?,
                ..TimeSystem::default()
            },
            ["fischer-capped", main, increment, most, turn] => TimeSystem {
                main: seconds(main)?,
                increment: seconds(increment)?,
                most: bound(most)?,
                turn: bound(turn)?,
                ..TimeSystem::default()
            },
            _ => return Err(format!("syntax error: use {}", TIME_SYSTEMS.join(", or "))),
        };
        self.clocks.set(system);
        Ok(Answer::NOTHING)
    }

    /// `kata-list_time_settings`: the names of time systems.
    pub(super) fn list_time_settings(&mut self, _: &[String]) -> Outcome {
        let names = TIME_SYSTEMS.map(|usage| usage.split(' ').next().unwrap_or(usage));
        Ok(names.join(" ").into())
    }

    /// `cputime`: seconds of processor time of this process, all threads together.
    ///
    /// Source: the GNU Go manual, "GTP command reference", and the GoGui manual.
    pub(super) fn cputime(&mut self, _: &[String]) -> Outcome {
        let used = ProcessTime::try_now().map_err(|_| "the system does not tell it")?;
        Ok(format!("{:.3}", used.as_duration().as_secs_f64()).into())
    }

    /// `time_left`: a side's time left, and the number of stones to be put in it.
    pub(super) fn time_left(&mut self, arguments: &[String]) -> Outcome {
        let [color, time, stones] = arguments else {
            return Err("syntax error: a colour and two numbers are needed".to_string());
        };
        let color = parse_color(color).ok_or("syntax error: no colour")?;
        self.clocks.set_left(color, seconds(time)?, number(stones)?);
        Ok(Answer::NOTHING)
    }

    /// `showboard`: a diagram.
    pub(super) fn showboard(&mut self, _: &[String]) -> Outcome {
        let side = self.game.board().side_to_move();
        let diagram = self.game.diagram();
        Ok(format!("\n{diagram}\n{}, {side} to move", self.rule).into())
    }

    /// `final_score`: one point for a winning row.
    pub(super) fn final_score(&mut self, _: &[String]) -> Outcome {
        let outcome = self.game.outcome(self.rule);
        let score = match outcome.and_then(referee::Outcome::winner) {
            Some(Color::Black) => "B+1",
            Some(Color::White) => "W+1",
            None => "0",
        };
        Ok(score.into())
    }

    /// `gomoku-rules`, `kata-set-rules`: names the rule, or changes it.
    pub(super) fn rules(&mut self, arguments: &[String]) -> Outcome {
        let Some(name) = arguments.first() else {
            return Ok(self.rule.name().into());
        };
        let names = Rule::ALL.map(Rule::name).join(", ");
        let unknown = |_| format!("unknown rule, use one of {names}");
        self.rule = name.parse().map_err(unknown)?;
        Ok(Answer::NOTHING)
    }

    /// `gomoku-forbidden`: the points that Black may not play in renju.
    pub(super) fn forbidden(&mut self, _: &[String]) -> Outcome {
        Ok(self.game.forbidden_vertices(self.rule).join(" ").into())
    }
}

/// A time in seconds; a negative one counts as 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "syntax error: no time")?;
    match seconds.is_nan() {
        true => Err("syntax error: no time".to_string()),
        false => Ok(Duration::from_secs_f64(seconds.clamp(0.0, MOST_SECONDS))),
    }
}

/// An upper bound in seconds; a negative one is none.
fn bound(text: &str) -> Result<Option<Duration>, String> {
    let bound = seconds(text)?;
    Ok((!text.starts_with('-')).then_some(bound))
}

/// A number of stones.
fn number(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "syntax error: no number of stones".to_string())
}
