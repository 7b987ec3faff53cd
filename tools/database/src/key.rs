//! The key of a position in the store, the same for all symmetries of the board.

use tengen::board::{Board, Cell};
use tengen::rules::Rule;
use tengen::types::{Color, Point, PointSet, Symmetry};

/// A position with its rule in the one orientation in which it is stored.
///
/// The key has the rule's number, width, height and side to move in a byte each, then black
/// stones, white stones and blocked cells, each list with its length in two bytes and its points
/// in two, row before column, in ascending order. The stored orientation is the one with the least
/// key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    width: u8,
    height: u8,
    key: Vec<u8>,
    /// All symmetries that map the given board to the stored orientation.
    maps: Vec<Symmetry>,
}

const HEAD: usize = 4;

impl Situation {
    /// The situation of `board` under `rule`.
    pub fn new(board: &Board, rule: Rule) -> Situation {
        let (width, height) = (board.width(), board.height());
        let mut lists: [Vec<Point>; 3] = Default::default();
        for p in board.points() {
            match board.cell(p) {
                Cell::Black => lists[0].push(p),
                Cell::White => lists[1].push(p),
                Cell::Blocked => lists[2].push(p),
                Cell::Empty => {}
            }
        }
        let side = board.side_to_move().index() as u8;
        let head = [rule.info_code() as u8, width, height, side];
        let mut least = Vec::new();
        let mut maps = Vec::new();
        for number in 0..Symmetry::count(width, height) {
            let map = Symmetry::new(number);
            let mut key = head.to_vec();
            for list in &lists {
                key.extend((list.len() as u16).to_be_bytes());
                let mut points: Vec<[u8; 2]> = list
                    .iter()
                    .map(|&p| map.map(p, width, height))
                    .map(|p| [p.y(), p.x()])
                    .collect();
                points.sort_unstable();
                key.extend(points.as_flattened());
            }
            if maps.is_empty() || key < least {
                least = key;
                maps = vec![map];
            } else if key == least {
                maps.push(map);
            }
        }
        Situation {
            width,
            height,
            key: least,
            maps,
        }
    }

    /// The key in the store.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// `p` of the given board in the stored orientation, by the same map for all cells.
    pub fn turn(&self, p: Point) -> Point {
        self.maps[0].map(p, self.width, self.height)
    }

    /// Where `p` of the given board lies in the stored orientation. Cells that a symmetry of the
    /// position itself maps to each other get the same place.
    pub fn place(&self, p: Point) -> Point {
        self.maps
            .iter()
            .map(|map| map.map(p, self.width, self.height))
            .min()
            .expect("there is always a map")
    }
}

/// The position of a key in its stored orientation, and its rule; the order of the stones is lost.
/// `None` if the key is invalid.
pub(super) fn position(key: &[u8]) -> Option<(Board, Rule)> {
    let (&[rule, width, height, side], mut rest) = key.split_first_chunk::<HEAD>()?;
    let rule = Rule::ALL
        .into_iter()
        .find(|r| r.info_code() == u32::from(rule))?;
    let mut board = Board::new(width.into(), height.into()).ok()?;
    let mut lists: [Vec<Point>; 3] = Default::default();
    let mut seen = PointSet::EMPTY;
    for list in &mut lists {
        let (length, after) = rest.split_first_chunk()?;
        let length = 2 * usize::from(u16::from_be_bytes(*length));
        let (points, after) = after.split_at_checked(length)?;
        rest = after;
        for pair in points.chunks_exact(2) {
            let p = board.point(pair[1].into(), pair[0].into())?;
            if seen.contains(p) {
                return None;
            }
            seen.insert(p);
            list.push(p);
        }
    }
    let [black, white, blocked] = lists;
    blocked.iter().for_each(|&p| board.block(p));
    for i in 0..black.len().max(white.len()) {
        black.get(i).inspect(|&&p| board.put(p, Color::Black));
        white.get(i).inspect(|&&p| board.put(p, Color::White));
    }
    board.set_side_to_move(match side {
        0 => Color::Black,
        1 => Color::White,
        _ => return None,
    });
    rest.is_empty().then_some((board, rule))
}
