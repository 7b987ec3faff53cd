//! Reads records, ours and those of other programs.

use std::path::Path;

use super::super::game::GameRecord;
use super::super::journal;
use super::points;
use tengen::board::{Board, Move, SizeError};
use tengen::types::Color;
use tengen_games::records::RecordedGame;

/// The games in the bytes of the journal at `path`.
///
/// # Errors
/// With a text that names the problem.
pub fn read_journal(path: &Path, bytes: &[u8]) -> Result<Vec<RecordedGame>, String> {
    let (_, games) = journal::parse(path, bytes).map_err(|e| e.to_string())?;
    let read: Result<Vec<_>, SizeError> = games.iter().map(RecordedGame::try_from).collect();
    read.map_err(|error| format!("{}: {error}", path.display()))
}

impl TryFrom<&GameRecord> for RecordedGame {
    type Error = SizeError;

    fn try_from(game: &GameRecord) -> Result<RecordedGame, SizeError> {
        let start = Board::new(game.width.into(), game.height.into())?;
        let mut recorded = RecordedGame::from_position(start);
        recorded.black.clone_from(&game.black);
        recorded.white.clone_from(&game.white);
        recorded.rule.clone_from(&game.rule);
        recorded.result = game.verdict();
        let colors = Color::BOTH.into_iter().cycle();
        let moves = colors.zip(points(game));
        moves.for_each(|(color, point)| recorded.play(Move { color, point }));
        Ok(recorded)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::game::RecordedTurn;
    use super::super::super::journal::tests::game;
    use super::super::{pgn, psq, sgf};
    use super::*;
    use crate::game::referee::Outcome;
    use tengen::types::Point;
    use tengen_games::records::{self, ReadOptions};

    #[test]
    fn what_was_written_is_read_again() {
        let mut record = game(0, Outcome::Black);
        record.black = "A \\ [x]".to_string();
        record.width = 20;
        record.height = 12;
        record.turns = [(7, 7), (19, 11), (0, 0)]
            .map(|(x, y)| RecordedTurn::bare(Some(Point::new(x, y)), 12))
            .to_vec();
        let direct = RecordedGame::try_from(&record).unwrap();
        let empty = Board::new(15, 15).unwrap();
        let read = |text: &str| {
            let read = records::read(text.as_bytes(), &ReadOptions::new("", &empty));
            read.unwrap().games.remove(0)
        };
        let from_sgf = read(&sgf::write(&record));
        assert_eq!(
            (&from_sgf.moves, &from_sgf.start),
            (&direct.moves, &direct.start)
        );
        assert_eq!(from_sgf.black, "A \\ [x]");
        assert_eq!(from_sgf.result, "B+");
        let from_psq = read(&psq::write(&record));
        assert_eq!(
            (&from_psq.moves, &from_psq.start),
            (&direct.moves, &direct.start)
        );
        assert_eq!(from_psq.white, "B");
        let from_pgn = read(&pgn::write(&record));
        assert_eq!(
            (&from_pgn.moves, &from_pgn.start),
            (&direct.moves, &direct.start)
        );
        assert_eq!(
            [&from_pgn.black, &from_pgn.rule],
            [&record.black, &record.rule]
        );
    }
}
