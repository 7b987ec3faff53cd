//! Tengen: a Gomoku and Renju engine.
//!
//! Each module may use only those above it in this list.

pub mod memory;

pub mod time;

pub mod types;

pub mod board;

pub mod sgf;

pub mod rules;

pub mod patterns;

pub mod eval;

pub mod position;

pub mod threats;

pub mod search;

pub mod openings;

pub mod engine;

pub mod datagen;

pub mod database;

pub mod protocol;

pub mod arena;

pub mod corpus;

pub mod play;

pub mod cli;
