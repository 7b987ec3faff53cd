//! What a record says of a game, whichever program wrote it.

use super::super::game::GameRecord;
use super::points;
use crate::board::Board;
use crate::openings::NamedOpening;
use crate::types::{MAX_SIDE, MIN_SIDE, Point};

/// A recorded game: what is needed to draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
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

impl RecordedGame {
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

impl From<&GameRecord> for RecordedGame {
    fn from(game: &GameRecord) -> RecordedGame {
        RecordedGame {
            black: game.black.clone(),
            white: game.white.clone(),
            rule: game.rule.clone(),
            result: game.verdict(),
            width: game.width,
            height: game.height,
            points: points(game),
        }
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
