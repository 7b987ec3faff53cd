use std::sync::{Arc, OnceLock};

use super::class::{Class, Shapes, classify};
use super::combo;
use super::line_shape::{self, FiveRule, Shape};
use crate::board::WINDOW_RADIUS;
use crate::rules::Rule;
use crate::types::{Color, PerColor};

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

    /// Whether only the exact test can say if the cell is forbidden.
    #[inline]
    pub fn is_suspect(self) -> bool {
        self.0 & SUSPECT != 0
    }

    /// Number of the combination of shapes, below [`super::COMBOS`], whatever their directions.
    #[inline]
    pub fn combo(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Whether class or suspect differ.
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
    /// Masks of the bits of a window before and after the centre, and the shifts that join them to
    /// one index.
    low_shift: u32,
    low_mask: u64,
    high_shift: u32,
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
        let black_shapes = line_shape::shapes(black);
        let white_shapes = if white == black {
            None
        } else {
            Some(line_shape::shapes(white))
        };
        let white_shapes = white_shapes.as_ref().unwrap_or(&black_shapes);
        // White's windows can be narrower than the table's; then the outermost cells are cut off.
        let cut = radius - white.radius();
        let white_mask = (1 << (4 * white.radius())) - 1;
        let mut lines: Box<[u8; WINDOWS]> = bytemuck::zeroed_box();
        for (window, &own) in black_shapes.iter().enumerate() {
            let theirs = swap_colors(window) >> (2 * cut) & white_mask;
            lines[window] = own as u8 | (white_shapes[theirs] as u8) << 4;
        }
        let white_cells = Arc::from(cells(false));
        let black_cells = match rule.restricts(Color::Black) {
            true => Arc::from(cells(true)),
            false => Arc::clone(&white_cells),
        };
        let margin = 2 * (WINDOW_RADIUS - radius) as u32;
        let side_bits = 2 * radius as u32;
        Tables {
            rule,
            radius,
            lines,
            low_shift: margin,
            low_mask: (1 << side_bits) - 1,
            high_shift: margin + 2,
            high_mask: ((1 << side_bits) - 1) << side_bits,
            cells: PerColor([black_cells, white_cells]),
        }
    }

    /// Shapes that a stone on the centre of a window (from [`crate::board::Lines::window`]) makes:
    /// Black's in the low four bits, White's in the high four. The content of the centre does not
    /// matter.
    #[inline]
    pub fn line(&self, window: u64) -> u8 {
        let low = window >> self.low_shift & self.low_mask;
        let high = window >> self.high_shift & self.high_mask;
        self.lines[(low | high) as usize % WINDOWS]
    }

    /// As [`line`](Tables::line), for one colour.
    #[inline]
    pub fn shape(&self, window: u64, color: Color) -> Shape {
        Shape::from_index(usize::from(self.line(window) >> (4 * color.index()) & 15))
    }

    /// What four shapes of `color` make together.
    #[inline]
    pub fn cell(&self, color: Color, shapes: Shapes) -> CellInfo {
        self.cells[color][usize::from(shapes.0)]
    }
}

/// A window seen by the other colour: codes 1 and 2 exchanged.
fn swap_colors(window: usize) -> usize {
    const LOW: usize = 0x5555_5555;
    (window & LOW) << 1 | (window >> 1 & LOW)
}

fn cells(restricted: bool) -> Box<[CellInfo; Shapes::COUNT]> {
    let mut cells: Box<[CellInfo; Shapes::COUNT]> = bytemuck::zeroed_box();
    for (packed, cell) in cells.iter_mut().enumerate() {
        *cell = match Shapes(packed as u16).all() {
            Some(shapes) => {
                let (class, suspect) = classify(shapes, restricted);
                CellInfo::new(class, suspect, combo::combo(shapes, class))
            }
            None => CellInfo::default(),
        };
    }
    cells
}
