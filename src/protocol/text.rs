//! Numbers and coordinates as managers write them, and texts as they can show them.

use std::fmt;
use std::path::Path;

/// Reads a whole number: a sign is allowed, a fraction is cut off, and what does not fit is
/// brought to the nearest `i64`. `None` when the text is not a number.
pub fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    Some(whole.bytes().fold(0, |sum: i64, digit| {
        let digit = i64::from(digit - b'0');
        let sum = sum.saturating_mul(10);
        if negative {
            sum.saturating_sub(digit)
        } else {
            sum.saturating_add(digit)
        }
    }))
}

/// Most characters of a text about files, whose names may have any length.
const MAX_TEXT: usize = 900;
/// Most characters of a path in it.
const MAX_PATH: usize = 200;

/// A text about files as every manager can show it: short, and without letters that are no printable
/// ASCII. Files may have any name, and the operating system may describe an error in any language.
pub fn plain(text: &str) -> String {
    let mut text = ascii(text);
    text.truncate(MAX_TEXT);
    text
}

/// A path for such a text; of a long one, its end.
pub fn shown(path: &Path) -> String {
    let path = ascii(&path.to_string_lossy());
    match path.len().checked_sub(MAX_PATH) {
        None | Some(0) => path,
        Some(cut) => format!("...{}", &path[cut..]),
    }
}

fn ascii(text: &str) -> String {
    text.replace(|c: char| !(' '..='~').contains(&c), "?")
}

/// The first word, and what follows it.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Takes out the blanks around commas, so that what is left between blanks is one coordinate.
pub fn tighten(text: &str) -> String {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    parts.join(",")
}

/// Reads numbers with commas between them, such as `7,8,1`. `None` when a part is not a number.
pub fn numbers(word: &str) -> Option<Vec<i64>> {
    word.split(',').map(integer).collect()
}

/// A column and a row as they came, on the board or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coord {
    /// Column.
    pub x: i64,
    /// Row.
    pub y: i64,
}

impl Coord {
    /// Reads `7,8`, `7 , 8` or `7 8`; what follows is ignored.
    pub fn parse(text: &str) -> Option<Coord> {
        let text = tighten(text).replace(',', " ");
        let mut words = text.split_whitespace().map(integer);
        match (words.next(), words.next()) {
            (Some(Some(x)), Some(Some(y))) => Some(Coord { x, y }),
            _ => None,
        }
    }
}

/// One cell of a block and, where the block has one, the field that says whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardEntry {
    /// The cell as it came.
    pub at: Coord,
    /// 1 for a stone of the engine, 2 for one of the opponent, 3 for a cell that nobody may use.
    pub field: Option<i64>,
}

/// As it stands in a block: `7,8` or `7,8,1`.
impl fmt::Display for BoardEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.at.x, self.at.y)?;
        self.field.map_or(Ok(()), |field| write!(f, ",{field}"))
    }
}

impl BoardEntry {
    /// Reads `7,8` or `7,8,1`; further fields are ignored.
    pub fn parse(word: &str) -> Option<BoardEntry> {
        match numbers(word).as_deref() {
            Some(&[x, y, ref fields @ ..]) => Some(BoardEntry {
                at: Coord { x, y },
                field: fields.first().copied(),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate_and_lose_their_fraction() {
        assert_eq!(integer("15"), Some(15));
        assert_eq!(integer("+7.9"), Some(7));
        assert_eq!(integer("-1"), Some(-1));
        assert_eq!(integer("99999999999999999999"), Some(i64::MAX));
        assert_eq!(integer("-99999999999999999999"), Some(i64::MIN));
        assert_eq!(integer("-9223372036854775808"), Some(i64::MIN));
        for bad in [
            "", "-", "abc", "1e5", "0x10", "1.5.2", "1.x", ".5", "٣", "１",
        ] {
            assert_eq!(integer(bad), None, "{bad}");
        }
    }

    #[test]
    fn coordinates_bear_blanks() {
        for text in [
            "7,8",
            "7, 8",
            " 7 ,8",
            "7 , 8 ",
            "7\t,\t8",
            "7 8",
            "7,8 and more",
        ] {
            assert_eq!(Coord::parse(text), Some(Coord { x: 7, y: 8 }), "{text}");
        }
        for text in ["", "7", "7,", ",7", "a,b", "7;8"] {
            assert_eq!(Coord::parse(text), None, "{text}");
        }
    }

    #[test]
    fn stones_of_a_line_are_told_apart() {
        assert_eq!(tighten("7 , 7 ,1  8,8, 2"), "7,7,1  8,8,2");
        assert_eq!(numbers("7,7,1"), Some(vec![7, 7, 1]));
        assert_eq!(numbers("7,7,"), None);
        assert_eq!(numbers("done"), None);
    }
}
