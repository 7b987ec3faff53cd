use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use ratatui::layout::Rect;

use super::*;
use crate::game::clock::TimeControl;
use crate::play::command::{Side, parse};
use crate::play::game::GameSetup;
use crate::play::model::{Answer, Effect, Pace};
use tengen::engine::Options;
use tengen::engine::strength::Strength;
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen::search::SearchInfo;
use tengen::types::{Point, Score};

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
        is_stale: false,
        is_continued: false,
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

/// A person at a terminal of 80 by 24 letters.
struct Person {
    ui: Ui,
    driver: Driver<Event>,
    /// Keeps the driver's channel open.
    _inbox: Receiver<Event>,
}

const AREA: Rect = Rect::new(0, 0, 80, 24);

impl Person {
    fn at(ui: Ui) -> Person {
        let (events, inbox) = mpsc::channel();
        let driver = Driver::new(Engine::new(Options::default()), None, events);
        Person {
            ui,
            driver,
            _inbox: inbox,
        }
    }

    fn does(&mut self, input: Input) {
        let left = self.ui.event(Event::Input(input), &mut self.driver, AREA);
        assert!(left.is_continue());
    }

    fn press(&mut self, code: KeyCode) {
        self.does(Input::Key(code.into()));
    }

    fn write(&mut self, line: &str) {
        line.chars()
            .for_each(|letter| self.press(KeyCode::Char(letter)));
        self.press(KeyCode::Enter);
    }

    fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) {
        let modifiers = KeyModifiers::NONE;
        self.does(Input::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers,
        }));
    }

    fn click(&mut self, place: (u16, u16)) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), place);
    }

    fn screen(&self) -> String {
        shown(&self.ui, AREA.width, AREA.height).join("\n")
    }
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

/// The search for the last move and the one for a hint are of two positions, and may differ.
#[test]
fn every_win_rate_names_its_move() {
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &[]);
    let now = Instant::now();
    let setup = *ui.model.game().setup();
    let pace = Pace {
        turn: None,
        depth: Some(1),
        nodes: None,
        strength: Strength::FULL,
    };
    ui.model = Model::new(setup, Side::Black, pace, now).unwrap();
    for (line, point, win_rate) in [("h8", (8, 6), 0.077), ("hint", (7, 8), 0.898)] {
        let command = parse(line, ui.model.game().board()).unwrap();
        let effects = ui.model.command(command, now);
        let Some(Effect::Start(job)) = effects.into_iter().next() else {
            panic!("{line} starts no search");
        };
        let point = Point::new(point.0, point.1);
        let line = SearchInfo {
            rank: 0,
            lines: 1,
            depth: 9,
            seldepth: 12,
            score: Score::DRAW,
            win_rate,
            nodes: 1,
            elapsed: now - now,
            pv: vec![point],
        };
        let answer = Answer {
            point: Some(point),
            choice: None,
            lines: vec![line],
        };
        ui.model.finished(job.id, Some(answer), now);
    }
    let text = shown(&ui, 80, 24).join("\n");
    assert!(text.contains("Black's win rate 92.3 % (move 2)"), "{text}");
    assert!(text.contains("Hint: h7"), "{text}");
    assert!(text.contains("depth 9, Black's win rate 89.8 %"), "{text}");
    // A person who wants no help sees none but the advice asked for.
    let values = parse("values", ui.model.game().board()).unwrap();
    ui.model.command(values, now);
    let text = shown(&ui, 80, 24).join("\n");
    assert!(text.contains("Hint: h7"), "{text}");
    for hidden in ["win rate", "depth", "█"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
}

#[test]
fn the_largest_board_stands_whole_on_80_by_24() {
    let lines = ["a1", "v22"];
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (22, 22), &lines);
    ui.input_state.type_line("hint");
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
    ui.input_state
        .type_line("a line that is too long for so small a terminal");
    ui.wrong = Some("an error that is no shorter than that".to_string());
    for width in 0..60 {
        for height in 0..30 {
            ui.input_state.shows_help = false;
            let rows = shown(&ui, width, height);
            assert_eq!(rows.concat().is_empty(), width * height == 0);
            ui.input_state.shows_help = true;
            shown(&ui, width, height);
            let area = Rect::new(0, 0, width, height);
            layout::caret(&ui, area);
            layout::board_view(&ui, area).point_at(0, 0);
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
    assert!(rows[0].contains("closes this help"), "{rows:?}");
    let wide = shown(&ui, 200, 60);
    for row in wide.iter().filter(|row| !row.is_empty()) {
        assert!(rows.contains(row), "cut: {row}");
    }
}

#[test]
fn the_mouse_finds_the_points_that_are_drawn() {
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &[]);
    ui.input_state.cursor = Point::new(3, 12);
    for (width, height, least) in [
        (44, 10, 100),
        (80, 24, 400),
        (120, 40, 1_600),
        (200, 60, 3_600),
    ] {
        let area = Rect::new(0, 0, width, height);
        let view = layout::board_view(&ui, area);
        let mut found = 0;
        for (y, row) in shown(&ui, width, height).iter().enumerate() {
            for (x, symbol) in row.chars().enumerate() {
                let at = view.point_at(x as u16, y as u16);
                found += usize::from(at.is_some());
                if symbol == '[' {
                    assert_eq!(at, Some(ui.input_state.cursor), "{width}x{height}");
                }
            }
        }
        assert!(found > least, "{width}x{height}: {found}");
        assert_eq!(view.point_at(0, height - 1), None);
    }
}

#[test]
fn cells_grow_with_the_terminal() {
    let lines = ["h8", "i9"];
    let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &lines);
    let middle = shown(&ui, 120, 40);
    assert!(middle[31].contains("a   b   c"), "{middle:#?}");
    assert!(middle[13].contains("┼─(─○─)─┼"), "{middle:#?}");
    assert!(middle[14].contains("│   │"), "{middle:#?}");
    assert!(middle[0].contains("freestyle, 15x15"), "{middle:#?}");
    let large = shown(&ui, 200, 60);
    assert!(large[45].contains("a     b     c"), "{large:#?}");
    ui.theme = Theme::rich();
    let large = shown(&ui, 200, 60);
    assert!(large[22].contains("[▐███▌]"), "{large:#?}");
    assert!(
        large[21].contains("▄▄▄") && large[20].contains("▀▀▀"),
        "{large:#?}"
    );
    // On narrow or low ones they do not.
    for (width, height) in [(99, 60), (200, 33)] {
        let rows = shown(&ui, width, height);
        assert!(rows[15].contains("a b c"), "{rows:#?}");
    }
}

#[test]
fn a_click_plays_where_the_cursor_followed() {
    let ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &[]);
    let mut person = Person::at(ui);
    // c13: two columns for a cell.
    let place = (3 + 2 * 2, 2);
    person.mouse(MouseEventKind::Moved, place);
    assert_eq!(person.ui.input_state.cursor, Point::new(2, 2));
    assert!(person.ui.model.game().turns().is_empty());
    person.click(place);
    assert!(person.screen().contains("1.c13"), "{}", person.screen());
    person.click(place);
    assert!(
        person.screen().contains("c13 is taken"),
        "{}",
        person.screen()
    );
    person.press(KeyCode::F(1));
    assert!(person.screen().contains("mouse "), "{}", person.screen());
    person.click((9, 9));
    assert!(person.screen().contains("1.c13"), "a click closes the help");
    assert_eq!(person.ui.model.game().turns().len(), 1);
}

#[test]
fn refused_lines_go_and_come_back() {
    let ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &["h8"]);
    let mut person = Person::at(ui);
    for (line, reason) in [
        ("hello", "'hello' is neither a point nor a command"),
        ("pass", "a pass is not allowed"),
    ] {
        person.write(line);
        let screen = person.screen();
        assert!(
            screen.contains(reason) && screen.contains("Up: the refused line"),
            "{screen}"
        );
        assert_eq!(person.ui.input_state.input.value(), "");
        person.press(KeyCode::Up);
        assert_eq!(person.ui.input_state.input.value(), line);
        let screen = person.screen();
        assert!(
            !screen.contains("Up: the refused line") && !screen.contains(reason),
            "{screen}"
        );
        person.press(KeyCode::Esc);
    }
    person.write("i9");
    let cursor = person.ui.input_state.cursor;
    person.press(KeyCode::Up);
    assert_ne!(person.ui.input_state.cursor, cursor, "nothing was refused");
}

#[test]
fn long_messages_are_shown_whole() {
    let reason = format!(
        "/a/{}/game.sgf: it exists; save! overwrites it",
        "folder/".repeat(20)
    );
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    for side in [15, 22] {
        let mut ui = ui(Rule::Freestyle, OpeningRule::Free, (side, side), &[]);
        ui.wrong = Some(reason.clone());
        ui.input_state.type_line("x");
        let rows = shown(&ui, 80, 24);
        assert!(
            packed(&rows.join("\n")).contains(&packed(&reason)),
            "{rows:#?}"
        );
        assert_eq!(rows[23], "> x");
        assert!(
            rows.iter().any(|row| row.contains('[')),
            "the cursor is seen: {rows:#?}"
        );
    }
}

#[test]
fn the_end_says_what_can_be_done_then() {
    let lines = ["h8", "i9", "resign"];
    for side in [15, 22] {
        let ui = ui(Rule::Freestyle, OpeningRule::Free, (side, side), &lines);
        let text = shown(&ui, 80, 24).join("\n");
        assert!(text.contains("White wins: by resignation"), "{text}");
        for part in ["tengen", "review FILE", "judges every move"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn the_list_of_moves_numbers_the_stones() {
    let lines = ["h8", "i9", "j7", "c3 d4", "black", "a1"];
    let ui = ui(Rule::Freestyle, OpeningRule::Swap2, (15, 15), &lines);
    let text = shown(&ui, 120, 40).join("\n");
    let moves = "1.h8 2.i9 3.j7 4-5.White adds c3 d4; Black takes black;";
    assert!(text.contains(moves), "{text}");
}

/// A choice is shown with its chooser, because choices change the colours.
#[test]
fn choices_have_a_subject() {
    let lines = ["h8", "i9", "j7"];
    let mut ui = ui(Rule::Freestyle, OpeningRule::Swap2, (15, 15), &lines);
    let text = shown(&ui, 120, 40).join(" ");
    let asked = "add two stones, first white: put them like moves";
    assert!(text.contains(asked), "{text}");
    let now = Instant::now();
    for line in ["side white", "swap"] {
        let command = parse(line, ui.model.game().board()).unwrap();
        ui.model.command(command, now);
    }
    let text = shown(&ui, 80, 24).join("\n");
    assert!(text.contains("3.j7 You take black;"), "{text}");
}

#[test]
fn the_strength_is_shown_where_the_engine_plays() {
    let mut ui = ui(Rule::Renju, OpeningRule::Free, (15, 15), &["strength 40"]);
    assert!(!shown(&ui, 80, 24).concat().contains("strength 40"));
    let side = parse("side black", ui.model.game().board()).unwrap();
    ui.model.command(side, Instant::now());
    let text = shown(&ui, 80, 24).join("\n");
    assert!(text.contains("renju, 15x15, strength 40"), "{text}");
}

#[test]
fn stones_are_numbered_at_every_size() {
    let lines = ["h8", "i9", "h7", "numbers"];
    let ui = ui(Rule::Freestyle, OpeningRule::Free, (15, 15), &lines);
    for (width, height, first, last) in
        [(80, 24, "┼─ 2──┼", "( 3)"), (120, 40, "┼── 2───┼", "( 3─)")]
    {
        let text = shown(&ui, width, height).join("\n");
        assert!(text.contains(first) && text.contains(last), "{text}");
        assert!(!text.contains("─●─"), "{text}");
    }
    let digits = [7, 99, 100, 105].map(board::two_digits);
    assert_eq!(digits, [" 7", "99", "00", "05"]);
}

#[test]
fn plain_letters_draw_everything() {
    let lines = ["h8", "i9", "h7"];
    let mut ui = ui(Rule::Renju, OpeningRule::Free, (15, 15), &lines);
    ui.theme = Theme::plain(false);
    assert!(shown(&ui, 80, 24).concat().is_ascii());
}
