//! The common parts of conversations over standard input and output: lines cut from bytes, waiting
//! commands in bounded memory, texts written whole, and a watch for writes that nobody takes. Also
//! lines on standard error.

pub mod console;
mod lines;

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use lines::{Line, Lines, MAX_LINE, read_some};

/// The speaker on standard input, who decides the pace of commands and the meaning of the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A manager or a person who hears the answers. A new command may cut a search short, and the
    /// end of the input means that nobody is left.
    Manager,
    /// A regular file, written without hearing an answer. Each command waits for the answers to
    /// earlier ones, and the last one is answered too.
    File,
}

impl Source {
    /// The kind of standard input.
    pub fn of_standard_input() -> Source {
        match is_regular_file(&io::stdin()) {
            true => Source::File,
            false => Source::Manager,
        }
    }
}

/// True if `stream` is a regular file, such as one of commands, and neither a pipe nor a terminal.
#[cfg(unix)]
pub fn is_regular_file(stream: &impl std::os::fd::AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(std::fs::File::from);
    let metadata = file.and_then(|file| file.metadata());
    metadata.is_ok_and(|metadata| metadata.is_file())
}

/// The same by the handle: the metadata know only folders, links and the rest.
#[cfg(windows)]
pub fn is_regular_file(stream: &impl std::os::windows::io::AsHandle) -> bool {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_DISK, GetFileType};
    let handle = stream.as_handle().as_raw_handle();
    // SAFETY: the handle is borrowed from an open stream, and the call only asks the system for the
    // handle's type.
    unsafe { GetFileType(handle) == FILE_TYPE_DISK }
}

/// False: other systems have no files among their streams.
#[cfg(not(any(unix, windows)))]
pub fn is_regular_file<T>(_: &T) -> bool {
    false
}

/// Writes a line to standard error. The line is lost if it cannot be written, as on a full disk or
/// after its reader has gone: a report on the work must not end the work, as `eprintln!` would.
pub fn eprint_line(line: impl Display) {
    // In one write, so that lines of several processes do not mix.
    let line = format!("{line}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}

/// A text as one line. Text from a file or another program may hold anything: a line end would
/// begin a line like one of ours, and other control characters steer a terminal. So control
/// characters and the line ends of Unicode are escaped.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// A writer of texts, each with one write and one flush: a reader never sees a part.
pub struct TextWriter {
    sink: Box<dyn Write>,
    is_closed: bool,
}

impl TextWriter {
    /// A writer to `sink`.
    pub fn new(sink: impl Write + 'static) -> TextWriter {
        TextWriter {
            sink: Box::new(sink),
            is_closed: false,
        }
    }

    /// Writes a text with all its line ends.
    pub fn write(&mut self, text: &str) {
        log::debug!("-> {}", text.trim_end());
        let written = self.sink.write_all(text.as_bytes());
        if let Err(error) = written.and_then(|()| self.sink.flush()) {
            log::error!("standard output: {error}");
            self.is_closed = true;
        }
    }

    /// True if nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// A stream with a count of its writes. A write adds one at its begin and one at its end, so the
/// count is odd during a write.
pub struct Watched<W> {
    inner: W,
    writes: Arc<AtomicU64>,
}

impl<W: Write> Watched<W> {
    /// The stream and its watch.
    pub fn new(inner: W) -> (Watched<W>, WriteWatch) {
        let writes = Arc::new(AtomicU64::new(0));
        let watch = WriteWatch {
            writes: Arc::clone(&writes),
            seen: 0,
        };
        (Watched { inner, writes }, watch)
    }

    fn counted<T>(&mut self, write: impl FnOnce(&mut W) -> T) -> T {
        self.writes.fetch_add(1, Ordering::Relaxed);
        let result = write(&mut self.inner);
        self.writes.fetch_add(1, Ordering::Relaxed);
        result
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.counted(|inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.counted(W::flush)
    }
}

/// A watch for a write that nobody takes.
pub struct WriteWatch {
    writes: Arc<AtomicU64>,
    seen: u64,
}

impl WriteWatch {
    /// True if one write has lasted since the previous call.
    pub fn is_stuck(&mut self) -> bool {
        let before = std::mem::replace(&mut self.seen, self.writes.load(Ordering::Relaxed));
        self.seen == before && self.seen % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{self, Receiver};
    use std::thread;

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

    #[test]
    fn nothing_begins_a_second_line_or_steers_a_terminal() {
        let line = on_one_line("a\n7,7\r\n\u{85}\u{2028}\u{1b}b\\n最后");
        assert_eq!(line, "a\\n7,7\\r\\n\\u{85}\\u{2028}\\u{1b}b\\n最后");
    }

    /// A stream that waits for a permit before each write.
    struct Slow(Receiver<()>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_write_that_lasts_is_stuck() {
        let (taker, slow) = mpsc::channel();
        let (mut stream, mut watch) = Watched::new(Slow(slow));
        assert!(!watch.is_stuck() && !watch.is_stuck());
        let writer = thread::spawn(move || {
            stream.write_all(b"a").unwrap();
            stream.flush().unwrap();
        });
        while watch.writes.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        assert!(!watch.is_stuck() && watch.is_stuck());
        taker.send(()).unwrap();
        writer.join().unwrap();
        assert!(!watch.is_stuck() && !watch.is_stuck());
    }
}
