//! A game for a person against the engine, without any terminal: the board, the player to move and
//! the legal actions ([`game`]), the typed words ([`command`]), their effects ([`model`]), games on
//! disk ([`record`]), kept there as they are played ([`keep`]), and the engine in a thread of its
//! own ([`driver`]).
//!
//! The model itself carries out nothing: it answers every command and every event by
//! [`Effect`](model::Effect)s for the driver. Drawing is left to others.

pub mod command;
pub mod driver;
/// Rules, turns and clocks of one game.
pub mod game;
pub mod keep;
pub mod model;
pub mod record;
