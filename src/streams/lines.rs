//! Lines cut from bytes.

use std::io::{ErrorKind, Read};

/// Most bytes of a line. A board of 22x22 on one line has 4 kB.
pub const MAX_LINE: usize = 1 << 16;

/// A part of a stream of bytes.
pub enum Line<'a> {
    /// A whole line without its end; it may be empty.
    Whole(&'a [u8]),
    /// A line has more than [`MAX_LINE`] bytes; nothing of it follows.
    TooLong,
}

/// Cuts a stream of bytes into lines. Keeps at most [`MAX_LINE`] bytes.
#[derive(Debug)]
pub struct Lines {
    ends: &'static [u8],
    line: Vec<u8>,
    /// True if the rest of the present line is skipped because the line is too long.
    is_skipping: bool,
}

impl Lines {
    /// A cutter of lines that end with any of these bytes.
    pub fn ending_with(ends: &'static [u8]) -> Lines {
        Lines {
            ends,
            line: Vec::new(),
            is_skipping: false,
        }
    }

    /// Takes more bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8], emit: &mut impl FnMut(Line)) {
        let ends = self.ends;
        let mut parts = bytes.split(|byte| ends.contains(byte)).peekable();
        while let Some(part) = parts.next() {
            self.extend(part, emit);
            if parts.peek().is_some() {
                self.end(emit);
            }
        }
    }

    /// The stream is over: a last line without an end is a line too.
    pub fn finish(&mut self, emit: &mut impl FnMut(Line)) {
        if !self.line.is_empty() {
            self.end(emit);
        }
    }

    /// Takes more of the present line.
    fn extend(&mut self, part: &[u8], emit: &mut impl FnMut(Line)) {
        if self.is_skipping {
            return;
        }
        if self.line.len() + part.len() <= MAX_LINE {
            self.line.extend_from_slice(part);
        } else {
            self.is_skipping = true;
            self.line.clear();
            emit(Line::TooLong);
        }
    }

    /// Ends the present line.
    fn end(&mut self, emit: &mut impl FnMut(Line)) {
        if !self.is_skipping {
            emit(Line::Whole(&self.line));
            self.line.clear();
        }
        self.is_skipping = false;
    }
}

/// Reads some bytes into `buffer` and returns their number; 0 at the end of the input. An error
/// counts as the end.
pub fn read_some(input: &mut impl Read, buffer: &mut [u8]) -> usize {
    loop {
        match input.read(buffer) {
            Ok(n) => return n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                log::error!("standard input: {error}");
                return 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    fn an_endless_line_takes_no_memory() {
        let mut lines = Lines::ending_with(b"\n");
        let mut count = 0;
        for _ in 0..1_000 {
            lines.feed(&[b'x'; 10_000], &mut |_| count += 1);
            assert!(lines.line.capacity() <= 2 * MAX_LINE);
        }
        assert_eq!(count, 1);
    }

    #[test]
    fn empty_lines_are_lines() {
        let mut lines = Lines::ending_with(b"\n");
        let mut seen = Vec::new();
        let mut note = |line: Line| match line {
            Line::Whole(line) => seen.push(String::from_utf8_lossy(line).into_owned()),
            Line::TooLong => panic!("no line is long"),
        };
        lines.feed(b"a\n\nb\r\nc", &mut note);
        lines.finish(&mut note);
        lines.finish(&mut note);
        assert_eq!(seen, ["a", "", "b\r", "c"]);
    }
}
