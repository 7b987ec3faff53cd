//! Smart Game Format; times and values are in comments.

use super::super::game::{GameRecord, RecordedTurn};
use super::super::negotiation::AgreedStep;
use super::super::referee::{Outcome, Reason};
use super::points;
use super::recorded_game::{RecordedGame, checked_point, checked_size};
use crate::sgf::{Writer, cells, games};
use crate::types::{Color, Point};

/// The game as an `.sgf` file.
pub fn write(game: &GameRecord) -> String {
    let mut sgf = Writer::new(game.width, game.height, &game.rule);
    sgf.property("PB", &game.black)
        .property("PW", &game.white)
        .property("RE", result(game.outcome, game.reason))
        .property("GN", game.id);
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

/// `RE`: who won and how.
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

/// `DT`: `YYYY-MM-DD` of a time in seconds since 1970, UTC.
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
pub fn date(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March here.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 {
        (year_of_era + era * 400, month + 3)
    } else {
        (year_of_era + era * 400 + 1, month - 9)
    };
    format!("{year:04}-{month:02}-{day:02}")
}

/// Reads the first game of an `.sgf` file along its main line.
///
/// # Errors
/// With what is wrong. Stones that are set up, and sides that do not take turns, are refused.
pub fn read(text: &str) -> Result<RecordedGame, String> {
    let games = games(text).map_err(|error| error.to_string())?;
    let game = games.first().ok_or("no game")?;
    let of_root = |name| game.of_root(name).unwrap_or_default().to_string();
    let (width, height) = game.size().map_err(|error| error.to_string())?;
    let (width, height) = checked_size(width.into(), height.into())?;
    let mut points = Vec::new();
    for property in game.nodes.iter().flatten() {
        let name = property.name.as_str();
        match name {
            "AB" | "AW" => return Err(format!("stones set up ({name}) are not supported")),
            "B" | "W" => {
                let black = points.len() % 2 == 0;
                if (name == "B") != black {
                    return Err(format!("move {}: sides do not alternate", points.len() + 1));
                }
                let place = read_place(property.value(), (width, height), &points)?;
                points.push(place);
            }
            _ => {}
        }
    }
    Ok(RecordedGame {
        black: of_root("PB"),
        white: of_root("PW"),
        rule: of_root("RU"),
        result: of_root("RE"),
        width,
        height,
        points,
    })
}

/// A move; `None` is a pass.
fn read_place(
    value: &str,
    size: (u8, u8),
    taken: &[Option<Point>],
) -> Result<Option<Point>, String> {
    if value.trim().is_empty() {
        return Ok(None);
    }
    let cells = cells(value).map_err(|error| error.to_string())?;
    let [p] = cells[..] else {
        return Err(format!("'{value}' is not a single point"));
    };
    checked_point(p.x().into(), p.y().into(), size, taken).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::super::journal::tests::game;
    use super::super::super::message::Eval;
    use super::*;

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
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(4_102_444_799), "2099-12-31");
    }
}
