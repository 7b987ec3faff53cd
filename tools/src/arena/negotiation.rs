//! The opening of a game under an opening rule: the engines are asked for its steps, and the rule's
//! state machine judges their answers.
//!
//! The commands are Gomocup's SWAP2BOARD and AlphaGomoku's extension of the protocol; protocol.md
//! lists them.

use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::conversation::{Failure, Session};
use super::message::ReportedSearch;
use super::reply::OpeningReply;
use crate::game::clock::Clock;
use crate::game::referee::Reason;
use tengen::board::Board;
use tengen::openings::wire;
use tengen::openings::{Alternative, Choice, NotPlayable, OpeningRule, OpeningStep, Phase, Player};
use tengen::types::{Color, Point};

/// The course of an opening under an opening rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agreed {
    /// The rule.
    pub rule: String,
    /// True if the player who began as Black plays White.
    #[serde(default)]
    pub swapped: bool,
    /// Everything that was decided, in order.
    pub steps: Vec<AgreedStep>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgreedStep {
    /// 1 for the player who began as Black, 2 for the other.
    pub player: u8,
    /// The decision in words: `h8`, `takes white`, `offers i9 g6`.
    #[serde(rename = "does")]
    pub text: String,
    /// Time used for the whole answer, in ms; one answer may hold several decisions.
    pub ms: f64,
}

/// The outcome of an opening.
pub(super) struct Negotiated {
    /// The record.
    pub agreed: Agreed,
    /// The position after the opening, without `reply`.
    pub board: Board,
    /// An ordinary move that came with the last answer.
    pub reply: Option<FirstMove>,
    /// Set when the opening could not be brought to its end.
    pub broken_off: Option<BrokenOff>,
}

/// An ordinary move that came with the last answer of the opening.
pub(super) struct FirstMove {
    pub at: (i32, i32),
    pub time: MoveTime,
    pub thought: ReportedSearch,
}

/// The time of a move.
#[derive(Clone, Copy)]
pub(super) struct MoveTime {
    pub used: Duration,
    /// `None` without a limit.
    pub allowed: Option<Duration>,
}

/// The reason for which an opening was not completed, and the side at fault.
pub(super) struct BrokenOff {
    pub player: Player,
    pub fault: Fault,
}

pub(super) enum Fault {
    /// The engine failed.
    Failure(Failure),
    /// The engine lost by the rules.
    Loss(Reason, String),
}

/// Plays the opening. `sessions` and `clocks` belong to the first player and to the second; both
/// have begun a game on the empty `board`.
///
/// # Errors
/// When the rule cannot be played on the board.
pub(super) fn negotiate(
    rule: OpeningRule,
    board: &Board,
    seed: u64,
    sessions: &mut [&mut Session; 2],
    clocks: &mut [Clock; 2],
) -> Result<Negotiated, NotPlayable> {
    let mut phase = Phase::new(rule, board)?;
    let mut steps = Vec::new();
    let mut reply = None;
    let mut broken_off = None;
    let mut seeded = [false; 2];
    while let Some(player) = phase.decider() {
        let seat = player.index();
        let mut request = String::new();
        if !std::mem::replace(&mut seeded[seat], true) {
            // The engine's random choices repeat when the match is repeated.
            let _ = writeln!(request, "INFO seed {seed}");
        }
        request.push_str(&wire::request(&phase));
        let mut fail = |fault| broken_off = Some(BrokenOff { player, fault });
        let session = &mut *sessions[seat];
        let allowed = clocks[seat].allowed();
        let answer = match session.ask_for(&request, &clocks[seat], OpeningReply::parse) {
            Ok(answer) => answer,
            Err(failure) => {
                fail(Fault::Failure(failure));
                break;
            }
        };
        let tolerance = session.spec().limits.tolerance;
        if let Err(fell) = clocks[seat].charge(answer.elapsed, tolerance) {
            fail(Fault::Loss(Reason::Time, fell.to_string()));
            break;
        }
        let before = phase.choices().len();
        let moved = apply(&mut phase, &answer.reply);
        let ms = (answer.elapsed.as_secs_f64() * 1e6).round() / 1e3;
        let height = phase.board().height();
        steps.extend(phase.choices()[before..].iter().map(|choice| AgreedStep {
            player: 1 + seat as u8,
            text: choice.text(height),
            ms,
        }));
        match moved {
            Ok(at) => {
                reply = at.map(|at| FirstMove {
                    at,
                    time: MoveTime {
                        used: answer.elapsed,
                        allowed,
                    },
                    thought: answer.thought,
                });
            }
            Err(why) => {
                fail(Fault::Loss(Reason::Illegal, format!("opening: {why}")));
                break;
            }
        }
    }
    Ok(Negotiated {
        agreed: Agreed {
            rule: rule.to_string(),
            swapped: phase.holder(Color::Black) == Player::Second,
            steps,
        },
        board: phase.board().clone(),
        reply,
        broken_off,
    })
}

/// Takes over an answer: all the decisions of one player up to the other's next, and the ordinary
/// move that may follow them.
///
/// With the rule's reason when the answer is illegal; the decisions before the illegal one stand.
fn apply(phase: &mut Phase, reply: &OpeningReply) -> Result<Option<(i32, i32)>, String> {
    let me = phase.decider().expect("asked only while there is a step");
    let (cells, number) = match reply {
        OpeningReply::Swap => {
            let swap = Choice::Take(!phase.board().side_to_move());
            return match phase.choose(&swap) {
                Ok(()) => Ok(None),
                Err(_) => Err("there is nothing to swap".to_string()),
            };
        }
        OpeningReply::Pass => return Err("a pass is not allowed in the opening".to_string()),
        OpeningReply::Points(cells, number) => (cells, *number),
    };
    let board = phase.board().clone();
    let points: Vec<Point> = cells
        .iter()
        .map(|&(x, y)| board.point(x, y).ok_or(format!("{x},{y} is off the board")))
        .collect::<Result<_, _>>()?;
    let mut rest = &points[..];
    let mut number = number;
    while phase.decider() == Some(me) {
        let step = phase.step().expect("there is a decider");
        let stay = Choice::Take(phase.board().side_to_move());
        let choice = match (step, rest) {
            (OpeningStep::Take(Some(Alternative::Add)), &[a, b]) => {
                rest = &[];
                Choice::Add([a, b])
            }
            (OpeningStep::Take(Some(Alternative::Offer { .. })), [_, _, ..])
            | (OpeningStep::Offer { .. }, _) => Choice::Offer(std::mem::take(&mut rest).to_vec()),
            (OpeningStep::Take(_), [_, ..]) => stay,
            (OpeningStep::Put(_), [p, others @ ..]) => {
                rest = others;
                Choice::Put(*p)
            }
            (OpeningStep::Keep, [p, others @ ..]) => {
                rest = others;
                Choice::Keep(*p)
            }
            (OpeningStep::Declare { .. }, _) => {
                let count = number
                    .take()
                    .ok_or("the number of fifth stones is missing")?;
                Choice::Declare(u8::try_from(count).unwrap_or(0))
            }
            (_, []) => return Err(format!("too few stones: the rule asks {step}")),
        };
        phase.choose(&choice).map_err(|e| e.to_string())?;
    }
    if number.is_some() {
        return Err("no number was asked for".to_string());
    }
    let to_move = phase.holder(phase.board().side_to_move());
    match *rest {
        [] if phase.is_over() && to_move == me && moves_at_once(phase) => {
            Err("the next move is missing".to_string())
        }
        [] => Ok(None),
        [p] if phase.is_over() && to_move == me => Ok(Some((p.x().into(), p.y().into()))),
        _ => Err("too many stones".to_string()),
    }
}

/// True if the player who ends the opening sends his first move with the last step: by keeping his
/// colour, or by choosing a fifth stone.
fn moves_at_once(phase: &Phase) -> bool {
    let last = phase.choices().last();
    matches!(last, Some(Choice::Take(_) | Choice::Keep(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(rule: &str) -> Phase {
        let rule = rule.parse().unwrap();
        Phase::new(rule, &Board::new(15, 15).unwrap()).unwrap()
    }

    /// Answers one after the other; returns the requests before them.
    fn talk(rule: &str, answers: &[&str]) -> (Vec<String>, Result<Phase, String>) {
        let mut phase = phase(rule);
        let mut requests = Vec::new();
        for answer in answers {
            requests.push(wire::request(&phase).replace('\n', " ").trim().to_string());
            let reply = OpeningReply::parse(answer).expect("an answer");
            if let Err(why) = apply(&mut phase, &reply) {
                return (requests, Err(why));
            }
        }
        (requests, Ok(phase))
    }

    #[test]
    fn swap2_with_two_stones_more() {
        let (requests, end) = talk("swap2", &["7,7 8,8 9,7", "1,1 2,2", "swap"]);
        assert_eq!(
            requests,
            [
                "SWAP2BOARD DONE",
                "SWAP2BOARD 7,7 8,8 9,7 DONE",
                "SWAP2BOARD 7,7 8,8 9,7 1,1 2,2 DONE"
            ]
        );
        let end = end.unwrap();
        assert!(end.is_over());
        assert_eq!(end.holder(Color::Black), Player::First);
    }

    #[test]
    fn rules_with_fifth_stones() {
        let (requests, end) = talk(
            "soosorv-8",
            &["7,7 7,6 8,8", "SWAP", "6,8 2", "3,3 4,4", "3,3 10,10"],
        );
        assert_eq!(
            requests,
            [
                "SOOSYRVSTEP1 8 DONE",
                "SOOSYRVSTEP2 8 7,7 7,6 8,8 DONE",
                "SOOSYRVSTEP3 8 7,7 7,6 8,8 DONE",
                "SOOSYRVSTEP4 2 7,7 7,6 8,8 6,8 DONE",
                "SOOSYRVSTEP6 2 7,7 7,6 8,8 6,8 DONE 3,3 4,4",
            ]
        );
        assert_eq!(end.unwrap().board().stones().len(), 5);
        let (requests, end) = talk("taraguchi-10", &["7,7", "7,6", "7,8", "SWAP", "6,6"]);
        assert_eq!(requests[3], "TARAGUCHISTEP2 10 7,7 7,6 7,8 DONE");
        assert_eq!(requests[4], "TARAGUCHISTEP1 10 7,7 7,6 7,8 DONE");
        assert_eq!(end.unwrap().board().stones().len(), 4);
        let (requests, _) = talk("yamaguchi", &["7,7 7,6 7,8 3", "5,5"]);
        assert_eq!(requests[1], "YAMAGUCHISTEP2 3 7,7 7,6 7,8 DONE");
        let (requests, _) = talk("designated:4D:2", &["SWAP"]);
        assert_eq!(requests[0], "YAMAGUCHISTEP2 2 7,7 7,6 8,6 DONE");
        let (requests, _) = talk("renju-swap", &["7,7", "7,6", "7,8"]);
        assert_eq!(requests[2], "TARANNIKOVSTEP1 7,7 7,6 DONE");
    }

    #[test]
    fn faults_are_judged_with_their_reason() {
        for (rule, answers, reason) in [
            (
                "swap2",
                &["7,7 8,8"][..],
                "too few stones: the rule asks for a stone on a free point",
            ),
            ("swap2", &["7,7 8,8 8,8"], "i7 is taken"),
            ("swap2", &["7,7 8,8 99,8"], "99,8 is off the board"),
            ("swap2", &["swap"], "there is nothing to swap"),
            ("swap2", &["7,7 8,8 9,9", "1,1 2,2 3,3"], "too many stones"),
            ("swap2", &["pass"], "a pass is not allowed in the opening"),
            (
                "rif",
                &["7,7 7,6 7,10"],
                "h5: stone 3 must be put within the central 5x5",
            ),
            ("rif", &["7,7 7,6 7,8 3"], "no number was asked for"),
            (
                "yamaguchi",
                &["7,7 7,6 7,8"],
                "the number of fifth stones is missing",
            ),
            (
                "rif",
                &["7,7 7,6 7,9", "7,5", "8,7 6,7"],
                "i8 and g8 are the same fifth stone: a symmetry of the position maps one to the other",
            ),
            (
                "rif",
                &["7,7 7,6 7,9", "6,5", "8,7 6,7", "1,1 2,2"],
                "b14 was not offered",
            ),
            (
                "rif",
                &["7,7 7,6 7,9", "6,5", "8,7 6,7", "8,7"],
                "the next move is missing",
            ),
            (
                "pro",
                &["7,7", "7,6", "8,8"],
                "i7: stone 3 must be put outside the central 5x5",
            ),
        ] {
            let (_, end) = talk(rule, answers);
            assert_eq!(end.unwrap_err(), reason, "{rule} {answers:?}");
        }
    }
}
