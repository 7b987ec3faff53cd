use super::{CHOICE_COMMENTS, CHOICES, OFF_CLOCK, OPENING_RULE};
use crate::arena::record::sgf::{date, result};
use crate::game::clock::TimeControl;
use crate::play::game::{Action, Game, Turn, Used};
use tengen::openings::{NamedOpening, OpeningRule};
use tengen::rules::Rule;
use tengen_games::sgf::Writer;

/// The game as text. `names` are the names of Black and White, `seconds` the time since 1970.
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
    sgf.position(game.start());
    let given = game.given_stones();
    for stone in given {
        sgf.new_line().turn(stone.color, Some(stone.point));
    }
    let before = game.start().stones().len() + given.len();
    let mut stones = game.board().stones()[before..].iter();
    let mut choices = Vec::new();
    for turn in game.turns() {
        let points = turn.stones();
        if points.is_empty() && turn.action != Action::Pass {
            choices.push(turn);
            continue;
        }
        write_choices(&mut sgf, &std::mem::take(&mut choices), setup.height);
        if turn.action == Action::Pass {
            sgf.new_line().turn(turn.color, None);
        }
        for stone in stones.by_ref().take(points.len()) {
            sgf.new_line().turn(stone.color, Some(stone.point));
        }
        let comment = comment(turn);
        if !comment.is_empty() {
            sgf.property("C", comment);
        }
    }
    write_choices(&mut sgf, &choices, setup.height);
    sgf.new_line();
    sgf.finish()
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

/// Choices without a stone, and a comment on each.
fn write_choices(sgf: &mut Writer, choices: &[&Turn], height: u8) {
    let words: Vec<String> = choices
        .iter()
        .map(|turn| turn.action.text(height))
        .collect();
    let comments: Vec<String> = choices.iter().map(|turn| comment(turn)).collect();
    sgf.values(CHOICES, &words);
    if comments.iter().any(|comment| !comment.is_empty()) {
        sgf.values(CHOICE_COMMENTS, &comments);
    }
}

/// Time and values of a turn, where they are known, for people and for the reader of records.
fn comment(turn: &Turn) -> String {
    let used = turn.used.known();
    let mut parts = Vec::from_iter(used.map(|time| format!("{} ms", time.as_millis())));
    if let Used::OffClock(_) = turn.used {
        parts.push(OFF_CLOCK.to_string());
    }
    if let Some(thought) = turn.thought {
        parts.push(format!(
            "black wins {:.1} %, value {}, depth {}",
            100.0 * thought.black_wins,
            thought.score.raw(),
            thought.depth
        ));
    }
    parts.join(", ")
}
