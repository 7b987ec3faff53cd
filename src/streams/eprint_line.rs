//! Lines for people on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line to standard error. Where that cannot be written, as on a full disk or to a reader
/// that has gone, the line is lost: what only tells of the work must not end it, as `eprintln!` would.
pub fn eprint_line(line: impl Display) {
    // In one piece, so that lines of several processes do not mix.
    let line = format!("{line}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}
