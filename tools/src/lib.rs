//! The tools around the engine: matches, games in the terminal and in the browser, training games,
//! the Go Text Protocol, and the command line of `tengen`.
//!
//! Each module may use only the modules above it in this list.

pub mod share;

pub mod host;

pub mod game;

pub mod balance;

pub mod datagen;

pub mod gtp;

pub mod serve;

pub mod arena;

pub mod play;

pub mod cli;
