//! Matches between engines that speak the Gomocup protocol: the instrument for measuring strength.
//! A misbehaving engine costs its own game and nothing else.
//!
//! The runner knows rules, boards, openings and records, but no search, so any engine can play,
//! ours included.

pub mod adjudication;
pub mod child;
pub mod conversation;
pub mod course;
pub mod engine_check;
pub mod forfeits;
pub mod game;
pub mod journal;
pub mod json_lines;
pub mod memory;
pub mod merge;
pub mod message;
pub mod negotiation;
pub mod openings;
pub mod pipes;
pub mod process_tree;
pub mod ratings;
pub mod record;
pub mod reply;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod spsa;
pub mod stats;
pub mod summary;
mod table;
mod trace;

pub use table::status_line;
