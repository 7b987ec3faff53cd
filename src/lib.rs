//! Tengen: a Gomoku and Renju engine.
//!
//! Each module may use only those above it in this list.

pub mod time;

pub mod files;

pub mod streams;

pub mod memory;

#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
pub mod lent_threads;

pub mod types;

pub mod board;

pub mod rules;

pub mod patterns;

pub mod eval;

pub mod position;

pub mod threats;

pub mod search;

pub mod openings;

pub mod engine;

pub mod protocol;

pub mod bench;

/// The reader of positions with known answers, for tests of search and threats. This file and the
/// next belong to a package that stands on this one.
#[cfg(test)]
#[path = "../tools/games/src/corpus/mod.rs"]
pub mod corpus;

#[cfg(test)]
#[path = "../tools/games/src/random_boards.rs"]
pub mod random_boards;

/// Tables that the page reads too.
#[cfg(test)]
#[path = "../tests/cases/held.rs"]
mod held;

#[cfg(test)]
extern crate self as tengen;
