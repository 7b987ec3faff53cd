//! Standard input: a thread that always reads.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::parser::Parser;
use super::session::Event;

/// Bytes of a line that are kept. A board of 22x22 on one line has 4 kB.
const MAX_LINE: usize = 1 << 20;

/// Cuts a stream of bytes into lines that end with LF, CR or both. Longer lines than [`MAX_LINE`]
/// lose their end.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
}

impl Lines {
    fn feed(&mut self, bytes: &[u8], emit: &mut impl FnMut(&[u8])) {
        let mut parts = bytes.split(|&b| b == b'\n' || b == b'\r').peekable();
        while let Some(part) = parts.next() {
            let room = MAX_LINE - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            if parts.peek().is_some() {
                self.end(emit);
            }
        }
    }

    /// The line ends here.
    fn end(&mut self, emit: &mut impl FnMut(&[u8])) {
        if !self.line.is_empty() {
            emit(&self.line);
            self.line.clear();
        }
    }
}

/// Reads commands from `input` until `END` or the end of input, and sends each with the moment at
/// which its line was read. The last one sent is `END`.
pub fn read_commands(mut input: impl Read, events: &Sender<Event>) {
    let mut parser = Parser::default();
    let mut lines = Lines::default();
    let mut is_over = false;
    let mut buffer = [0; 1 << 16];
    while !is_over {
        let read = match input.read(&mut buffer) {
            Ok(n) => n,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                log::error!("standard input: {error}");
                0
            }
        };
        let at = Instant::now();
        let mut on_line = |line: &[u8]| {
            log::debug!("<- {}", String::from_utf8_lossy(line));
            parser.line(line, &mut |command| {
                if !is_over {
                    is_over = command.ends_session();
                    // Fails only when the session is over.
                    let _ = events.send(Event::Input { command, at });
                }
            });
        };
        if read > 0 {
            lines.feed(&buffer[..read], &mut on_line);
        } else {
            lines.end(&mut on_line);
            on_line(b"END");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// The commands of an input, each as its first word and its arguments.
    fn read(input: &[u8]) -> Vec<String> {
        let (sender, receiver) = mpsc::channel();
        read_commands(input, &sender);
        drop(sender);
        receiver
            .into_iter()
            .map(|event| match event {
                Event::Input { command, .. } => format!("{command:?}"),
                _ => unreachable!(),
            })
            .collect()
    }

    #[test]
    fn lines_end_in_three_ways() {
        let expected = [
            "START BoardSize { width: 15, height: 15 }",
            "BEGIN ()",
            "END ()",
        ];
        for input in [
            "START 15\nBEGIN\n",
            "START 15\r\nBEGIN\r\n",
            "START 15\rBEGIN\r",
            "\n\n START 15\n\r\nBEGIN",
            "START 15\nBEGIN\nEND",
            "START 15\nBEGIN\nend\nABOUT\n",
        ] {
            assert_eq!(read(input.as_bytes()), expected, "{input:?}");
        }
    }

    #[test]
    fn endless_lines_are_cut() {
        let mut input = vec![b'x'; 3 * MAX_LINE];
        input.extend_from_slice(b"\nABOUT\n");
        let commands = read(&input);
        match &commands[..] {
            [unknown, about, end] if about == "ABOUT ()" && end == "END ()" => {
                assert_eq!(unknown.len(), "- \"\"".len() + MAX_LINE);
            }
            other => panic!("{} commands", other.len()),
        }
    }

    #[test]
    fn a_whole_board_fits_on_one_line() {
        let mut input = "BOARD".to_string();
        for i in 0..484 {
            input += &format!(" {},{},{}", i % 22, i / 22, 1 + i % 2);
        }
        input += " DONE\n";
        let board = &read(input.as_bytes())[0];
        assert!(board.starts_with("BOARD"));
        assert_eq!(board.matches("BoardEntry").count(), 484);
    }
}
