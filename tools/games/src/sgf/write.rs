use std::fmt::{Display, Write as _};

use super::{Node, Property, Step, Tree};
use tengen::board::{Board, Cell};
use tengen::types::{Color, Point};

/// A writer of a game tree, node by node, from the root on.
pub struct Writer {
    text: String,
}

impl Writer {
    /// A tree whose root names the board, and the rule if its name is not empty.
    pub fn new(width: u8, height: u8, rule: impl Display) -> Writer {
        let size = match width == height {
            true => width.to_string(),
            false => format!("{width}:{height}"),
        };
        let mut writer = Writer {
            text: "(;FF[4]GM[4]CA[UTF-8]".to_string(),
        };
        writer
            .property("AP", format_args!("Tengen:{}", env!("CARGO_PKG_VERSION")))
            .property("SZ", size);
        let rule = rule.to_string();
        if !rule.is_empty() {
            writer.property("RU", rule);
        }
        writer
    }

    /// A property of the current node.
    pub fn property(&mut self, name: &str, value: impl Display) -> &mut Writer {
        self.text.push_str(name);
        self.value(&value.to_string())
    }

    /// A property with several values; left out if there are none.
    pub fn values(&mut self, name: &str, values: &[String]) -> &mut Writer {
        if !values.is_empty() {
            self.text.push_str(name);
        }
        for value in values {
            self.value(value);
        }
        self
    }

    /// Sets up `board` in the current node; writes nothing for an empty board with Black to move.
    /// The format knows no blocked cells; they stand in `XB`, a property of our own.
    pub fn position(&mut self, board: &Board) -> &mut Writer {
        self.properties(&Writer::position_properties(board))
    }

    /// The properties written by [`position`](Writer::position).
    pub fn position_properties(board: &Board) -> Vec<Property> {
        let mut properties = Vec::new();
        let kinds = [
            ("AB", Cell::Black),
            ("AW", Cell::White),
            ("XB", Cell::Blocked),
        ];
        for (name, cell) in kinds {
            let found = board.points().filter(|&p| board.cell(p) == cell);
            let values: Vec<String> = found.map(place).collect();
            if !values.is_empty() {
                let name = name.to_string();
                properties.push(Property { name, values });
            }
        }
        if !board.stones().is_empty() || board.side_to_move() == Color::White {
            properties.push(Property::new("PL", letter(board.side_to_move())));
        }
        properties
    }

    /// A node with a move; `None` is a pass.
    pub fn turn(&mut self, color: Color, point: Option<Point>) -> &mut Writer {
        self.text.push(';');
        self.property(letter(color), point.map_or_else(String::new, place))
    }

    /// Begins a variation below the current node.
    pub fn open(&mut self) -> &mut Writer {
        self.text.push_str("\n(");
        self
    }

    /// Ends the last variation begun.
    pub fn close(&mut self) -> &mut Writer {
        self.text.push(')');
        self
    }

    /// All of a tree below its root, which is not written.
    pub fn replies(&mut self, tree: &Tree) -> &mut Writer {
        for step in tree.walk(Tree::ROOT).skip(1) {
            match step {
                Step::Node(reply) => self.node(tree.node(reply)),
                Step::Open => self.open(),
                Step::Close => self.close(),
            };
        }
        self
    }

    /// A node with all its properties.
    fn node(&mut self, node: &Node) -> &mut Writer {
        match node.made.filter(|_| !node.is_swap()) {
            Some(made) => drop(self.turn(made.color, made.point)),
            None => self.text.push(';'),
        }
        self.properties(&node.properties)
    }

    /// Properties of the current node.
    pub fn properties<'a>(
        &mut self,
        properties: impl IntoIterator<Item = &'a Property>,
    ) -> &mut Writer {
        for property in properties {
            self.values(&property.name, &property.values);
        }
        self
    }

    /// Bytes written so far.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// A line break, without meaning.
    pub fn new_line(&mut self) -> &mut Writer {
        self.text.push('\n');
        self
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        self.text.push_str(")\n");
        self.text
    }

    /// A value in brackets, escaped.
    fn value(&mut self, text: &str) -> &mut Writer {
        let _ = write!(self.text, "[{}]", escaped(text));
        self
    }
}

/// A text with a backslash before each closing bracket and backslash, and inside each escape sequence
/// of ISO-2022-JP: readers would take a file with a whole sequence for ISO-2022-JP.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(']', "\\]");
    text.replace("\u{1b}$", "\u{1b}\\$")
        .replace("\u{1b}(", "\u{1b}\\(")
}

/// The side as a letter.
fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// The two letters of a point.
pub fn place(p: Point) -> String {
    let letter = |n: u8| (b'a' + n) as char;
    format!("{}{}", letter(p.x()), letter(p.y()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_variations_and_escapes() {
        let mut writer = Writer::new(20, 15, "renju");
        writer
            .property("C", "a [b] \\")
            .values("AB", &["aa".to_string(), "ba".to_string()])
            .values("AW", &[])
            .open()
            .turn(Color::White, Some(Point::new(19, 14)))
            .close()
            .open()
            .turn(Color::White, None)
            .close();
        let text = writer.finish();
        assert!(
            text.ends_with("SZ[20:15]RU[renju]C[a [b\\] \\\\]AB[aa][ba]\n(;W[to])\n(;W[]))\n"),
            "{text}"
        );
        assert!(Writer::new(9, 9, "x").finish().contains("SZ[9]"));
    }
}
