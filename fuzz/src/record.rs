//! Games of matches, in the form of a journal.

use tengen::types::Color;
use tengen_games::records::RecordedGame;
use tengen_tools::arena::game::{GameRecord, RecordedTurn};
use tengen_tools::game::referee::{Outcome, Reason};

/// The game of a match with the moves and names of `game`; `None` if it did not begin on an empty
/// board or the sides did not take turns.
pub fn of_match(game: &RecordedGame) -> Option<GameRecord> {
    let (width, height) = (game.start.width(), game.start.height());
    let is_empty = game.start.empty_count() == usize::from(width) * usize::from(height);
    let mut turns = game.moves.iter().zip(Color::BOTH.into_iter().cycle());
    let is_plain = is_empty && turns.all(|(played, color)| played.color == color);
    let turns = game
        .moves
        .iter()
        .map(|played| RecordedTurn::bare(played.point, height));
    is_plain.then(|| GameRecord {
        id: 0,
        pair: 0,
        round: 0,
        black: game.black.clone(),
        white: game.white.clone(),
        rule: game.rule.clone(),
        width,
        height,
        opening: None,
        opening_turns: 0,
        agreed: None,
        turns: turns.collect(),
        outcome: Outcome::Draw,
        reason: Reason::Five,
        detail: String::new(),
        ended: 0,
        peak_memory: None,
    })
}
