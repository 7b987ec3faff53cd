use super::*;
use crate::board::Board;
use crate::openings::wire::opening_command;
use crate::openings::{Choice, OpeningStep, Phase, Player};
use crate::types::{Color, Point};

fn points(text: &str) -> Vec<Point> {
    let board = Board::new(15, 15).unwrap();
    let words = text.split_whitespace();
    words
        .map(|word| {
            let (x, y) = word.split_once(',').unwrap();
            board.point(x.parse().unwrap(), y.parse().unwrap()).unwrap()
        })
        .collect()
}

fn phase(line: &str, stones: &str) -> Result<Phase, String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let request = opening_command(word).expect("a known word");
    let request = request.request(leading_number(rest));
    request.phase(&Board::new(15, 15).unwrap(), &points(stones))
}

/// Each command leads to its step.
#[test]
fn commands_and_stones_tell_the_step() {
    let three = "7,7 7,6 7,8";
    let four = "7,7 7,6 7,8 6,8";
    let take = |phase: &Phase| matches!(phase.step(), Some(OpeningStep::Take(_)));
    let put = |phase: &Phase| matches!(phase.step(), Some(OpeningStep::Put(_)));
    for line in [
        "RIFSTEP2",
        "YAMAGUCHISTEP2 3",
        "SOOSYRVSTEP2 8",
        "TARANNIKOVSTEP2",
        "TARAGUCHISTEP2 5",
        "SWAPBOARD",
        "SWAP2BOARD",
        "YXSWAP2STEP2",
        "YXSOOSORVSTEP2",
    ] {
        assert!(take(&phase(line, three).unwrap()), "{line}");
    }
    for line in [
        "RIFSTEP3",
        "YAMAGUCHISTEP3 3",
        "SOOSYRVSTEP3 8",
        "TARANNIKOVSTEP1",
        "TARAGUCHISTEP1 10",
        "YXSOOSORVSTEP3",
    ] {
        assert!(put(&phase(line, three).unwrap()), "{line}");
    }
    for (line, count) in [
        ("RIFSTEP4", 2),
        ("YAMAGUCHISTEP4 5", 5),
        ("SOOSYRVSTEP5 4", 4),
        ("TARAGUCHISTEP3 10", 10),
        ("YXSOOSORVSTEP5 3", 3),
    ] {
        let step = phase(line, four).unwrap().step();
        assert_eq!(step, Some(OpeningStep::Offer { count }), "{line}");
    }
    let kept = phase("YXSOOSORVSTEP6", "7,7 7,6 7,8 6,8 3,3 3,4 9,9").unwrap();
    assert_eq!(kept.step(), Some(OpeningStep::Keep));
    assert_eq!(kept.offered().len(), 3);
    let over = phase("TARANNIKOVSTEP1", "7,7 7,6 7,8 6,8 6,6").unwrap();
    assert!(over.is_over());
}

#[test]
fn what_the_rule_does_not_allow_is_refused_with_its_reason() {
    for (line, stones, reason) in [
        ("RIFSTEP2", "7,7 7,6", "RIFSTEP2 needs 3 stones"),
        (
            "RIFSTEP2",
            "7,7 7,5 7,8",
            "h10: stone 2 must be put within the central 3x3",
        ),
        (
            "YAMAGUCHISTEP4",
            "7,7 7,6 7,8 6,8",
            "YAMAGUCHISTEP4 needs the number of fifth stones",
        ),
        (
            "RIFSTEP5",
            "7,7 7,6 7,9 7,5 8,7 6,7",
            "i8 and g8 are the same fifth stone: a symmetry of the position maps one to the other",
        ),
        (
            "SOOSYRVSTEP4 9",
            "7,7 7,6 7,8 6,8",
            "1 to 8 fifth stones may be declared, not 9",
        ),
        ("SWAP2BOARD", "7,7 7,7 8,8", "h8 is taken"),
        ("PROBOARD", "7,8", "h7: stone 1 must be put on the centre"),
    ] {
        assert_eq!(phase(line, stones).unwrap_err(), reason, "{line}");
    }
}

/// After a search that broke down, the choices are still legal in every step of every command.
#[test]
fn steps_are_legal_without_a_search() {
    for (line, stones) in [
        ("RIFSTEP1", ""),
        ("YAMAGUCHISTEP1", ""),
        ("SOOSYRVSTEP3 8", "7,7 7,6 7,8"),
        ("TARAGUCHISTEP3 10", "7,7 7,6 7,8 6,8"),
        ("YXSOOSORVSTEP6", "7,7 7,6 7,8 6,8 3,3 3,4 9,9"),
        ("SWAP2BOARD", ""),
    ] {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let request = opening_command(word).unwrap();
        let request = request.request(leading_number(rest));
        let opening = OpeningTask::new(request, phase(line, stones).unwrap());
        let nonsense = [Choice::Put(Point::new(0, 0)), Choice::Declare(200)];
        for decided in [&[][..], &nonsense] {
            let step = take_step(&opening, decided);
            assert!(!step.choices.is_empty(), "{line}");
            assert!(!replies(&opening, &step, &[]).is_empty());
        }
    }
}

#[test]
fn a_swap_is_reported_in_each_answer_style() {
    let three = "7,7 7,6 7,8";
    for (line, yes, no) in [
        (
            "YXSWAP2STEP2",
            "MESSAGE SWAP2 SWAP1 YES",
            "MESSAGE SWAP2 SWAP1 NO",
        ),
        (
            "YXSOOSORVSTEP2",
            "MESSAGE SOOSORV SWAP1 Y",
            "MESSAGE SOOSORV SWAP1 N",
        ),
        ("SWAP2BOARD", "SWAP", "0,0"),
    ] {
        let phase = phase(line, three).unwrap();
        assert_eq!(phase.decider(), Some(Player::Second));
        let opening = OpeningTask::new(opening_command(line).unwrap().request(None), phase);
        for (color, expected) in [(Color::Black, yes), (Color::White, no)] {
            let step = take_step(&opening, &[Choice::Take(color)]);
            let moves = [Point::new(0, 0)];
            let moves = if step.moves_on { &moves[..] } else { &[] };
            let replies = replies(&opening, &step, moves);
            assert_eq!(replies[0].to_string(), expected);
        }
    }
}
