//! Additions of a host to a session: more words and a store of positions.

use std::any::Any;

use super::Session;
use super::command::CommandSpec;
use crate::board::Board;
use crate::protocol::settings::{Confinement, Settings};
use crate::rules::Rule;
use crate::search::SearchInfo;
use crate::types::PointSet;

/// The words, the store and the bounds that a host adds to one session.
#[derive(Default)]
pub struct Host {
    /// Tables of further words.
    pub tables: Vec<&'static [CommandSpec]>,
    /// A store of positions.
    pub store: Option<Box<dyn PositionStore>>,
    /// Bounds of the session; without them the manager may use the machine freely.
    pub confinement: Option<Confinement>,
}

/// A store of positions, such as a database. It gives searches the moves to avoid, and keeps their
/// results.
pub trait PositionStore: Any + Send {
    /// A search that may use the store is about to begin, or the session is at rest.
    fn prepare(&mut self, session: &mut Session);

    /// A setting was changed by `INFO key`; the key is in lower case.
    fn follow_setting(&mut self, session: &mut Session, key: &str);

    /// The moves of `board` to be avoided.
    fn avoided(&self, settings: &Settings, board: &Board, rule: Rule) -> PointSet;

    /// True if [`remember`](PositionStore::remember) may write to a file.
    fn is_open(&self) -> bool;

    /// Keeps the results of a search of `board`.
    fn remember(&mut self, session: &mut Session, board: &Board, rule: Rule, lines: &[SearchInfo]);

    /// The session is over.
    fn close(&mut self);
}
