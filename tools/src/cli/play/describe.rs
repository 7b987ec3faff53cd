//! Texts about a game for both forms of `play`.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use crate::game::clock::Face;
use crate::game::referee::{Ending, Outcome, Reason};
use crate::play::game::{Action, Game, Turn};
use crate::play::model::{Controller, Hint, Model, Purpose};
use tengen::openings::{Alternative, NamedOpening, OpeningRule, OpeningStep, Player};
use tengen::rules::Rule;
use tengen::search::SearchInfo;
use tengen::types::{Color, Point};

/// A colour at the beginning of a sentence.
pub(super) fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// The kind of game: `renju, 15x15, swap2, strength 40`.
pub(super) fn title(model: &Model) -> String {
    let setup = model.game().setup();
    let mut title = format!("{}, {}x{}", setup.rule, setup.width, setup.height);
    if setup.opening != OpeningRule::Free {
        title.push_str(&format!(", {}", setup.opening));
    }
    if Player::BOTH
        .map(|player| model.controller(player))
        .contains(&Controller::Engine)
    {
        title.push_str(&format!(", strength {}", model.pace().strength.percent()));
    }
    title
}

/// The holder of a colour: `you` or `Tengen`; empty when two people play.
pub(super) fn holder(model: &Model, color: Color) -> &'static str {
    let player = model.game().holder(color);
    match (model.controller(player), model.controller(!player)) {
        (Controller::Person, Controller::Person) => "",
        (Controller::Person, Controller::Engine) => "you",
        (Controller::Engine, _) => "Tengen",
    }
}

/// The side to move, or the end of the game.
pub(super) fn state(model: &Model) -> String {
    let game = model.game();
    let Some(player) = game.player() else {
        return game.ending().map_or_else(String::new, ending);
    };
    let color = game.color_of(player);
    let is_turn = model.thinking().is_some_and(|t| t.purpose == Purpose::Turn);
    match (game.step(), model.controller(player)) {
        (_, Controller::Engine) if is_turn => format!("{} (Tengen) is thinking", capital(color)),
        (Some(step), Controller::Person) => request(model, step),
        (_, Controller::Engine) => format!("{} (Tengen) to move", capital(color)),
        (None, Controller::Person) => match holder(model, color) {
            "" => format!("{} to move", capital(color)),
            who => format!("{} ({who}) to move", capital(color)),
        },
    }
}

/// The decision that an opening rule asks of the person.
fn request(model: &Model, step: OpeningStep) -> String {
    let board = model.game().board();
    let opening = model.game().opening();
    let number = board.stones().len() + 1;
    let picked = model.picked().len();
    let held = opening
        .decider()
        .map_or(Color::Black, |player| opening.color_of(player));
    let take = format!("Take a colour: type black or white (you hold {held})");
    match step {
        OpeningStep::Put(area) => format!("Put stone {number} ({}) {area}", board.side_to_move()),
        OpeningStep::Take(None) => take,
        OpeningStep::Take(Some(Alternative::Add)) => match picked {
            0 => format!(
                "{take}, or add two stones, first {}: put them like moves",
                board.side_to_move()
            ),
            _ => format!("Add the second stone ({})", !board.side_to_move()),
        },
        OpeningStep::Take(Some(Alternative::Offer { count })) => match picked {
            0 => format!("{take}, or offer {count} fifth stones: put them like moves"),
            _ => format!("Offer fifth stone {} of {count}", picked + 1),
        },
        OpeningStep::Declare { most } => {
            format!("How many fifth stones? Type a number, 1 to {most}")
        }
        OpeningStep::Offer { count } => {
            format!(
                "Offer fifth stone {} of {count}: put it like a move",
                picked + 1
            )
        }
        OpeningStep::Keep => "Keep one of the fifth stones offered: put it again".to_string(),
    }
}

fn ending(ending: &Ending) -> String {
    let how = match ending.reason {
        Reason::Five => "five in a row",
        Reason::Time => "on time",
        Reason::FullBoard => "the board is full",
        Reason::Passes => "both passed",
        Reason::Resignation => "by resignation",
        _ => &ending.detail,
    };
    match ending.outcome {
        Outcome::Draw => format!("Draw: {how}"),
        Outcome::Black => format!("Black wins: {how}"),
        Outcome::White => format!("White wins: {how}"),
    }
}

/// The commands after the end of the game.
pub(super) fn after_the_end(model: &Model) -> String {
    match model.path().filter(|_| !model.is_unsaved()) {
        Some(path) => format!(
            "Type new, undo or quit; then tengen review {} judges every move",
            path.display()
        ),
        None => "Type new, undo, save FILE or quit; then tengen review FILE judges every move"
            .to_string(),
    }
}

/// The last words after leaving a game that is kept in `file`.
pub(super) fn farewell(model: &Model, file: &Path) -> String {
    let file = file.display();
    match model.game().ending() {
        None => format!("The game is kept in {file}; tengen play --resume goes on with it."),
        Some(_) => format!(
            "The game is kept in {file}; tengen play --resume shows it, and tengen review {file} \
             judges every move."
        ),
    }
}

/// The numbers of a turn's moves: `4`, or `4-5` where it put two stones; `None` without any.
pub(super) fn number(moves: &Range<usize>) -> Option<String> {
    match moves.len() {
        0 => None,
        1 => Some(moves.start.to_string()),
        _ => Some(format!("{}-{}", moves.start, moves.end - 1)),
    }
}

/// A turn behind the numbers of its moves, as a line of a list.
pub(super) fn numbered_turn(model: &Model, moves: &Range<usize>, turn: &Turn) -> String {
    let number = number(moves).map_or_else(String::new, |number| number + ".");
    format!("{number:>4} {}", self::turn(model, turn))
}

/// A turn: the player and the action.
pub(super) fn turn(model: &Model, turn: &Turn) -> String {
    let game = model.game();
    let what = turn.action.text(game.setup().height);
    match turn.action {
        Action::Put(_) | Action::Choose(tengen::openings::Choice::Put(_)) => {
            // In an opening a player may put a stone of the other colour.
            let stone = turn.stones()[0];
            let color = game.board().cell(stone).color().unwrap_or(turn.color);
            format!("{} {what}", capital(color))
        }
        // A choice may change the colours of the players.
        Action::Choose(_) => match Player::BOTH.map(|player| model.controller(player)) {
            [Controller::Person, Controller::Person] => {
                format!("{} {what}", capital(turn.color))
            }
            controllers => match (controllers[turn.player.index()], what.split_once("s ")) {
                (Controller::Person, Some((verb, object))) => format!("You {verb} {object}"),
                _ => format!("Tengen {what}"),
            },
        },
        Action::Pass => format!("{} {what}", capital(turn.color)),
    }
}

/// The face of a clock: `4:59`, `4:59 +3x30s`, `0:27 (2 left)` in byo-yomi, `0:09/move`.
pub(super) fn clock(face: Face) -> String {
    let mut parts = Vec::new();
    match (face.game, face.period) {
        (_, Some(period)) => parts.push(format!("{} ({} left)", minutes(period), face.periods)),
        (Some(game), None) if face.periods > 0 => parts.push(format!(
            "{} +{}x{}s",
            minutes(game),
            face.periods,
            face.period_length.as_secs_f64()
        )),
        (Some(game), None) => parts.push(minutes(game)),
        (None, None) => {}
    }
    if let Some(turn) = face.turn {
        parts.push(format!("{}/move", minutes(turn)));
    }
    parts.join(" ")
}

/// `4:59`, `1:02:03`; seconds are rounded up, so that 0:00 means no time left.
fn minutes(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Black's expected points, from a value between 0 and 1.
pub(super) fn win_rate(black_wins: f64) -> String {
    format!("Black's win rate {:.1} %", 100.0 * black_wins)
}

/// Depth and win rate of a search for `color`.
pub(super) fn search(report: &SearchInfo, color: Color) -> String {
    let rate = win_rate(report.black_wins(color));
    format!("depth {}, {rate}", report.depth)
}

/// The line of play of a report.
pub(super) fn line(report: &SearchInfo, height: u8) -> String {
    let labels: Vec<String> = report.pv.iter().map(|p| p.label(height)).collect();
    labels.join(" ")
}

/// The advice of a hint.
pub(super) fn advice(hint: &Hint, height: u8) -> String {
    match &hint.action {
        Action::Pass => "pass".to_string(),
        action => action.text(height),
    }
}

/// The name of the renju opening of the first stones.
pub(super) fn named_opening(game: &Game) -> Option<String> {
    if game.setup().rule != Rule::Renju {
        return None;
    }
    let opening = NamedOpening::of(game.board())?;
    Some(format!("{} {}", opening.code(), opening.name()))
}

/// Points of an incomplete choice, and offered fifth stones.
pub(super) fn marked(model: &Model) -> Vec<Point> {
    match model.picked() {
        [] => model.game().opening().offered().to_vec(),
        picked => picked.to_vec(),
    }
}
