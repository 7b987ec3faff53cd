//! Standard input, read by a thread of its own.

use std::io::Read;
use std::ops::ControlFlow;
use std::thread;

use super::parser::Parser;
use super::session::{Commands, Event, Request, Session};
use crate::streams::console::{self, InputEnd, ReadingEnd};
use crate::streams::{Line, Source};

/// Reads commands from `input` until `END` or the end of input, and sends each to the session. The
/// last one sent is an `END`, except at the end of a file.
pub fn read_commands(
    input: impl Read,
    mut parser: Parser,
    source: Source,
    session: &ReadingEnd<Session>,
) -> InputEnd {
    let mut is_over = false;
    // Bytes of text not yet part of a command.
    let mut text_bytes = 0;
    let send = |request: Request, text_bytes: &mut usize, is_over: &mut bool| {
        *is_over |= request.ends_session();
        if !*is_over {
            let outlives_end = request.spec().outlives_end;
            session.send(request, std::mem::take(text_bytes), outlives_end);
        }
    };
    session.read(input, b"\n\r", |line| {
        match line {
            Line::Whole([]) => {}
            Line::Whole(line) => {
                log::debug!("<- {}", String::from_utf8_lossy(line));
                text_bytes += line.len();
                parser.line(line, &mut |request| {
                    send(request, &mut text_bytes, &mut is_over);
                });
            }
            Line::TooLong => parser.line_too_long(&mut |request| {
                send(request, &mut text_bytes, &mut is_over);
            }),
        }
        match is_over {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if source == Source::File && !is_over {
        parser.file_over(&mut |request| send(request, &mut text_bytes, &mut is_over));
        return InputEnd::OfFile;
    }
    if !is_over {
        session.cut_off();
    }
    session.send_event(Event::EndIsRead);
    parser.line(b"END", &mut |request| session.send(request, 0, false));
    match is_over {
        true => InputEnd::ByCommand,
        false => InputEnd::OfPipe,
    }
}

/// The requests of an input as a session gets them, as text. For tests of the parser alone.
pub fn commands_as_text(commands: Commands, input: impl Read + Send) -> Vec<String> {
    let (reading, answering) = console::open();
    thread::scope(|scope| {
        scope.spawn(move || read_commands(input, Parser::new(commands), Source::Manager, &reading));
        answering
            .into_commands()
            .map(|request| format!("{request:?}"))
            .collect()
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
