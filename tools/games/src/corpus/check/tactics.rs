use super::plain::undecided;
use super::{Difference, points_text};
use crate::corpus::tactics::{Claim, TacticCase};
use tengen::board::Board;
use tengen::rules::{Rule, foul, winner, winning_points, wins_at};
use tengen::types::Point;

/// Checks the part of a tactical case that follows from the rules.
pub(super) fn tactic(case: &TacticCase) -> Vec<Difference> {
    match &case.claim {
        Claim::VcfWin { fours, minimal } => line_of_fours(case, *fours, *minimal),
        // A five at once would be a win by continuous fours.
        Claim::VcfNone | Claim::VctWin { .. } => undecided(&case.id, &case.board, case.rule),
        Claim::Defend(moves) => {
            let mut differences = undecided(&case.id, &case.board, case.rule);
            differences.extend(moves.iter().filter_map(|&p| defence(case, p)));
            differences
        }
    }
}

/// A move that stops the opponent is allowed and leaves the opponent no five.
fn defence(case: &TacticCase, p: Point) -> Option<Difference> {
    let side = case.board.side_to_move();
    let what = || format!("{}: defence {p}", case.id);
    if case.rule.restricts(side)
        && let Some(kinds) = foul(&case.board, p)
    {
        return Difference::between(what(), "allowed", kinds);
    }
    let mut next = case.board.clone();
    next.play(p);
    let fives = winning_points(&next, case.rule, !side);
    Difference::between(
        format!("{}, then points that win at once", what()),
        "none",
        points_text(&fives),
    )
}

/// Plays the stated line. Every move of the attacker makes a four and answers all threats; every
/// reply is the only one; the last four has no reply.
fn line_of_fours(case: &TacticCase, fours: u32, minimal: bool) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut differs = |what: &str, expected: &str, got: String| {
        differences.extend(Difference::between(
            format!("{}: {what}", case.id),
            expected,
            got,
        ));
    };
    if let Some(color) = winner(&case.board, case.rule) {
        differs("winning row", "none", format!("one of {color}"));
    }
    match play(&case.board, case.rule, &case.line) {
        _ if case.line.is_empty() => {}
        Err(fault) => differs(
            &format!("line, move {} at {}", fault.ply + 1, case.line[fault.ply]),
            fault.expected,
            fault.got,
        ),
        Ok(got) if minimal || got > fours => {
            differs("fours in the line", &fours.to_string(), got.to_string());
        }
        Ok(_) => {}
    }
    differences
}

/// The reason why a line is no win by continuous fours.
struct Fault {
    /// Place of the move in the line.
    ply: usize,
    expected: &'static str,
    got: String,
}

/// Number of fours in the line, which must be a complete win by continuous fours.
fn play(board: &Board, rule: Rule, line: &[Point]) -> Result<u32, Fault> {
    let mut board = board.clone();
    let attacker = board.side_to_move();
    let mut fours = 0;
    let mut must_block = None;
    for (ply, &p) in line.iter().enumerate() {
        let fault = |expected, got| Fault { ply, expected, got };
        if !board.is_empty(p) {
            return Err(fault("a free point", "a taken one".to_string()));
        }
        if board.side_to_move() != attacker {
            match must_block.take() {
                Some(reply) if reply == p => board.play(p),
                Some(reply) => return Err(fault("the forced reply", format!("not {reply}"))),
                None => return Err(fault("the end of the line", "more moves".to_string())),
            }
            continue;
        }
        if let Some(kinds) = rule.restricts(attacker).then(|| foul(&board, p)).flatten() {
            return Err(fault("an allowed move", kinds.to_string()));
        }
        board.play(p);
        if wins_at(&board, rule, p) {
            return match ply + 1 == line.len() {
                true => Ok(fours),
                false => Err(fault("a four", "a win before the line ends".to_string())),
            };
        }
        let answers = winning_points(&board, rule, !attacker);
        if !answers.is_empty() {
            let got = format!("the opponent wins by {}", points_text(&answers));
            return Err(fault("a four that leaves the opponent no win", got));
        }
        fours += 1;
        must_block = match winning_points(&board, rule, attacker)[..] {
            [] => return Err(fault("a four", "none".to_string())),
            [one] if !rule.restricts(!attacker) || foul(&board, one).is_none() => Some(one),
            _ => None,
        };
    }
    match must_block {
        None => Ok(fours),
        Some(reply) => Err(Fault {
            ply: line.len() - 1,
            expected: "a four that cannot be stopped",
            got: format!("the reply {reply}"),
        }),
    }
}
