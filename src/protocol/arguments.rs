//! The arguments of commands: from the text after a command's word to a value. Errors are the texts
//! of `ERROR` lines.

use super::text::{Coord, integer};
use crate::types::Color;

/// Balance values are cut to this range on both sides of 0.
const MAX_BIAS: i64 = 100_000;

/// Most characters of a number that an answer repeats.
const MAX_REPEATED: usize = 24;

/// The size of a board that a manager asks for, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSize {
    /// Columns.
    pub width: i64,
    /// Rows.
    pub height: i64,
    /// The same as it was written, for the answer to a size that no board has.
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

/// A number as it was written, cut to what fits into an answer.
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

/// What `INFO` sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name in lower case.
    pub key: String,
    /// Everything after the name, in the letter case in which it came.
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

/// `YXNBEST k`: how many moves to search for, at least 1; 1 if that is not said, or no number.
pub fn move_count(text: &str) -> usize {
    let count = text.split_whitespace().next().and_then(integer);
    count.map_or(1, |k| usize::try_from(k).unwrap_or(1).max(1))
}

/// `YXBALANCEONE b`: the wanted value for the side to move; 0 if there is none.
pub fn bias(text: &str) -> i32 {
    let bias = text.split_whitespace().next().and_then(integer);
    bias.unwrap_or(0).clamp(-MAX_BIAS, MAX_BIAS) as i32
}

/// What `YXFORBID` says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForbiddenCell {
    /// The cell.
    pub at: Coord,
    /// The side that it concerns.
    pub side: Color,
    /// Whether that side may not play there from now on, or may again.
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
