//! The network's numbers as its loops see them: how many there are of each, and how they lie in
//! memory.

use bytemuck::{Pod, Zeroable};

use crate::board::WINDOW_RADIUS;
use crate::types::MAX_CELLS;

/// Numbers of a vector. Channels, and the outputs of a layer, are computed in blocks of so many.
pub const BLOCK: usize = 32;

/// Most blocks of channels, and of a layer's outputs.
pub const MAX_BLOCKS: usize = 4;

/// Widths of the layers of a network. Each number is a multiple of [`BLOCK`], at most [`MAX_BLOCKS`] blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Channels: numbers of a cell or a region.
    pub channels: usize,
    /// Outputs of the first and of the second layer.
    pub hidden: [usize; 2],
}

impl Widths {
    /// The widths in a file's header, if a network can have them.
    pub fn new(fields: [u16; 3]) -> Option<Widths> {
        let [channels, first, second] = fields.map(usize::from);
        let fits = |width: usize| {
            width.is_multiple_of(BLOCK) && (1..=MAX_BLOCKS).contains(&(width / BLOCK))
        };
        [channels, first, second]
            .into_iter()
            .all(fits)
            .then_some(Widths {
                channels,
                hidden: [first, second],
            })
    }
}

/// Length of arrays with an element for each cell of a board: a power of two, so that a remainder
/// replaces a bounds check.
pub const CELLS: usize = MAX_CELLS.next_power_of_two();

/// Most windows along a line that hold one cell.
const REACH: usize = 2 * WINDOW_RADIUS + 1;

/// Windows that are computed at once: a power of two, at least [`REACH`].
pub const WINDOWS_AT_ONCE: usize = 16;

/// Room for the cells that a stone changes: for four lines of windows without the stone's own cell,
/// and the unused places beyond the last.
pub const MOST_CHANGES: usize = 3 * (REACH - 1) + WINDOWS_AT_ONCE;

/// Regions of the board.
pub const REGIONS: usize = 9;

/// Largest activation; it stands for 1.
pub const ACTIVE: i16 = 127;

/// Input vectors of the first layer: the whole board, then each region.
pub const POOLS: usize = 1 + REGIONS;

/// A vector: one number for each channel of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; BLOCK]);

/// A vector of sums, one for each output of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
#[repr(C, align(64))]
pub struct WideLanes(pub [i32; BLOCK]);

/// The row of a window: what it adds to each channel of its cell, of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
#[repr(C, align(32))]
pub struct Row(pub [i8; BLOCK]);

/// Weights from one pair of inputs to a block of outputs: `[output / 16][output % 16 * 2 + input]`.
pub type PairWeights = [Lanes; 2];

/// A sum for each channel of a block, of each region.
pub type Pools = [Lanes; REGIONS];

/// Sums of one block of channels over the cells of a board, as one colour sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Sum of the four windows' rows for each cell.
    pub cells: Box<[Lanes; CELLS]>,
    /// Region of each cell, below [`REGIONS`].
    pub regions: Box<[u8; CELLS]>,
    /// Sum of the cells' activations in each region of up to 64 cells; an activation is a cell's
    /// sum clipped to 0 to [`ACTIVE`].
    pub pools: Pools,
    /// By number of stones put in before: the other sums of the stone that follows.
    pub steps: Vec<Step>,
}

/// The sums that a stone changes, for the other state of the [`Sums`]: with the stone while the
/// sums are without, and the reverse. So an exchange puts the stone in or takes it out.
#[derive(Clone, Debug, PartialEq, Eq, Zeroable)]
pub struct Step {
    /// Number of cells.
    pub len: usize,
    /// The cells, below [`CELLS`].
    pub cells: [u32; MOST_CHANGES],
    /// Their sums.
    pub sums: [Lanes; MOST_CHANGES],
    /// All pools.
    pub pools: Pools,
}
