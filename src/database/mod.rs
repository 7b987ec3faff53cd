//! A database of single positions on disk: value, depth, label, comment, texts on cells.
//!
//! Positions that rotation or reflection maps to each other are one. The file is a redb store:
//! after a crash it is as it was before or after a change. The positions on some way to a stored one
//! are stored too, if only as empty records, so that walks from the empty board find it; only to those
//! that no alternating moves reach there is no way.
//!
//! Without the feature `database` no file can be opened; formats and types are there.

mod access;
mod error;
#[cfg(feature = "database")]
mod file;
#[cfg_attr(not(feature = "database"), allow(dead_code))]
mod key;
mod library;
#[cfg(feature = "database")]
mod opening;
#[cfg_attr(not(feature = "database"), allow(dead_code))]
mod record;
#[cfg(feature = "database")]
mod salvage;
#[cfg(feature = "database")]
mod store;
#[cfg(not(feature = "database"))]
#[path = "no_store.rs"]
mod store;
mod text;
mod transfer;
mod tree;
mod way;

pub mod renlib;

#[cfg(all(test, feature = "database"))]
mod damage_tests;
#[cfg(all(test, feature = "database"))]
mod library_tests;
#[cfg(all(test, feature = "database"))]
mod tests;
#[cfg(all(test, feature = "database"))]
mod text_tests;

pub use access::Access;
pub use error::DatabaseError;
pub use key::Situation;
pub use record::{Label, Record};
#[cfg(feature = "database")]
pub use salvage::{Salvaged, salvage};
pub use store::{Database, Reader, Writer};
#[cfg(not(feature = "database"))]
pub use store::{Salvaged, salvage};
pub use text::{TextError, is_moves_file, is_text_file, read_text, write_moves, write_text};
pub use transfer::{export_library, import_library};
pub use tree::{Selection, Verdict};
pub use way::add_ancestors;
