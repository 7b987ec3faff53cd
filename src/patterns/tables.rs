use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};

use super::class::{Class, Shapes, classify};
use super::combo;
use super::line_shape::{FiveRule, LineShapes, Shape};
use crate::board::{Direction, Lines, WINDOW_RADIUS};
use crate::rules::Rule;
use crate::types::{Color, PerColor, Point};

/// Class and combination of four shapes. Two bytes, because every free cell has one for each colour
/// and the search copies them all the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable)]
pub struct CellInfo(
    /// Class in the low bits, [`SUSPECT`] above, the combination in the high byte.
    u16,
);

/// The bit of a [`CellInfo`] for [`is_suspect`](CellInfo::is_suspect).
const SUSPECT: u16 = 0x80;
/// The bits of a [`CellInfo`] for class and suspect.
const TAG: u16 = 0xff;

impl CellInfo {
    fn new(class: Class, suspect: bool, combo: u8) -> CellInfo {
        let suspect = if suspect { SUSPECT } else { 0 };
        CellInfo(class as u16 | suspect | u16::from(combo) << 8)
    }

    /// The class of the cell.
    #[inline]
    pub fn class(self) -> Class {
        Class::from_index(usize::from(self.0 & TAG & !SUSPECT))
    }

    /// True if only the exact test can say if the cell is forbidden.
    #[inline]
    pub fn is_suspect(self) -> bool {
        self.0 & SUSPECT != 0
    }

    /// Number of the combination of shapes, below [`super::COMBOS`], whatever their directions.
    #[inline]
    pub fn combo(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// True if class or suspect differ.
    #[inline]
    pub fn differs(self, other: CellInfo) -> bool {
        (self.0 ^ other.0) & TAG != 0
    }
}

/// Number of different contents of the widest window without its centre.
const WINDOWS: usize = 1 << (4 * WINDOW_RADIUS);

/// The tables of one rule.
pub struct Tables {
    /// The rule.
    pub rule: Rule,
    /// A stone changes the shapes of cells up to this distance.
    pub radius: usize,
    /// Window content to shapes: Black's in the low four bits, White's in the high four.
    lines: Box<[u8; WINDOWS]>,
    /// Bits of a window before its centre. The masks of these bits and of those after the centre
    /// join both to one index.
    side_bits: u32,
    low_mask: u64,
    high_mask: u64,
    /// The same table for both colours where nothing is forbidden.
    cells: PerColor<Arc<[CellInfo; Shapes::COUNT]>>,
}

impl Tables {
    /// The tables of `rule`, built at the first call.
    pub fn get(rule: Rule) -> &'static Tables {
        static TABLES: [OnceLock<Tables>; 5] = [const { OnceLock::new() }; 5];
        TABLES[rule.index()].get_or_init(|| Tables::build(rule))
    }

    fn build(rule: Rule) -> Tables {
        let (black, white) = match rule {
            Rule::Freestyle => (FiveRule::AtLeastFive, FiveRule::AtLeastFive),
            Rule::Standard => (FiveRule::ExactlyFive, FiveRule::ExactlyFive),
            Rule::Renju => (FiveRule::RenjuBlack, FiveRule::AtLeastFive),
            Rule::Caro => (FiveRule::Caro, FiveRule::Caro),
            Rule::CaroExact => (FiveRule::CaroExact, FiveRule::CaroExact),
        };
        let radius = black.radius().max(white.radius());
        let white_cells = Arc::from(cells(false));
        let black_cells = match rule.restricts(Color::Black) {
            true => Arc::from(cells(true)),
            false => Arc::clone(&white_cells),
        };
        let side_bits = 2 * radius as u32;
        Tables {
            rule,
            radius,
            lines: lines(black, white, radius),
            side_bits,
            low_mask: (1 << side_bits) - 1,
            high_mask: ((1 << side_bits) - 1) << side_bits,
            cells: PerColor([black_cells, white_cells]),
        }
    }

    /// Shapes that a stone on the centre of a window (from [`crate::board::Lines::window`]) makes:
    /// Black's in the low four bits, White's in the high four. The content of the centre does not
    /// matter.
    #[inline]
    pub fn line(&self, window: u64) -> u8 {
        self.line_around(window, 2 * WINDOW_RADIUS as u32)
    }

    /// As [`line`](Tables::line), for the cell at `bit` of a whole `line`.
    #[inline]
    pub fn line_around(&self, line: u64, bit: u32) -> u8 {
        let window = line >> (bit - self.side_bits);
        let (low, high) = (window & self.low_mask, window >> 2 & self.high_mask);
        self.lines[(low | high) as usize % WINDOWS]
    }

    /// As [`line`](Tables::line), for one colour.
    #[inline]
    pub fn shape(&self, window: u64, color: Color) -> Shape {
        Shape::from_index(usize::from(self.line(window) >> (4 * color.index()) & 15))
    }

    /// True if a stone of `color` on the free cell `p` makes a five.
    pub fn makes_five(&self, lines: &Lines, color: Color, p: Point) -> bool {
        Direction::ALL
            .into_iter()
            .any(|direction| self.shape(lines.window(direction, p), color) == Shape::Five)
    }

    /// Class and combination of four shapes of `color`.
    #[inline]
    pub fn cell(&self, color: Color, shapes: Shapes) -> CellInfo {
        self.cells[color][usize::from(shapes.0)]
    }
}

/// The table of windows whose arms have `radius` cells: Black's shapes in the low four bits,
/// White's in the high four.
fn lines(black: FiveRule, white: FiveRule, radius: usize) -> Box<[u8; WINDOWS]> {
    let black_shapes = LineShapes::new(black);
    let white_shapes = (white != black).then(|| LineShapes::new(white));
    let white_shapes = white_shapes.as_ref().unwrap_or(&black_shapes);
    // Kinds of an arm for both colours.
    let kinds = |arm| (black_shapes.kind(arm), white_shapes.kind(swap_colors(arm)));
    let arms = 1 << (2 * radius);
    let back: Vec<_> = (0..arms).map(|arm| kinds(outward(arm, radius))).collect();
    let mut lines: Box<[u8; WINDOWS]> = bytemuck::zeroed_box();
    // The windows with the same arm ahead are a row. Rows of the same kinds are equal.
    let mut rows = HashMap::new();
    for ahead in 0..arms {
        let start = ahead * arms;
        let (black_ahead, white_ahead) = kinds(ahead);
        match rows.entry((black_ahead, white_ahead)) {
            Entry::Occupied(row) => {
                let equal: usize = *row.get();
                lines.copy_within(equal..equal + arms, start);
            }
            Entry::Vacant(row) => {
                row.insert(start);
                for (line, &(black_back, white_back)) in lines[start..].iter_mut().zip(&back) {
                    let own = black_shapes.shape(black_back, black_ahead);
                    let theirs = white_shapes.shape(white_back, white_ahead);
                    *line = own as u8 | (theirs as u8) << 4;
                }
            }
        }
    }
    lines
}

/// The `radius` cells of an arm back, the furthest lowest, in the order of an arm ahead, the
/// nearest lowest.
fn outward(arm: usize, radius: usize) -> usize {
    let cells = (0..radius).map(|cell| (arm >> (2 * cell) & 3) << (2 * (radius - 1 - cell)));
    cells.sum()
}

/// Cells seen by the other colour: codes 1 and 2 exchanged.
fn swap_colors(cells: usize) -> usize {
    const LOW: usize = 0x5555_5555;
    (cells & LOW) << 1 | (cells >> 1 & LOW)
}

/// Class of four shapes together, for a colour for whom some points are forbidden (`restricted`),
/// or for one without.
fn cells(restricted: bool) -> Box<[CellInfo; Shapes::COUNT]> {
    let mut cells: Box<[CellInfo; Shapes::COUNT]> = bytemuck::zeroed_box();
    for packed in (0..Shapes::COUNT).rev() {
        // The order of the directions does not matter: two in the wrong order are exchanged, which
        // makes the number larger.
        let shapes = Shapes(packed as u16);
        cells[packed] = match shapes.exchanged() {
            Some(larger) => cells[usize::from(larger.0)],
            None => match shapes.all() {
                Some(shapes) => {
                    let (class, suspect) = classify(shapes, restricted);
                    CellInfo::new(class, suspect, combo::combo(shapes, class))
                }
                None => CellInfo::default(),
            },
        };
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_what_its_shapes_make_in_any_order() {
        for restricted in [false, true] {
            let cells = cells(restricted);
            for packed in 0..=u16::MAX {
                let info = cells[usize::from(packed)];
                let Some(shapes) = Shapes(packed).all() else {
                    continue;
                };
                let (class, suspect) = classify(shapes, restricted);
                let combo = combo::combo(shapes, class);
                assert_eq!(info, CellInfo::new(class, suspect, combo), "{shapes:?}");
            }
        }
    }

    #[test]
    fn windows_are_looked_up_by_both_arms() {
        // Two own stones back and one ahead, and an opponent's stone behind a gap.
        let cells = [0, 0, 0, 1, 1, 1, 0, 2, 0, 0];
        let window = (0..10).fold(0, |sum, i| sum | cells[i] << (2 * i));
        let table = lines(FiveRule::ExactlyFive, FiveRule::ExactlyFive, 5);
        assert_eq!(table[window] & 15, Shape::StraightFour as u8);
        let mirrored = (0..10).fold(0, |sum, i| sum | cells[9 - i] << (2 * i));
        assert_eq!(table[mirrored], table[window]);
        assert_eq!(table[swap_colors(window)], table[window].rotate_left(4));
    }
}
