//! Lines of the Go Text Protocol, read by a thread of their own.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use tengen::streams::{Backlog, Line, Lines, MAX_LINE, Ticket, read_some};

/// One line for the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A command.
    Command(Request),
    /// A line without a command, which only ends an analysis.
    Blank,
    /// GoGui's comment that interrupts a search.
    Interrupt,
    /// A line of more than [`MAX_LINE`] bytes.
    TooLong,
    /// No line follows.
    End,
}

impl Input {
    /// True if this ends the conversation.
    pub fn ends_session(&self) -> bool {
        match self {
            Input::Command(request) => request.name == QUIT,
            Input::End => true,
            Input::Blank | Input::Interrupt | Input::TooLong => false,
        }
    }
}

/// The command that ends the session.
pub const QUIT: &str = "quit";

/// A command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The digits repeated by the answer; empty without an id.
    pub id: String,
    /// The name in lower case; empty for a line with only an id.
    pub name: String,
    /// The words after the name, as they came.
    pub arguments: Vec<String>,
}

/// A line, the time at which it was read, and its place among the waiting lines.
pub struct Arrival {
    /// The line.
    pub input: Input,
    /// The time at which the line was read.
    pub at: Instant,
    /// Dropped once the line is dealt with.
    pub _ticket: Ticket,
}

/// Reads a line: control characters are dropped, a tabulator is a blank, and a comment ends the
/// line.
pub fn parse(line: &[u8]) -> Input {
    let text: String = String::from_utf8_lossy(line)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    let (command, comment) = text.split_once('#').unwrap_or((&text, ""));
    let mut words = command.split_whitespace().map(str::to_string).peekable();
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let id = words.next_if(is_number);
    match (id, words.next()) {
        (None, None) if comment.trim() == "interrupt" => Input::Interrupt,
        (None, None) => Input::Blank,
        (id, name) => Input::Command(Request {
            id: id.unwrap_or_default(),
            name: name.unwrap_or_default().to_lowercase(),
            arguments: words.collect(),
        }),
    }
}

/// Passes every line of `input` to `events` up to `quit` or the end; either is sent last. Waits
/// while `backlog` is full, and reads nothing more once `backlog` is closed.
pub fn read_lines<E: From<Arrival>>(
    mut input: impl Read,
    events: &Sender<E>,
    backlog: &Arc<Backlog>,
) {
    let mut lines = Lines::ending_with(b"\n");
    let mut is_over = false;
    let send = |input: Input, bytes: usize| {
        let arrival = Arrival {
            input,
            at: Instant::now(),
            _ticket: backlog.add(bytes, false),
        };
        // Fails only when the session is over.
        let _ = events.send(arrival.into());
    };
    let on_line = |line: Line, is_over: &mut bool| {
        let (input, bytes) = match line {
            Line::Whole(line) => {
                log::debug!("<- {}", String::from_utf8_lossy(line));
                (parse(line), line.len())
            }
            Line::TooLong => (Input::TooLong, MAX_LINE),
        };
        if !*is_over {
            *is_over = input.ends_session();
            send(input, bytes);
        }
    };
    let mut buffer = [0; 1 << 14];
    while !is_over && !backlog.is_closed() {
        let read = read_some(&mut input, &mut buffer);
        if read == 0 {
            lines.finish(&mut |line| on_line(line, &mut is_over));
            break;
        }
        lines.feed(&buffer[..read], &mut |line| on_line(line, &mut is_over));
    }
    send(Input::End, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(id: &str, words: &str) -> Input {
        let mut words = words.split_whitespace().map(str::to_string);
        Input::Command(Request {
            id: id.to_string(),
            name: words.next().unwrap_or_default(),
            arguments: words.collect(),
        })
    }

    #[test]
    fn a_line_has_an_id_a_command_and_arguments() {
        for (line, expected) in [
            ("name", command("", "name")),
            ("  12 play\tB  H8 # a stone\r", command("12", "play B H8")),
            ("PLAY b h8", command("", "play b h8")),
            ("na\u{7}me\u{0}", command("", "name")),
            ("007", command("007", "")),
            ("", Input::Blank),
            (" \t\r", Input::Blank),
            ("# genmove b", Input::Blank),
            ("# interrupt", Input::Interrupt),
            ("-1 name", command("", "-1 name")),
        ] {
            assert_eq!(parse(line.as_bytes()), expected, "{line:?}");
        }
        assert_eq!(parse(b"\xff\xfe"), command("", "\u{fffd}\u{fffd}"));
    }
}
