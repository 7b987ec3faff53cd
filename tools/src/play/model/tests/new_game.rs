use super::*;

#[test]
fn a_new_game_keeps_what_is_not_changed() {
    let mut table = Table::new(free(Rule::Renju), Side::Black);
    table.say("h8").say("new 20x15 white");
    let setup = table.model.game().setup();
    assert_eq!(
        (setup.rule, setup.width, setup.height),
        (Rule::Renju, 20, 15)
    );
    assert!(matches!(
        table.effects[..],
        [Effect::Drop, Effect::Start(_)]
    ));
    table.refused("new rif 7", "at least 9x9");
}

#[test]
fn openings_of_renju_are_played_in_renju() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    table.say("new rif");
    let setup = |table: &Table| {
        (
            table.model.game().setup().rule,
            table.model.game().setup().opening,
        )
    };
    assert_eq!(setup(&table), (Rule::Renju, OpeningRule::Rif));
    table.refused(
        "new soosorv-8 caro",
        "soosorv-8 is a rule of renju, not of caro",
    );
    table.say("new 20");
    assert_eq!(setup(&table), (Rule::Renju, OpeningRule::Rif));
    table.say("new standard");
    assert_eq!(setup(&table), (Rule::Standard, OpeningRule::Free));
}

#[test]
fn moves_are_numbered_as_their_stones() {
    let numbers = |table: &Table| {
        let numbers = table.model.game().move_numbers();
        let numbers = numbers.into_iter().map(|range| (range.start, range.len()));
        numbers.collect::<Vec<_>>()
    };
    let mut table = Table::new(setup(Rule::Standard, OpeningRule::Swap2), Side::Both);
    table.say("h8 i9 j7").say("c3 d4").say("black").say("a1");
    assert_eq!(numbers(&table)[2..], [(3, 1), (4, 2), (6, 0), (6, 1)]);
    table.say("pass").say("a2");
    assert_eq!(numbers(&table)[6..], [(7, 1), (8, 1)], "a pass is a move");
    let mut table = Table::new(
        setup(Rule::Renju, "designated:4D:2".parse().unwrap()),
        Side::Both,
    );
    assert_eq!(table.model.game().given_stones().len(), 3);
    table.say("stay").say("a1");
    assert_eq!(numbers(&table), [(4, 0), (4, 1)]);
}

/// `undo` takes back `new`, and `resume` changes between two games. So no game is lost by `new`,
/// `load` or another rule or size.
#[test]
fn a_game_left_for_another_comes_back() {
    let mut table = Table::new(free(Rule::Renju), Side::Black);
    table.refused("resume", "no game before this one");
    table.say("h8").engine("i9").say("new caro 20 white");
    let number = table.model.game_number();
    // The engine is Black; no turn of the person can be taken back.
    table.engine("k10").say("undo").expect("h8 i9");
    assert_eq!(table.model.game().setup().rule, Rule::Renju);
    assert!(table.model.is_persons_turn() && table.model.game_number() < number);
    table.say("resume");
    assert_eq!(table.model.game().setup().width, 20);
    assert!(table.model.game_number() == number && table.model.is_persons_turn());
    table.say("resume").expect("h8 i9");
    let mut other = Table::new(free(Rule::Freestyle), Side::Both);
    let record = other.say("a15 b14").model.record();
    let path = std::path::Path::new("a.sgf");
    table.model.read(path, Ok(record.into_bytes()), table.now);
    assert!(table.model.notice().unwrap().text.contains("resume: back"));
    table.say("resume").expect("h8 i9").say("resume");
    table.expect("a15 b14");
    assert_eq!(table.model.path(), Some(path));
    // Moves taken back are not lost either.
    table.say("side both").say("undo").say("undo");
    table.refused("undo", "resume: back to the game before");
    table.say("resume").say("resume").say("redo").expect("a15");
}
