//! The record of one position, and its bytes.

use std::fmt;

use tengen::search::Bound;
use tengen::types::{MAX_SIDE, Point, Score, ScoreKind};

/// A mark of one printable ASCII character. `W`, `L` and `D` give the result for the player who
/// made the last move, `X` says not to play the move; others mean what their author decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u8);

impl Label {
    /// The last move wins.
    pub const WIN: Label = Label(b'W');
    /// It loses.
    pub const LOSS: Label = Label(b'L');
    /// It draws.
    pub const DRAW: Label = Label(b'D');
    /// It must not be played.
    pub const AVOID: Label = Label(b'X');

    /// The label with this character; small `w`, `l`, `d`, `x` count as the large ones.
    /// `None` for invisible characters, and for `-`, which stands for no label in texts.
    pub fn new(code: u8) -> Option<Label> {
        let code = match code {
            b'w' | b'l' | b'd' | b'x' => code.to_ascii_uppercase(),
            _ => code,
        };
        (code.is_ascii_graphic() && code != b'-').then_some(Label(code))
    }

    /// The character's code.
    pub fn code(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as char)
    }
}

/// The knowledge of a position. Value and label are those of the player who made the last move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// A mark.
    pub label: Option<Label>,
    /// Value; a proved win or loss counts its plies from here.
    pub value: Score,
    /// Depth of the search behind the value, in plies.
    pub depth: i16,
    /// The kind of bound that the value is; [`Bound::None`] if there is no value.
    pub bound: Bound,
    /// A comment of any length.
    pub comment: String,
    /// Short texts on free cells, in the stored orientation.
    pub cells: Vec<(Point, String)>,
}

impl Default for Record {
    /// A record without knowledge: the position was seen.
    fn default() -> Record {
        Record {
            label: None,
            value: Score::DRAW,
            depth: 0,
            bound: Bound::None,
            comment: String::new(),
            cells: Vec::new(),
        }
    }
}

/// Most bytes of a text on a cell.
const MAX_CELL_TEXT: usize = 255;

impl Record {
    /// The text on the cell at `place` of the stored orientation.
    pub fn cell_text(&self, place: Point) -> Option<&str> {
        let cell = self.cells.iter().find(|(p, _)| *p == place)?;
        Some(&cell.1)
    }

    /// Puts a text on the cell at `place` of the stored orientation; an empty one removes it.
    pub fn set_cell_text(&mut self, place: Point, text: &str) {
        self.cells.retain(|(p, _)| *p != place);
        if !text.is_empty() {
            let mut end = text.len().min(MAX_CELL_TEXT);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            self.cells.push((place, text[..end].to_string()));
        }
    }

    /// True if the record says only that the position was seen.
    pub fn is_blank(&self) -> bool {
        *self == Record::default()
    }

    /// The label as people read it: `W12` for a proved win in 12 plies, otherwise the character.
    pub fn shown_label(&self) -> Option<String> {
        let label = self.label?;
        Some(match (label, self.value.kind()) {
            (Label::WIN, ScoreKind::Win(plies)) | (Label::LOSS, ScoreKind::Loss(plies)) => {
                format!("{label}{plies}")
            }
            _ => label.to_string(),
        })
    }

    /// Takes from `other` what is better there: a deeper or more certain value with its label, a
    /// label if there is none, missing texts.
    pub fn merge(&mut self, other: Record) {
        let rank = |r: &Record| (r.value.is_decided(), r.bound == Bound::Exact, r.depth);
        if other.bound != Bound::None && (self.bound == Bound::None || rank(&other) > rank(self)) {
            self.value = other.value;
            self.depth = other.depth;
            self.bound = other.bound;
            self.label = other.label.or(self.label);
        } else {
            self.label = self.label.or(other.label);
        }
        if self.comment.is_empty() {
            self.comment = other.comment;
        }
        for (place, text) in other.cells {
            if self.cell_text(place).is_none() {
                self.set_cell_text(place, &text);
            }
        }
    }

    /// Label, value, depth and bound (1, 2, 2 and 1 bytes, low byte first), the number of cells
    /// (2) with column, row, length and text of each, and the comment to the end.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.label.map_or(0, Label::code)];
        bytes.extend(self.value.raw().to_le_bytes());
        bytes.extend(self.depth.to_le_bytes());
        bytes.push(self.bound as u8);
        bytes.extend((self.cells.len() as u16).to_le_bytes());
        for (place, text) in &self.cells {
            bytes.extend([place.x(), place.y(), text.len() as u8]);
            bytes.extend(text.as_bytes());
        }
        bytes.extend(self.comment.as_bytes());
        bytes
    }

    /// `None` if the bytes are invalid.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Record> {
        let (&[label, v0, v1, d0, d1, bound, c0, c1], mut rest) = bytes.split_first_chunk()?;
        let mut cells = Vec::new();
        for _ in 0..u16::from_le_bytes([c0, c1]) {
            let (&[x, y, length], after) = rest.split_first_chunk()?;
            let (text, after) = after.split_at_checked(length.into())?;
            rest = after;
            if x >= MAX_SIDE || y >= MAX_SIDE {
                return None;
            }
            cells.push((Point::new(x, y), String::from_utf8(text.to_vec()).ok()?));
        }
        Some(Record {
            label: Label::new(label),
            value: Score::from_raw(i16::from_le_bytes([v0, v1])),
            depth: i16::from_le_bytes([d0, d1]),
            bound: match bound {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => return None,
            },
            comment: String::from_utf8(rest.to_vec()).ok()?,
            cells,
        })
    }
}
