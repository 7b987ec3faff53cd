//! Reads records, ours and those of other programs.

use std::path::Path;

use super::super::journal;
use super::recorded_game::RecordedGame;
use super::{psq, sgf};
use crate::files::read_regular_file;

/// Reads the games of a `.psq`, `.sgf` or journal file; the extension of its name says which.
///
/// # Errors
/// With a text that names what is wrong.
pub fn read(path: &Path) -> Result<Vec<RecordedGame>, String> {
    let name = path.display();
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("jsonl") => {
            let (_, games) = journal::read(path).map_err(|e| e.to_string())?;
            Ok(games.iter().map(RecordedGame::from).collect())
        }
        Some(kind @ ("psq" | "sgf")) => {
            let bytes = read_regular_file(path).map_err(|e| format!("{name}: {e}"))?;
            let text = String::from_utf8_lossy(&bytes);
            let game = if kind == "psq" {
                psq::read(&text)
            } else {
                sgf::read(&text)
            };
            game.map(|game| vec![game])
                .map_err(|e| format!("{name}: {e}"))
        }
        _ => Err(format!(
            "{name}: the name of a record ends with .psq, .sgf or .jsonl"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::game::{GameRecord, RecordedTurn};
    use super::super::super::journal::tests::game;
    use super::super::super::referee::Outcome;
    use super::*;
    use crate::types::Point;

    fn record() -> GameRecord {
        let mut game = game(0, Outcome::Black);
        game.black = "A \\ [x]".to_string();
        game.width = 20;
        game.height = 12;
        game.turns = [(7, 7), (19, 11), (0, 0)]
            .map(|(x, y)| RecordedTurn::bare(Some(Point::new(x, y)), 12))
            .to_vec();
        game
    }

    #[test]
    fn what_was_written_is_read_again() {
        let record = record();
        let direct = RecordedGame::from(&record);
        let from_sgf = sgf::read(&sgf::write(&record)).unwrap();
        assert_eq!(from_sgf.points, direct.points);
        assert_eq!((from_sgf.width, from_sgf.height), (20, 12));
        assert_eq!(from_sgf.black, "A \\ [x]");
        assert_eq!(from_sgf.result, "B+");
        let from_psq = psq::read(&psq::write(&record)).unwrap();
        assert_eq!(from_psq.points, direct.points);
        assert_eq!(from_psq.white, "B");
    }

    #[test]
    fn others_records_are_read() {
        let sgf = "(;GM[4]FF[4]SZ[15]PB[x] PW[y\\]]\nRE[W+];B[hh](;W[ii];B[])(;W[jj]))";
        let game = sgf::read(sgf).unwrap();
        assert_eq!(
            game.points,
            [Some(Point::new(7, 7)), Some(Point::new(8, 8)), None]
        );
        assert_eq!(game.white, "y]");
        let psq = "Piskvorky 15x15, 0:0, 1\r\n8,8,0\r\n9,9,1200\r\n-1\r\n";
        let game = psq::read(psq).unwrap();
        assert_eq!(game.points.len(), 2);
        assert_eq!(game.title(), "15x15");
    }

    #[test]
    fn broken_records_are_refused() {
        for bad in [
            "",
            "(;B[hh]",
            "(;SZ[99];B[aa])",
            "(;SZ[15];B[hh];W[hh])",
            "(;SZ[15];B[zz])",
            "(;SZ[15];W[hh])",
            "(;SZ[15]AB[hh])",
        ] {
            assert!(sgf::read(bad).is_err(), "{bad}");
        }
        for bad in [
            "",
            "Piskvorky 15x15\n16,1,0\n",
            "Piskvorky 15x15\n1,1,0\n1,1,0\n",
            "Piskvorky axb\n",
        ] {
            assert!(psq::read(bad).is_err(), "{bad}");
        }
        assert!(read(Path::new("game.txt")).unwrap_err().contains(".psq"));
    }
}
