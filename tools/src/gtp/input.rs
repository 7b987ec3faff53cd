//! Lines of the Go Text Protocol, read by a thread of their own.

/// One line for the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A command.
    Command(Request),
    /// A line without a command, which only ends an analysis.
    Blank,
    /// GoGui's comment that interrupts a search.
    Interrupt,
    /// A line of more than [`MAX_LINE`](tengen::streams::MAX_LINE) bytes.
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
