//! Piskvork's own format: a head line, `x,y,ms` for each move counted from 1 at the top left, the
//! players' names and how the game ended.
//! Source: Piskvork 9.0, `savePsq` and `openPsq` in game.cpp.

use std::fmt::Write as _;

use super::super::game::GameRecord;
use super::super::referee::Reason;
use super::points;
use super::recorded_game::{RecordedGame, checked_point, checked_size};

/// Piskvork's number for a game that ended properly, by time, and by another failure.
const FINISHED: i32 = 0;
const TIMEOUT: i32 = 15;
const FAILED: i32 = -2;

/// The game as a `.psq` file. A pass cannot be said in this format, so the moves end before one.
pub fn write(game: &GameRecord) -> String {
    // Levels 11 stand for engines, and the 0 says that the first player begins.
    let mut text = format!("Piskvorky {}x{}, 11:11, 0\n", game.width, game.height);
    for (turn, point) in game.turns.iter().zip(points(game)) {
        let Some(p) = point else {
            break;
        };
        let ms = turn.ms.unwrap_or(0.0).round();
        let _ = writeln!(text, "{},{},{ms}", p.x() + 1, p.y() + 1);
    }
    let code = match game.reason {
        Reason::Time => TIMEOUT,
        reason if reason.is_forfeit() => FAILED,
        _ => FINISHED,
    };
    let _ = writeln!(text, "{}\n{}\n{code}", game.black, game.white);
    text
}

/// Reads a `.psq` file. The players' names are there only in records of tournaments.
///
/// # Errors
/// With what is wrong.
pub fn read(text: &str) -> Result<RecordedGame, String> {
    let mut lines = text.lines().map(str::trim);
    let head = lines.next().unwrap_or("");
    let size = head
        .strip_prefix("Piskvorky ")
        .and_then(|rest| rest.split(',').next()?.trim().split_once('x'))
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let (width, height) = size.ok_or("the first line is not 'Piskvorky WIDTHxHEIGHT, ...'")?;
    let size = checked_size(width, height)?;
    let mut points = Vec::new();
    let mut rest = Vec::new();
    for line in lines {
        let mut numbers = line.split(',').map(|word| word.trim().parse::<i64>());
        match (numbers.next(), numbers.next()) {
            (Some(Ok(x)), Some(Ok(y))) if rest.is_empty() => {
                points.push(Some(checked_point(x - 1, y - 1, size, &points)?));
            }
            _ => rest.push(line),
        }
    }
    let names = match rest[..] {
        [black, white, _, ..] => (black, white),
        _ => ("", ""),
    };
    Ok(RecordedGame {
        black: names.0.to_string(),
        white: names.1.to_string(),
        rule: String::new(),
        result: String::new(),
        width: size.0,
        height: size.1,
        points,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::game::RecordedTurn;
    use super::super::super::journal::tests::game;
    use super::super::super::referee::Outcome;
    use super::*;
    use crate::types::Point;

    #[test]
    fn moves_count_from_one_at_the_top_left() {
        let mut game = game(0, Outcome::Black);
        game.turns.push(RecordedTurn {
            ms: Some(12.6),
            ..RecordedTurn::bare(Some(Point::new(0, 14)), 15)
        });
        assert_eq!(
            write(&game),
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n1,15,13\nA\nB\n0\n"
        );
        game.reason = Reason::Time;
        assert!(write(&game).ends_with("\n15\n"));
    }
}
