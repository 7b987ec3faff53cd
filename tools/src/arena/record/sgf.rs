//! Games in Smart Game Format; times and values are in comments.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::super::game::{GameRecord, RecordedTurn};
use super::super::negotiation::AgreedStep;
use super::points;
use crate::game::referee::{Outcome, Reason};
use tengen::types::Color;
use tengen_games::sgf::Writer;

/// The game as an `.sgf` file.
pub fn write(game: &GameRecord) -> String {
    let mut sgf = Writer::new(game.width, game.height, &game.rule);
    sgf.property("PB", &game.black)
        .property("PW", &game.white)
        .property("RE", result(game.outcome, game.reason))
        .property("GN", game.number());
    if let Some(opening) = game.named_opening() {
        sgf.property("ON", opening);
    }
    if game.ended > 0 {
        sgf.property("DT", date(game.ended));
    }
    let mut told = vec![game.verdict()];
    if let Some(agreed) = &game.agreed {
        told.push(format!("opening rule {}:", agreed.rule));
        let step = |step: &AgreedStep| format!("player {} {}", step.player, step.text);
        told.extend(agreed.steps.iter().map(step));
    }
    sgf.property("C", told.join("\n")).new_line();
    let turns = game.turns.iter().zip(points(game));
    for (i, (turn, point)) in turns.enumerate() {
        sgf.turn(Color::BOTH[i % 2], point);
        let comment = comment(turn, i < game.opening_turns);
        if !comment.is_empty() {
            sgf.property("C", comment);
        }
        sgf.new_line();
    }
    sgf.finish()
}

/// `RE`: the winner and the reason.
pub fn result(outcome: Outcome, reason: Reason) -> String {
    let winner = match outcome {
        Outcome::Draw => return "0".to_string(),
        Outcome::Black => 'B',
        Outcome::White => 'W',
    };
    let how = match reason {
        Reason::Time => "T",
        Reason::Resignation => "R",
        reason if reason.is_forfeit() => "F",
        _ => "",
    };
    format!("{winner}+{how}")
}

fn comment(turn: &RecordedTurn, opening: bool) -> String {
    let mut parts = Vec::new();
    if opening {
        parts.push("opening".to_string());
    }
    if let Some(ms) = turn.ms {
        parts.push(format!("{ms} ms"));
    }
    if let Some(eval) = turn.eval {
        parts.push(format!("value {eval}"));
    }
    if let Some(depth) = turn.depth {
        parts.push(match turn.seldepth {
            Some(seldepth) => format!("depth {depth}-{seldepth}"),
            None => format!("depth {depth}"),
        });
    }
    if let Some(nodes) = turn.nodes {
        parts.push(format!("{nodes} nodes"));
    }
    parts.join(", ")
}

/// `DT`: `YYYY-MM-DD` of a time in seconds since 1970, by the time zone of the system.
pub fn date(seconds: u64) -> String {
    date_in(seconds, TimeZone::system())
}

fn date_in(seconds: u64, zone: TimeZone) -> String {
    let time = i64::try_from(seconds).map(Timestamp::from_second);
    let time = time.ok().and_then(Result::ok).unwrap_or(Timestamp::MAX);
    time.to_zoned(zone).date().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::super::journal::tests::game;
    use super::super::super::message::Eval;
    use super::*;
    use tengen::types::Point;

    #[test]
    fn a_game_with_comments() {
        let mut game = game(0, Outcome::White);
        game.black = "A [fast]".to_string();
        game.turns.push(RecordedTurn {
            ms: Some(1.5),
            eval: Some(Eval::Win(3)),
            depth: Some(7),
            ..RecordedTurn::bare(Some(Point::new(0, 14)), 15)
        });
        game.turns.push(RecordedTurn::bare(None, 15));
        let text = write(&game);
        assert!(text.contains("PB[A [fast\\]]PW[B]RE[W+]"), "{text}");
        assert!(text.contains(";B[hh]C[opening]\n"), "{text}");
        assert!(
            text.contains(";W[ao]C[1.5 ms, value +M3, depth 7]\n;B[]\n)"),
            "{text}"
        );
        game.reason = Reason::Time;
        assert!(write(&game).contains("RE[W+T]"));
        game.width = 20;
        assert!(write(&game).contains("SZ[20:15]"));
    }

    #[test]
    fn dates() {
        let date = |seconds, hours| date_in(seconds, TimeZone::fixed(jiff::tz::offset(hours)));
        assert_eq!(date(0, 0), "1970-01-01");
        assert_eq!(date(0, -1), "1969-12-31");
        assert_eq!(date(951_782_400, 0), "2000-02-29");
        assert_eq!(date(4_102_444_799, 0), "2099-12-31");
        assert_eq!(date(4_102_444_799, 9), "2100-01-01");
        assert_eq!(date(u64::MAX, 0), "9999-12-30");
    }
}
