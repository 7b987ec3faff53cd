//! Texts of others on a line of ours.

/// A text as one line. What came from a file or another program may hold anything: a line end in it
/// would begin a line that looks like one of ours, and other control characters steer a terminal. So
/// control characters and the line ends of Unicode are escaped.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_begins_a_second_line_or_steers_a_terminal() {
        let line = on_one_line("a\n7,7\r\n\u{85}\u{2028}\u{1b}b\\n最后");
        assert_eq!(line, "a\\n7,7\\r\\n\\u{85}\\u{2028}\\u{1b}b\\n最后");
    }
}
