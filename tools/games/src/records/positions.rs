//! Positions with known answers, one a line, as games.

use super::game::RecordedGame;
use super::{LineError, RecordError, Sink, Warning, limit};
use crate::corpus::{Case, parse_line};
use crate::sgf::Property;
use tengen::board::{Board, Move};
use tengen::rules::Rule;

/// The lines that are no comments, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

/// True if the first line of a text is such a position.
pub(super) fn begin(text: &str) -> bool {
    let first = lines(text).next();
    first.is_some_and(|(_, line)| line.matches('|').count() == 4 || parse_line(line).is_ok())
}

/// Reads all positions. A line that is none costs no others.
pub(super) fn read(text: &str, sink: &mut Sink) -> Result<(), RecordError> {
    let mut first = None;
    let mut has_games = false;
    for (line, text) in lines(text) {
        match parse_line(text) {
            Ok(case) => {
                has_games = true;
                let mut game = game(case);
                // The answers stand in the other columns.
                if !text.contains('|') {
                    let columns = Property::new("C", text.replace('\t', ", "));
                    game.root().properties.push(columns);
                }
                if sink.take(game).is_break() {
                    return Ok(());
                }
            }
            Err(problem) => {
                let what = problem.clone();
                sink.warnings.push(Warning::LeftOut { line, what });
                limit(&mut sink.warnings);
                first.get_or_insert(LineError { line, problem });
            }
        }
    }
    match first.filter(|_| !has_games) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// The stones of a plain position are moves; the stones of others have no order.
fn game(case: Case) -> RecordedGame {
    match case {
        Case::Position(case) => {
            let mut game = RecordedGame::from_position(case.board.cleared());
            for &stone in case.board.stones() {
                game.play(Move::from(stone));
            }
            named(game, case.rule, &case.id, &case.source)
        }
        Case::Tactic(case) => set_up(case.board, case.rule, &case.id),
        Case::Forbidden(case) => set_up(case.board, Rule::Renju, &case.name),
        Case::Win(case) => set_up(case.board, case.rule, &case.name),
    }
}

fn set_up(board: Board, rule: Rule, id: &str) -> RecordedGame {
    named(RecordedGame::from_position(board), rule, id, "")
}

fn named(mut game: RecordedGame, rule: Rule, id: &str, source: &str) -> RecordedGame {
    game.rule = rule.name().to_string();
    for (name, text) in [("GN", id), ("SO", source)] {
        if !text.is_empty() {
            game.root().properties.push(Property::new(name, text));
        }
    }
    game
}
