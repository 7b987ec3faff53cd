//! The board of the solver of fours: only the line bitboards, on which word operations find all
//! fives and fours of a line at once.

use arrayvec::ArrayVec;

use crate::board::{Around, Cell, Direction, Lines};
use crate::patterns::{Tables, is_forbidden};
use crate::position::Position;
use crate::rules::Rule;
use crate::types::{Color, PerColor, Point};

/// A move that makes a four, and the cell of the threatened five. There is one for each direction
/// and five, so a double four is two of them with the same cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Four {
    /// The move.
    pub cell: Point,
    /// Where five would be made next.
    pub five: Point,
    direction: Direction,
    /// Number of the line among those of its direction.
    line: u8,
}

/// The cells for a five on the lines through one move: at most two a line and side, where that side
/// had none before the move.
pub(super) type Fives = ArrayVec<Point, 16>;

/// Numbers of the four lines through a cell.
#[derive(Clone, Copy)]
pub(super) struct Cross([u8; 4]);

impl Cross {
    pub(super) fn of(p: Point) -> Cross {
        Cross(Direction::ALL.map(|direction| direction.line(p) as u8))
    }
}

impl Four {
    /// True if a stone at the crossing of `cross` can have changed this four.
    #[inline]
    pub(super) fn lies_on(&self, cross: Cross) -> bool {
        cross.0[self.direction.index()] == self.line
    }
}

/// Every second bit: one for each cell of a line.
const EVEN: u64 = 0x5555_5555_5555_5555;
/// The bits of five neighbouring cells.
const FIVE_CELLS: u64 = 0x155;

/// Spoilers of five own stones in a row: a mask of ones for each that spoils by the rule.
#[derive(Clone, Copy, Debug, Default)]
struct Spoilers {
    /// A sixth own stone.
    own: u64,
    /// Opponents at both ends.
    blocked: u64,
}

impl Spoilers {
    fn of(rule: Rule, color: Color) -> Spoilers {
        let mask = |spoils: bool| if spoils { u64::MAX } else { 0 };
        Spoilers {
            own: mask(match rule {
                Rule::Freestyle | Rule::Caro => false,
                Rule::Standard | Rule::CaroExact => true,
                Rule::Renju => color == Color::Black,
            }),
            blocked: mask(matches!(rule, Rule::Caro | Rule::CaroExact)),
        }
    }
}

/// The windows of five cells on a line that one colour can still fill and win, each by the bit of
/// its first cell.
struct Windows {
    own: u64,
    /// Windows with three own stones and two free cells.
    three: u64,
    /// Windows with four own stones and a free cell.
    four: u64,
}

/// Four stones of one colour and a free cell in a window of five, on a line through `p`.
struct FourRow {
    p: Point,
    direction: Direction,
    around: Around,
    /// Bit of the window's first cell.
    bit: u32,
    /// The free cell's bit, counted from `bit`.
    free: u64,
}

impl FourRow {
    /// The free cell.
    #[inline]
    fn five(&self) -> Point {
        let bit = self.bit + self.free.trailing_zeros();
        cell(self.p, self.direction, self.around, bit)
    }

    /// The free ones of the cells before and behind the window.
    #[inline]
    fn free_ends(&self) -> impl Iterator<Item = Point> + '_ {
        let is_free = |&bit: &u32| self.around.line >> bit & 3 == Cell::Empty as u64;
        let ends = [self.bit - 2, self.bit + 10].into_iter().filter(is_free);
        ends.map(|bit| cell(self.p, self.direction, self.around, bit))
    }
}

/// Stones as line bitboards, without move count or anything derived from the stones.
pub(super) struct FourBoard {
    lines: Lines,
    tables: &'static Tables,
    spoilers: PerColor<Spoilers>,
}

impl FourBoard {
    /// The stones of `position`.
    pub(super) fn new(position: &Position) -> FourBoard {
        let rule = position.rule();
        FourBoard {
            lines: position.board().lines().clone(),
            tables: position.tables(),
            spoilers: PerColor(Color::BOTH.map(|color| Spoilers::of(rule, color))),
        }
    }

    /// Puts a stone on a free cell, or takes it back.
    #[inline]
    pub(super) fn toggle(&mut self, p: Point, color: Color) {
        self.lines.toggle(p, color.into());
    }

    /// True if `color` has forbidden points.
    #[inline]
    pub(super) fn restricts(&self, color: Color) -> bool {
        self.tables.rule.restricts(color)
    }

    /// True if stones at the ends of a five can make it worthless (caro).
    #[inline]
    pub(super) fn fives_can_be_blocked(&self) -> bool {
        self.spoilers.0[0].blocked != 0
    }

    /// True if `color` may not play the free cell `p`.
    #[inline]
    pub(super) fn is_forbidden(&self, color: Color, p: Point) -> bool {
        self.restricts(color) && is_forbidden(&self.lines, self.tables, p)
    }

    /// True if a stone of `color` on the free cell `p` wins.
    pub(super) fn is_five(&self, color: Color, p: Point) -> bool {
        self.tables.makes_five(&self.lines, color, p)
    }

    /// True if `color` is restricted and the free cell `p` looks like a double three: then stones
    /// far away can make it forbidden.
    pub(super) fn is_suspect(&self, color: Color, p: Point) -> bool {
        let is_three = |&direction: &Direction| {
            let window = self.lines.window(direction, p);
            self.tables.shape(window, color).is_open_three()
        };
        self.restricts(color) && Direction::ALL.iter().filter(|d| is_three(d)).count() >= 2
    }

    /// Adds the cells on the lines through `p` where `color` makes a four or five, whatever stands
    /// at the ends of the row.
    pub(super) fn forcing_cells(&self, color: Color, p: Point, cells: &mut impl Extend<Point>) {
        for direction in Direction::ALL {
            let around = self.lines.around(direction, p);
            let windows = windows(around.line, color, Spoilers::default());
            let mut forcing = windows.three | windows.four;
            while forcing != 0 {
                let bit = forcing.trailing_zeros();
                forcing &= forcing - 1;
                let mut free = !(windows.own >> bit) & FIVE_CELLS;
                while free != 0 {
                    cells.extend([cell(p, direction, around, bit + free.trailing_zeros())]);
                    free &= free - 1;
                }
            }
        }
    }

    /// Calls `visit` for every row through the stone on `p` that `color` makes five by one stone.
    #[inline]
    fn for_each_four(&self, color: Color, p: Point, mut visit: impl FnMut(FourRow)) {
        for direction in Direction::ALL {
            let around = self.lines.around(direction, p);
            // Most lines have fewer than four stones that near: they need not be looked at closely.
            if !has_bits::<4>(stones(around.line, color) & around.near(4)) {
                continue;
            }
            let windows = self.windows(around.line, color);
            let mut four = windows.four;
            while four != 0 {
                let bit = four.trailing_zeros();
                four &= four - 1;
                visit(FourRow {
                    p,
                    direction,
                    around,
                    bit,
                    free: !(windows.own >> bit) & FIVE_CELLS,
                });
            }
        }
    }

    /// Adds the cells where `color` would make five on a line through `p`, and the free cells at
    /// the ends of those rows.
    pub(super) fn row_cells(&self, color: Color, p: Point, cells: &mut impl Extend<Point>) {
        self.for_each_four(color, p, |row| {
            cells.extend([row.five()]);
            cells.extend(row.free_ends());
        });
    }

    #[inline]
    fn windows(&self, line: u64, color: Color) -> Windows {
        windows(line, color, self.spoilers[color])
    }

    /// Lists every four that `color` can make along `direction` on the line through `p`.
    #[inline]
    pub(super) fn fours_on_line(
        &self,
        color: Color,
        direction: Direction,
        p: Point,
        list: &mut Vec<Four>,
    ) {
        let around = self.lines.around(direction, p);
        if !has_bits::<3>(stones(around.line, color)) {
            return;
        }
        let windows = self.windows(around.line, color);
        let mut three = windows.three;
        let line = direction.line(p) as u8;
        while three != 0 {
            let bit = three.trailing_zeros();
            three &= three - 1;
            let free = !(windows.own >> bit) & FIVE_CELLS;
            let first = cell(p, direction, around, bit + free.trailing_zeros());
            let second = cell(p, direction, around, bit + 63 - free.leading_zeros());
            for (cell, five) in [(first, second), (second, first)] {
                list.push(Four {
                    cell,
                    five,
                    direction,
                    line,
                });
            }
        }
    }

    /// The cells where `color` would make five on a line through its last stone `p`; it had none
    /// before.
    #[inline]
    pub(super) fn fives_through(&self, color: Color, p: Point) -> Fives {
        let mut fives = Fives::new();
        self.for_each_four(color, p, |row| {
            let five = row.five();
            if !fives.contains(&five) {
                fives.push(five);
            }
        });
        fives
    }

    /// The replies after which `attacker`, who has just made `fives` possible by a stone on `p`,
    /// has no five: the cell of the only five, and where fives can be blocked also the ends of
    /// rows. Cells that are forbidden for the defender are left out.
    pub(super) fn replies(&mut self, attacker: Color, p: Point, fives: &Fives) -> Fives {
        let defender = !attacker;
        let mut replies = Fives::new();
        if !self.fives_can_be_blocked() {
            if let [five] = fives[..]
                && !self.is_forbidden(defender, five)
            {
                replies.push(five);
            }
            return replies;
        }
        let mut tried = fives.clone();
        self.for_each_four(attacker, p, |row| {
            for end in row.free_ends() {
                if !tried.contains(&end) {
                    // A reply stops all fives at once, so the ends of one row are enough
                    // if there is no room for more.
                    let _ = tried.try_push(end);
                }
            }
        });
        for reply in tried {
            self.toggle(reply, defender);
            if self.fives_through(attacker, p).is_empty() {
                replies.push(reply);
            }
            self.toggle(reply, defender);
        }
        replies
    }
}

/// The stones of `color` on a line, each by its cell's lower bit.
#[inline]
fn stones(line: u64, color: Color) -> u64 {
    match color {
        Color::Black => line & !(line >> 1) & EVEN,
        Color::White => line >> 1 & !line & EVEN,
    }
}

/// True if `word` has at least `N` bits.
#[inline]
fn has_bits<const N: usize>(mut word: u64) -> bool {
    for _ in 1..N {
        word &= word.wrapping_sub(1);
    }
    word != 0
}

/// Counts the stones of all windows of five at once, in words that hold one binary digit of each
/// count.
#[inline]
fn windows(line: u64, color: Color, spoilers: Spoilers) -> Windows {
    let (low, high) = (line & EVEN, line >> 1 & EVEN);
    let own = stones(line, color);
    let other = low ^ high ^ own;
    let usable = own | EVEN & !(low | high);
    let whole = usable & usable >> 2 & usable >> 4 & usable >> 6 & usable >> 8;
    let add = |a: u64, b: u64, c: u64| (a ^ b ^ c, a & b | c & (a ^ b));
    let (sum, carry) = add(own, own >> 2, own >> 4);
    let (ones, carry2) = add(sum, own >> 6, own >> 8);
    let (twos, fours) = (carry ^ carry2, carry & carry2);
    let spoiled =
        (own << 2 | own >> 10) & spoilers.own | (other << 2 & other >> 10) & spoilers.blocked;
    let live = whole & !spoiled;
    Windows {
        own,
        three: live & ones & twos & !fours,
        four: live & fours & !ones,
    }
}

/// The cell at `bit` of the line `around` `p`.
#[inline]
fn cell(p: Point, direction: Direction, around: Around, bit: u32) -> Point {
    let steps = (bit as isize - around.centre as isize) / 2;
    p.step(steps * direction.index_delta())
}
