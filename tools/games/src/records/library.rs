//! Libraries of RenLib as games: one tree of moves with comments and texts on cells.

use super::sgf::main_line;
use super::{ReadOptions, RecordError, RecordedGame, Sink, Warning, has_extension};
use crate::renlib::{self, Charset, Library};
use crate::sgf::{self, Property, Tree};
use tengen::board::{Board, Move};
use tengen::types::Color;

/// True for a library. One without a header may begin like a text, and is told by the name of its
/// file.
pub(super) fn is_library(bytes: &[u8], name: &str) -> bool {
    let is_old = has_extension(name, "lib") && !bytes.starts_with(b"!<arch>");
    renlib::is_library(bytes) || is_old
}

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
    let library = Library::read_in(bytes, charset)?;
    if library.moves() > options.most_parts {
        return Err(RecordError::TooLarge(options.most_parts));
    }
    if library.damaged_texts() > 0 {
        sink.warnings
            .push(Warning::Unreadable(library.charset().name()));
    }
    let game = game(&library, &mut sink.warnings);
    let _ = sink.take(game);
    Ok(library
        .has_other_letters()
        .then_some(library.charset().name()))
}

/// The game of a library. A move to a taken cell ends its line.
fn game(library: &Library, warnings: &mut Vec<Warning>) -> RecordedGame {
    let side = renlib::SIDE.into();
    let mut board = Board::new(side, side).expect("a size that the engine plays on");
    let empty = board.clone();
    let mut tree = Tree::default();
    add_texts(library, Library::ROOT, Tree::ROOT, &mut tree);
    // The moves on the way to `board`, and the nodes still to come: the parent of each in the tree,
    // and the length of the way to it.
    let mut way: Vec<Move> = Vec::new();
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    open.extend(
        library
            .first_child(Library::ROOT)
            .map(|child| (child, Tree::ROOT, 0)),
    );
    let mut cut = Vec::new();
    while let Some((node, parent, plies)) = open.pop() {
        while way.len() > plies {
            if way.pop().is_some_and(|made| made.point.is_some()) {
                board.undo();
            }
        }
        open.extend(
            library
                .next_sibling(node)
                .map(|sibling| (sibling, parent, plies)),
        );
        let color = Color::BOTH[plies % 2];
        let made = Move {
            color,
            point: library.point(node),
        };
        match made.point {
            Some(p) if !board.is_empty(p) => {
                cut.push(plies);
                continue;
            }
            Some(p) => board.put(p, color),
            None => {}
        }
        let place = tree.add(parent, Some(made));
        add_texts(library, node, place, &mut tree);
        way.push(made);
        open.extend(
            library
                .first_child(node)
                .map(|child| (child, place, plies + 1)),
        );
    }
    if let Some(&number) = cut.first() {
        warnings.push(Warning::Variation {
            number,
            reason: "is on a taken point".to_string(),
            lost: library.moves() + 1 - tree.len(),
        });
    }
    let mut game = main_line(&empty, tree);
    game.rule = "renju".to_string();
    game
}

/// Adds the comment of a node, and the texts on the cells of its replies.
fn add_texts(library: &Library, node: usize, place: usize, tree: &mut Tree) {
    let mut properties = Vec::new();
    if !library.comment(node).is_empty() {
        properties.push(Property::new("C", library.comment(node)));
    }
    let labels = library.children(node).filter_map(|child| {
        let text = Some(library.cell_text(child)).filter(|text| !text.is_empty());
        Some(format!("{}:{}", sgf::place(library.point(child)?), text?))
    });
    let values: Vec<String> = labels.collect();
    if !values.is_empty() {
        properties.push(Property {
            name: "LB".to_string(),
            values,
        });
    }
    tree.node_mut(place).properties.extend(properties);
}
