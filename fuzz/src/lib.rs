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

/// Zeros in place of the system's random bytes: with the same keys, hash maps take the same branches
/// in each run, so the fuzzer makes the same inputs.
///
/// # Safety
/// `bytes` points to `length` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(bytes: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: as the caller promises.
    unsafe { bytes.write_bytes(0, length) };
    length as isize
}
