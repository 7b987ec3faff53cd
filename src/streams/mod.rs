//! What conversations over standard input and output share: lines cut from bytes, commands that wait
//! in bounded memory, whole texts written, and writes that nobody takes.

mod backlog;
mod lines;
mod text_writer;
mod watched;

pub use backlog::{Backlog, Ticket};
pub use lines::{Line, Lines, MAX_LINE, read_some};
pub use text_writer::TextWriter;
pub use watched::{Watched, WriteWatch};

use std::fs::File;

/// Whether `stream` is a regular file, such as one of commands, and neither a pipe nor a terminal.
#[cfg(unix)]
pub fn is_regular_file(stream: &impl std::os::fd::AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(File::from);
    is_regular(file)
}

/// The same by the handle.
#[cfg(windows)]
pub fn is_regular_file(stream: &impl std::os::windows::io::AsHandle) -> bool {
    let file = stream.as_handle().try_clone_to_owned().map(File::from);
    is_regular(file)
}

fn is_regular(file: std::io::Result<File>) -> bool {
    let metadata = file.and_then(|file| file.metadata());
    metadata.is_ok_and(|metadata| metadata.is_file())
}
