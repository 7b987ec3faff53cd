//! A database of single positions on disk: value, depth, label, comment, texts on cells.
//!
//! Positions that rotation or reflection maps to each other are one. The file is a redb store:
//! after a crash it is as it was before or after a change. The positions on some way to a stored one
//! are stored too, if only as empty records, so that walks from the empty board find it; only to those
//! that no alternating moves reach there is no way.

mod access;
pub mod commands;
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
mod way;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod library_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;

pub use access::Access;
pub use error::DatabaseError;
pub use key::Situation;
pub use record::{Label, Record};
pub use salvage::{Salvaged, salvage};
pub use store::{Database, Reader, Writer};
pub use text::{TextError, is_moves_file, is_text_file, read_text, write_moves, write_text};
pub use transfer::{export_library, import_library};
pub use tree::{Selection, Verdict};
pub use way::add_ancestors;
