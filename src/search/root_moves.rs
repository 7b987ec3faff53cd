//! The moves at the root.

use std::cmp::Reverse;

use super::picker::{NodeThreat, moves_to_search};
use super::request::SearchRequest;
use crate::board::Direction;
use crate::patterns::{Class, Shape};
use crate::position::Position;
use crate::types::{Point, PointSet, Score};

/// A move at the root with the results of its search.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub point: Point,
    /// Its score in this iteration; `-INFINITE` if another move is better.
    pub score: Score,
    /// Its score in the iteration before.
    pub previous_score: Score,
    /// Expected continuation, this move first.
    pub pv: Vec<Point>,
    /// Deepest ply visited below it.
    pub seldepth: usize,
    /// Positions visited below it in the whole search.
    pub nodes: u64,
    /// True if a search for fours or threats has proved the win of its score.
    pub is_proved: bool,
    /// True if the search has proved that the move loses.
    pub is_lost: bool,
}

impl RootMove {
    /// A move that was not searched yet.
    pub(super) fn new(point: Point) -> RootMove {
        RootMove {
            point,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            pv: vec![point],
            seldepth: 0,
            nodes: 0,
            is_proved: false,
            is_lost: false,
        }
    }
}

/// The moves to search at the root, the most promising first (the centre on an empty board):
/// legal, not excluded by the request, and not plainly lost if others are left.
pub fn root_moves(request: &SearchRequest) -> Vec<Point> {
    let board = &request.board;
    let mut position = Position::new(board, request.rule);
    let side = board.side_to_move();
    let (threat, cells) = moves_to_search(&mut position);
    let mut moves = legal(request, &position, cells);
    if moves.is_empty() || (threat == NodeThreat::None && request.multi_pv > moves.len()) {
        moves = legal(request, &position, position.free_set());
    } else if threat == NodeThreat::None && position.count(side, Class::Five) == 0 {
        let more = request.also.intersection(&position.free_set());
        moves.extend(legal(request, &position, more.difference(&cells)));
    }
    moves.sort_by_key(|&p| (distance_from_middle(request, p), p));
    if board.stones().is_empty() {
        let centre = Point::centre(board.width(), board.height());
        moves.sort_by_key(|&p| p != centre);
        return moves;
    }
    // A five together with an overline wins, but some referees call it a foul.
    let makes_overline = |p| {
        Direction::ALL
            .map(|d| position.shapes(side, p).get(d))
            .contains(&Shape::Overline)
    };
    let is_five = |p| position.class(side, p) == Class::Five;
    let key = |&p: &Point| (!is_five(p), makes_overline(p), Reverse(position.policy(p)));
    moves.sort_by_key(key);
    moves
}

/// The root's legal moves far from all stones, where no threat limits the moves: without them a
/// loss is not proved.
pub(super) fn far_root_moves(request: &SearchRequest) -> Vec<Point> {
    let mut position = Position::new(&request.board, request.rule);
    match moves_to_search(&mut position) {
        (NodeThreat::None, cells) => {
            let far = position.free_set().difference(&cells);
            legal(request, &position, far)
        }
        (NodeThreat::Four | NodeThreat::StraightFour, _) => Vec::new(),
    }
}

/// The moves to `cells` that the rule allows and the request does not exclude.
fn legal(request: &SearchRequest, position: &Position, cells: PointSet) -> Vec<Point> {
    let side = position.side_to_move();
    let allowed = cells.difference(&request.excluded);
    allowed
        .iter()
        .filter(|&p| !position.is_forbidden(side, p))
        .collect()
}

/// A free cell where every one is forbidden or excluded: the manager still expects a move.
pub fn last_resort(request: &SearchRequest) -> Option<Point> {
    let excluded = |p: &Point| request.excluded.contains(*p);
    request
        .board
        .empty_points()
        .min_by_key(|p| (excluded(p), distance_from_middle(request, *p), *p))
}

/// Squared distance from the board's middle, which on a side of even length is between two cells,
/// in half cells.
fn distance_from_middle(request: &SearchRequest, p: Point) -> i32 {
    let dx = 2 * i32::from(p.x()) + 1 - i32::from(request.board.width());
    let dy = 2 * i32::from(p.y()) + 1 - i32::from(request.board.height());
    dx * dx + dy * dy
}
