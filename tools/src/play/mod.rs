//! A game for a person against the engine, without any terminal: what stands on the board, whose
//! turn it is and what may be done ([`game`]), what was typed ([`command`]), what follows from it
//! ([`model`]), games on disk ([`record`]), and the engine in a thread of its own ([`driver`]).
//!
//! The model does nothing itself: it answers every command and every piece of news by
//! [`Effect`](model::Effect)s, which the driver carries out. Drawing is left to others.

pub mod command;
pub mod driver;
/// Rules, turns and clocks of one game.
pub mod game;
pub mod model;
pub mod record;
