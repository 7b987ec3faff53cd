//! Games in Smart Game Format: the position at the end of each game's main line.

use super::{LineError, PositionCase};
use crate::board::Board;
use crate::rules::Rule;
use crate::sgf::{SgfGame, cells, games};
use crate::types::Color;

/// Reads the text of an SGF file; `name` begins the names of its games, which are numbered where
/// there are several. `rule` is for games that give no known rule.
///
/// # Errors
/// With the number of the game, from 1, where a game cannot be read.
pub(super) fn parse(
    name: &str,
    text: &str,
    rule: Rule,
) -> Result<Vec<PositionCase>, (usize, LineError)> {
    let games = games(text).map_err(|error| (1, error.into()))?;
    let several = games.len() > 1;
    let read = |(i, game): (usize, &SgfGame)| {
        let id = match several {
            true => format!("{name}-{}", i + 1),
            false => name.to_string(),
        };
        position(id, game, rule).map_err(|error| (i + 1, error))
    };
    games.iter().enumerate().map(read).collect()
}

fn position(id: String, game: &SgfGame, usual_rule: Rule) -> Result<PositionCase, LineError> {
    let (width, height) = game.size()?;
    let mut board = Board::new(width, height)?;
    let rule = game.of_root("RU").and_then(|text| text.parse().ok());
    let mut turn = None;
    for property in game.nodes.iter().flatten() {
        let color = match property.name.as_str() {
            "B" | "AB" => Color::Black,
            "W" | "AW" => Color::White,
            "PL" => {
                turn = match property.value() {
                    "W" => Some(Color::White),
                    _ => Some(Color::Black),
                };
                continue;
            }
            _ => continue,
        };
        let is_move = property.name.len() == 1;
        for value in &property.values {
            if value.is_empty() && is_move {
                continue;
            }
            for p in cells(value)? {
                if !board.contains(p.x().into(), p.y().into()) {
                    return Err(LineError::OffBoard {
                        point: p.to_string(),
                        width: board.width(),
                        height: board.height(),
                    });
                }
                if !board.is_empty(p) {
                    return Err(LineError::Duplicate(p.to_string()));
                }
                board.put(p, color);
            }
        }
        if is_move {
            turn = Some(!color);
        }
    }
    // After set-up stones the side with fewer stones is to move.
    let count = |color| board.stones().iter().filter(|s| s.color == color).count();
    let fewer = match count(Color::Black) > count(Color::White) {
        true => Color::White,
        false => Color::Black,
    };
    board.set_side_to_move(turn.unwrap_or(fewer));
    Ok(PositionCase {
        id,
        rule: rule.unwrap_or(usual_rule),
        board,
        source: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;

    fn one(text: &str) -> Result<PositionCase, String> {
        let mut games =
            parse("g", text, Rule::Standard).map_err(|(game, error)| format!("{game}: {error}"))?;
        Ok(games.remove(0))
    }

    #[test]
    fn the_main_line_is_played() {
        let game = one("(;GM[4]SZ[20:15]RU[renju]AB[aa:ba]AW[tn];B[hh](;W[ii])(;W[aa]))").unwrap();
        assert_eq!((game.board.width(), game.board.height()), (20, 15));
        assert_eq!((game.id.as_str(), game.rule), ("g", Rule::Renju));
        assert_eq!(game.board.stones().len(), 5);
        assert_eq!(game.board.last().unwrap().point, Point::new(8, 8));
        assert_eq!(game.board.side_to_move(), Color::Black);
        let game = one("(;AB[hh][hi]AW[ii]C[B[hh\\] ; (])").unwrap();
        assert_eq!((game.board.width(), game.rule), (15, Rule::Standard));
        assert_eq!(game.board.side_to_move(), Color::White);
        assert_eq!(
            one("(;GM[4]PL[W])").unwrap().board.side_to_move(),
            Color::White
        );
    }

    #[test]
    fn games_are_numbered() {
        let games = parse("g", "(;GM[4];B[hh])(;GM[4];B[aa])", Rule::Renju).unwrap();
        let ids: Vec<&str> = games.iter().map(|game| game.id.as_str()).collect();
        assert_eq!(ids, ["g-1", "g-2"]);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (text, message) in [
            ("(;GM[4];B[hh];W[hh])", "7,7 has two"),
            ("(;GM[4]SZ[9];B[jj])", "off the 9x9"),
            ("(;GM[4]SZ[x])", "a board size"),
            ("(;GM[4]SZ[3])", "unsupported size"),
            ("hello", "no SGF"),
        ] {
            let error = one(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
