//! Moves without a search: the random stones that a game begins with, and the move where a search
//! has none.

use rand::RngExt;
use rand::rngs::StdRng;

use tengen::board::Board;
use tengen::patterns::Class;
use tengen::position::Position;
use tengen::rules::Rule;
use tengen::types::Point;

/// `stones` random moves near the centre of an empty board; `None` if they decide the game, or if
/// the next move would.
pub(super) fn random_opening(
    rng: &mut StdRng,
    rule: Rule,
    size: u8,
    stones: u8,
) -> Option<Vec<Point>> {
    let board = Board::new(size.into(), size.into()).expect("sizes are checked with the settings");
    let mut position = Position::new(&board, rule);
    let mut moves = Vec::with_capacity(stones.into());
    while moves.len() < usize::from(stones) {
        let p = near_centre(rng, size, moves.len());
        let side = position.side_to_move();
        if !position.is_empty(p) || position.is_forbidden(side, p) {
            continue;
        }
        if position.class(side, p) == Class::Five {
            return None;
        }
        position.play(p);
        moves.push(p);
    }
    let side = position.side_to_move();
    let is_decided = position.count(side, Class::Five) > 0
        || position.count(!side, Class::Five) > 0
        || position.has_straight_four();
    (!is_decided).then_some(moves)
}

/// A random cell of a square around the centre that grows with the number of stones on the board:
/// 5x5 for the first three, two columns and rows more for each further three.
fn near_centre(rng: &mut StdRng, size: u8, stones: usize) -> Point {
    let centre = size / 2;
    let reach = (2 + stones / 3).min(usize::from(centre.min(size - 1 - centre))) as u8;
    let mut coordinate = || rng.random_range(centre - reach..=centre + reach);
    Point::new(coordinate(), coordinate())
}

/// The centre, or the first legal move if the centre is not legal; `None` without a legal move.
pub(super) fn default_move(position: &Position) -> Option<Point> {
    let side = position.side_to_move();
    let board = position.board();
    let centre = Point::new(board.width() / 2, board.height() / 2);
    std::iter::once(centre)
        .chain(board.empty_points())
        .find(|&p| board.is_empty(p) && !position.is_forbidden(side, p))
}
