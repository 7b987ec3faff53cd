//! Records read by the page's tests too.

#[path = "../../tests/cases/held.rs"]
mod held;

use std::path::Path;

use held::{assert_answers, assert_held};
use tengen::board::{Board, Cell, Move};
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen::types::{Color, Point};
use tengen_games::convert::to_sgf;
use tengen_games::records::rule_names::{WHOLE, WORDS};
use tengen_games::records::{self, ReadOptions};
use tengen_tools::game::clock::TimeControl;
use tengen_tools::play::game::{Action, GameSetup};
use tengen_tools::play::record;

/// A text with its line ends; a line of the table shows them as signs.
fn text(column: &str) -> String {
    column
        .replace('⏎', "\n")
        .replace('␍', "\r")
        .replace('⇥', "\t")
}

/// A text as a column shows it.
fn column(text: &str) -> String {
    text.replace('\n', "⏎")
        .replace('\r', "␍")
        .replace('\t', "⇥")
}

fn labels(points: impl Iterator<Item = Point>, height: u8) -> String {
    let labels: Vec<String> = points.map(|p| p.label(height)).collect();
    labels.join(" ")
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

/// The position in which a record begins.
fn start(board: &Board) -> String {
    let with = |cell: Cell| {
        labels(
            board.points().filter(|&p| board.cell(p) == cell),
            board.height(),
        )
    };
    let mut parts = vec![format!("{}x{}", board.width(), board.height())];
    for (name, cell) in [
        ("black", Cell::Black),
        ("white", Cell::White),
        ("blocked", Cell::Blocked),
    ] {
        if board.points().any(|p| board.cell(p) == cell) {
            parts.push(format!("{name} {}", with(cell)));
        }
    }
    parts.push(format!("{} to move", board.side_to_move()));
    parts.join(", ")
}

#[test]
fn records_in_sgf_are_read_alike() {
    assert_answers("tests/cases/sgf.txt", 1, |columns| {
        let text = text(columns[0]);
        let empty = Board::new(15, 15).unwrap();
        let options = ReadOptions::new("game.sgf", &empty);
        let Ok(read) = records::read(text.as_bytes(), &options) else {
            return "refused".to_string();
        };
        let game = &read.games[0];
        let height = game.start.height();
        let turn = |made: &Move| {
            let place = made.point.map_or("pass".to_string(), |p| p.label(height));
            format!("{} {place}", letter(made.color))
        };
        let moves: Vec<String> = game.moves.iter().map(turn).collect();
        let rule = game.known_rule().unwrap_or_default();
        let names = [&*game.black, &*game.white, &*game.result].join("|");
        let written = to_sgf(text.as_bytes(), "game.sgf").unwrap();
        format!(
            "{rule}, {}\t{}\t{names}\t{}",
            start(&game.start),
            moves.join(", "),
            column(&written)
        )
    });
}

#[test]
fn openings_in_sgf_are_read_alike() {
    let usual = GameSetup {
        rule: Rule::Freestyle,
        opening: OpeningRule::Free,
        width: 15,
        height: 15,
        time: TimeControl::default(),
    };
    assert_answers("tests/cases/opening_records.txt", 1, |columns| {
        let Ok(loaded) = record::read(Path::new("game.sgf"), text(columns[0]).as_bytes(), &usual)
        else {
            return "refused".to_string();
        };
        let height = loaded.game.board().height();
        let choice = |action: &Action| match action {
            Action::Choose(choice) => Some(choice.text(height)),
            _ => None,
        };
        let turns = loaded.game.turns().iter();
        let choices: Vec<String> = turns.filter_map(|turn| choice(&turn.action)).collect();
        format!("{}\t{}", loaded.game.setup().rule, choices.join("; "))
    });
}

#[test]
fn the_page_has_these_names_of_rules() {
    let table = |names: &[(&str, Rule)]| {
        let row = |(name, rule): &(&str, Rule)| format!("    [\"{name}\", \"{rule}\"]");
        names.iter().map(row).collect::<Vec<String>>().join(",\n")
    };
    let (whole, words) = (table(&WHOLE), table(&WORDS));
    let text = format!("{{\n  \"whole\": [\n{whole}\n  ],\n  \"words\": [\n{words}\n  ]\n}}\n");
    assert_held("web/src/game/rule-names.json", &text);
}
