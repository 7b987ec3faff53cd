//! Smart Game Format: game trees as text, for Gomoku and Renju (`GM[4]`). Points are
//! written as in Go, by two letters counted from the top left; an empty move is a pass.
//!
//! Source: SGF specification, version `FF[4]`, red-bean.com/sgf.

mod read;
mod write;

pub use read::{Property, ReadError, SgfGame, cells, games};
pub use write::Writer;
