//! What the fuzz targets share. `docs/fuzzing.md` tells how to run them and what each asserts.

pub mod dictionary;
pub mod folder;
pub mod record;
pub mod session;

use std::fmt::Debug;

/// The value of a step that cannot fail on what the program itself wrote.
///
/// # Panics
/// When it failed.
pub fn sound<T, E: Debug>(result: Result<T, E>, what: &str) -> T {
    result.unwrap_or_else(|error| panic!("{what}: {error:?}"))
}
