mod clocks;
mod files;
mod new_game;

use std::time::{Duration, Instant};

use super::*;
use crate::game::clock::TimeControl;
use crate::game::referee::Outcome;
use crate::play::command::parse;
use tengen::board::parse_moves;
use tengen::engine::strength::Strength;
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen::search::SearchInfo;
use tengen::types::Score;

/// A table without terminal and without engine: the test answers in the engine's place.
struct Table {
    model: Model,
    now: Instant,
    effects: Vec<Effect>,
}

fn setup(rule: Rule, opening: OpeningRule) -> GameSetup {
    GameSetup {
        rule,
        opening,
        width: 15,
        height: 15,
        time: TimeControl::default(),
    }
}

fn free(rule: Rule) -> GameSetup {
    setup(rule, OpeningRule::Free)
}

const PACE: Pace = Pace {
    turn: Some(Duration::from_secs(1)),
    depth: None,
    nodes: None,
    strength: Strength::FULL,
};

impl Table {
    fn new(setup: GameSetup, side: Side) -> Table {
        let now = Instant::now();
        let mut model = Model::new(setup, side, PACE, now).unwrap();
        let effects = model.begin(now);
        Table {
            model,
            now,
            effects,
        }
    }

    /// Types a line; it must be understood.
    fn say(&mut self, line: &str) -> &mut Table {
        let command = parse(line, self.model.game().board()).unwrap();
        self.effects = self.model.command(command, self.now);
        self
    }

    /// Types a line to be refused with this reason; the position stays.
    fn refused(&mut self, line: &str, reason: &str) -> &mut Table {
        let before = self.model.game().turns().to_vec();
        self.say(line);
        let notice = self.model.notice().expect("a reason");
        assert!(
            notice.is_error && notice.text.contains(reason),
            "{notice:?}"
        );
        assert_eq!(self.model.game().turns(), before);
        self
    }

    fn job(&self) -> &SearchJob {
        let start = self.effects.iter().find_map(|effect| match effect {
            Effect::Start(job) => Some(job),
            _ => None,
        });
        start.expect("the engine is asked")
    }

    /// The engine answers its last job.
    fn engine(&mut self, label: &str) -> &mut Table {
        let id = self.model.next_job - 1;
        let point = Point::from_label(label, 15, 15).unwrap();
        self.answers(id, Some(answer(point)))
    }

    fn answers(&mut self, id: u64, answer: Option<Answer>) -> &mut Table {
        self.effects = self.model.finished(id, answer, self.now);
        self
    }

    fn stones(&self) -> String {
        let board = self.model.game().board();
        let labels: Vec<String> = board.stones().iter().map(|s| s.point.label(15)).collect();
        labels.join(" ")
    }

    fn expect(&mut self, stones: &str) -> &mut Table {
        assert_eq!(self.stones(), stones);
        self
    }

    fn wait(&mut self, seconds: u64) -> &mut Table {
        self.now += Duration::from_secs(seconds);
        self.effects = self.model.tick(self.now);
        self
    }

    fn outcome(&self) -> (Outcome, Reason) {
        let ending = self.model.game().ending().expect("the game is over");
        (ending.outcome, ending.reason)
    }
}

fn report(point: Point) -> SearchInfo {
    SearchInfo {
        rank: 0,
        lines: 1,
        depth: 9,
        seldepth: 12,
        score: Score::value(50),
        win_rate: 0.6,
        nodes: 1000,
        elapsed: Duration::from_millis(20),
        pv: vec![point],
    }
}

fn answer(point: Point) -> Answer {
    Answer {
        point: Some(point),
        choice: None,
        lines: vec![report(point)],
    }
}

#[test]
fn the_engine_answers_and_its_values_are_kept_for_black() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    assert!(table.effects.is_empty());
    table.say("h8").engine("i9").expect("h8 i9");
    let thought = table.model.game().turns()[1].thought.unwrap();
    assert!((thought.black_wins - 0.4).abs() < 1e-9, "White thought so");
    assert_eq!(thought.depth, 9);
    let mut table = Table::new(free(Rule::Freestyle), Side::White);
    table.engine("h8").expect("h8");
    assert!((table.model.game().black_wins()[0].unwrap() - 0.6).abs() < 1e-9);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("h8").refused("i9", "engine's turn");
    table.engine("i9").refused("pass", "in the opening");
    table.refused("swap", "opening is over");
    table.refused("redo", "nothing to play again");
    table.refused("now", "not thinking");
}

#[test]
fn forbidden_points_are_refused_and_shown() {
    let mut table = Table::new(free(Rule::Renju), Side::Both);
    table.say("f8 a1 g8 c1 h10 e1 h9 g1");
    let h8 = Point::from_label("h8", 15, 15).unwrap();
    assert!(table.model.game().forbidden().contains(h8));
    table.refused("h8", "h8 is forbidden for Black (33)");
    table.say("i8");
    assert!(table.model.game().forbidden().is_empty(), "White's turn");
}

#[test]
fn undo_takes_back_to_the_persons_last_decision() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("h8").engine("i9").say("h7").engine("h6");
    table.say("undo").expect("h8 i9");
    table.say("undo").expect("").refused("undo", "nothing");
    table.say("redo").expect("h8 i9").say("redo");
    table.expect("h8 i9 h7 h6");
    // In the engine's turn its search is dropped, and its answer comes too late.
    table.say("j7");
    let late = table.job().id;
    table.say("undo").expect("h8 i9 h7 h6");
    assert!(matches!(table.effects[..], [Effect::Drop]));
    table.answers(late, Some(answer(Point::new(0, 0))));
    table.expect("h8 i9 h7 h6");
    // With the engine as Black, no turn of a person comes before its first move.
    let mut table = Table::new(free(Rule::Freestyle), Side::White);
    table.engine("h8").refused("undo", "nothing").expect("h8");
}

#[test]
fn two_people_take_back_move_by_move() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    table.say("h8 i9 h7").say("undo").expect("h8 i9");
    table.say("a1").refused("redo", "nothing to play again");
}

#[test]
fn a_hint_is_given_and_forgotten_with_the_move() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("hint");
    assert_eq!(table.model.thinking().unwrap().purpose, Purpose::Hint);
    let job = table.job().id;
    table.model.report(job, report(Point::new(7, 7)));
    assert!(table.model.thinking().unwrap().latest.is_some());
    table.engine("h8").expect("");
    assert_eq!(table.model.hint().unwrap().points(), [Point::new(7, 7)]);
    table.say("h8");
    assert_eq!(table.model.hint(), None);
    // A move during a hint's search drops the search, and the engine is asked for its own move.
    table.engine("i9").say("hint").say("h7");
    assert!(matches!(
        table.effects[..],
        [Effect::Drop, Effect::Start(_)]
    ));
}

#[test]
fn hints_are_the_best_whatever_the_strength() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("strength 20").say("hint");
    assert_eq!(table.job().task.strength, Strength::FULL);
    table.say("h8");
    assert_eq!(table.job().task.strength, Strength::new(20));
}

#[test]
fn the_engine_is_told_to_move_now() {
    let mut table = Table::new(free(Rule::Freestyle), Side::White);
    table.say("now");
    assert!(matches!(table.effects[..], [Effect::Stop]));
    assert!(table.model.thinking().is_some(), "its answer is wanted");
}

#[test]
fn a_broken_engine_still_moves_legally() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("h8");
    let id = table.job().id;
    table.answers(id, None);
    assert_eq!(table.model.game().turns().len(), 2);
    assert!(table.model.notice().unwrap().text.contains("search failed"));
    table.say("a1");
    let id = table.job().id;
    table.answers(id, Some(answer(Point::new(7, 7))));
    assert_eq!(table.model.game().turns().len(), 4, "h8 is taken");
}

#[test]
fn games_end_and_go_on_after_undo() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    table.say("h8 a1 i8 a2 j8 a3 k8 a4 l8");
    assert_eq!(table.outcome(), (Outcome::Black, Reason::Five));
    table.refused("a5", "the game is over");
    table.say("undo").say("a6");
    assert!(table.model.game().ending().is_none());
    table.say("resign");
    assert_eq!(table.outcome(), (Outcome::Black, Reason::Resignation));
    table.say("undo").expect("h8 a1 i8 a2 j8 a3 k8 a4 a6");
    table.say("c5").say("pass").say("pass");
    assert_eq!(table.outcome(), (Outcome::Draw, Reason::Passes));
}

#[test]
fn the_person_resigns_in_the_engines_turn_too() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("h8").say("resign");
    assert!(matches!(table.effects[..], [Effect::Drop]));
    assert_eq!(table.outcome(), (Outcome::White, Reason::Resignation));
}

/// A resignation is taken back alone, whoever was to move, and no turn can follow it.
#[test]
fn a_resignation_is_taken_back_alone() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("h8").say("resign");
    table.say("undo").expect("h8");
    assert!(table.model.game().ending().is_none());
    table.engine("i9").expect("h8 i9");
    let mut table = Table::new(free(Rule::Freestyle), Side::Both);
    table.say("h8 i9").say("undo").say("resign");
    table.refused("redo", "nothing to play again");
    assert!(table.model.game().ending().is_some());
    table.say("undo").say("redo").expect("h8 i9");
}

#[test]
fn swap2_is_played_from_both_sides() {
    let swap2 = setup(Rule::Standard, OpeningRule::Swap2);
    let mut table = Table::new(swap2, Side::White);
    let opening = table.job().clone();
    assert!(opening.task.opening.is_some());
    let choose = |table: &mut Table, choice| {
        let id = table.model.next_job - 1;
        let answer = Answer {
            choice: Some(choice),
            ..Answer::default()
        };
        table.answers(id, Some(answer));
    };
    use tengen::openings::Choice;
    for p in [(7, 7), (8, 6), (9, 9)] {
        choose(&mut table, Choice::Put(Point::new(p.0, p.1)));
    }
    assert!(table.model.is_persons_turn());
    table.say("a1");
    assert_eq!(table.model.picked().len(), 1);
    for word in ["black", "white", "swap", "stay"] {
        table.refused(word, "undo takes it back");
        assert_eq!(table.model.picked().len(), 1, "{word}");
    }
    table.say("undo");
    assert!(table.model.picked().is_empty());
    table.say("a1 b1");
    assert_eq!(table.model.game().board().stones().len(), 5);
    choose(&mut table, Choice::Take(Color::White));
    // The engine took White, so the person is Black; White's sixth stone is the engine's.
    assert_eq!(table.model.game().holder(Color::White), Player::First);
    let told = &table.model.notice().expect("the sides are told").text;
    assert_eq!(told, "Tengen takes white: you play black");
    assert!(table.job().task.opening.is_none());
    table.say("undo");
    assert_eq!(table.model.game().board().stones().len(), 3);
    table.say("swap");
    assert_eq!(table.model.game().holder(Color::Black), Player::Second);
}

#[test]
fn fifth_stones_are_offered_one_by_one() {
    let rif = setup(Rule::Renju, OpeningRule::Rif);
    let mut table = Table::new(rif, Side::Both);
    table.refused("a1", "on the centre");
    table
        .say("h8 h9 h10")
        .refused("a1", "who takes which colour");
    table.say("stay").say("a1").say("c3");
    assert_eq!(table.model.picked().len(), 1);
    table.say("c3");
    assert!(
        table.model.picked().is_empty(),
        "chosen again, it is taken out"
    );
    table.refused("offer c3 d4 e9", "").refused("keep c3", "");
    table
        .say("c3")
        .say("d4")
        .refused("e5", "e5 was not offered");
    assert_eq!(table.model.game().board().stones().len(), 4);
    table.say("d4").expect("h8 h9 h10 a1 d4");
}

#[test]
fn sides_change_in_the_middle() {
    let mut table = Table::new(free(Rule::Freestyle), Side::Black);
    table.say("side white").engine("h8").expect("h8");
    table.say("side none");
    assert!(table.model.thinking().is_some());
    table.say("side both");
    assert!(matches!(table.effects[..], [Effect::Drop]));
    table.say("i9 h7").expect("h8 i9 h7");
}

#[test]
fn a_pass_is_possible_where_an_overline_is_not() {
    let setup = GameSetup {
        width: 6,
        height: 5,
        ..free(Rule::Renju)
    };
    let now = Instant::now();
    let mut model = Model::new(setup, Side::Both, PACE, now).unwrap();
    let mut board = model.game().board().clone();
    parse_moves(&mut board, "a1 a3 b1 b3 c1 c3 e1 e3 f1 f4").unwrap();
    let points: Vec<Point> = board.stones().iter().map(|s| s.point).collect();
    model.command(Command::Points(points), now);
    let d1 = Point::from_label("d1", 6, 5).unwrap();
    assert!(model.game().forbidden().contains(d1), "an overline of six");
    assert!(model.game().judge(&Action::Put(d1)).is_err());
    assert!(model.game().judge(&Action::Pass).is_ok());
}
