use super::layout::{BLOCK, MAX_BLOCKS};

/// Version of the form of network files.
pub(super) const VERSION: u16 = 4;

/// Why a network cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read; holds the reason.
    #[error("{0}")]
    Unreadable(String),
    /// Shorter than a header, or without the magic bytes.
    #[error("not a network file")]
    NotNetwork,
    /// Another version of the format.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Widths that no network can have: channels and outputs of the layers.
    #[error("a network of {} channels and layers of {} and {}; each is a multiple of {BLOCK}, up to {}", .0[0], .0[1], .0[2], BLOCK * MAX_BLOCKS)]
    Widths([u16; 3]),
    /// The lengths in the header do not fit each other or the file.
    #[error("cut short or damaged: its lengths do not agree")]
    Length,
    /// A network is not in the file; holds its number.
    #[error("network {0} is not in it")]
    Missing(u32),
    /// The numbers differ from the written ones; holds the network's number.
    #[error("damaged: network {0} does not unpack, or its checksum does not match")]
    Damaged(u32),
    /// A network has the rows of one with another number of channels; holds its number.
    #[error("network {0} has the rows of a network with another number of channels")]
    OtherChannels(u32),
    /// There is no room for it.
    #[error("too little memory for the network")]
    Memory,
    /// Its weights could make a sum overflow.
    #[error("weights too large for its sums")]
    Overflow,
}
