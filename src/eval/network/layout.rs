//! The network's numbers as its loops see them: how many there are of each, and how they lie in
//! memory.

use bytemuck::{Pod, Zeroable};

/// Channels: numbers that a cell, a region or a layer has.
pub const CHANNELS: usize = 32;

/// Length of arrays with an element for each cell of a board: at least 22 times 22, and a power of
/// two, so that a remainder replaces a bounds check.
pub const CELLS: usize = 512;

/// Regions of the board.
pub const REGIONS: usize = 9;

/// Largest activation; it stands for 1.
pub const ACTIVE: i16 = 127;

/// Input vectors of the first layer: the whole board, then each region.
pub const POOLS: usize = 1 + REGIONS;

/// A vector: one number for each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; CHANNELS]);

/// A vector of sums, one for each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
#[repr(C, align(64))]
pub struct WideLanes(pub [i32; CHANNELS]);

/// The row of a window: what it adds to each channel of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable, Pod)]
#[repr(C, align(32))]
pub struct Row(pub [i8; CHANNELS]);

/// Weights from one pair of inputs to all outputs: `[output / 16][output % 16 * 2 + input]`.
pub type PairWeights = [Lanes; 2];

/// A sum for each channel of each region.
pub type Pools = [Lanes; REGIONS];

/// Sums over the cells of a board, as one colour sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Sum of the four windows' rows for each cell.
    pub cells: Box<[Lanes; CELLS]>,
    /// Region of each cell, below [`REGIONS`].
    pub regions: Box<[u8; CELLS]>,
    /// Sum of the cells' activations in each region of up to 64 cells; an activation is a cell's
    /// sum clipped to 0 to [`ACTIVE`].
    pub pools: Pools,
    /// The pools with the changes of the last update, whether it was committed or not.
    pub trial: Pools,
}

impl Sums {
    /// Region of a cell.
    #[inline(always)]
    pub fn region(&self, cell: usize) -> usize {
        // No region is above the last; `min` replaces a bounds check.
        usize::from(self.regions[cell]).min(REGIONS - 1)
    }
}
