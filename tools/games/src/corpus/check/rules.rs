use std::fmt::Display;

use super::{Difference, points_text};
use crate::corpus::rules::{Candidate, ForbiddenCase, FoulClaim, WinCase};
use tengen::board::Board;
use tengen::patterns::Class;
use tengen::position::Position;
use tengen::rules::{Rule, forbidden_points, foul, wins_at};
use tengen::types::{Color, Point};

/// An implementation of the rules. All of them must give the corpus's answers.
struct Judge {
    name: &'static str,
    /// Every free point that Black may not play in renju, row by row.
    forbidden: fn(&Board) -> Vec<Point>,
    /// True if the stone put last has made a winning row.
    wins: fn(&Board, Rule, Point) -> bool,
}

const JUDGES: &[Judge] = &[
    Judge {
        name: "reference",
        forbidden: |board| forbidden_points(board, Rule::Renju, Color::Black),
        wins: wins_at,
    },
    Judge {
        name: "tables",
        forbidden: |board| {
            let position = Position::new(board, Rule::Renju);
            position.forbidden_set(Color::Black).iter().collect()
        },
        wins: |board, rule, last| {
            let mut before = board.clone();
            let stone = before.undo();
            Position::new(&before, rule).class(stone.color, last) == Class::Five
        },
    },
];

pub(super) fn forbidden(case: &ForbiddenCase) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut expected: Vec<Point> = case.forbidden.iter().map(|&(p, _)| p).collect();
    expected.sort_unstable();
    for judge in JUDGES {
        let got = (judge.forbidden)(&case.board);
        differences.extend(Difference::between(
            what(&case.name, "forbidden points", judge.name),
            points_text(&expected),
            points_text(&got),
        ));
        for &(p, candidate) in &case.candidates {
            differences.extend(Difference::between(
                what(&case.name, &format!("point {p}"), judge.name),
                verdict(!matches!(candidate, Candidate::Foul(_))),
                verdict(!got.contains(&p)),
            ));
        }
    }
    // Only the reference tells the kinds.
    for &(p, kinds) in &case.forbidden {
        if let Some(got) = foul(&case.board, p) {
            differences.extend(Difference::between(
                what(&case.name, &format!("kinds at {p}"), "reference"),
                kinds,
                got,
            ));
        }
    }
    for &(p, candidate) in &case.candidates {
        differences.extend(self::candidate(case, p, candidate));
    }
    differences
}

/// A named case states one kind where several may meet.
fn candidate(case: &ForbiddenCase, p: Point, expected: Candidate) -> Option<Difference> {
    let mut next = case.board.clone();
    next.put(p, Color::Black);
    let five = wins_at(&next, Rule::Renju, p);
    let got = match foul(&case.board, p) {
        Some(kinds) => Candidate::Foul(kinds),
        None if five => Candidate::Five,
        None => Candidate::Allowed,
    };
    let agrees = match (expected, got) {
        (Candidate::Foul(expected), Candidate::Foul(got)) => got.includes(expected),
        (expected, got) => expected == got,
    };
    let name = |candidate| match candidate {
        Candidate::Foul(kinds) => kinds.to_string(),
        Candidate::Allowed => "ok".to_string(),
        Candidate::Five => "five".to_string(),
    };
    (!agrees).then(|| Difference {
        what: what(&case.name, &format!("candidate {p}"), "reference"),
        expected: name(expected),
        got: name(got),
    })
}

pub(super) fn win(case: &WinCase) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mover = !case.board.side_to_move();
    let mut before = case.board.clone();
    before.undo();
    let restricted = case.rule.restricts(mover);
    for judge in JUDGES {
        let winner = (judge.wins)(&case.board, case.rule, case.last).then_some(mover);
        differences.extend(Difference::between(
            what(&case.name, "winner", judge.name),
            side(case.winner),
            side(winner),
        ));
        if let Some(strict) = &case.strict {
            let foul = restricted && (judge.forbidden)(&before).contains(&case.last);
            differences.extend(Difference::between(
                what(&case.name, "last move", judge.name),
                verdict(!matches!(strict.foul, FoulClaim::Foul(_))),
                verdict(!foul),
            ));
            let result = if foul { Some(!mover) } else { winner };
            differences.extend(Difference::between(
                what(&case.name, "result", judge.name),
                side(strict.result),
                side(result),
            ));
        }
    }
    if let Some(strict) = &case.strict {
        let got = match foul(&before, case.last) {
            _ if !restricted => FoulClaim::NotApplicable,
            Some(kinds) => FoulClaim::Foul(kinds),
            None => FoulClaim::Allowed,
        };
        differences.extend(Difference::between(
            what(&case.name, "foul", "reference"),
            foul_name(strict.foul),
            foul_name(got),
        ));
    }
    differences
}

fn what(name: &str, what: &str, judge: &str) -> String {
    let separator = if name.is_empty() { "" } else { ": " };
    format!("{name}{separator}{what} ({judge})")
}

fn verdict(allowed: bool) -> impl Display {
    if allowed { "allowed" } else { "forbidden" }
}

fn side(side: Option<Color>) -> String {
    side.map_or("none".to_string(), |color| color.to_string())
}

fn foul_name(foul: FoulClaim) -> String {
    match foul {
        FoulClaim::NotApplicable => "-".to_string(),
        FoulClaim::Allowed => "none".to_string(),
        FoulClaim::Foul(kinds) => kinds.to_string(),
    }
}
