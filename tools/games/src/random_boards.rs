//! Random boards for a comparison of two implementations of the rules: with many stones close
//! together, so that shapes meet, and many at the edge.

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};

use tengen::board::Board;
use tengen::rules::{Rule, wins_at};
use tengen::types::{MAX_SIDE, MIN_SIDE, Point};

/// The placing of a random board's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// In one or two dense heaps of each colour.
    Clumped,
    /// On the outer three lines.
    Edge,
    /// As in a game: each at most two columns and rows from an earlier stone, often of the same
    /// colour.
    Playout,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 3] = [Style::Clumped, Style::Edge, Style::Playout];
}

/// An infinite sequence of random boards; one seed gives the same boards on every machine.
///
/// Sides have 5 to 22 cells. Two boards of five are 15x15 and one of five is another rectangle; one
/// board of eight has a few blocked cells. Colours alternate, so counts are balanced. No five or
/// longer row of either colour stands on the board.
#[derive(Debug)]
pub struct RandomBoards {
    rng: StdRng,
}

impl RandomBoards {
    /// The sequence of boards for `seed`.
    pub fn new(seed: u64) -> RandomBoards {
        RandomBoards {
            rng: StdRng::seed_from_u64(seed),
        }
    }

    /// The next board, of the given size and style.
    ///
    /// # Panics
    /// When the size is unsupported.
    pub fn board(&mut self, width: u8, height: u8, style: Style) -> Board {
        let rng = &mut self.rng;
        let mut board = Board::new(width.into(), height.into()).expect("a size to play on");
        if rng.random_ratio(1, 8) {
            for _ in 0..rng.random_range(1..=4) {
                let p = anywhere(rng, &board);
                if board.is_empty(p) {
                    board.block(p);
                }
            }
        }
        let area = u32::from(width) * u32::from(height);
        let most = match style {
            Style::Clumped => area.min(70),
            Style::Edge => area.min(60 + area / 8),
            Style::Playout => area * 2 / 3,
        };
        let stones = rng.random_range(area.min(8)..=most);
        // Each colour has its own heaps: shapes are rare where the colours mix evenly.
        let heaps = [0; 2].map(|_| {
            let count = rng.random_range(1..=2);
            (0..count)
                .map(|_| anywhere(rng, &board))
                .collect::<Vec<_>>()
        });
        for _ in 0..stones {
            // On a crowded board the tries may find no place for another stone.
            for _ in 0..30 {
                let color = board.side_to_move();
                let own = board.stones().iter().filter(|stone| stone.color == color);
                let own = own.choose(rng).map(|stone| stone.point);
                let heap = heaps[color.index()].choose(rng).copied();
                let p = match (style, own.filter(|_| rng.random_ratio(2, 3))) {
                    (Style::Clumped, _) => heap.and_then(|p| near(rng, &board, p, 3)),
                    (Style::Edge, Some(p)) => {
                        near(rng, &board, p, 2).filter(|&p| to_edge(&board, p) < 3)
                    }
                    (Style::Edge, None) => Some(at_the_edge(rng, &board)),
                    (Style::Playout, Some(p)) => near(rng, &board, p, 2),
                    (Style::Playout, None) => match board.last() {
                        Some(stone) => near(rng, &board, stone.point, 2),
                        None => heap,
                    },
                };
                let Some(p) = p.filter(|&p| board.is_empty(p)) else {
                    continue;
                };
                board.play(p);
                // Freestyle counts every row that counts by any rule.
                if wins_at(&board, Rule::Freestyle, p) {
                    board.undo();
                } else {
                    break;
                }
            }
        }
        board
    }
}

impl Iterator for RandomBoards {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        let side = MIN_SIDE..=MAX_SIDE;
        let (width, height) = match self.rng.random_range(0..5) {
            0 | 1 => (15, 15),
            2 | 3 => {
                let side = self.rng.random_range(side);
                (side, side)
            }
            _ => (
                self.rng.random_range(side.clone()),
                self.rng.random_range(side),
            ),
        };
        let style = *Style::ALL.choose(&mut self.rng).expect("some style");
        Some(self.board(width, height, style))
    }
}

fn anywhere(rng: &mut StdRng, board: &Board) -> Point {
    Point::new(
        rng.random_range(0..board.width()),
        rng.random_range(0..board.height()),
    )
}

/// A cell at most `reach` columns and rows from `p`; `None` beyond the board's edge.
fn near(rng: &mut StdRng, board: &Board, p: Point, reach: i32) -> Option<Point> {
    board.point(
        i32::from(p.x()) + rng.random_range(-reach..=reach),
        i32::from(p.y()) + rng.random_range(-reach..=reach),
    )
}

/// Number of cells between `p` and the nearest edge.
fn to_edge(board: &Board, p: Point) -> u8 {
    let (right, bottom) = (board.width() - 1, board.height() - 1);
    p.x().min(p.y()).min(right - p.x()).min(bottom - p.y())
}

fn at_the_edge(rng: &mut StdRng, board: &Board) -> Point {
    let depth = rng.random_range(0..3);
    let (right, bottom) = (board.width() - 1, board.height() - 1);
    match rng.random_range(0..4) {
        0 => Point::new(rng.random_range(0..=right), depth),
        1 => Point::new(rng.random_range(0..=right), bottom - depth),
        2 => Point::new(depth, rng.random_range(0..=bottom)),
        _ => Point::new(right - depth, rng.random_range(0..=bottom)),
    }
}

#[cfg(test)]
mod tests {
    use tengen::rules::{foul, winner};
    use tengen::types::Color;

    use super::*;

    #[test]
    fn random_boards_are_balanced_undecided_and_repeatable() {
        let boards: Vec<Board> = RandomBoards::new(7).take(300).collect();
        assert!(RandomBoards::new(7).take(300).eq(boards.iter().cloned()));
        assert!(boards.iter().any(|board| board.width() != board.height()));
        assert!(boards.iter().any(|board| board.width() == 5));
        for board in &boards {
            let black = board
                .stones()
                .iter()
                .filter(|stone| stone.color == Color::Black)
                .count();
            let white = board.stones().len() - black;
            assert!(black == white || black == white + 1);
            assert_eq!(winner(board, Rule::Freestyle), None);
        }
        let edge = RandomBoards::new(7).board(15, 15, Style::Edge);
        for stone in edge.stones() {
            assert!(to_edge(&edge, stone.point) < 3);
        }
    }

    #[test]
    fn random_boards_are_full_of_forbidden_points() {
        let mut kinds = [0; 3];
        for board in RandomBoards::new(1).take(400) {
            for foul in board.empty_points().filter_map(|p| foul(&board, p)) {
                kinds[0] += usize::from(foul.overline);
                kinds[1] += usize::from(foul.double_four);
                kinds[2] += usize::from(foul.double_three);
            }
        }
        assert!(kinds.iter().all(|&n| n > 100), "{kinds:?}");
    }
}
