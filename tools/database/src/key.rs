//! The key of a position in the store, the same for all symmetries of the board.

use std::sync::LazyLock;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tengen::board::{Board, Cell};
use tengen::rules::Rule;
use tengen::types::{Color, MAX_SIDE, POINTS, Point, PointSet, Symmetry};

/// A position with its rule in the stored orientation.
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

    /// The cell of the stored orientation for `p` of the given board. Cells that a symmetry of the
    /// position itself maps to each other get the same place.
    pub fn place(&self, p: Point) -> Point {
        self.maps
            .iter()
            .map(|map| map.map(p, self.width, self.height))
            .min()
            .expect("there is always a map")
    }
}

impl Situation {
    /// The orientation of the given board: the first map from the stored one to the board's.
    pub fn drawing(&self) -> Symmetry {
        let ways = self.maps.iter().map(|map| map.inverse());
        let first = ways.min_by_key(|map| map.number());
        first.expect("there is always a map")
    }

    /// A `text` on one drawing with its points turned to those of the given board; `map` leads from
    /// the stored orientation to the drawing.
    pub fn turned(&self, text: &str, map: Symmetry) -> String {
        let (back, there) = (map.inverse(), self.drawing());
        self.turned_by(text, back, there)
    }

    /// The other way round: a `text` on the given board with its points turned to those of the
    /// drawing.
    pub fn turned_to(&self, text: &str, map: Symmetry) -> String {
        self.turned_by(text, self.drawing().inverse(), map)
    }

    fn turned_by(&self, text: &str, first: Symmetry, second: Symmetry) -> String {
        if first.inverse() == second {
            return text.to_string();
        }
        let size @ (width, height) = (self.width, self.height);
        turned_text(text, size, |p| {
            second.map(first.map(p, width, height), width, height)
        })
    }
}

/// `text` with every point on a board of `size` that a word names turned by `map`. A word may name
/// several: `h8i9`.
fn turned_text(text: &str, size: (u8, u8), map: impl Fn(Point) -> Point) -> String {
    let mut turned = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        match turned_word(word, size, &map) {
            Some(points) => turned.push_str(&points),
            None => turned.push_str(word),
        }
        let next = after.find(|c: char| c.is_ascii_alphanumeric());
        let (between, after) = after.split_at(next.unwrap_or(after.len()));
        turned.push_str(between);
        rest = after;
    }
    turned
}

/// A word that consists of points, turned. The letters stay large or small.
fn turned_word(
    word: &str,
    (width, height): (u8, u8),
    map: impl Fn(Point) -> Point,
) -> Option<String> {
    let mut turned = String::new();
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit());
        let (label, after) = rest.split_at(digits.map_or(rest.len(), |end| end + 1));
        let p = map(Point::from_label(label, width, height).ok()?);
        let label = p.label(height);
        turned.push_str(&match letter.is_ascii_uppercase() {
            true => label.to_ascii_uppercase(),
            false => label,
        });
        rest = after;
    }
    Some(turned)
}

/// Points as they stand in a key: a row and a column for each.
type KeyPoints<'a> = &'a [[u8; 2]];

/// The four bytes of a key's head, and its lists of black stones, white stones and blocked cells.
/// `None` if the key is invalid.
fn lists(key: &[u8]) -> Option<(&[u8; HEAD], [KeyPoints<'_>; 3])> {
    let (head, mut rest) = key.split_first_chunk()?;
    let mut lists: [KeyPoints; 3] = Default::default();
    for list in &mut lists {
        let (length, after) = rest.split_first_chunk()?;
        let length = 2 * usize::from(u16::from_be_bytes(*length));
        let (points, after) = after.split_at_checked(length)?;
        rest = after;
        *list = points.as_chunks().0;
    }
    rest.is_empty().then_some((head, lists))
}

/// The position of a key in its stored orientation, and its rule; the order of the stones is lost.
/// `None` if the key is invalid.
pub(super) fn position(key: &[u8]) -> Option<(Board, Rule)> {
    let (&[rule, width, height, side], lists) = lists(key)?;
    let rule = Rule::ALL
        .into_iter()
        .find(|r| r.info_code() == u32::from(rule))?;
    let mut board = Board::new(width.into(), height.into()).ok()?;
    let mut seen = PointSet::EMPTY;
    for &[y, x] in lists.into_iter().flatten() {
        let p = board.point(x.into(), y.into())?;
        if seen.contains(p) {
            return None;
        }
        seen.insert(p);
    }
    let [black, white, blocked] = lists.map(|list| {
        list.iter()
            .map(|&[y, x]| Point::new(x, y))
            .collect::<Vec<_>>()
    });
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
    Some((board, rule))
}

/// The positions of one rule, board and number of stones of each side, all with the same side to
/// move. Their keys have a common beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    head: [u8; HEAD],
    /// Number of black and of white stones.
    stones: [u16; 2],
}

impl Level {
    /// The level of `board`.
    pub(super) fn of(board: &Board, rule: Rule) -> Level {
        let side = board.side_to_move().index() as u8;
        let of = |color| board.stones_of(color).count() as u16;
        Level {
            head: [rule.info_code() as u8, board.width(), board.height(), side],
            stones: Color::BOTH.map(of),
        }
    }

    /// The level of a stored position; `None` if its key is invalid.
    pub(super) fn of_key(key: &[u8]) -> Option<Level> {
        let (&head, [black, white, _]) = lists(key)?;
        let stones = [black, white].map(|list| list.len() as u16);
        Some(Level { head, stones })
    }

    /// Number of stones.
    pub(super) fn stones(self) -> u16 {
        self.stones[0] + self.stones[1]
    }

    /// The level after one more move.
    pub(super) fn next(mut self) -> Level {
        let side = usize::from(self.head[HEAD - 1] & 1);
        self.stones[side] += 1;
        self.head[HEAD - 1] ^= 1;
        self
    }

    /// The first bytes of the keys of its positions.
    pub(super) fn prefix(self) -> [u8; HEAD + 2] {
        let [a, b, c, d] = self.head;
        let [high, low] = self.stones[0].to_be_bytes();
        [a, b, c, d, high, low]
    }
}

/// A stored position with its hash in each orientation. Unlike keys, the hashes of all positions
/// one move before come out of it by one operation each.
pub(super) struct StoredPosition<'a> {
    width: u8,
    height: u8,
    /// The stones of the side that made the last move, in the stored orientation.
    last_movers: KeyPoints<'a>,
    mover: Color,
    /// The hash after each symmetry from the stored orientation; only the first of
    /// [`Symmetry::count`].
    hashes: [u128; 8],
}

impl StoredPosition<'_> {
    /// `None` if the key is invalid.
    pub(super) fn new(key: &[u8]) -> Option<StoredPosition<'_>> {
        let (&[_, width, height, side], lists) = lists(key)?;
        let mover = Color::BOTH[usize::from(side ^ 1) & 1];
        let mut position = StoredPosition {
            width,
            height,
            last_movers: lists[mover.index()],
            mover,
            hashes: [0; 8],
        };
        for (kind, list) in lists.into_iter().enumerate() {
            for &stone in list {
                let codes = position.codes(kind, stone)?;
                position.hashes = xor(position.hashes, codes);
            }
        }
        Some(position)
    }

    /// The maps from the stored orientation.
    pub(super) fn maps(&self) -> impl Iterator<Item = Symmetry> {
        (0..Symmetry::count(self.width, self.height)).map(Symmetry::new)
    }

    /// The hash of the position in the orientation to which `map` leads.
    pub(super) fn hash(&self, map: Symmetry) -> u128 {
        self.hashes[usize::from(map.number())]
    }

    /// The hash that all orientations share.
    pub(super) fn least_hash(&self) -> u128 {
        self.least(self.hashes)
    }

    /// Each possible last move with the hashes of the position before the move.
    pub(super) fn before(&self) -> impl Iterator<Item = (Point, [u128; 8])> {
        self.last_movers.iter().map(|&stone| {
            let codes = self
                .codes(self.mover.index(), stone)
                .expect("checked before");
            let [y, x] = stone;
            (Point::new(x, y), xor(self.hashes, codes))
        })
    }

    /// The shared hashes of the positions one move before.
    pub(super) fn parents(&self) -> impl Iterator<Item = u128> {
        self.before().map(|(_, hashes)| self.least(hashes))
    }

    fn least(&self, hashes: [u128; 8]) -> u128 {
        let least = self
            .maps()
            .map(|map| hashes[usize::from(map.number())])
            .min();
        least.expect("there is always a map")
    }

    /// The codes of a stone in each orientation; `None` off the board.
    fn codes(&self, kind: usize, [y, x]: [u8; 2]) -> Option<[u128; 8]> {
        if x >= self.width || y >= self.height || self.width.max(self.height) > MAX_SIDE {
            return None;
        }
        let mut codes = [0; 8];
        for map in self.maps() {
            let image = map.map(Point::new(x, y), self.width, self.height);
            codes[usize::from(map.number())] = CODES[kind][image.index()];
        }
        Some(codes)
    }
}

fn xor(mut hashes: [u128; 8], codes: [u128; 8]) -> [u128; 8] {
    for (hash, code) in hashes.iter_mut().zip(codes) {
        *hash ^= code;
    }
    hashes
}

/// A number for each kind of cell and point. Two positions of a billion have one hash with a
/// probability of 1e-21.
static CODES: LazyLock<Box<[[u128; POINTS]; 3]>> = LazyLock::new(|| {
    let mut random = StdRng::seed_from_u64(1);
    Box::new([(); 3].map(|()| [(); POINTS].map(|()| random.random())))
});

/// The hash of `board` as it stands; see [`StoredPosition::hash`].
pub(super) fn hash(board: &Board) -> u128 {
    let code = |p: Point| match board.cell(p) {
        Cell::Black => CODES[0][p.index()],
        Cell::White => CODES[1][p.index()],
        Cell::Blocked => CODES[2][p.index()],
        Cell::Empty => 0,
    };
    board.points().fold(0, |hash, p| hash ^ code(p))
}
