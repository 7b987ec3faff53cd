//! The one place of a conversation that writes.

use std::io::Write;

/// Writes texts: each with one write and one flush, so that a reader never sees a part of one.
pub struct TextWriter {
    sink: Box<dyn Write>,
    is_closed: bool,
}

impl TextWriter {
    /// Texts go to `sink`.
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

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}
