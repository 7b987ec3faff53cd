//! Smart Game Format: game trees as text, for Gomoku and Renju (`GM[4]`). A point has two letters
//! counted from the top left, as in Go; an empty move is a pass.
//!
//! Source: SGF specification, version `FF[4]`, red-bean.com/sgf.

mod read;
mod write;

pub use read::{Property, ReadError, SgfGame, cells, games};
pub use write::Writer;
