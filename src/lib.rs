//! Tengen: a Gomoku and Renju engine.
//!
//! A position is analysed, and a game is played from there:
//!
//! ```
//! use tengen::board::{Board, parse_moves};
//! use tengen::engine::{Engine, Options};
//! use tengen::rules::{Rule, winner};
//! use tengen::search::{SearchControl, SearchRequest, win_rate};
//!
//! let mut board = Board::new(15, 15)?;
//! parse_moves(&mut board, "h8 i9 h7").unwrap();
//! let mut engine = Engine::new(Options::default());
//! let mut request = SearchRequest::new(board, Rule::Renju);
//! request.max_nodes = Some(2_000);
//!
//! let analysis = SearchRequest { is_analysis: true, multi_pv: 3, ..request.clone() };
//! for line in engine.go(&analysis, &SearchControl::unlimited(), &mut |_| {}).lines {
//!     let labels: Vec<String> = line.pv.iter().map(|p| p.label(15)).collect();
//!     println!("{} ({:.0} %): {}", line.score, 100.0 * win_rate(line.score), labels.join(" "));
//! }
//!
//! while winner(&request.board, request.rule).is_none() {
//!     let control = SearchControl::with_limit_ms(1_000);
//!     let Some(best) = engine.go(&request, &control, &mut |_| {}).best else { break };
//!     request.board.play(best);
//! }
//! println!("{}", request.board);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//! Each module may use only the modules above it in this list.

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
