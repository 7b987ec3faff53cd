use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::*;
use crate::arena::clock::TimeControl;
use crate::engine::strength::Strength;
use crate::openings::OpeningRule;
use crate::play::command::{Side, parse};
use crate::play::game::GameSetup;
use crate::play::model::Pace;
use crate::rules::Rule;
use crate::types::Point;

fn ui(rule: Rule, opening: OpeningRule, (width, height): (u8, u8), lines: &[&str]) -> Ui {
    let setup = GameSetup {
        rule,
        opening,
        width,
        height,
        time: TimeControl::default(),
    };
    let pace = Pace {
        turn: None,
        depth: Some(1),
        nodes: None,
        strength: Strength::FULL,
    };
    let now = Instant::now();
    let mut model = Model::new(setup, Side::Both, pace, now).unwrap();
    for line in lines {
        let command = parse(line, model.game().board()).unwrap();
        model.command(command, now);
    }
    Ui {
        input_state: InputState::new(model.game().board()),
        model,
        theme: Theme::plain(true),
        is_leaving: false,
        wrong: None,
    }
}

fn shown(ui: &Ui, width: u16, height: u16) -> Vec<String> {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    layout::draw(ui, area, Instant::now(), &mut buffer);
    let row = |y| {
        let symbols = (0..width).map(|x| buffer[(x, y)].symbol());
        symbols.collect::<String>().trim_end().to_string()
    };
    (0..height).map(row).collect()
}

#[test]
fn a_usual_game_on_a_usual_terminal() {
    let lines = ["h8", "i9", "h7"];
    let ui = ui(Rule::Renju, OpeningRule::Free, (15, 15), &lines);
    let rows = shown(&ui, 80, 24);
    assert_eq!(rows[6], " 9 ├─┼─┼─┼─┼─┼─┼─┼─○─┼─┼─┼─┼─┼─┤");
    assert!(
        rows[7].starts_with(" 8 ├─┼─┼─┼─┼─┼─┼[●]┼─┼─┼─┼─┼─┼─┤"),
        "{rows:#?}"
    );
    assert!(rows[8].contains("┼(●)┼"), "the last stone is marked");
    assert_eq!(rows[15], "   a b c d e f g h i j k l m n o");
    assert_eq!(rows[0].split_once("  ").unwrap().1, "renju, 15x15");
    let text = rows.join("\n");
    assert!(
        text.contains("▶ ○ White") && text.contains("White to move"),
        "{text}"
    );
    assert!(text.contains("1.h8 2.i9 3.h7"), "{text}");
    assert_eq!(rows[23], ">");
}

#[test]
fn the_largest_board_stands_whole_on_80_by_24() {
    let lines = ["a1", "v22"];
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (22, 22), &lines);
    ui.input_state.input = "hint".to_string();
    let rows = shown(&ui, 80, 24);
    assert!(rows[0].starts_with("22 ┌─"), "{rows:#?}");
    assert!(rows[0].contains("(○)"), "{rows:#?}");
    assert!(rows[21].starts_with(" 1 ●─┴"), "{rows:#?}");
    assert!(rows[22].ends_with("t u v"), "{rows:#?}");
    assert_eq!(rows[23], "> hint");
    assert!(rows[0].contains("freestyle, 22x22"));
}

#[test]
fn a_small_terminal_scrolls_to_the_cursor() {
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (22, 22), &[]);
    for p in [Point::new(0, 0), Point::new(21, 21), Point::new(3, 18)] {
        ui.input_state.cursor = p;
        let rows = shown(&ui, 40, 14);
        let row = rows
            .iter()
            .find(|row| row.contains('['))
            .expect("the cursor is seen");
        assert!(row.starts_with(&format!("{:>2}", 22 - p.y())), "{row}");
    }
}

#[test]
fn no_size_breaks_anything() {
    let lines = ["h8", "i9", "h7", "hint"];
    let mut ui = ui(Rule::Renju, OpeningRule::Free, (15, 15), &lines);
    ui.input_state.input = "a line that is too long for so small a terminal".to_string();
    ui.wrong = Some("an error that is no shorter than that".to_string());
    for width in 1..60 {
        for height in 1..30 {
            ui.input_state.shows_help = false;
            let rows = shown(&ui, width, height);
            assert!(!rows.concat().is_empty());
            ui.input_state.shows_help = true;
            shown(&ui, width, height);
            layout::caret(&ui, Rect::new(0, 0, width, height));
        }
    }
}

#[test]
fn forbidden_points_are_crossed_out() {
    let lines = ["f8", "a1", "g8", "c1", "h10", "e1", "h9", "g1"];
    let renju = ui(Rule::Renju, OpeningRule::Free, (15, 15), &lines);
    assert!(shown(&renju, 80, 24)[7].contains("●─●[×]"));
    let other = ui(Rule::Standard, OpeningRule::Free, (15, 15), &lines);
    assert!(!shown(&other, 80, 24).concat().contains('×'));
}

#[test]
fn choices_of_an_opening_are_asked_for_and_shown() {
    let lines = ["h8", "i9", "j7"];
    let mut ui = ui(Rule::Freestyle, OpeningRule::Swap2, (15, 15), &lines);
    let text = shown(&ui, 80, 24).join(" ");
    assert!(text.contains("Take a colour"), "{text}");
    let point = parse("c3", ui.model.game().board()).unwrap();
    ui.model.command(point, Instant::now());
    let text = shown(&ui, 80, 24).join("\n");
    assert!(
        text.contains("─1─") && text.contains("second stone (black)"),
        "{text}"
    );
}

#[test]
fn the_help_fits_on_80_by_24() {
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &[]);
    ui.input_state.shows_help = true;
    let rows = shown(&ui, 80, 24);
    let wide = shown(&ui, 200, 60);
    for row in wide.iter().filter(|row| !row.is_empty()) {
        assert!(rows.contains(row), "cut: {row}");
    }
}

#[test]
fn the_mouse_finds_the_points_that_are_drawn() {
    let ui = ui(Rule::Freestyle, OpeningRule::Free, (20, 20), &[]);
    let area = Rect::new(0, 0, 44, 14);
    let view = layout::board_view(&ui, area);
    let mut found = 0;
    for (y, row) in shown(&ui, 44, 14).iter().enumerate() {
        for (x, symbol) in row.chars().enumerate() {
            if let Some(p) = view.point_at(x as u16, y as u16) {
                found += 1;
                if symbol == '[' {
                    assert_eq!(p, ui.input_state.cursor);
                }
            }
        }
    }
    assert!(found > 100, "{found}");
    assert_eq!(view.point_at(0, 13), None);
}

#[test]
fn plain_letters_draw_everything() {
    let lines = ["h8", "i9", "h7"];
    let mut ui = ui(Rule::Renju, OpeningRule::Free, (15, 15), &lines);
    ui.theme = Theme::plain(false);
    assert!(shown(&ui, 80, 24).concat().is_ascii());
}
