//! Libraries of RenLib as games: one tree of moves with comments and texts on cells.

use super::sgf::main_line;
use super::{ReadOptions, RecordError, RecordedGame, Sink, Warning, has_extension};
use crate::renlib::{self, Charset, Entries};
use crate::sgf::{self, Node, Property, Tree};
use tengen::board::{Board, Move};
use tengen::types::{Color, Point};

/// True for a library. One without a header may begin like a text, and is told by the name of its
/// file.
pub(super) fn is_library(bytes: &[u8], name: &str) -> bool {
    let is_old = has_extension(name, "lib") && !bytes.starts_with(b"!<arch>");
    renlib::is_library(bytes) || is_old
}

/// Most memory of a library's tree.
const MOST_BYTES: usize = 1 << 30;
/// A text takes as much memory as that many moves.
const MOVES_PER_TEXT: usize = 4;

/// Reads a library. Returns its charset.
pub(super) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    sink: &mut Sink,
) -> Result<Option<&'static str>, RecordError> {
    let unknown = |name: &str| RecordError::Charset(name.to_string());
    let charset = match options.charset {
        Some(name) => Some(Charset::named(name).ok_or_else(|| unknown(name))?),
        None => None,
    };
    let mut entries = Entries::new(bytes, charset)?;
    let most = options.most_parts.min(MOST_BYTES / size_of::<Node>());
    if entries.moves() + MOVES_PER_TEXT * entries.texts() > most {
        return Err(RecordError::LargeLibrary(most));
    }
    let game = game(&mut entries, &mut sink.warnings);
    let charset = entries.charset().name();
    if entries.damaged_texts() > 0 {
        sink.warnings.push(Warning::Unreadable(charset));
    }
    let has_other_letters = entries.has_other_letters();
    let _ = sink.take(game);
    Ok(has_other_letters.then_some(charset))
}

/// The game of a library. A move to a taken cell ends its line.
fn game(entries: &mut Entries, warnings: &mut Vec<Warning>) -> RecordedGame {
    let side = renlib::SIDE.into();
    let mut board = Board::new(side, side).expect("a size that the engine plays on");
    let empty = board.clone();
    let mut tree = Tree::default();
    let moves = entries.moves();
    // The moves on the way to `board`, each with its node.
    let mut way: Vec<(Move, usize)> = Vec::new();
    // Moves before the first impossible move, and before the one whose line is left out.
    let (mut first, mut cut) = (None, None);
    for entry in entries {
        if cut.is_some_and(|plies| entry.plies > plies) {
            continue;
        }
        cut = None;
        while way.len() > entry.plies {
            if way.pop().is_some_and(|(made, _)| made.point.is_some()) {
                board.undo();
            }
        }
        let parent = way.last().map_or(Tree::ROOT, |(_, place)| *place);
        let Some(point) = entry.made else {
            add_comment(&mut tree, parent, &entry.comment);
            continue;
        };
        let color = Color::BOTH[entry.plies % 2];
        match point {
            Some(p) if !board.is_empty(p) => {
                cut = Some(entry.plies);
                first = first.or(cut);
                continue;
            }
            Some(p) => board.put(p, color),
            None => {}
        }
        let made = Move { color, point };
        let place = tree.add(parent, Some(made));
        way.push((made, place));
        add_comment(&mut tree, place, &entry.comment);
        if let Some(p) = point.filter(|_| !entry.cell_text.is_empty()) {
            add_cell_text(&mut tree, parent, p, &entry.cell_text);
        }
    }
    if let Some(number) = first {
        warnings.push(Warning::Variation {
            number,
            reason: "is on a taken point".to_string(),
            lost: moves + 1 - tree.len(),
        });
    }
    main_line(&empty, tree)
}

/// Adds a line to the comment of a node.
fn add_comment(tree: &mut Tree, place: usize, comment: &str) {
    let properties = &mut tree.node_mut(place).properties;
    match properties.iter_mut().find(|p| p.name == "C") {
        _ if comment.is_empty() => {}
        Some(known) if known.value() == comment => {}
        Some(known) => known.values[0] += &format!("\n{comment}"),
        // The comment stands before the texts on cells.
        None => properties.insert(0, Property::new("C", comment)),
    }
}

/// Adds a text on the cell of a reply.
fn add_cell_text(tree: &mut Tree, place: usize, p: Point, text: &str) {
    let value = format!("{}:{text}", sgf::place(p));
    let properties = &mut tree.node_mut(place).properties;
    match properties.iter_mut().find(|p| p.name == "LB") {
        Some(known) => known.values.push(value),
        None => properties.push(Property::new("LB", value)),
    }
}
