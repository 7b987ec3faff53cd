//! What is still to be read of a line.

use super::text::tighten;

/// The part of a line that no command has taken yet. Taking a part of it costs time in proportion
/// to that part, so that a whole line is read in linear time.
pub struct LineText {
    text: String,
    start: usize,
    /// Whether single blanks stand between words, and none around commas.
    is_tight: bool,
}

impl LineText {
    /// A whole line.
    pub fn new(line: &str) -> LineText {
        LineText {
            text: line.to_string(),
            start: 0,
            is_tight: false,
        }
    }

    /// What is left.
    pub fn rest(&self) -> &str {
        &self.text[self.start..]
    }

    /// Whether nothing but blanks is left.
    pub fn is_empty(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    /// Leaves only the last `len` bytes of the rest.
    pub fn keep_last(&mut self, len: usize) {
        self.start = self.text.len() - len;
    }

    /// Takes everything.
    pub fn take_all(&mut self) -> String {
        let rest = self.rest().to_string();
        self.start = self.text.len();
        rest
    }

    /// Takes out blanks around commas, so that each word is one cell of a block.
    pub fn tighten(&mut self) {
        if !self.is_tight {
            let words = tighten(self.rest());
            let words: Vec<&str> = words.split_whitespace().collect();
            self.text = words.join(" ");
            self.start = 0;
            self.is_tight = true;
        }
    }

    /// The next word, which stays.
    pub fn peek_word(&self) -> Option<&str> {
        self.rest().split_whitespace().next()
    }

    /// Takes the next word.
    pub fn next_word(&mut self) -> Option<&str> {
        let rest = self.rest();
        let start = self.start + (rest.len() - rest.trim_start().len());
        let word = self.text[start..].split_whitespace().next()?;
        self.start = start + word.len();
        Some(word)
    }
}
