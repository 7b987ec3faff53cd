//! The record of one position, and its bytes.

use std::fmt;

use super::key::Situation;
use tengen::search::Bound;
use tengen::types::{MAX_SIDE, Point, Score, ScoreKind, Symmetry};
use tengen_games::renlib::add_text;

/// A mark of one printable ASCII character. `W`, `L` and `D` give the result for the player who
/// made the last move, `X` says not to play the move; the meaning of others is their author's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u8);

impl Label {
    /// The last move wins.
    pub const WIN: Label = Label(b'W');
    /// The last move loses.
    pub const LOSS: Label = Label(b'L');
    /// The last move draws.
    pub const DRAW: Label = Label(b'D');
    /// The last move must not be played.
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

/// An orientation in which a library or a person drew a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The first map that leads there from the stored orientation.
    pub map: Symmetry,
    /// A comment of any length, maybe empty, with the points of the drawing.
    pub comment: String,
}

impl Drawing {
    /// A comment on a position in its stored orientation, as the only drawing.
    pub fn only(comment: impl Into<String>) -> Vec<Drawing> {
        let (map, comment) = (Symmetry::default(), comment.into());
        vec![Drawing { map, comment }]
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
    /// The orientations in which the position was drawn, with the comment of each; none for a
    /// position without comments that only a search has seen.
    pub drawings: Vec<Drawing>,
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
            drawings: Vec::new(),
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
        *self == self.forgotten()
    }

    /// A record with the same drawings, their comments empty, and no other knowledge.
    pub fn forgotten(&self) -> Record {
        let undescribed = |drawing: &Drawing| Drawing {
            map: drawing.map,
            comment: String::new(),
        };
        Record {
            drawings: self.drawings.iter().map(undescribed).collect(),
            ..Record::default()
        }
    }

    /// True if there is a comment on the position.
    pub fn has_comment(&self) -> bool {
        self.drawings
            .iter()
            .any(|drawing| !drawing.comment.is_empty())
    }

    /// The comments of all drawings, one below the other, with their points turned to the
    /// orientation of `seen`.
    pub fn comment(&self, seen: &Situation) -> String {
        let mut all = String::new();
        for drawing in &self.drawings {
            add_text(&mut all, &seen.turned(&drawing.comment, drawing.map), "\n");
        }
        all
    }

    /// Adds a comment on the orientation of `seen`, which is a drawing from now on.
    pub fn add_comment(&mut self, seen: &Situation, comment: &str) {
        let map = seen.drawing();
        match self.drawings.iter_mut().find(|drawing| drawing.map == map) {
            Some(drawing) => add_text(&mut drawing.comment, comment, "\n"),
            None => self.drawings.push(Drawing {
                map,
                comment: comment.to_string(),
            }),
        }
    }

    /// Replaces the comments of all drawings.
    pub fn set_comment(&mut self, seen: &Situation, comment: &str) {
        self.drawings = self.forgotten().drawings;
        let is_drawn = |drawing: &Drawing| drawing.map == seen.drawing();
        if self.drawings.is_empty() || self.drawings.iter().any(is_drawn) {
            return self.add_comment(seen, comment);
        }
        let first = &mut self.drawings[0];
        first.comment = seen.turned_to(comment, first.map);
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

    /// Takes the better parts of `other`: a deeper or more certain value with its label, or a label
    /// if there is none; and adds its texts.
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
        for drawing in other.drawings {
            match self
                .drawings
                .iter_mut()
                .find(|known| known.map == drawing.map)
            {
                Some(known) => add_text(&mut known.comment, &drawing.comment, "\n"),
                None => self.drawings.push(drawing),
            }
        }
        for (place, text) in other.cells {
            self.add_cell_text(place, &text);
        }
    }

    /// Adds to the text on the cell at `place` of the stored orientation.
    pub fn add_cell_text(&mut self, place: Point, text: &str) {
        let mut all = self.cell_text(place).unwrap_or_default().to_string();
        add_text(&mut all, text, " ");
        self.set_cell_text(place, &all);
    }

    /// Label, value, depth and bound (1, 2, 2 and 1 bytes, low byte first), the number of cells
    /// (2) with column, row, length and text of each, and to the end the drawings: the number of
    /// the map, the length (4) and the comment of each.
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
        for drawing in &self.drawings {
            bytes.push(drawing.map.number());
            bytes.extend((drawing.comment.len() as u32).to_le_bytes());
            bytes.extend(drawing.comment.as_bytes());
        }
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
        let mut drawings = Vec::new();
        while let Some((&[map, l0, l1, l2, l3], after)) = rest.split_first_chunk() {
            let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
            let (comment, after) = after.split_at_checked(length)?;
            rest = after;
            drawings.push(Drawing {
                map: (map < 8).then(|| Symmetry::new(map))?,
                comment: String::from_utf8(comment.to_vec()).ok()?,
            });
        }
        if !rest.is_empty() {
            return None;
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
            drawings,
            cells,
        })
    }
}
