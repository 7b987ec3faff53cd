//! The shared part of the fuzz targets. `docs/reliability.md` tells how to run them and which
//! properties each asserts.

pub mod dictionary;
pub mod folder;
pub mod record;
pub mod session;

use std::fmt::Debug;

/// The value of a step that cannot fail on the program's own output.
///
/// # Panics
/// When the step failed.
pub fn sound<T, E: Debug>(result: Result<T, E>, what: &str) -> T {
    result.unwrap_or_else(|error| panic!("{what}: {error:?}"))
}
