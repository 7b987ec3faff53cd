//! Opening rules in the words of Gomocup, AlphaGomoku and Yixin-Board, as transcripts. Every block
//! is sent with a line for each entry, and on one line.

use std::time::Duration;

use tengen::board::Board;
use tengen::openings::{NamedOpening, are_equivalent};
use tengen::types::Point;

use crate::common::{Session, parse_move};

/// The wanted answer.
#[derive(Clone, Copy)]
enum Expect {
    /// That many cells.
    Cells(usize),
    /// That many cells, or `SWAP`.
    CellsOrSwap(usize),
    /// One cell or two, or `SWAP`.
    Swap2,
    /// That many cells and a number up to the second; also `SWAP` if the third is true.
    Number(usize, u32, bool),
    /// One of these cells and another.
    Kept(&'static str),
    /// `SWAP`, one cell, or that many unequal cells.
    TwoWays(usize),
}

use Expect::{Cells, CellsOrSwap, Kept, Number, Swap2, TwoWays};

/// Requests as `WORD number | stones | fifth stones offered`, and their answers.
const TRANSCRIPT: &[(&str, Expect)] = &[
    ("SWAP1STBOARD", Cells(1)),
    ("SWAP1STBOARD | 7,7", CellsOrSwap(1)),
    ("SWAPBOARD", Cells(3)),
    ("SWAPBOARD | 2,3 4,5 6,6", CellsOrSwap(1)),
    ("SWAP2BOARD", Cells(3)),
    ("SWAP2BOARD | 2,3 4,5 6,6", Swap2),
    ("SWAP2BOARD | 2,3 4,5 6,6 9,9 3,7", CellsOrSwap(1)),
    ("PROBOARD", Kept("7,7")),
    ("PROBOARD | 7,7", Cells(1)),
    ("PROBOARD | 7,7 6,8", Cells(1)),
    ("LONGPROBOARD | 7,7 6,8", Cells(1)),
    ("RIFSTEP1", Cells(3)),
    ("RIFSTEP2 | 7,7 7,6 8,8", CellsOrSwap(1)),
    ("RIFSTEP3 | 7,7 7,6 8,8", Cells(1)),
    ("RIFSTEP4 | 7,7 7,6 8,8 6,8", Cells(2)),
    ("RIFSTEP5 | 7,7 7,6 8,8 6,8 | 3,3 9,6", Kept("3,3 9,6")),
    ("YAMAGUCHISTEP1", Number(3, 55, false)),
    ("YAMAGUCHISTEP2 4 | 7,7 7,6 8,8", CellsOrSwap(1)),
    ("YAMAGUCHISTEP3 4 | 7,7 7,6 8,8", Cells(1)),
    ("YAMAGUCHISTEP4 4 | 7,7 7,6 8,8 6,8", Cells(4)),
    (
        "YAMAGUCHISTEP5 3 | 7,7 7,6 8,8 6,8 | 3,3 9,6 4,11",
        Kept("3,3 9,6 4,11"),
    ),
    ("SOOSYRVSTEP1 8", Cells(3)),
    ("SOOSYRVSTEP2 8 | 7,7 8,6 8,8", Number(1, 8, true)),
    ("SOOSYRVSTEP3 5 | 7,7 8,6 8,8", Number(1, 5, false)),
    ("SOOSYRVSTEP4 3 | 7,7 8,6 8,8 6,9", CellsOrSwap(3)),
    ("SOOSYRVSTEP5 3 | 7,7 8,6 8,8 6,9", Cells(3)),
    (
        "SOOSYRVSTEP6 2 | 7,7 8,6 8,8 6,9 | 3,3 9,6",
        Kept("3,3 9,6"),
    ),
    ("TARANNIKOVSTEP1", Kept("7,7")),
    ("TARANNIKOVSTEP1 | 7,7 8,8", Cells(1)),
    ("TARANNIKOVSTEP1 | 7,7 8,8 7,8 8,7", Cells(1)),
    ("TARANNIKOVSTEP2 | 7,7", CellsOrSwap(1)),
    ("TARANNIKOVSTEP2 | 7,7 8,8 7,8 8,7 6,4", CellsOrSwap(1)),
    ("TARAGUCHISTEP1 5 | 7,7 8,8 7,8", Cells(1)),
    ("TARAGUCHISTEP2 5 | 7,7 8,8 7,8", CellsOrSwap(1)),
    ("TARAGUCHISTEP2 10 | 7,7 8,8 7,9 10,7", TwoWays(10)),
    ("TARAGUCHISTEP3 10 | 7,7 8,8 7,9 10,7", Cells(10)),
    (
        "TARAGUCHISTEP4 2 | 7,7 8,8 7,9 10,7 | 3,3 9,6",
        Kept("3,3 9,6"),
    ),
];

fn cells(text: &str) -> Vec<(u32, u32)> {
    let read = |word| parse_move(word).unwrap_or_else(|| panic!("{text:?}"));
    text.split_whitespace().map(read).collect()
}

/// Sends a request of [`TRANSCRIPT`] and returns the answer.
fn ask(session: &mut Session, request: &str, one_line: bool) -> String {
    let mut parts = request.split('|').map(str::trim);
    let head = parts.next().unwrap();
    let stones = parts.next().unwrap_or("");
    let offer = parts.next().unwrap_or("");
    if one_line {
        session.send(format!("{head} {stones} DONE {offer}"));
    } else {
        session.block(head, stones);
        if !offer.is_empty() {
            session.send(offer);
        }
    }
    session.answer()
}

fn check(request: &str, expect: Expect, answer: &str) {
    let (count, may_swap) = match expect {
        Cells(n) => (n, false),
        CellsOrSwap(n) => (n, true),
        Swap2 => (answer.split(' ').count().clamp(1, 2), true),
        Number(n, _, may_swap) => (n, may_swap),
        // Only the centre is possible, or the sixth stone comes with the fifth.
        Kept("7,7") => (1, false),
        Kept(_) => (2, false),
        TwoWays(n) => (if answer.contains(' ') { n } else { 1 }, true),
    };
    if answer == "SWAP" {
        assert!(may_swap, "{request}: {answer}");
        return;
    }
    let mut words: Vec<&str> = answer.split(' ').collect();
    if let Number(_, most, _) = expect {
        let number: u32 = words.pop().unwrap().parse().expect("a number at the end");
        assert!((1..=most).contains(&number), "{request}: {answer}");
    }
    let found = cells(&words.join(" "));
    assert_eq!(found.len(), count, "{request}: {answer}");
    let given = request.split('|').nth(1).map_or(Vec::new(), cells);
    for (i, cell) in found.iter().enumerate() {
        assert!(cell.0 < 15 && cell.1 < 15, "{request}: {answer}");
        assert!(!found[..i].contains(cell), "{request}: {answer}");
        assert!(!given.contains(cell), "{request}: {answer}");
    }
    if let Kept(offered) = expect {
        assert!(cells(offered).contains(&found[0]), "{request}: {answer}");
    }
    let board = board(&given);
    if found.len() > 2 && given.len() == 4 {
        for (i, &a) in found.iter().enumerate() {
            let equivalent = |&b: &(u32, u32)| are_equivalent(&board, point(a), point(b));
            assert!(!found[..i].iter().any(equivalent), "{request}: {answer}");
        }
    }
    let is_renju = request.starts_with("RIF") || request.starts_with("YAMA");
    if is_renju && found.len() == 3 && given.is_empty() {
        let opening = self::board(&found);
        assert!(NamedOpening::of(&opening).is_some(), "{answer}");
    }
}

fn point((x, y): (u32, u32)) -> Point {
    Point::new(x as u8, y as u8)
}

fn board(stones: &[(u32, u32)]) -> Board {
    let mut board = Board::new(15, 15).unwrap();
    stones.iter().for_each(|&stone| board.play(point(stone)));
    board
}

#[test]
fn every_step_is_answered_in_both_layouts() {
    let mut session = Session::start(15);
    session.info("rule", 4).info("timeout_turn", 60);
    for one_line in [false, true] {
        for &(request, expect) in TRANSCRIPT {
            let answer = ask(&mut session, request, one_line);
            check(request, expect, &answer);
        }
    }
    session.expect_silence();
}

/// AlphaGomoku's text ends the stones with PLAY before fifth stones. These may stand on their own
/// lines, and a DONE after them does no harm.
#[test]
fn offers_follow_in_many_forms() {
    let mut session = Session::start(15);
    session.info("rule", 4).info("timeout_turn", 60);
    for form in [
        "YAMAGUCHISTEP5 2\n7,7\n7,6\n8,8\n6,8\nPLAY\n3,3 9,6\n",
        "YAMAGUCHISTEP5 2\n7,7\n7,6\n8,8\n6,8\nDONE\n3,3\n9,6\n",
        "yamaguchistep5 2 7,7 7,6 8,8 6,8 play 3,3 9,6 done\n",
        "YAMAGUCHISTEP5 2\r\n7,7\r\n7,6\r\n8,8\r\n6,8\r\n3,3\r\n9,6\r\nDONE\r\n",
    ] {
        let answer = session.raw(form.as_bytes()).answer();
        check("YAMAGUCHISTEP5", Kept("3,3 9,6"), &answer);
        session.expect_silence();
    }
    // Too few: the next command ends them, and is carried out.
    session.raw(b"RIFSTEP5\n7,7\n7,6\n8,8\n6,8\nDONE\n3,3\nABOUT\n");
    session.expect_error();
    assert!(session.answer().starts_with("name="));
}

/// With the same seed and node limits, a new process opens in the same way.
#[test]
fn a_seed_makes_openings_repeatable() {
    let open = |seed: u32| {
        let mut session = Session::start(15);
        session.info("timeout_turn", -1).info("max_node", 3_000);
        session.info("rule", 1).info("seed", seed);
        session.send("SWAP2BOARD DONE").answer()
    };
    assert_eq!(open(1), open(1));
    assert!((2..6).any(|seed| open(seed) != open(1)));
}

#[test]
fn illegal_steps_are_refused_with_the_rules_reason() {
    let mut session = Session::start(15);
    for (request, reason) in [
        ("RIFSTEP2 | 7,7 7,6", "RIFSTEP2 needs 3 stones"),
        (
            "RIFSTEP2 | 7,8 7,6 8,8",
            "h7: stone 1 must be put on the centre",
        ),
        (
            "PROBOARD | 7,7 8,8 9,9",
            "PROBOARD needs 0 or 1 or 2 stones",
        ),
        (
            "RIFSTEP5 | 7,7 7,6 7,9 7,5 | 8,7 6,7",
            "i8 and g8 are the same fifth stone: a symmetry of the position maps one to the other",
        ),
        ("SWAP2BOARD | 7,7 7,7 8,8", "h8 is taken"),
        ("SWAP2BOARD | 7,7 70,7 8,8", "70,7 is off the board"),
        // Without the skipped entry the stones would have other colours.
        ("SWAP2BOARD | 7,7 8;8 7,8 6,6", "no cell in the opening"),
        (
            "YAMAGUCHISTEP3 | 7,7 7,6 8,8",
            "YAMAGUCHISTEP3 needs the number of fifth stones",
        ),
    ] {
        for one_line in [false, true] {
            let answer = ask(&mut session, request, one_line);
            assert_eq!(answer, format!("ERROR {reason}"), "{request}");
        }
    }
    session.send("START 8").expect_ok();
    session.send("RIFSTEP1 DONE").expect_error();
}

/// The lines that begin with `MESSAGE` and `head` until one begins with `last`.
fn messages(session: &mut Session, head: &str, last: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    while !lines.last().is_some_and(|line| line.starts_with(last)) {
        let line = session.any_line(Duration::from_secs(60)).expect("a line");
        if let Some(text) = line.strip_prefix(&format!("MESSAGE {head} ")) {
            lines.push(text.to_string());
        }
    }
    lines
}

/// A cell and perhaps a number, separated by blanks.
fn numbers(text: &str) -> Vec<u32> {
    let words = text.split(' ');
    words.map(|word| word.parse().expect("a number")).collect()
}

#[test]
fn yixin_boards_soosorv_from_its_first_step_to_its_last() {
    let mut session = Session::start(15);
    session.info("rule", 4).info("timeout_turn", 60);
    for one_line in [false, true] {
        let send = |session: &mut Session, head: &str, stones: &str| {
            if one_line {
                session.block_in_one_line(head, stones);
            } else {
                session.block(head, stones);
            }
        };
        session.send("start 15").expect_ok();
        session.send("yxsoosorvstep1");
        let three = messages(&mut session, "SOOSORV", "MOVE3");
        assert!(three[0] == "MOVE1 7 7" && three.len() == 3, "{three:?}");
        send(&mut session, "yxsoosorvstep2", "7,7 7,6 8,8");
        let swap = messages(&mut session, "SOOSORV", "SWAP1");
        assert!(["SWAP1 Y", "SWAP1 N"].contains(&&*swap[0]), "{swap:?}");
        send(&mut session, "yxsoosorvstep3", "7,7 7,6 8,8");
        let fourth = messages(&mut session, "SOOSORV", "MOVE4");
        let fourth = numbers(fourth[0].strip_prefix("MOVE4 ").unwrap());
        assert!(fourth.len() == 3 && (1..=8).contains(&fourth[2]));
        send(&mut session, "yxsoosorvstep4 3", "7,7 7,6 8,8 6,8");
        let swap = messages(&mut session, "SOOSORV", "SWAP2");
        assert!(["SWAP2 Y", "SWAP2 N"].contains(&&*swap[0]), "{swap:?}");
        send(&mut session, "yxsoosorvstep5 3", "7,7 7,6 8,8 6,8");
        let offer = messages(&mut session, "SOOSORV", "MOVE5 DONE");
        assert_eq!(offer.len(), 5, "{offer:?}");
        assert_eq!(offer[0], "MOVE5 REFRESH");
        for line in &offer[1..4] {
            assert_eq!(numbers(line.strip_prefix("MOVE5 ").unwrap()).len(), 2);
        }
        // Yixin-Board's users may offer equivalent stones.
        let stones = "7,7 7,6 7,9 7,5 8,7 6,7 3,3";
        send(&mut session, "yxsoosorvstep6", stones);
        let kept = messages(&mut session, "SOOSORV", "MOVE5C");
        let kept = kept[0].strip_prefix("MOVE5C ").unwrap();
        assert!(["8 7", "6 7", "3 3"].contains(&kept), "{kept}");
    }
}
