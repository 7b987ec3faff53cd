//! The reader. It takes the text symbol by symbol without recursion, so that neither nested
//! variations nor long games need more stack.

use std::str::Chars;

use tengen::board::parse_size;
use tengen::types::{MAX_SIDE, Point};

/// Side of the board if a game gives none.
const USUAL_SIDE: u32 = 15;

/// The reason why a text or a value in it was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is no game tree; holds the line and the fault there.
    #[error("no SGF that can be read: {0}")]
    Tree(String),
    /// A record of another game; holds the kind of game.
    #[error("this is a record of {0}, not of Gomoku or Renju (GM[4])")]
    Kind(String),
    /// Not a size; holds the value.
    #[error("expected a board size such as SZ[15] or SZ[20:15], found '{0}'")]
    Size(String),
    /// Not two letters; holds the value.
    #[error("'{0}' is no point")]
    Point(String),
}

/// A property with its values, unescaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name, in capitals.
    pub name: String,
    /// The values, at least one; a value may be empty.
    pub values: Vec<String>,
}

impl Property {
    /// The first value.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

/// The main line of a game: the properties of each node from the root on, along the first
/// variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfGame {
    /// The nodes, the root first.
    pub nodes: Vec<Vec<Property>>,
}

impl SgfGame {
    /// The value of a property of the root.
    pub fn of_root(&self, name: &str) -> Option<&str> {
        let found = self.nodes.first()?.iter().find(|p| p.name == name);
        found.map(Property::value)
    }

    /// Checks that the record is one of this game: with `GM[4]`, or without `GM`.
    ///
    /// # Errors
    /// When `GM` names another game. Records of Go look the same except for their rules.
    pub fn check_kind(&self) -> Result<(), ReadError> {
        match self.of_root("GM").map(str::trim) {
            None | Some("4" | "") => Ok(()),
            Some("1") => Err(ReadError::Kind("Go (GM[1])".to_string())),
            Some(other) => Err(ReadError::Kind(format!("another game (GM[{other}])"))),
        }
    }

    /// Columns and rows; the engine may not support them.
    ///
    /// # Errors
    /// When `SZ` is no size.
    pub fn size(&self) -> Result<(u32, u32), ReadError> {
        let Some(text) = self.of_root("SZ") else {
            return Ok((USUAL_SIDE, USUAL_SIDE));
        };
        parse_size(&text.trim().replace(':', "x")).ok_or_else(|| ReadError::Size(text.to_string()))
    }
}

/// The games of a text, each by its main line. Other variations must be well formed, but are not
/// kept.
///
/// # Errors
/// When the text is not in this format.
pub fn games(text: &str) -> Result<Vec<SgfGame>, ReadError> {
    let mut reader = Reader { text, rest: text };
    let mut games = Vec::new();
    while games.is_empty() || reader.peek().is_some() {
        games.push(reader.game()?);
    }
    Ok(games)
}

/// A reader of a text from its beginning to its end.
struct Reader<'a> {
    text: &'a str,
    /// The unread end of the text.
    rest: &'a str,
}

impl Reader<'_> {
    /// The next symbol, without taking it; blanks before it are skipped.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.chars().next()
    }

    /// Skips the symbol returned by [`peek`](Reader::peek).
    fn skip(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
    }

    /// An error at the present place.
    fn error(&self, why: &str) -> ReadError {
        let read = &self.text[..self.text.len() - self.rest.len()];
        let line = 1 + read.bytes().filter(|&byte| byte == b'\n').count();
        ReadError::Tree(format!("line {line}: {why}"))
    }

    /// A game tree.
    fn game(&mut self) -> Result<SgfGame, ReadError> {
        let mut nodes = Vec::new();
        let mut depth = 0_usize;
        // The main line follows each first variation, so the first `)` ends it.
        let mut is_main_line = true;
        loop {
            match self.peek() {
                Some('(') => {
                    depth += 1;
                    self.skip();
                    if self.peek() != Some(';') {
                        return Err(self.error("expected ';' after '('"));
                    }
                }
                Some(';') if depth > 0 => {
                    self.skip();
                    let node = self.node()?;
                    if is_main_line {
                        nodes.push(node);
                    }
                }
                Some(')') if depth > 0 => {
                    depth -= 1;
                    is_main_line = false;
                    self.skip();
                    if depth == 0 {
                        return Ok(SgfGame { nodes });
                    }
                }
                Some(_) => return Err(self.error("expected a game, which begins with '(;'")),
                None if depth == 0 => return Err(self.error("there is no game")),
                None => return Err(self.error("the text ends inside a game")),
            }
        }
    }

    /// The properties of a node.
    fn node(&mut self) -> Result<Vec<Property>, ReadError> {
        let mut properties = Vec::new();
        while !matches!(self.peek(), None | Some('(' | ')' | ';')) {
            properties.push(self.property()?);
        }
        Ok(properties)
    }

    fn property(&mut self) -> Result<Property, ReadError> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric());
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        // Small letters in the names of old files (`CoPyright`) do not count.
        let name: String = name.chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() {
            return Err(self.error("expected a property such as B[hh]"));
        }
        self.rest = rest;
        let mut values = Vec::new();
        while self.peek() == Some('[') {
            let value = self.value()?;
            values.push(match name.as_str() {
                "C" => value,
                // Only comments have lines.
                _ => value.replace(['\n', '\r', '\t'], " "),
            });
        }
        if values.is_empty() {
            return Err(self.error(&format!("{name} has no value")));
        }
        Ok(Property { name, values })
    }

    /// A value in its brackets.
    fn value(&mut self) -> Result<String, ReadError> {
        let mut value = String::new();
        let mut chars = self.rest.chars();
        chars.next();
        loop {
            match chars.next() {
                Some(']') => {
                    self.rest = chars.as_str();
                    return Ok(value);
                }
                Some('\\') => value.extend(escaped(&mut chars)),
                Some(c) => value.push(c),
                None => return Err(self.error("'[' without ']'")),
            }
        }
    }
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

/// The point `hh`, or all points of the rectangle `aa:cc`, row by row. They may be off the game's
/// board.
///
/// # Errors
/// When the text is neither.
pub fn cells(text: &str) -> Result<Vec<Point>, ReadError> {
    let error = || ReadError::Point(text.to_string());
    let cell = |text: &str| -> Option<(u8, u8)> {
        let [x, y] = *text.trim().as_bytes() else {
            return None;
        };
        let (x, y) = (x.checked_sub(b'a')?, y.checked_sub(b'a')?);
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

    #[test]
    fn values_come_back_as_they_were_meant() {
        let text = "(;GM[4]PB[a \\] \\\\ [b]PW[x]\nC[(;W[)\\]]AB[aa] [bb];B[](;W[hh])(;W[ii]))";
        for text in [text.to_string(), text.replace("GM[4]", "")] {
            let game = games(&text).unwrap().remove(0);
            assert_eq!(game.of_root("PB"), Some("a ] \\ [b"));
            assert_eq!(game.of_root("C"), Some("(;W[)]"));
            let stones = game.nodes[0].iter().find(|p| p.name == "AB").unwrap();
            assert_eq!(stones.values, ["aa", "bb"]);
            assert_eq!(game.nodes.len(), 3);
            assert_eq!(
                (&*game.nodes[1][0].name, game.nodes[1][0].value()),
                ("B", "")
            );
            assert_eq!(game.nodes[2][0].value(), "hh");
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
            assert_eq!(games(&text).unwrap()[0].nodes.len(), count);
        }
        assert!(games(&"(;B[hh]".repeat(NODES)).is_err());
    }

    #[test]
    fn quirks_of_old_files_are_understood() {
        let text = "\n( ;GaMe[4] PlayerBlack [a\nb]C[x\ny\\\nz] ; B [hh] ) \n(;SZ[20])\n";
        let games = games(text).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].of_root("GM"), Some("4"));
        assert_eq!(games[0].of_root("PB"), Some("a b"));
        assert_eq!(games[0].of_root("C"), Some("x\nyz"));
        assert_eq!(games[0].nodes[1][0].value(), "hh");
        assert_eq!(games[1].size(), Ok((20, 20)));
    }

    #[test]
    fn escaped_line_ends_are_left_out() {
        for end in ["\n", "\r", "\r\n", "\n\r"] {
            let text = format!("(;PB[long na\\{end}me\\{end}]C[a\\{end}\\{end}b{end}c];B[hh])");
            let game = &games(&text).unwrap()[0];
            assert_eq!(game.of_root("PB"), Some("long name"), "{end:?}");
            assert_eq!(game.of_root("C"), Some(&*format!("ab{end}c")), "{end:?}");
            assert_eq!(game.nodes.len(), 2);
        }
        // Two line ends; the first is escaped.
        let text = "(;C[a\\\n\nb\\\r\rc])";
        assert_eq!(games(text).unwrap()[0].of_root("C"), Some("a\nb\rc"));
    }

    #[test]
    fn errors_say_where() {
        for (text, message) in [
            ("", "line 1: there is no game"),
            ("hello", "line 1: expected a game"),
            ("(;B[hh]", "line 1: the text ends inside a game"),
            ("(;B[hh])\n)", "line 2: expected a game"),
            ("()", "line 1: expected ';'"),
            ("(;B[hh]((;W[ii])))", "line 1: expected ';'"),
            ("(;\nB)", "line 2: B has no value"),
            ("(;B[hh];\nW[ii)", "line 2: '[' without ']'"),
            ("(;五[x])", "line 1: expected a property"),
        ] {
            let error = games(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn sizes_and_points() {
        let size = |text: &str| games(text).unwrap()[0].size();
        assert_eq!(size("(;GM[4])"), Ok((15, 15)));
        assert_eq!(size("(;GM[4]SZ[20:15])"), Ok((20, 15)));
        assert!(size("(;GM[4]SZ[x])").is_err());
        assert_eq!(cells("hh"), Ok(vec![Point::new(7, 7)]));
        assert_eq!(cells("aa:cb").unwrap().len(), 6);
        for bad in ["", "h", "hhh", "H8", "zz", "aa:"] {
            assert!(cells(bad).is_err(), "{bad}");
        }
        assert!(matches!(games("hello"), Err(ReadError::Tree(_))));
    }
}
