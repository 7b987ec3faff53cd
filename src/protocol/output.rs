//! Standard output: the one place that writes.

use std::io::Write;

use super::reply::Reply;

/// Writes replies: each line with one write and one flush, so that a manager never sees a part of
/// one.
pub struct Output {
    sink: Box<dyn Write>,
    is_closed: bool,
}

impl Output {
    /// Replies go to `sink`.
    pub fn new(sink: impl Write + 'static) -> Output {
        Output {
            sink: Box::new(sink),
            is_closed: false,
        }
    }

    /// Writes one line.
    pub fn send(&mut self, reply: &Reply) {
        let mut line = reply.to_string();
        log::debug!("-> {line}");
        line.push('\n');
        let written = self.sink.write_all(line.as_bytes());
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
