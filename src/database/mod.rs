//! A database of single positions on disk: value, depth, label, comment, texts on cells.
//!
//! Positions that rotation or reflection maps to each other are one. The file is a redb store:
//! after a crash it is as it was before or after a change. Every position on the way to a stored
//! one is stored too, if only as an empty record, so that walks from the empty board find it.

mod error;
mod file;
mod key;
mod opening;
mod record;
mod salvage;
mod store;
mod text;
mod transfer;
mod tree;

pub mod renlib;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod tests;

pub use error::DatabaseError;
pub use key::Situation;
pub use opening::Access;
pub use record::{Label, Record};
pub use salvage::{Salvaged, salvage};
pub use store::{Database, Reader, Writer};
pub use text::{TextError, is_moves_file, is_text_file, read_text, write_moves, write_text};
pub use transfer::{export_library, import_library};
pub use tree::{Selection, Verdict};
