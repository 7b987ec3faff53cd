//! Games in Smart Game Format: the position at the end of each game's main line.
//!
//! Source: SGF FF[4] specification, red-bean.com/sgf. Read by `sgf-parse`, which knows the
//! escapes and encodings of old files better than a parser of our own would.

use sgf_parse::{GameTree, SgfNode, SgfProp};

use super::{LineError, PositionCase};
use crate::board::{parse_size, Board};
use crate::rules::Rule;
use crate::types::{Color, Point};

/// Side of the board where a game names none.
const USUAL_SIZE: &str = "15";

/// Reads the text of an SGF file; `name` begins the names of its games, which are numbered where
/// there are several. `rule` is that of games that name none that is known.
///
/// # Errors
/// With the number of the game, from 1, where a game cannot be read.
pub(super) fn parse(
    name: &str,
    text: &str,
    rule: Rule,
) -> Result<Vec<PositionCase>, (usize, LineError)> {
    let games = sgf_parse::parse(text).map_err(|error| (1, LineError::Sgf(error.to_string())))?;
    let several = games.len() > 1;
    let read = |(i, game): (usize, &GameTree)| {
        let id = match several {
            true => format!("{name}-{}", i + 1),
            false => name.to_string(),
        };
        match game {
            GameTree::GoGame(root) => position(id, root, rule),
            GameTree::Unknown(root) => position(id, root, rule),
        }
        .map_err(|error| (i + 1, error))
    };
    games.iter().enumerate().map(read).collect()
}

fn position<P: SgfProp + ToString>(
    id: String,
    root: &SgfNode<P>,
    usual_rule: Rule,
) -> Result<PositionCase, LineError> {
    let of_root = |name| {
        root.get_property(name)
            .map(|property| values(property).remove(0))
    };
    let size = of_root("SZ").unwrap_or(USUAL_SIZE.to_string());
    let (width, height) = parse_size(&size.replace(':', "x")).ok_or(LineError::Value {
        expected: "a board size such as SZ[15] or SZ[20:15]",
        found: size,
    })?;
    let mut board = Board::new(width, height)?;
    let rule = of_root("RU").and_then(|text| text.parse().ok());
    let mut turn = None;
    for node in root.main_variation() {
        for property in node.properties() {
            let color = match property.identifier().as_str() {
                "B" | "AB" => Color::Black,
                "W" | "AW" => Color::White,
                "PL" => {
                    turn = match values(property)[0].as_str() {
                        "W" => Some(Color::White),
                        _ => Some(Color::Black),
                    };
                    continue;
                }
                _ => continue,
            };
            let is_move = property.identifier().len() == 1;
            for value in values(property) {
                if value.is_empty() && is_move {
                    continue;
                }
                for p in cells(&board, &value)? {
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
    }
    // Stones that were set up say nothing about the turn but by their number.
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

/// The texts in brackets of a property, of which there is at least one.
fn values(property: &impl ToString) -> Vec<String> {
    let text = property.to_string();
    let inner = text.find('[').map_or("", |start| &text[start + 1..]);
    let inner = inner.strip_suffix(']').unwrap_or(inner);
    inner.split("][").map(str::to_string).collect()
}

/// The cell `hh`, or the rectangle `aa:cc`.
fn cells(board: &Board, text: &str) -> Result<Vec<Point>, LineError> {
    let cell = |text: &str| {
        let [x, y] = text.as_bytes()[..] else {
            return None;
        };
        board.point(
            i32::from(x) - i32::from(b'a'),
            i32::from(y) - i32::from(b'a'),
        )
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let (from, to) = cell(from)
        .zip(cell(to))
        .ok_or_else(|| LineError::OffBoard {
            point: text.to_string(),
            width: board.width(),
            height: board.height(),
        })?;
    let (columns, rows) = (from.x()..=to.x(), from.y()..=to.y());
    Ok(rows
        .flat_map(|y| columns.clone().map(move |x| Point::new(x, y)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
