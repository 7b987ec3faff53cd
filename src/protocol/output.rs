//! Standard output: replies as lines.

use std::io::Write;

use super::reply::Reply;
use crate::streams::{TextWriter, on_one_line};

/// Writes replies, each as one line that a manager never sees a part of.
pub struct Output(TextWriter);

impl Output {
    /// Replies go to `sink`.
    pub fn new(sink: impl Write + 'static) -> Output {
        Output(TextWriter::new(sink))
    }

    /// Writes one line.
    pub fn send(&mut self, reply: &Reply) {
        let line = on_one_line(&reply.to_string());
        self.0.write(&(line + "\n"));
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_reply_has_a_second_line() {
        let replies = [
            Reply::Message("a\n7,7\r\n\u{85}\u{2028}\u{1b}b".to_string()),
            Reply::Comment("a\n7,7\r\n\u{85}\u{2028}\u{1b}b".to_string()),
        ];
        for reply in replies {
            let line = on_one_line(&reply.to_string());
            let escaped = r"a\n7,7\r\n\u{85}\u{2028}\u{1b}b";
            assert!(line.contains(escaped), "{line}");
        }
        let comment = Reply::Comment("\\n\n\"最后".to_string());
        let line = on_one_line(&comment.to_string());
        assert_eq!(line, r#"MESSAGE DATABASE TEXT "\\n\n\"最后""#);
    }
}
