//! Tables that turn the lines around a free cell into what a stone there would make.
//!
//! For every content of a line window they have the [`Shape`] that each colour gets in this
//! direction by playing the centre; the four shapes of a cell, one a direction, give its [`Class`].
//! A table is built once for each [`Rule`](crate::rules::Rule) when it is first needed, and never
//! changes.
//!
//! Source of the idea of classes of cells by their four line shapes, updated by each move: Yixin
//! and Rapfi (`Pattern4`).

mod class;
mod combo;
mod forbidden;
mod line_shape;
mod tables;

#[cfg(test)]
mod tests;

pub use class::{CLASSES, Class, Shapes};
pub use combo::{COMBOS, combo_shapes};
pub use forbidden::is_forbidden;
pub use line_shape::Shape;
pub use tables::{CellInfo, Tables};
