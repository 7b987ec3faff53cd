//! Reading records back, ours and those of other programs, to show them.

use std::path::Path;

use super::super::game::GameRecord;
use super::super::journal;
use super::{psq, sgf};
use crate::board::Board;
use crate::openings::NamedOpening;
use crate::types::{MAX_SIDE, MIN_SIDE, Point};

/// A game as far as it is needed to draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Player of the black stones; may be empty.
    pub black: String,
    /// Player of the white stones; may be empty.
    pub white: String,
    /// Rule; may be empty.
    pub rule: String,
    /// How it ended; may be empty.
    pub result: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Moves, the first by Black; `None` is a pass.
    pub points: Vec<Option<Point>>,
}

impl Shown {
    /// Which of renju's 26 openings it began with.
    fn opening(&self) -> Option<NamedOpening> {
        let mut board = Board::new(self.width.into(), self.height.into()).ok()?;
        for p in self.points.iter().take(3) {
            board.play((*p)?);
        }
        NamedOpening::of(&board)
    }

    /// What is known of the game, on one line.
    pub fn title(&self) -> String {
        let mut parts = Vec::new();
        if !self.black.is_empty() || !self.white.is_empty() {
            parts.push(format!("{} - {}", self.black, self.white));
        }
        if !self.rule.is_empty() {
            parts.push(self.rule.clone());
        }
        parts.push(format!("{}x{}", self.width, self.height));
        parts.extend(self.opening().map(|opening| opening.to_string()));
        if !self.result.is_empty() {
            parts.push(self.result.clone());
        }
        parts.join(", ")
    }
}

impl From<&GameRecord> for Shown {
    fn from(game: &GameRecord) -> Shown {
        Shown {
            black: game.black.clone(),
            white: game.white.clone(),
            rule: game.rule.clone(),
            result: game.verdict(),
            width: game.width,
            height: game.height,
            points: super::points(game),
        }
    }
}

/// Reads the games of a `.psq`, `.sgf` or journal file, told by its name.
///
/// # Errors
/// With a text that names what is wrong.
pub fn read(path: &Path) -> Result<Vec<Shown>, String> {
    let name = path.display();
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("jsonl") => {
            let (_, games) = journal::read(path).map_err(|e| e.to_string())?;
            Ok(games.iter().map(Shown::from).collect())
        }
        Some(kind @ ("psq" | "sgf")) => {
            let bytes = std::fs::read(path).map_err(|e| format!("{name}: {e}"))?;
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

/// Sides of a board that can be drawn.
pub(super) fn checked_size(width: i64, height: i64) -> Result<(u8, u8), String> {
    let range = i64::from(MIN_SIDE)..=i64::from(MAX_SIDE);
    if range.contains(&width) && range.contains(&height) {
        Ok((width as u8, height as u8))
    } else {
        Err(format!("a board of {width}x{height} is not supported"))
    }
}

/// The point at `x`, `y`, from 0, if it is on the board and free.
pub(super) fn checked_point(
    x: i64,
    y: i64,
    (width, height): (u8, u8),
    taken: &[Option<Point>],
) -> Result<Point, String> {
    if !(0..i64::from(width)).contains(&x) || !(0..i64::from(height)).contains(&y) {
        return Err(format!("move {} is off the board", taken.len() + 1));
    }
    let p = Point::new(x as u8, y as u8);
    if taken.contains(&Some(p)) {
        return Err(format!("move {} is on a taken point", taken.len() + 1));
    }
    Ok(p)
}

#[cfg(test)]
mod tests {
    use super::super::super::game::Turn;
    use super::super::super::journal::tests::game;
    use super::super::super::referee::Outcome;
    use super::super::{psq, sgf};
    use super::*;

    fn record() -> GameRecord {
        let mut game = game(0, Outcome::Black);
        game.black = "A \\ [x]".to_string();
        game.width = 20;
        game.height = 12;
        game.turns = [(7, 7), (19, 11), (0, 0)]
            .map(|(x, y)| Turn::bare(Some(Point::new(x, y)), 12))
            .to_vec();
        game
    }

    #[test]
    fn what_was_written_is_read_again() {
        let record = record();
        let direct = Shown::from(&record);
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
