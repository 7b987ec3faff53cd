//! Positions as managers describe them, turned into a [`Board`].

use super::text::{BoardEntry, Coord};
use crate::board::Board;
use crate::search::SearchRequest;
use crate::types::{Color, Point, PointSet};

/// The point of `board` at `at`, if it lies on the board.
pub fn locate(board: &Board, at: Coord) -> Option<Point> {
    let x = i32::try_from(at.x).ok()?;
    let y = i32::try_from(at.y).ok()?;
    board.point(x, y)
}

/// The position described by the entries of `BOARD`, on an empty board of the size of `board`; the
/// engine is to move.
///
/// The entries do not name Black. If `engine` is `None`, the counts decide: with as many own stones
/// as the opponent's, the engine moves first; with one fewer, second. With any other counts Black
/// is the owner of the first stone. Invalid entries, and all but the first entry of a cell, are
/// skipped.
pub fn position(board: &Board, entries: &[BoardEntry], engine: Option<Color>) -> Board {
    let mut board = board.cleared();
    let mut stones = Vec::new();
    let mut unseen = PointSet::from_iter(board.empty_points());
    for entry in entries {
        let point = locate(&board, entry.at).filter(|&p| unseen.contains(p));
        match (point, entry.field) {
            (Some(p), Some(1)) => stones.push((p, true)),
            (Some(p), Some(2)) => stones.push((p, false)),
            (Some(p), Some(3)) => board.block(p),
            _ => {
                log::warn!("skipped in a position: {entry:?}");
                continue;
            }
        }
        unseen.remove(point.expect("every arm that comes here has a point"));
    }
    let own = stones.iter().filter(|stone| stone.1).count();
    let others = stones.len() - own;
    let by_counts = if own == others {
        Color::Black
    } else if own + 1 == others {
        Color::White
    } else if stones[0].1 {
        Color::Black
    } else {
        Color::White
    };
    let engine = engine.unwrap_or(by_counts);
    for (p, is_own) in stones {
        board.put(p, if is_own { engine } else { !engine });
    }
    board.set_side_to_move(engine);
    board
}

/// The position after stones in playing order, the first one black. Entries off the board or on
/// another stone are skipped.
pub fn in_turn(board: &Board, entries: &[BoardEntry]) -> Board {
    let mut board = board.cleared();
    for entry in entries {
        match locate(&board, entry.at).filter(|&p| board.is_empty(p)) {
            Some(p) => board.play(p),
            None => log::warn!("skipped in a line of moves: {entry:?}"),
        }
    }
    board
}

/// `board` without the stone on `p`; `None` without such a stone. The side to move follows from the
/// numbers of stones; if they fit no game, it is the stone's owner.
pub fn without_stone(board: &Board, p: Point) -> Option<Board> {
    let owner = board.cell(p).color()?;
    let mut next = board.without(p);
    let black = next.stones_of(Color::Black).count();
    let white = next.stones().len() - black;
    next.set_side_to_move(if black == white {
        Color::Black
    } else if black == white + 1 {
        Color::White
    } else {
        owner
    });
    Some(next)
}

/// Widens the cells considered at the root of a search by `caution_factor`: 3 and 4 to all cells
/// that many steps from a stone, 5 to the whole board. The engine's own choice, two steps and three
/// along lines, is never narrowed: GUIs send small factors unasked.
pub fn apply_caution_factor(caution: u8, request: &mut SearchRequest) {
    let board = &request.board;
    let reach = i32::from(caution);
    let is_near = |p: &Point| {
        board.stones().iter().any(|stone| {
            let dx = i32::from(p.x()) - i32::from(stone.point.x());
            let dy = i32::from(p.y()) - i32::from(stone.point.y());
            dx.abs().max(dy.abs()) <= reach
        })
    };
    let wide = board
        .empty_points()
        .filter(|p| caution >= 5 || (caution >= 3 && is_near(p)));
    request.also = wide.collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::rules::Rule;

    fn entries(fields: &[(i64, i64, i64)]) -> Vec<BoardEntry> {
        fields
            .iter()
            .map(|&(x, y, field)| BoardEntry {
                at: Coord { x, y },
                field: Some(field),
            })
            .collect()
    }

    fn board(fields: &[(i64, i64, i64)]) -> Board {
        position(&Board::new(15, 15).unwrap(), &entries(fields), None)
    }

    #[test]
    fn colours_follow_from_the_counts() {
        let cell = |board: &Board, x, y| board.cell(Point::new(x, y));
        let first = board(&[(7, 7, 1), (8, 8, 2)]);
        assert_eq!(first.side_to_move(), Color::Black);
        assert_eq!(cell(&first, 7, 7), Cell::Black);
        let second = board(&[(7, 7, 2)]);
        assert_eq!(second.side_to_move(), Color::White);
        assert_eq!(cell(&second, 7, 7), Cell::Black);
        let any_order = board(&[(8, 8, 2), (7, 7, 1)]);
        assert_eq!(cell(&any_order, 7, 7), Cell::Black);
        let fields = entries(&[(7, 7, 1), (8, 8, 2)]);
        let named = position(&Board::new(15, 15).unwrap(), &fields, Some(Color::White));
        assert_eq!(named.side_to_move(), Color::White);
        assert_eq!(cell(&named, 7, 7), Cell::White);
        let handicap = board(&[(7, 7, 2), (8, 8, 2), (9, 9, 2)]);
        assert_eq!(handicap.side_to_move(), Color::White);
        assert_eq!(cell(&handicap, 9, 9), Cell::Black);
        let own_only = board(&[(7, 7, 1)]);
        assert_eq!(own_only.side_to_move(), Color::Black);
        assert_eq!(board(&[]).side_to_move(), Color::Black);
    }

    #[test]
    fn bad_entries_are_skipped() {
        let board = board(&[
            (7, 7, 1),
            (7, 7, 2),
            (15, 0, 1),
            (-1, -1, 2),
            (3, 3, 3),
            (3, 3, 1),
            (4, 4, 9),
            (i64::MAX, 0, 1),
            (8, 8, 2),
        ]);
        assert_eq!(board.stones().len(), 2);
        assert_eq!(board.cell(Point::new(3, 3)), Cell::Blocked);
        assert_eq!(board.side_to_move(), Color::Black);
    }

    #[test]
    fn caution_widens_the_choice() {
        let count = |caution| {
            let mut request = SearchRequest::new(board(&[(7, 7, 2)]), Rule::Freestyle);
            apply_caution_factor(caution, &mut request);
            request.also.len()
        };
        let counts: Vec<usize> = (0..=5).map(count).collect();
        assert_eq!(counts, [0, 0, 0, 48, 80, 224]);
    }

    #[test]
    fn stones_leave_in_any_order() {
        let full = board(&[(7, 7, 2), (8, 8, 1), (9, 9, 2), (3, 3, 3), (6, 6, 1)]);
        let oldest_first = without_stone(&full, Point::new(9, 9)).unwrap();
        let both = without_stone(&oldest_first, Point::new(6, 6)).unwrap();
        assert_eq!(both.stones().len(), 2);
        assert_eq!(both.side_to_move(), Color::Black);
        assert_eq!(both.cell(Point::new(3, 3)), Cell::Blocked);
        assert!(without_stone(&both, Point::new(6, 6)).is_none());
        assert!(without_stone(&both, Point::new(3, 3)).is_none());
    }
}
