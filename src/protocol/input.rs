//! Standard input, read by a thread of its own.

use std::cell::Cell;
use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::parser::Parser;
use super::session::{Commands, Event, Request};
use crate::streams::{Backlog, Line, Lines, Source, read_some};
use crate::time::Instant;

/// The reason why no more commands are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEnd {
    /// The session has to end at once.
    Leave,
    /// All of a file was read; its commands have to be finished.
    FileOver,
}

/// Reads commands from `input` until `END` or the end of input, and sends each with the time at
/// which its line was read. Waits while `backlog` is full. Once `backlog` is closed, the commands
/// of bytes already read are still sent, and nothing more is read. The last event sent is an `END`,
/// or at the end of a file [`Event::FileOver`].
pub fn read_commands(
    mut input: impl Read,
    mut parser: Parser,
    source: Source,
    events: &Sender<Event>,
    backlog: &Arc<Backlog>,
) -> InputEnd {
    let mut lines = Lines::ending_with(b"\n\r");
    let is_over = Cell::new(false);
    let mut end = InputEnd::Leave;
    // Bytes of text not yet part of a command.
    let mut text_bytes = 0;
    let mut buffer = [0; 1 << 16];
    while !is_over.get() && !backlog.is_closed() {
        let read = read_some(&mut input, &mut buffer);
        let at = Instant::now();
        // Held until all of this is sent: the session may end at the first of these commands, when
        // nobody takes its answer, and must not leave before the others are known.
        let _reading = backlog.begin_reading();
        let send = |mut request: Request, text_bytes: &mut usize| {
            if is_over.get() || request.ends_session() {
                is_over.set(true);
                return;
            }
            let is_file_work = request.spec().outlives_end;
            request.hold(backlog.add(std::mem::take(text_bytes), is_file_work));
            // Fails only when the session is over.
            let _ = events.send(Event::Input { request, at });
        };
        let mut on_line = |line: Line| match line {
            Line::Whole([]) => {}
            Line::Whole(line) => {
                log::debug!("<- {}", String::from_utf8_lossy(line));
                text_bytes += line.len();
                parser.line(line, &mut |request| send(request, &mut text_bytes));
            }
            Line::TooLong => parser.line_too_long(&mut |request| send(request, &mut text_bytes)),
        };
        if read > 0 {
            lines.feed(&buffer[..read], &mut on_line);
        } else {
            lines.finish(&mut on_line);
            if source == Source::File && !is_over.get() {
                end = InputEnd::FileOver;
                parser.file_over(&mut |request| send(request, &mut text_bytes));
                break;
            }
            on_line(Line::Whole(b"END"));
        }
    }
    if end == InputEnd::FileOver {
        // Fails only when the session is over.
        let _ = events.send(Event::FileOver);
        return end;
    }
    // Only after the loop: the session does not end while commands are being read.
    let at = Instant::now();
    parser.line(b"END", &mut |request| {
        drop(events.send(Event::Input { request, at }))
    });
    end
}

/// The requests of an input as a session gets them, as text. For tests of the parser alone.
pub fn commands_as_text(commands: Commands, input: impl Read + Send) -> Vec<String> {
    let (sender, receiver) = mpsc::channel();
    let text = |event| match event {
        Event::Input { request, .. } => Some(format!("{request:?}")),
        _ => None,
    };
    thread::scope(|scope| {
        scope.spawn(move || {
            let parser = Parser::new(commands);
            read_commands(input, parser, Source::Manager, &sender, &Arc::default())
        });
        receiver.into_iter().filter_map(text).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::MAX_LINE;

    fn read(input: &[u8]) -> Vec<String> {
        commands_as_text(Commands::default(), input)
    }

    #[test]
    fn lines_end_in_three_ways() {
        let expected = ["START \"15\"", "BEGIN", "END"];
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
    fn the_end_comes_whatever_is_unfinished() {
        for head in ["BOARD\n7,7,1", "YXHASHDUMP\n"] {
            let commands = read(head.as_bytes());
            assert_eq!(commands.last().map(String::as_str), Some("END"), "{head}");
        }
    }

    const TOO_LONG: &str = "- \"line longer than 65536 bytes\"";

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    fn a_long_line_is_one_error_and_the_next_line_counts() {
        for length in [MAX_LINE + 1, 3 * MAX_LINE] {
            let mut input = b"YXBOARD DONE ".repeat(length / 13 + 1);
            input.extend_from_slice(b"\nABOUT\n");
            assert_eq!(read(&input), [TOO_LONG, "ABOUT", "END"]);
        }
        let mut input = vec![b'x'; MAX_LINE];
        input.extend_from_slice(b"\nABOUT\n");
        let commands = read(&input);
        assert_eq!(commands.len(), 3);
        assert_eq!(commands[0].len(), "- \"\"".len() + MAX_LINE);
    }

    /// Without the long line, a block or a text would be a different one.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    fn a_long_line_drops_the_command_that_it_continues() {
        for head in ["BOARD\n7,7,1", "YXHASHDUMP"] {
            let long = "8,8,2 ".repeat(MAX_LINE);
            let input = format!("{head}\n{long}\n9,9,1\nDONE\nABOUT");
            let ignored = "-";
            let expected = [TOO_LONG, ignored, ignored, "ABOUT", "END"];
            assert_eq!(read(input.as_bytes()), expected, "{head}");
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
        assert_eq!(board.split(' ').count(), 1 + 484);
    }
}
