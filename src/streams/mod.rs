//! What conversations over standard input and output share: lines cut from bytes, commands that wait
//! in bounded memory, whole texts written, and writes that nobody takes. Also lines on standard error.

mod backlog;
mod eprint_line;
mod lines;
mod one_line;
mod text_writer;
mod watched;

pub use backlog::{Backlog, Ticket};
pub use eprint_line::eprint_line;
pub use lines::{Line, Lines, MAX_LINE, read_some};
pub use one_line::on_one_line;
pub use text_writer::TextWriter;
pub use watched::{Watched, WriteWatch};

/// Whether `stream` is a regular file, such as one of commands, and neither a pipe nor a terminal.
#[cfg(unix)]
pub fn is_regular_file(stream: &impl std::os::fd::AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(std::fs::File::from);
    let metadata = file.and_then(|file| file.metadata());
    metadata.is_ok_and(|metadata| metadata.is_file())
}

/// The same by the handle. Its metadata would not do: they know only folders, links and the rest.
#[cfg(windows)]
pub fn is_regular_file(stream: &impl std::os::windows::io::AsHandle) -> bool {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_DISK, GetFileType};
    let handle = stream.as_handle().as_raw_handle();
    // SAFETY: the handle is borrowed from an open stream, and the call only asks the system what it
    // stands for.
    unsafe { GetFileType(handle) == FILE_TYPE_DISK }
}

/// Other systems have no files among their streams.
#[cfg(not(any(unix, windows)))]
pub fn is_regular_file<T>(_: &T) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_is_one() {
        assert!(is_regular_file(&tempfile::tempfile().unwrap()));
        let (reader, _writer) = std::io::pipe().unwrap();
        assert!(!is_regular_file(&reader));
        #[cfg(unix)]
        for device in ["/dev/null", "/dev/zero"] {
            assert!(!is_regular_file(&std::fs::File::open(device).unwrap()));
        }
    }
}
