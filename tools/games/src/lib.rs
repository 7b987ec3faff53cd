//! Recorded games and problems: Smart Game Format, libraries of RenLib and other records, reviews,
//! wins by force, files of positions with known answers, and the protocol's words for reviews and
//! solutions.
//!
//! Each module may use only the modules above it in this list.

pub mod sgf;

pub mod renlib;

pub mod solver;

pub mod corpus;

pub mod problems;

pub mod records;

pub mod review;

pub mod convert;

pub mod random_boards;

pub mod commands;

/// Tables that the page reads too.
#[cfg(test)]
#[path = "../../../tests/cases/held.rs"]
mod held;
