//! The reader takes the text symbol by symbol without recursion, so nested variations and long
//! games need no more stack. Like other programs, the reader goes on after faults: text around the
//! games, missing brackets and unknown signs lose nothing else.

use std::str::Chars;

use super::{Property, Tree};
use tengen::board::parse_size;
use tengen::types::{MAX_SIDE, Point};

/// Faults told of one text; there may be one at each letter.
const MOST_FAULTS: usize = 5;

/// The reason why a text or a value in it was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text has no game tree.
    #[error("no SGF that can be read: there is no game, which begins with '(;'")]
    NoGame,
    /// A game with too many parts; holds the most allowed.
    #[error("a game of it has more than {0} nodes, properties and values")]
    TooLarge(usize),
    /// Not a size; holds the value.
    #[error("expected a board size such as SZ[15] or SZ[20:15], found '{0}'")]
    Size(String),
    /// Not two letters; holds the value.
    #[error("'{0}' is no point")]
    Point(String),
}

/// The game trees of a text with all their variations, read one after the other. Moves are still
/// texts.
pub struct Trees<'a> {
    reader: Reader<'a>,
    /// True once there was a game, or the error that there is none.
    has_game: bool,
}

impl<'a> Trees<'a> {
    /// The trees of `text`; one with more than `most_parts` nodes, properties and values is
    /// refused.
    pub fn new(text: &'a str, most_parts: usize) -> Trees<'a> {
        Trees {
            reader: Reader {
                text,
                rest: text,
                most_parts,
                parts: 0,
                faults: Vec::new(),
                told: 0,
            },
            has_game: false,
        }
    }

    /// The parts that were left out since the last call, each with its line, from 1.
    pub fn take_faults(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.reader.faults)
    }
}

impl Iterator for Trees<'_> {
    type Item = Result<Tree, ReadError>;

    fn next(&mut self) -> Option<Result<Tree, ReadError>> {
        while self.reader.find_game() {
            if let Some(tree) = self.reader.game().transpose() {
                self.has_game = true;
                return Some(tree);
            }
        }
        let is_first = !std::mem::replace(&mut self.has_game, true);
        is_first.then_some(Err(ReadError::NoGame))
    }
}

/// Columns and rows by a value of `SZ`; the engine may not support them.
///
/// # Errors
/// When the value is no size.
pub fn size(text: &str) -> Result<(u32, u32), ReadError> {
    let size = parse_size(&text.trim().replace(':', "x"));
    size.ok_or_else(|| ReadError::Size(text.to_string()))
}

/// True if a game may begin at the bracket that `text` begins with: `(;`, or a property behind the
/// bracket.
pub fn begins_game(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('(') else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    let name = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    rest.starts_with(';') || (name.len() < rest.len() && name.trim_ascii_start().starts_with('['))
}

/// The first place in a text where a game may begin.
pub fn find_game(text: &str) -> Option<usize> {
    let mut brackets = text.match_indices('(');
    brackets.find_map(|(at, _)| begins_game(&text[at..]).then_some(at))
}

/// A reader of a text from its beginning to its end.
struct Reader<'a> {
    text: &'a str,
    /// The unread end of the text.
    rest: &'a str,
    most_parts: usize,
    /// Number of parts of the present game.
    parts: usize,
    faults: Vec<(usize, String)>,
    /// Number of all faults told.
    told: usize,
}

impl Reader<'_> {
    /// The next symbol, without taking it; blanks before it are skipped.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches(is_blank);
        self.rest.chars().next()
    }

    /// Skips the symbol returned by [`peek`](Reader::peek).
    fn skip(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
    }

    /// Notes a fault before the present place.
    fn fault(&mut self, what: impl Into<String>) {
        if self.told < MOST_FAULTS {
            self.told += 1;
            let read = &self.text[..self.text.len() - self.rest.len()];
            let line = 1 + read.bytes().filter(|&byte| byte == b'\n').count();
            self.faults.push((line, what.into()));
        }
    }

    /// Moves to the next game; text before it is left out. False at the end.
    fn find_game(&mut self) -> bool {
        let at = find_game(self.rest);
        let between = &self.rest[..at.unwrap_or(self.rest.len())];
        if !between.chars().all(is_blank) {
            // A text without any game is refused as a whole.
            let side = match at {
                Some(_) => "before",
                None => "after",
            };
            self.fault(format!("text {side} the game is left out"));
        }
        self.rest = &self.rest[between.len()..];
        at.is_some()
    }

    /// Counts a part of the present game.
    fn count(&mut self) -> Result<(), ReadError> {
        self.parts += 1;
        match self.parts > self.most_parts {
            true => Err(ReadError::TooLarge(self.most_parts)),
            false => Ok(()),
        }
    }

    /// A game tree; one without nodes is no game.
    fn game(&mut self) -> Result<Option<Tree>, ReadError> {
        self.parts = 0;
        let mut tree = None;
        // The nodes at which open variations began.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut at: Option<usize> = None;
        // A node without `;` may follow a bracket.
        let mut is_new = false;
        loop {
            match self.peek() {
                Some('(') => {
                    self.skip();
                    open.push(at);
                    is_new = true;
                }
                Some(')') => {
                    self.skip();
                    at = open.pop().flatten();
                    is_new = false;
                    if open.is_empty() {
                        break;
                    }
                }
                Some(c) if c == ';' || is_new => {
                    if c == ';' {
                        self.skip();
                    }
                    is_new = false;
                    let properties = self.node()?;
                    let is_first = tree.is_none();
                    let tree = tree.get_or_insert_with(Tree::default);
                    let place = match is_first {
                        true => Tree::ROOT,
                        // A second root is a reply to the first.
                        false => tree.add(at.unwrap_or(Tree::ROOT), None),
                    };
                    tree.node_mut(place).properties = properties;
                    at = Some(place);
                }
                Some(c) => {
                    self.skip();
                    self.fault(format!("'{c}' is left out"));
                }
                None => {
                    self.fault("the text ends inside a game");
                    break;
                }
            }
        }
        Ok(tree)
    }

    /// The properties of a node.
    fn node(&mut self) -> Result<Vec<Property>, ReadError> {
        self.count()?;
        let mut properties = Vec::new();
        while !matches!(self.peek(), None | Some('(' | ')' | ';')) {
            properties.extend(self.property()?);
        }
        Ok(properties)
    }

    /// A property; `None` for anything else, which is left out.
    fn property(&mut self) -> Result<Option<Property>, ReadError> {
        self.count()?;
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_of_name(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let has_capitals = word.contains(|c: char| c.is_ascii_uppercase());
        // Small letters beside capitals, as in the names of old files (`CoPyright`), do not count.
        let name: String = match has_capitals {
            true => word.replace(|c: char| c.is_ascii_lowercase(), ""),
            false => word.to_ascii_uppercase(),
        };
        self.rest = rest;
        let mut values = Vec::new();
        while self.peek() == Some('[') {
            self.count()?;
            values.extend(self.value());
        }
        if !name.is_empty() && !values.is_empty() {
            return Ok(Some(Property { name, values }));
        }
        if values.is_empty() && name.is_empty() {
            let Some(sign) = self.peek() else {
                return Ok(None);
            };
            self.skip();
            self.fault(format!("'{sign}' is left out"));
        } else if self.peek().is_some() {
            self.fault(match name.is_empty() {
                true => "a value without a property is left out".to_string(),
                false => format!("{name} has no value and is left out"),
            });
        }
        Ok(None)
    }

    /// A value in its brackets; `None` where the text ends inside it.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut chars = self.rest.chars();
        chars.next();
        loop {
            match chars.next() {
                Some(']') => {
                    self.rest = chars.as_str();
                    return Some(value);
                }
                Some('\\') => value.extend(escaped(&mut chars)),
                Some(c) => value.push(c),
                None => {
                    self.rest = "";
                    return None;
                }
            }
        }
    }
}

/// A blank between symbols; NUL and ^Z end the files of old systems.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\0' | '\x1a' | '\u{feff}')
}

/// The character that follows a backslash. An escaped line end, of one character or two, only wraps
/// a long line: it is read, and dropped.
fn escaped(chars: &mut Chars) -> Option<char> {
    let first = chars.next()?;
    let second = match first {
        '\r' => '\n',
        '\n' => '\r',
        _ => return Some(first),
    };
    if let Some(rest) = chars.as_str().strip_prefix(second) {
        *chars = rest.chars();
    }
    None
}

/// The point `hh`, or all points of the rectangle `aa:cc`, row by row. Points may lie off the
/// game's board of `height` rows. Points as people write them, such as `h8`, are read too.
///
/// # Errors
/// When the text is none of these.
pub fn cells(text: &str, height: u8) -> Result<Vec<Point>, ReadError> {
    let error = || ReadError::Point(text.to_string());
    if let Ok(p) = Point::from_label(text.trim(), MAX_SIDE, height) {
        return Ok(vec![p]);
    }
    let cell = |text: &str| -> Option<(u8, u8)> {
        let [x, y] = *text.trim().as_bytes() else {
            return None;
        };
        let side = |letter: u8| letter.to_ascii_lowercase().checked_sub(b'a');
        let (x, y) = (side(x)?, side(y)?);
        (x < MAX_SIDE && y < MAX_SIDE).then_some((x, y))
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let (from, to) = cell(from).zip(cell(to)).ok_or_else(error)?;
    Ok((from.1..=to.1)
        .flat_map(|y| (from.0..=to.0).map(move |x| Point::new(x, y)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct All {
        trees: Vec<Tree>,
        faults: Vec<(usize, String)>,
    }

    fn trees(text: &str) -> Result<All, ReadError> {
        let mut read = Trees::new(text, usize::MAX);
        let trees = read.by_ref().collect::<Result<_, _>>()?;
        let faults = read.take_faults();
        Ok(All { trees, faults })
    }

    fn of_root(tree: &Tree, name: &str) -> Option<String> {
        let found = tree.node(Tree::ROOT).find(name);
        found.map(|p| p.value().to_string())
    }

    fn one(text: &str) -> Tree {
        let read = trees(text).unwrap();
        assert_eq!(read.trees.len(), 1, "{text}");
        read.trees.into_iter().next().unwrap()
    }

    fn nth(tree: &Tree, index: usize) -> &Property {
        let place = tree.main_line().nth(index).unwrap();
        &tree.node(place).properties[0]
    }

    #[test]
    fn values_come_back_as_they_were_meant() {
        let text = "(;GM[4]PB[a \\] \\\\ [b]PW[x]\nC[(;W[)\\]]AB[aa] [bb];B[](;W[hh])(;W[ii]))";
        for text in [text.to_string(), text.replace("GM[4]", "")] {
            let tree = one(&text);
            assert_eq!(of_root(&tree, "PB").unwrap(), "a ] \\ [b");
            assert_eq!(of_root(&tree, "C").unwrap(), "(;W[)]");
            assert_eq!(
                tree.node(Tree::ROOT).find("AB").unwrap().values,
                ["aa", "bb"]
            );
            assert_eq!((tree.main_line().count(), tree.len()), (3, 4));
            assert_eq!((&*nth(&tree, 1).name, nth(&tree, 1).value()), ("B", ""));
            assert_eq!(nth(&tree, 2).value(), "hh");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes under Miri")]
    fn depth_and_length_have_no_limit() {
        const NODES: usize = 200_000;
        let nested = |node: &str| node.repeat(NODES) + &")".repeat(NODES);
        let long = format!("({})", ";B[hh]".repeat(NODES));
        let beside = format!("(;B[aa](;W[bb]){})", nested("(;C[x]"));
        for (text, count) in [(nested("(;B[hh]"), NODES), (long, NODES), (beside, 2)] {
            let tree = one(&text);
            assert_eq!(tree.main_line().count(), count);
            assert!(tree.walk(Tree::ROOT).count() >= tree.len());
        }
        assert_eq!(one(&"(;B[hh]".repeat(NODES)).len(), NODES);
    }

    #[test]
    fn quirks_of_other_programs_are_understood() {
        let text = "\n( ;GaMe[4] PlayerBlack [a\nb]C[x\ny\\\nz] ; B [hh] ) \n(;SZ[20])\n";
        let read = trees(text).unwrap();
        assert_eq!((read.trees.len(), read.faults.len()), (2, 0));
        let tree = &read.trees[0];
        assert_eq!(of_root(tree, "GM").unwrap(), "4");
        assert_eq!(of_root(tree, "PB").unwrap(), "a\nb");
        assert_eq!(of_root(tree, "C").unwrap(), "x\nyz");
        assert_eq!(nth(tree, 1).value(), "hh");
        let tree = one("(;gm[4]KM_[1]x_y[2]5A[gg];b[hh])\r\n\0\x1a");
        for (name, value) in [("GM", "4"), ("KM_", "1"), ("X_Y", "2"), ("5A", "gg")] {
            assert_eq!(of_root(&tree, name).unwrap(), value);
        }
        assert_eq!(nth(&tree, 1).name, "B");
        assert_eq!(nth(&one("(GM[4];B[hh])"), 1).value(), "hh");
    }

    #[test]
    fn escaped_line_ends_are_left_out() {
        for end in ["\n", "\r", "\r\n", "\n\r"] {
            let tree = one(&format!(
                "(;PB[long na\\{end}me\\{end}]C[a\\{end}\\{end}b{end}c];B[hh])"
            ));
            assert_eq!(of_root(&tree, "PB").unwrap(), "long name", "{end:?}");
            assert_eq!(of_root(&tree, "C").unwrap(), format!("ab{end}c"), "{end:?}");
            assert_eq!(tree.len(), 2);
        }
        // Two line ends; the first is escaped.
        assert_eq!(
            of_root(&one("(;C[a\\\n\nb\\\r\rc])"), "C").unwrap(),
            "a\nb\rc"
        );
    }

    #[test]
    fn parts_left_out_are_told_with_their_line() {
        for (text, line, fault) in [
            ("(;B[hh]", 1, "the text ends inside a game"),
            ("(;B[hh])\n)", 1, "text after the game is left out"),
            ("Saved\n(;B[hh])", 1, "text before the game is left out"),
            ("(;\nB)", 2, "B has no value and is left out"),
            ("(;B[hh]\n[ii],W[jj])", 2, "',' is left out"),
            ("(;B[hh];\nW[ii)", 2, "the text ends inside a game"),
            ("(;五[x])", 1, "'五' is left out"),
        ] {
            let found = trees(text).unwrap();
            assert_eq!(found.faults[0], (line, fault.to_string()), "{text}");
        }
        for text in ["", "hello", "()", "((", "h8 i9"] {
            assert_eq!(trees(text).err(), Some(ReadError::NoGame), "{text}");
        }
        assert_eq!(trees(&"(;%".repeat(100)).unwrap().faults.len(), MOST_FAULTS);
    }

    #[test]
    fn sizes_and_points() {
        assert_eq!(size("20:15"), Ok((20, 15)));
        assert_eq!(size(" 15 "), Ok((15, 15)));
        assert!(size("x").is_err());
        for text in ["hh", "HH", "h8", "H8"] {
            assert_eq!(cells(text, 15), Ok(vec![Point::new(7, 7)]));
        }
        assert_eq!(cells("aa:cb", 15).unwrap().len(), 6);
        for bad in ["", "h", "hhh", "h99", "zz", "aa:", "é"] {
            assert!(cells(bad, 15).is_err(), "{bad}");
        }
    }
}
