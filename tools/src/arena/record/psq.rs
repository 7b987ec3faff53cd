//! Games in Piskvork's own format; [`tengen_games::records::psq`] describes and reads it.

use std::fmt::Write as _;

use super::super::game::GameRecord;
use super::points;
use crate::game::referee::Reason;
use tengen::streams::on_one_line;
use tengen_games::records::psq::HEAD;

/// Piskvork's number for a game that ended properly, by time, and by another failure.
const FINISHED: i32 = 0;
const TIMEOUT: i32 = 15;
const FAILED: i32 = -2;

/// The game as a `.psq` file. A pass cannot be said in this format, so the moves end before one.
pub fn write(game: &GameRecord) -> String {
    // Levels 11 stand for engines, and the 0 says that the first player begins.
    let mut text = format!("{HEAD}{}x{}, 11:11, 0\n", game.width, game.height);
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
    // An empty line would be none.
    let [black, white] = [&game.black, &game.white].map(|name| match name.is_empty() {
        true => "?".to_string(),
        false => on_one_line(name),
    });
    let _ = writeln!(text, "{black}\n{white}\n{code}");
    text
}

#[cfg(test)]
mod tests {
    use super::super::super::game::RecordedTurn;
    use super::super::super::journal::tests::game;
    use super::*;
    use crate::game::referee::Outcome;
    use tengen::types::Point;

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
        // A journal may hold any name.
        game.black = "A\nB".to_string();
        assert_eq!(write(&game).lines().count(), 6);
        game.reason = Reason::Time;
        assert!(write(&game).ends_with("\n15\n"));
    }
}
