//! What is known of single positions, kept on disk: value, depth, label, comment, texts on cells.
//!
//! Positions that rotation or reflection brings to one another are one and the same. The file is
//! a redb store: a crash leaves it as it was before or after a change. Positions that lead to one
//! that is known are known too, if only as steps on the way, so that walks find it.

mod key;
mod record;
mod store;
mod text;
mod transfer;
mod tree;

pub mod renlib;

#[cfg(test)]
mod tests;

pub use key::Situation;
pub use record::{Label, Record};
pub use store::{Database, DatabaseError, Reader, Writer};
pub use text::{TextError, read_text, write_moves, write_text};
pub use transfer::{export_library, import_library};
pub use tree::{Selection, Verdict};
