//! A database of single positions on disk: value, depth, label, comment, texts on cells; and its
//! words in the protocol.
//!
//! Positions that rotation or reflection maps to each other are one; a record knows in which
//! orientations its position was drawn. The file is a redb store: a crash leaves the state before
//! or after a change. The positions on some way to a stored one are stored too, if only as empty
//! records, so that walks from the empty board find all. Positions beyond the reach of alternating
//! moves have no such way.
//!
//! Each module may use only the modules above it in this list.

mod error;

mod key;

mod record;

mod file;

mod store;

mod way;

mod repair;

mod text;

mod tree;

mod transfer;

pub mod commands;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;

pub use error::DatabaseError;
pub use file::Access;
pub use key::Situation;
pub use record::{Drawing, Label, Record};
pub use repair::{Repaired, repair};
pub use store::{Database, Reader, Writer};
pub use text::{TextError, is_moves_file, is_text_file, read_text, write_moves, write_text};
pub use transfer::{export_library, import_library};
pub use tree::{Selection, Verdict};
pub use way::add_ancestors;
