//! Cases read by the page's tests too, so that the page and the engine keep saying the same.

#[path = "cases/held.rs"]
mod held;

use std::fmt::Write as _;

use held::assert_answers;
use tengen::board::{Board, Direction, parse_moves, parse_size};
use tengen::openings::{Choice, NamedOpening, OpeningRule, Phase, Player, Refusal};
use tengen::patterns::{Class, Shape};
use tengen::position::Position;
use tengen::rules::{Rule, foul};
use tengen::types::{Color, MAX_SIDE, Point};

fn points(text: &str) -> impl Iterator<Item = Point> {
    let cell = |text: &str| {
        let (x, y) = text.split_once(',').expect("x,y");
        Point::new(x.parse().unwrap(), y.parse().unwrap())
    };
    text.split(';').filter(|text| !text.is_empty()).map(cell)
}

/// True if a black stone on `p` is part of a three that an allowed move turns into a straight four.
fn has_real_three(board: &Board, p: Point) -> bool {
    let mut board = board.clone();
    board.put(p, Color::Black);
    let position = Position::new(&board, Rule::Renju);
    let makes_straight_four = |direction: Direction, steps: i32| {
        let Some(e) = board.step(p, direction, steps) else {
            return false;
        };
        let mut between = (1..steps.abs()).map(|n| board.step(p, direction, n * steps.signum()));
        board.is_empty(e)
            && between.all(|q| q.is_some_and(|q| board.cell(q) == Color::Black.into()))
            && position.shapes(Color::Black, e).get(direction) == Shape::StraightFour
            && position.class(Color::Black, e) != Class::Five
            && foul(&board, e).is_none()
    };
    Direction::ALL
        .into_iter()
        .any(|direction| (-3..=3).any(|steps| steps != 0 && makes_straight_four(direction, steps)))
}

/// The shape of a stone of `color` on the free cell `p`, in the page's words.
fn threat(position: &Position, color: Color, p: Point) -> Option<&'static str> {
    if position.is_forbidden(color, p) {
        return Some("forbidden");
    }
    let is_restricted = position.rule().restricts(color);
    match position.class(color, p) {
        Class::Quiet | Class::Forbidden => None,
        Class::OpenThree | Class::ThreePlus | Class::DoubleThree => {
            (!is_restricted || has_real_three(position.board(), p)).then_some("three")
        }
        Class::Four | Class::FourPlus | Class::FourThree => Some("four"),
        Class::StraightFour => Some("straight-four"),
        Class::Five => Some("five"),
    }
}

#[test]
fn threats_are_those_of_the_engine() {
    assert_answers("tests/cases/threats.txt", 4, |columns| {
        let mut board = empty_board(columns[1]);
        for (column, color) in columns[2..].iter().zip(Color::BOTH) {
            let (_, stones) = column.split_once(':').expect("a colour");
            points(stones).for_each(|p| board.put(p, color));
        }
        let position = Position::new(&board, columns[0].parse().unwrap());
        let mut answer = Vec::new();
        for color in Color::BOTH {
            for kind in ["five", "straight-four", "four", "three", "forbidden"] {
                let mut found = String::new();
                for p in board.empty_points() {
                    if threat(&position, color, p) == Some(kind) {
                        let _ = write!(found, "{}{p}", if found.is_empty() { "" } else { ";" });
                    }
                }
                if !found.is_empty() {
                    answer.push(format!("{color}-{kind}:{found}"));
                }
            }
        }
        answer.join("\t")
    });
}

/// An empty board of the size in a column.
fn empty_board(size: &str) -> Board {
    let (width, height) = parse_size(size).expect("a size");
    Board::new(width, height).unwrap()
}

/// The choice in the form of [`Choice::text`]. Columns off the board have labels too.
fn choice(text: &str, height: u8) -> Choice {
    let mut words = text.split(' ');
    let first = words.next().expect("a word");
    let point = |text: &str| Point::from_label(text, MAX_SIDE, height).unwrap();
    let points: Vec<Point> = match first {
        "adds" | "offers" | "keeps" => words.clone().map(point).collect(),
        _ => Vec::new(),
    };
    match first {
        "takes" => Choice::Take(match words.next() {
            Some("black") => Color::Black,
            _ => Color::White,
        }),
        "declares" => Choice::Declare(words.next().unwrap().parse().unwrap()),
        "adds" => Choice::Add(points.try_into().unwrap()),
        "offers" => Choice::Offer(points),
        "keeps" => Choice::Keep(points[0]),
        label => Choice::Put(point(label)),
    }
}

/// The page's word for the reason of a refusal.
fn reason(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Over | Refusal::WrongStep(_) => "step",
        Refusal::OffBoard(_) | Refusal::Area { .. } => "area",
        Refusal::Taken(_) => "taken",
        Refusal::Repeated(_) | Refusal::Equivalent(..) => "equivalent",
        Refusal::Declared { .. } | Refusal::Count { .. } => "count",
        Refusal::NotOffered(_) => "offered",
    }
}

#[test]
fn opening_phases_go_as_the_rules_say() {
    assert_answers("tests/cases/openings.txt", 3, |columns| {
        let rule: OpeningRule = columns[0].parse().unwrap();
        let board = empty_board(columns[1]);
        let Ok(mut phase) = Phase::new(rule, &board) else {
            return "refused".to_string();
        };
        let number = |player: Option<Player>| player.map_or(0, |player| player.index() + 1);
        let mut verdicts = Vec::new();
        for text in columns[2].split("; ").filter(|text| !text.is_empty()) {
            let decider = number(phase.decider());
            let refusal = phase.choose(&choice(text, board.height())).err();
            verdicts.push(match refusal {
                None => decider.to_string(),
                Some(refusal) => format!("{decider}!{}", reason(&refusal)),
            });
        }
        let black = number(Some(phase.holder(Color::Black)));
        let end = if phase.is_over() { "over" } else { "open" };
        format!("{}\t{end}, black {black}", verdicts.join(" "))
    });
}

#[test]
fn openings_are_named_however_they_are_turned() {
    assert_answers("tests/cases/named_openings.txt", 2, |columns| {
        let mut board = empty_board(columns[0]);
        parse_moves(&mut board, columns[1]).unwrap();
        NamedOpening::of(&board).map_or("-".to_string(), NamedOpening::code)
    });
}
