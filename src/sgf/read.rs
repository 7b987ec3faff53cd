//! Reading, by `sgf-parse`, which handles the escapes and quirks of old files.

use sgf_parse::{GameTree, SgfNode, SgfProp};

use crate::board::parse_size;
use crate::types::{MAX_SIDE, Point};

/// Side of the board where a game does not give one.
const USUAL_SIDE: u32 = 15;

/// Why a text or a value in it was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is not a game tree; holds the parser's message.
    #[error("no SGF that can be read: {0}")]
    Tree(String),
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
    /// Its name, in capitals.
    pub name: String,
    /// At least one, which may be empty.
    pub values: Vec<String>,
}

impl Property {
    /// The first value.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

/// The main line of a game: the properties of each node from the root on, following the first
/// variation.
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

    /// Columns and rows, which the engine may not support.
    ///
    /// # Errors
    /// When `SZ` is not a size.
    pub fn size(&self) -> Result<(u32, u32), ReadError> {
        let Some(text) = self.of_root("SZ") else {
            return Ok((USUAL_SIDE, USUAL_SIDE));
        };
        parse_size(&text.trim().replace(':', "x")).ok_or_else(|| ReadError::Size(text.to_string()))
    }
}

/// The games of a text, each by its main line.
///
/// # Errors
/// When the text is not in this format.
pub fn games(text: &str) -> Result<Vec<SgfGame>, ReadError> {
    let trees = sgf_parse::parse(text).map_err(|error| ReadError::Tree(error.to_string()))?;
    let main_line = |tree: &GameTree| match tree {
        GameTree::GoGame(root) => main_line(root),
        GameTree::Unknown(root) => main_line(root),
    };
    Ok(trees.iter().map(main_line).collect())
}

fn main_line<P: SgfProp + ToString>(root: &SgfNode<P>) -> SgfGame {
    let node = |node: &SgfNode<P>| {
        let property = |property: &P| Property {
            name: property.identifier(),
            values: values(&property.to_string()),
        };
        node.properties().map(property).collect()
    };
    SgfGame {
        nodes: root.main_variation().map(node).collect(),
    }
}

/// The bracketed values of a property as it is written in a file.
fn values(text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut value: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, &mut value) {
            ('[', None) => value = Some(String::new()),
            (']', Some(_)) => values.extend(value.take()),
            ('\\', Some(value)) => value.extend(chars.next()),
            (c, Some(value)) => value.push(c),
            (_, None) => {}
        }
    }
    values
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
            let mut stones = game.nodes[0]
                .iter()
                .find(|p| p.name == "AB")
                .unwrap()
                .clone();
            stones.values.sort();
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
