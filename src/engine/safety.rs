//! The last check of a move: an illegal one is never printed while a legal one exists.

use crate::board::Board;
use crate::rules::{Rule, forbidden_points, foul, wins_at};
use crate::types::{Point, PointSet};

/// Puts `count` stones on `board`, each in the turn of the side to move, and returns their cells:
/// the proposed ones, and a legal move wherever a proposal is missing, taken or forbidden. Fewer
/// than `count` only when the board is full.
pub fn play_legally(
    board: &mut Board,
    rule: Rule,
    excluded: &PointSet,
    proposed: &[Point],
    count: usize,
) -> Vec<Point> {
    let mut played = Vec::new();
    for i in 0..count {
        let proposal = proposed.get(i).copied();
        let legal = proposal.filter(|&p| is_legal(board, rule, p));
        match (proposal, legal) {
            (Some(p), None) => log::error!("the engine proposed {p} under {rule} in\n{board}"),
            // No fault where the time was over before the tables were made.
            (None, _) => log::warn!("the engine proposed nothing under {rule} in\n{board}"),
            _ => {}
        }
        let Some(p) = legal.or_else(|| emergency_move(board, rule, excluded)) else {
            break;
        };
        board.play(p);
        played.push(p);
    }
    played
}

/// The free cells that the side to move may play; the forbidden ones too when no other is left.
pub fn playable_cells(board: &Board, rule: Rule) -> PointSet {
    let free = PointSet::from_iter(board.empty_points());
    let forbidden = forbidden_points(board, rule, board.side_to_move());
    let legal = free.difference(&forbidden.into_iter().collect());
    if legal.is_empty() { free } else { legal }
}

/// True if the side to move may play `p`. A forbidden cell is legal when no other is left: a
/// manager that asks for a move gets one.
pub fn is_legal(board: &Board, rule: Rule, p: Point) -> bool {
    if !board.contains(p.x().into(), p.y().into()) || !board.is_empty(p) {
        return false;
    }
    !rule.restricts(board.side_to_move())
        || foul(board, p).is_none()
        || forbidden_points(board, rule, board.side_to_move()).len() == board.empty_count()
}

/// A legal move found without search: a win, or else a block of the opponent's win, or else the
/// move nearest to the other stones. `None` only on a full board.
pub fn emergency_move(board: &Board, rule: Rule, excluded: &PointSet) -> Option<Point> {
    let side = board.side_to_move();
    let forbidden: PointSet = forbidden_points(board, rule, side).into_iter().collect();
    let wins = |p: Point, color| {
        let mut next = board.clone();
        next.put(p, color);
        wins_at(&next, rule, p)
    };
    // Twice the middle of the stones, or the board's centre, times the number of stones.
    let stones = board.stones();
    let count = stones.len().max(1) as i64;
    let centre = if stones.is_empty() {
        let centre = Point::centre(board.width(), board.height());
        (2 * i64::from(centre.x()), 2 * i64::from(centre.y()))
    } else {
        stones.iter().fold((0, 0), |sum, stone| {
            (
                sum.0 + 2 * i64::from(stone.point.x()),
                sum.1 + 2 * i64::from(stone.point.y()),
            )
        })
    };
    board.empty_points().min_by_key(|&p| {
        let dx = 2 * count * i64::from(p.x()) - centre.0;
        let dy = 2 * count * i64::from(p.y()) - centre.1;
        (
            forbidden.contains(p),
            excluded.contains(p),
            !wins(p, side),
            !wins(p, !side),
            dx * dx + dy * dy,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::after as board;
    use crate::types::Color;

    #[test]
    fn illegal_proposals_are_replaced() {
        // Black has open threes along the row and the column of h8.
        let mut renju = board("f8 a1 g8 a15 h10 o1 h9 o15");
        let p = Point::new(7, 7);
        assert!(foul(&renju, p).is_some());
        let taken = Point::new(0, 14);
        for proposal in [p, taken, Point::new(20, 20)] {
            let mut after = renju.clone();
            let played = play_legally(&mut after, Rule::Renju, &PointSet::EMPTY, &[proposal], 1);
            assert!(played[0] != proposal && foul(&renju, played[0]).is_none());
            assert_eq!(after.last().unwrap().point, played[0]);
        }
        assert_eq!(
            play_legally(&mut renju, Rule::Freestyle, &PointSet::EMPTY, &[p], 1),
            [p]
        );
    }

    #[test]
    fn the_emergency_move_wins_or_stops_a_win() {
        let own = board("a1 h8 a2 h9 a3 h10 a4 h11");
        let p = emergency_move(&own, Rule::Freestyle, &PointSet::EMPTY).unwrap();
        assert_eq!(p.label(15), "a5");
        let other = board("a1 h8 a2 h9 a3 h10 o1 h11");
        let p = emergency_move(&other, Rule::Freestyle, &PointSet::EMPTY).unwrap();
        assert!(["h12", "h7"].contains(&&*p.label(15)));
        let excluded: PointSet = other.empty_points().filter(|&q| q != p).collect();
        let excluded = PointSet::from_iter(excluded.iter().chain([p]));
        assert!(emergency_move(&other, Rule::Freestyle, &excluded).is_some());
    }

    #[test]
    fn black_with_only_forbidden_cells_left_still_moves() {
        let mut board = Board::new(15, 15).unwrap();
        let overline = Point::new(7, 7);
        for x in [4, 5, 6, 8, 9, 10] {
            board.put(Point::new(x, 7), Color::Black);
        }
        for p in board.clone().empty_points().filter(|&p| p != overline) {
            board.put(p, Color::White);
        }
        board.set_side_to_move(Color::Black);
        assert!(foul(&board, overline).is_some());
        let none = PointSet::EMPTY;
        assert_eq!(emergency_move(&board, Rule::Renju, &none), Some(overline));
        assert_eq!(
            play_legally(&mut board, Rule::Renju, &none, &[overline], 1),
            [overline]
        );
        assert_eq!(emergency_move(&board, Rule::Renju, &none), None);
        assert_eq!(
            play_legally(&mut board, Rule::Renju, &none, &[overline], 1),
            []
        );
    }
}
