//! Texts on lines of a bounded width.

use ratatui::text::Span;

/// Columns that `text` takes.
pub(super) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The words of `text` on lines of at most `width` columns; longer words are broken.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    wrapped_words(text.split_whitespace(), width)
}

/// Words, blanks in them kept, on lines of at most `width` columns; longer words are broken.
pub(super) fn wrapped_words<'a>(
    words: impl IntoIterator<Item = &'a str>,
    width: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let fits = |line: &&mut String| columns(line) + 1 + columns(word) <= width;
        match lines.last_mut().filter(fits) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.extend(broken(word, width)),
        }
    }
    lines
}

/// A word in pieces of at most `width` columns, or of one letter.
fn broken(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut room = width;
    for letter in word.chars() {
        let taken = columns(letter.encode_utf8(&mut [0; 4]));
        let mut piece = pieces.pop().unwrap_or_default();
        if taken > room && !piece.is_empty() {
            pieces.push(std::mem::take(&mut piece));
            room = width;
        }
        room = room.saturating_sub(taken);
        piece.push(letter);
        pieces.push(piece);
    }
    pieces
}

/// The words of `text` on at most `most` lines of `width` columns; three dots end a cut text.
pub(super) fn wrapped_and_cut(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = wrapped(text, width);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && columns(last) + 4 > width {
                last.pop();
            }
            last.push_str(" ...");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_wrapped_and_cut() {
        assert_eq!(wrapped_and_cut("a bc def", 4, 9), ["a bc", "def"]);
        assert_eq!(wrapped_and_cut("aa bb cc dd", 8, 1), ["aa b ..."]);
        assert!(wrapped("", 8).is_empty());
    }

    #[test]
    fn long_words_are_broken_and_wide_letters_counted() {
        assert_eq!(
            wrapped("in /a/long/path: no", 6),
            ["in", "/a/lon", "g/path", ": no"]
        );
        assert_eq!(wrapped("天元 天元", 4), ["天元", "天元"]);
        assert_eq!(wrapped("天元", 3), ["天", "元"]);
        assert_eq!(wrapped("天元", 1), ["天", "元"]);
    }
}
