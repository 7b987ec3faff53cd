//! Small value types that every other module shares. They are independent of the rules.

mod color;
mod point;
mod point_set;
mod score;
mod symmetry;

pub use color::{Color, PerColor};
pub use point::{MAX_CELLS, MAX_SIDE, MIN_SIDE, POINTS, ParsePointError, Point, STRIDE};
pub use point_set::PointSet;
pub use score::{MAX_PLY, Score, ScoreKind};
pub use symmetry::Symmetry;
