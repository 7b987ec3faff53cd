//! Small value types that every other module shares. Nothing here knows the game.

mod color;
mod point;
mod point_set;
mod score;
mod symmetry;

pub use color::{Color, PerColor};
pub use point::{ParsePointError, Point, MAX_SIDE, MIN_SIDE, POINTS, STRIDE};
pub use point_set::PointSet;
pub use score::{Score, ScoreKind, MAX_PLY};
pub use symmetry::Symmetry;
