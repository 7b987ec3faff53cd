//! Smart Game Format: game trees as text, for this game (`GM[4]`, Gomoku and Renju). Points are
//! written as in Go, by two letters counted from the top left; an empty move is a pass.
//!
//! Source: SGF specification, version `FF[4]`, red-bean.com/sgf.

mod read;
mod write;

pub use read::{Game, Property, ReadError, cells, games};
pub use write::Writer;
