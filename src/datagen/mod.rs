//! Games that engines learn from.

mod record;

pub use record::{GameRecord, RecordError};
