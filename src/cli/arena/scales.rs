//! What positions are worth to either colour, by long searches and by games from there.

use crate::arena::openings::check;
use crate::board::Board;
use crate::engine::{Engine, Options};
use crate::rules::{Rule, foul, wins_at};
use crate::search::{SearchControl, SearchRequest};
use crate::types::{Color, Point, PointSet};

/// Games from a position, the part of the nodes for each move of the first of them, and the fewest
/// that either side must win.
const GAMES: u64 = 6;
const MOVE: u64 = 40;
const LEAST_POINTS: f64 = 2.0;
/// A game is won with this value.
const WON: i32 = 400;
/// A table large enough for one look, and small enough to be cleared before each.
const HASH_KIB: u64 = 16 << 10;

/// Values of positions.
pub struct Scales {
    engine: Engine,
    rule: Rule,
    /// The board before any stone.
    empty: Board,
    nodes: u64,
}

impl Scales {
    /// For games by `rule` on the board `empty`, judged by searches of up to `nodes` nodes.
    pub fn new(rule: Rule, empty: &Board, nodes: u64) -> Scales {
        Scales {
            engine: Engine::new(Options {
                hash_kib: Some(HASH_KIB),
                ..Options::default()
            }),
            rule,
            empty: empty.clone(),
            nodes,
        }
    }

    /// Nodes of the longest searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether a game may begin with these stones.
    pub fn may_begin_with(&self, stones: &[Point]) -> bool {
        check(stones, self.rule, &self.empty).is_ok()
    }

    /// Whether either side wins its part of some games, no two of which have as many nodes a move.
    pub fn plays_evenly(&mut self, board: &Board) -> bool {
        let mut black = 0.0;
        for played in 0..GAMES {
            let white = played as f64 - black;
            let left = (GAMES - played) as f64;
            if black + left < LEAST_POINTS || white + left < LEAST_POINTS {
                return false;
            }
            black += self.points_of_black(board, self.nodes / MOVE * (GAMES + played) / GAMES);
        }
        (LEAST_POINTS..=GAMES as f64 - LEAST_POINTS).contains(&black)
    }

    /// Black's points in a game from here.
    fn points_of_black(&mut self, board: &Board, nodes: u64) -> f64 {
        let mut board = board.clone();
        self.engine.clear_hash();
        loop {
            let side = board.side_to_move();
            let points = |winner: Color| if winner == Color::Black { 1.0 } else { 0.0 };
            match self.best(&board, nodes) {
                Some((_, value)) if value >= WON => return points(side),
                Some((_, value)) if value <= -WON => return points(!side),
                // Nothing else is left to Black.
                Some((p, _)) if self.rule.restricts(side) && foul(&board, p).is_some() => {
                    return points(!side);
                }
                Some((p, _)) => {
                    board.play(p);
                    if wins_at(&board, self.rule, p) {
                        return points(side);
                    }
                }
                None => return 0.5,
            }
        }
    }

    /// What the position is worth to Black: the mean of what the search says now and after the best
    /// move, for it is too hopeful for the side whose turn it is.
    pub fn value(&mut self, board: &Board, nodes: u64) -> Option<i32> {
        let (best, now) = self.afresh().best(board, nodes / 2)?;
        let (_, later) = self.afresh().best(&with(board, best), nodes / 2)?;
        let mean = (now - later) / 2;
        Some(match board.side_to_move() {
            Color::Black => mean,
            Color::White => -mean,
        })
    }

    /// The same scales, which have forgotten other positions: what was learned from them would
    /// change the judgement.
    pub fn afresh(&mut self) -> &mut Scales {
        self.engine.clear_hash();
        self
    }

    /// The best move, and its value for the side to move.
    fn best(&mut self, board: &Board, nodes: u64) -> Option<(Point, i32)> {
        let all: PointSet = board.empty_points().collect();
        self.search(board, &all, 1, nodes).into_iter().next()
    }

    /// The best `count` of `places` with their values for the side to move.
    pub fn search(
        &mut self,
        board: &Board,
        places: &PointSet,
        count: usize,
        nodes: u64,
    ) -> Vec<(Point, i32)> {
        let free: PointSet = board.empty_points().collect();
        let request = SearchRequest {
            max_nodes: Some(nodes.max(1)),
            multi_pv: count.clamp(1, places.len().max(1)),
            excluded: free.difference(places),
            ..SearchRequest::new(board.clone(), self.rule)
        };
        let outcome = self
            .engine
            .go(&request, &SearchControl::unlimited(), &mut |_| {});
        let lines = outcome.lines.iter();
        lines
            .filter_map(|line| Some((*line.pv.first()?, i32::from(line.score.raw()))))
            .collect()
    }
}

/// The position after a stone more.
pub fn with(board: &Board, point: Point) -> Board {
    let mut next = board.clone();
    next.play(point);
    next
}
