//! Numbers, coordinates and arguments in the forms of managers, and texts that every manager can
//! show.

use std::fmt;
use std::path::Path;

use crate::types::Color;

/// Reads a whole number. A sign is allowed, a fraction is cut off, and a number out of range
/// becomes the nearest `i64`. `None` when the text is not a number.
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

/// Most characters of a text about files; their names may have any length.
const MAX_TEXT: usize = 900;
/// Most characters of a path in such a text.
const MAX_PATH: usize = 200;

/// A text about files that every manager can show: short, and in printable ASCII. Files may have
/// any name, and the operating system may describe an error in any language.
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

/// The first word, and the text after it.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Takes out the blanks around commas, so that each word is one coordinate.
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
    /// Reads `7,8`, `7 , 8` or `7 8`; the rest is ignored.
    pub fn parse(text: &str) -> Option<Coord> {
        let text = tighten(text).replace(',', " ");
        let mut words = text.split_whitespace().map(integer);
        match (words.next(), words.next()) {
            (Some(Some(x)), Some(Some(y))) => Some(Coord { x, y }),
            _ => None,
        }
    }
}

/// One cell of a block, and the field with its owner if the block has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardEntry {
    /// The cell as it came.
    pub at: Coord,
    /// 1 for a stone of the engine, 2 for one of the opponent, 3 for a cell that nobody may use.
    pub field: Option<i64>,
}

/// As in a block: `7,8` or `7,8,1`.
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

/// The part of a line that no command has taken yet. Taking a part costs time in proportion to its
/// length, so that a whole line is read in linear time.
pub struct LineText {
    text: String,
    start: usize,
    /// True if single blanks stand between words, and none around commas.
    is_tight: bool,
}

impl LineText {
    /// A whole line.
    pub fn new(line: &str) -> LineText {
        LineText {
            text: line.to_string(),
            start: 0,
            is_tight: false,
        }
    }

    /// The part left.
    pub fn rest(&self) -> &str {
        &self.text[self.start..]
    }

    /// True if nothing but blanks is left.
    pub fn is_empty(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    /// Keeps only the last `len` bytes of the rest.
    pub fn keep_last(&mut self, len: usize) {
        self.start = self.text.len() - len;
    }

    /// Takes everything.
    pub fn take_all(&mut self) -> String {
        let rest = self.rest().to_string();
        self.start = self.text.len();
        rest
    }

    /// Takes out blanks around commas, so that each word is one cell of a block.
    pub fn tighten(&mut self) {
        if !self.is_tight {
            let words = tighten(self.rest());
            let words: Vec<&str> = words.split_whitespace().collect();
            self.text = words.join(" ");
            self.start = 0;
            self.is_tight = true;
        }
    }

    /// The next word, without taking it.
    pub fn peek_word(&self) -> Option<&str> {
        self.rest().split_whitespace().next()
    }

    /// Takes the next word.
    pub fn next_word(&mut self) -> Option<&str> {
        let rest = self.rest();
        let start = self.start + (rest.len() - rest.trim_start().len());
        let word = self.text[start..].split_whitespace().next()?;
        self.start = start + word.len();
        Some(word)
    }
}

/// Balance values are cut to this range on both sides of 0.
const MAX_BIAS: i64 = 100_000;

/// Most characters of a number repeated in an answer.
const MAX_REPEATED: usize = 24;

/// The size of a board asked for by a manager, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// Columns.
    pub width: i64,
    /// Rows.
    pub height: i64,
    /// The size as written, for the answer to a size that no board has.
    pub asked: String,
}

/// `START 15`, and the GUIs' `start 15 15` and `start 15,15`.
pub fn board_size(text: &str) -> Result<BoardSize, &'static str> {
    if let Some(size) = width_and_height(text) {
        return Ok(size);
    }
    match integer(text) {
        Some(side) => Ok(BoardSize {
            width: side,
            height: side,
            asked: repeated(text),
        }),
        None => Err("bad size, expected START n (e.g. 15 or 20)"),
    }
}

/// `RECTSTART width,height`.
pub fn rectangle(text: &str) -> Result<BoardSize, &'static str> {
    width_and_height(text).ok_or("bad size, expected RECTSTART width,height")
}

fn width_and_height(text: &str) -> Option<BoardSize> {
    let Coord { x, y } = Coord::parse(text)?;
    let numbers = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty());
    let asked: Vec<String> = numbers.take(2).map(repeated).collect();
    Some(BoardSize {
        width: x,
        height: y,
        asked: asked.join("x"),
    })
}

/// A number as it was written, cut to fit into an answer.
fn repeated(number: &str) -> String {
    match number.get(..MAX_REPEATED) {
        Some(head) if head.len() < number.len() => format!("{head}..."),
        _ => number.to_string(),
    }
}

/// `TURN x,y` and the like.
pub fn cell(text: &str) -> Result<Coord, &'static str> {
    Coord::parse(text).ok_or("bad coordinates, expected x,y")
}

/// A setting of `INFO`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name in lower case.
    pub key: String,
    /// Everything after the name, in its letter case.
    pub value: String,
}

/// `INFO key value`.
pub fn setting(text: &str) -> Setting {
    let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Setting {
        key: key.to_ascii_lowercase(),
        value: value.trim().to_string(),
    }
}

/// `YXNBEST k`: the number of moves to search for, at least 1; 1 without a number.
pub fn move_count(text: &str) -> usize {
    let count = text.split_whitespace().next().and_then(integer);
    count.map_or(1, |k| usize::try_from(k).unwrap_or(1).max(1))
}

/// `YXBALANCEONE b`: the wanted value for the side to move; 0 if there is none.
pub fn bias(text: &str) -> i32 {
    let bias = text.split_whitespace().next().and_then(integer);
    bias.unwrap_or(0).clamp(-MAX_BIAS, MAX_BIAS) as i32
}

/// The content of a `YXFORBID`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForbiddenCell {
    /// The cell.
    pub at: Coord,
    /// The side for which the cell is forbidden or allowed.
    pub side: Color,
    /// True if that side may not play there from now on; false if it may again.
    pub is_forbidden: bool,
}

/// `YXFORBID add x,y s` or `del x,y s`, with 0 for Black and 1 for White.
pub fn forbidden_cell(text: &str) -> Result<ForbiddenCell, &'static str> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_forbidden = word.eq_ignore_ascii_case("add");
    let is_gap = |c: char| c.is_whitespace() || c == ',';
    let words: Vec<&str> = rest.split(is_gap).filter(|word| !word.is_empty()).collect();
    let side = match words[..] {
        [_, _, "0"] => Some(Color::Black),
        [_, _, "1"] => Some(Color::White),
        _ => None,
    };
    match (Coord::parse(rest), side) {
        (Some(at), Some(side)) if is_forbidden || word.eq_ignore_ascii_case("del") => {
            Ok(ForbiddenCell {
                at,
                side,
                is_forbidden,
            })
        }
        _ => Err("expected YXFORBID add|del x y 0|1"),
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

    #[test]
    fn a_size_has_one_number_or_two() {
        let square = |asked: &str| BoardSize {
            width: 15,
            height: 15,
            asked: asked.to_string(),
        };
        assert_eq!(board_size("15"), Ok(square("15")));
        for text in ["15 15", "15,15", "15 ,15"] {
            assert_eq!(board_size(text), Ok(square("15x15")), "{text}");
            assert_eq!(rectangle(text), Ok(square("15x15")), "{text}");
        }
        for text in ["", "abc", "15 abc"] {
            assert!(board_size(text).is_err(), "{text}");
        }
        assert!(rectangle("15").is_err());
    }

    #[test]
    fn a_setting_is_a_key_and_all_that_follows() {
        let read = |text| {
            let Setting { key, value } = setting(text);
            (key, value)
        };
        let folder = ("folder".to_string(), "C:\\My Files".to_string());
        assert_eq!(read("FOLDER  C:\\My Files "), folder);
        assert_eq!(read(""), (String::new(), String::new()));
    }

    #[test]
    fn numbers_are_brought_into_their_range() {
        assert_eq!(
            [move_count("3"), move_count("-3"), move_count("")],
            [3, 1, 1]
        );
        assert_eq!([bias("-50"), bias("x"), bias("9999999")], [-50, 0, 100_000]);
    }
}
