//! Tengen: a Gomoku and Renju engine.
//!
//! Each module may use only those above it in this list.

pub mod files;

#[cfg(feature = "protocol")]
pub mod streams;

pub mod memory;

pub mod time;

#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
pub mod lent_threads;

pub mod types;

pub mod board;

#[cfg(feature = "review")]
pub mod sgf;

pub mod rules;

pub mod patterns;

pub mod eval;

pub mod position;

pub mod threats;

#[cfg(feature = "review")]
pub mod solver;

pub mod search;

pub mod openings;

#[cfg(feature = "review")]
pub mod records;

pub mod engine;

pub mod review;

#[cfg(feature = "tools")]
pub mod datagen;

#[cfg(feature = "protocol")]
pub mod database;

#[cfg(feature = "review")]
pub mod convert;

#[cfg(feature = "protocol")]
pub mod protocol;

#[cfg(feature = "tools")]
pub mod gtp;

#[cfg(feature = "tools")]
pub mod serve;

#[cfg(feature = "tools")]
pub mod arena;

#[cfg(feature = "corpus")]
pub mod corpus;

#[cfg(feature = "tools")]
pub mod play;

#[cfg(feature = "tools")]
pub mod cli;
