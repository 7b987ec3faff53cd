//! Smart Game Format: game trees as text, for Gomoku and Renju (`GM[4]`). A point has two letters
//! counted from the top left, as in Go; an empty move is a pass.
//!
//! Source: SGF specification, version `FF[4]`, red-bean.com/sgf.

mod read;
mod tree;
mod write;

pub use read::{ReadError, Trees, begins_game, cells, find_game, size};
pub use tree::{Node, Property, SET_UP, Step, Tree};
pub use write::{Writer, place};
