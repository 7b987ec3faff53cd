use std::path::Path;

use super::*;

fn timed(time: TimeControl, side: Side) -> Table {
    let setup = GameSetup {
        time,
        ..free(Rule::Freestyle)
    };
    Table::new(setup, side)
}

/// Seconds and periods shown by a clock.
fn left(table: &Table, color: Color) -> (u64, u32) {
    let face = face(table, color);
    (face.game.unwrap().as_secs(), face.periods)
}

fn face(table: &Table, color: Color) -> Face {
    let holder = table.model.game().holder(color);
    table.model.clock(holder, table.now).unwrap()
}

#[test]
fn clocks_run_in_turn_and_flags_fall() {
    let time = TimeControl {
        game: Some(Duration::from_secs(60)),
        byo_yomi: Some("2x10s".parse().unwrap()),
        ..TimeControl::default()
    };
    let mut table = timed(time, Side::Black);
    table.wait(50);
    assert_eq!(left(&table, Color::Black), (10, 2));
    assert_eq!(left(&table, Color::White), (60, 2));
    table.say("h8");
    assert_eq!(
        table.job().time.turn_ms,
        Some(1000),
        "the pace bounds it too"
    );
    table.wait(5);
    assert_eq!(left(&table, Color::White), (55, 2));
    table.effects = vec![];
    let id = table.model.next_job - 1;
    table.answers(id, Some(answer(Point::new(0, 0))));
    table.wait(15);
    assert_eq!(left(&table, Color::Black), (0, 2));
    assert!(table.model.game().ending().is_none());
    table.wait(16);
    assert_eq!(table.outcome(), (Outcome::White, Reason::Time));
    table.wait(7);
    assert_eq!(left(&table, Color::Black), (0, 0), "the clock stays");
    // Only the fall of the flag is undone, and the turn starts again.
    table.say("undo").expect("h8 a15");
    assert_eq!(left(&table, Color::Black), (10, 2));
    table.say("i8");
    assert_eq!(
        left(&table, Color::White),
        (55, 2),
        "times are taken back as well"
    );
}

#[test]
fn the_clock_stays_at_nothing_when_the_engine_answers_too_late() {
    let time = TimeControl::parse_tc("60").unwrap();
    let mut table = timed(time, Side::None);
    table.now += Duration::from_secs(70);
    table.engine("h8");
    assert_eq!(table.outcome(), (Outcome::White, Reason::Time));
    assert_eq!(left(&table, Color::Black).0, 0);
    assert_eq!(left(&table, Color::White).0, 60);
    table.say("undo");
    assert_eq!(left(&table, Color::Black).0, 60, "the turn begins again");
}

#[test]
fn a_move_that_was_too_slow_leaves_the_rest_of_the_game() {
    let time = TimeControl::parse_tc("300/30").unwrap();
    let mut table = timed(time, Side::Both);
    table.wait(31).wait(100);
    assert_eq!(table.outcome(), (Outcome::White, Reason::Time));
    let shown = face(&table, Color::Black);
    assert_eq!(shown.turn, Some(Duration::ZERO));
    assert_eq!(shown.game, Some(Duration::from_secs(269)));
}

#[test]
fn a_resignation_stops_the_clock_where_it_is() {
    let time = TimeControl::parse_tc("60").unwrap();
    let mut table = timed(time, Side::Both);
    table.wait(20).say("resign").wait(5);
    assert_eq!(left(&table, Color::Black).0, 40);
}

#[test]
fn a_loaded_game_that_was_lost_on_time_shows_no_time() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    let text = "(;GM[4]SZ[15]TM[60]RE[B+T];B[hh]C[5000 ms])".to_string();
    table
        .model
        .read(Path::new("a.sgf"), Ok(text.into_bytes()), table.now);
    assert_eq!(left(&table, Color::Black).0, 55);
    assert_eq!(left(&table, Color::White).0, 0);
}
