//! A picture of the screen in the middle of a game, for documents.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::keys::InputState;
use super::svg::svg;
use super::theme::Theme;
use super::{Ui, layout};
use crate::cli::Error;
use crate::game::clock::TimeControl;
use crate::play::command::{Command, Side};
use crate::play::driver;
use crate::play::game::GameSetup;
use crate::play::model::{Effect, Model, Pace};
use tengen::engine::move_control::MoveControl;
use tengen::engine::strength::Strength;
use tengen::engine::{Engine, Options};
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen::types::Point;

/// Size of the screen in cells.
const SIZE: (u16, u16) = (80, 24);
/// The first stones of the game, and the number of stones in the picture.
const FIRST_STONES: [(u8, u8); 5] = [(7, 7), (6, 7), (9, 5), (6, 6), (5, 6)];
const STONES: usize = 24;
/// Nodes for each of the engine's moves. A limit of nodes makes the game repeatable.
const NODES: u64 = 20_000;

/// The screen as an SVG: some moves of the engine against itself, then its hint for Black.
///
/// # Errors
/// When a move is refused.
pub(in crate::cli) fn screenshot() -> Result<String, Error> {
    let setup = GameSetup {
        rule: Rule::Renju,
        opening: OpeningRule::Free,
        width: 15,
        height: 15,
        time: TimeControl::default(),
    };
    let pace = Pace {
        turn: None,
        depth: None,
        nodes: Some(NODES),
        strength: Strength::FULL,
    };
    let now = Instant::now();
    let failed = |text: String| Error::Failed(format!("the game of the picture: {text}"));
    let mut engine = Engine::new(Options::default());
    let mut model = Model::new(setup, Side::Both, pace, now).map_err(|e| failed(e.to_string()))?;
    let stones = FIRST_STONES.map(|(x, y)| Command::Points(vec![Point::new(x, y)]));
    let sides = [Side::None, Side::Black].map(Command::Side);
    for command in stones.into_iter().chain(sides).chain([Command::Hint]) {
        let effects = model.command(command, now);
        carry_out(&mut model, &mut engine, effects, now);
        if let Some(notice) = model.notice().filter(|notice| notice.is_error) {
            return Err(failed(notice.text.clone()));
        }
    }
    let cursor = model.hint().and_then(|hint| hint.points().first().copied());
    let mut ui = Ui {
        input_state: InputState::new(model.game().board()),
        model,
        theme: Theme::rich(),
        is_leaving: false,
        wrong: None,
        is_stale: false,
        is_continued: false,
    };
    ui.input_state.cursor = cursor.unwrap_or(ui.input_state.cursor);
    let area = Rect::new(0, 0, SIZE.0, SIZE.1);
    let mut buffer = Buffer::empty(area);
    layout::draw(&ui, area, now, &mut buffer);
    Ok(svg(&buffer))
}

/// Lets the engine answer while the game has fewer than [`STONES`] stones or a hint is wanted.
fn carry_out(model: &mut Model, engine: &mut Engine, mut effects: Vec<Effect>, now: Instant) {
    while let Some(Effect::Start(job)) = effects.pop() {
        if model.game().turns().len() >= STONES && !model.is_persons_turn() {
            return;
        }
        let control = MoveControl::new(now, &job.time);
        let answer = driver::answer(engine, &job.task, &control, &mut |_| {});
        effects = model.finished(job.id, Some(answer), now);
    }
}
