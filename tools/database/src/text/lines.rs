//! The lines of a text, read in bounded memory.

use std::io::{BufRead, Read};
use std::str;

use super::TextError;
use tengen::files::without_byte_order_mark;

/// Most bytes of a line, with its end. A comment given by a command has up to 1 MiB, and in a line
/// up to 2 MiB, because some letters are written as two.
const MAX_BYTES: usize = 4 << 20;

/// Reads a text line by line.
pub(super) struct Lines<R> {
    input: R,
    /// The number of the line in `bytes`, from 1.
    number: usize,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines {
            input,
            number: 0,
            bytes: Vec::new(),
        }
    }

    /// The number of the next line, and the line without its end. `None` after the last.
    ///
    /// # Errors
    /// When it has more than [`MAX_BYTES`] or is not UTF-8, or the text cannot be read.
    pub(super) fn next_line(&mut self) -> Result<Option<(usize, &str)>, TextError> {
        self.bytes.clear();
        let mut bounded = (&mut self.input).take(MAX_BYTES as u64 + 1);
        if bounded.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let refused = |why| TextError::Line(self.number, why);
        if self.bytes.len() > MAX_BYTES {
            return Err(refused("it has more than 4 MiB"));
        }
        let text = str::from_utf8(&self.bytes).map_err(|_| refused("it is not UTF-8"))?;
        let text = match self.number {
            1 => without_byte_order_mark(text),
            _ => text,
        };
        Ok(Some((self.number, text.trim_end_matches(['\n', '\r']))))
    }
}
