//! The text after the word `TENGENREVIEW`.

use tengen::protocol::text::{BoardEntry, first_word};
use tengen::types::Color;

/// The words before the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewOptions {
    /// The side that makes the first move.
    pub first: Color,
    /// Number of the first judged move, from 1.
    pub first_judged: usize,
}

/// `WHITE` and `FROM n`, in any order, and the text after them.
pub fn review_options(text: &str) -> (ReviewOptions, &str) {
    let mut options = ReviewOptions {
        first: Color::Black,
        first_judged: 1,
    };
    let mut rest = text;
    loop {
        let (word, after) = first_word(rest);
        match &*word.to_ascii_uppercase() {
            "WHITE" => options.first = Color::White,
            "BLACK" => options.first = Color::Black,
            "FROM" => {
                let (number, behind) = first_word(after);
                let Ok(number) = number.parse() else {
                    rest = after;
                    continue;
                };
                options.first_judged = number;
                rest = behind;
                continue;
            }
            _ => return (options, rest),
        }
        rest = after;
    }
}

/// The text after the options.
pub fn after_options(text: &str) -> Option<&str> {
    Some(review_options(text).1)
}

/// The field of a cell that is set up before the first move; `None` for a move.
pub fn set_up_field(entry: &BoardEntry) -> Option<i64> {
    entry.field.filter(|field| (1..=3).contains(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_before_the_moves() {
        let read = |text| {
            let (options, rest) = review_options(text);
            (options.first, options.first_judged, rest)
        };
        assert_eq!(read(""), (Color::Black, 1, ""));
        assert_eq!(read("7,7 8,8 DONE"), (Color::Black, 1, "7,7 8,8 DONE"));
        assert_eq!(read("white from 4 7,7"), (Color::White, 4, "7,7"));
        assert_eq!(read("FROM x 7,7"), (Color::Black, 1, "x 7,7"));
    }
}
