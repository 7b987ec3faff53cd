//! Answers to commands.

/// The answer of a handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A text, which may be empty. A text that begins with a line end stands below the equals sign.
    Text(String),
    /// None yet: a search was begun, and answers at its end.
    Later,
}

impl Answer {
    /// Success without a text.
    pub const NOTHING: Answer = Answer::Text(String::new());
}

impl From<&str> for Answer {
    fn from(text: &str) -> Answer {
        Answer::Text(text.to_string())
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Answer {
        Answer::Text(text)
    }
}

/// The whole answer to a successful command.
pub fn success(id: &str, text: &str) -> String {
    match text.is_empty() || text.starts_with('\n') {
        true => format!("={id}{text}\n\n"),
        false => format!("={id} {text}\n\n"),
    }
}

/// The whole answer to a failed command.
pub fn failure(id: &str, why: &str) -> String {
    format!("?{id} {why}\n\n")
}

/// The first line of an answer that goes on during a search.
pub fn beginning(id: &str) -> String {
    format!("={id}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_with_a_blank_line() {
        assert_eq!(success("", ""), "=\n\n");
        assert_eq!(success("7", "H8"), "=7 H8\n\n");
        assert_eq!(success("7", "\na\nb"), "=7\na\nb\n\n");
        assert_eq!(failure("", "unknown command"), "? unknown command\n\n");
    }
}
